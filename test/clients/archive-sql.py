"""Runs SQL from the standard input in DuckDB, with its extension for HTTP from pip, and prints the rows as JSON."""

import json
import sys

import duckdb
from duckdb_extensions import import_extension

import_extension("httpfs")
connection = duckdb.connect()
connection.load_extension("httpfs")
rows = connection.sql(sys.stdin.read()).fetchall()
print(json.dumps(rows, default=str))
