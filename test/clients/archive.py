"""Recomputes figures from an archive alone, with the reader that is named: archive.py csv|pandas|duckdb DIR HOLDER."""

import csv
import json
import sys
from datetime import datetime, timezone
from decimal import Decimal, getcontext
from glob import glob

getcontext().prec = 100
READER, FOLDER, HOLDER = sys.argv[1:]
WEI = 10**18
YEAR = 31_536_000


def files(table, form):
    return sorted(glob(f"{FOLDER}/{table}.{form}") + glob(f"{FOLDER}/{table}-[0-9]*.{form}"))


def with_csv(table):
    rows = []
    for file in files(table, "csv"):
        with open(file, newline="", encoding="utf-8") as text:
            rows += [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(text)]
    return rows


def with_pandas(table):
    import pandas

    frame = pandas.concat([pandas.read_parquet(file, dtype_backend="pyarrow") for file in files(table, "parquet")])
    return [{name: None if cell is pandas.NA else cell for name, cell in row.items()} for row in frame.to_dict("records")]


def with_duckdb(table):
    import duckdb

    relation = duckdb.sql(f"SELECT * FROM read_parquet({files(table, 'parquet')})")
    return [dict(zip(relation.columns, row)) for row in relation.fetchall()]


def wei(row, name):
    """An amount from its decimal, which has to say the same as its integer in text."""
    if row[name + "_wei"] is None:
        return 0
    exact = int(row[name + "_wei"])
    assert row[name] is None or int(Decimal(row[name]) * WEI) == exact, (name, row)
    return exact


def seconds(row, name):
    """A time, which has to say the same in both columns."""
    time = row[name]
    if isinstance(time, str):
        time = datetime.fromisoformat(time.replace("Z", "+00:00"))
    exact = int(row[name + "_unix"])
    assert int(time.replace(tzinfo=time.tzinfo or timezone.utc).timestamp()) == exact
    return exact


read = {"csv": with_csv, "pandas": with_pandas, "duckdb": with_duckdb}[READER]
events = read("events")
days = read("pool-daily")
last = days[-1]
before = next(day for day in reversed(days) if seconds(day, "timestamp") == seconds(last, "timestamp") - 7 * 86_400)
past = [event for event in events if int(event["block"]) <= int(last["block"])]


def total(kind, name, **fields):
    return sum(
        wei(event, name)
        for event in past
        if event["type"] == kind and all(event[field] == value for field, value in fields.items())
    )


supply = total("ggAvaxDeposited", "shares") - total("ggAvaxWithdrawn", "shares") - total("yieldAdded", "shares")

balance = (
    total("ggAvaxDeposited", "shares", owner=HOLDER)
    - total("ggAvaxWithdrawn", "shares", owner=HOLDER)
    + total("ggAvaxTransferred", "shares", to=HOLDER)
    - total("ggAvaxTransferred", "shares", **{"from": HOLDER})
)
inflow = total("ggAvaxDeposited", "assets", owner=HOLDER) + total("ggAvaxTransferred", "assets", to=HOLDER)
outflow = total("ggAvaxWithdrawn", "assets", owner=HOLDER) + total("ggAvaxTransferred", "assets", **{"from": HOLDER})
value = balance * wei(last, "totalAssets") // wei(last, "totalSupply")

growth = Decimal(wei(last, "avaxPerGgAvax")) / wei(before, "avaxPerGgAvax")
span = seconds(last, "blockTimestamp") - seconds(before, "blockTimestamp")

print(
    json.dumps(
        {
            "events": len(events),
            "day": seconds(last, "timestamp"),
            "supply": str(supply),
            "rewards": str(value + outflow - inflow),
            "apy_7d": float((growth ** (Decimal(YEAR) / span) - 1) * 100),
        }
    )
)
