"""
Rules that a schema cannot express: checksums, combinations of parameters, and values that cannot be sent in a URL.
"""

import hashlib
import re

import schemathesis

PAGE = 1_000
# Those of the document, whose checksums are right: a case that a hook has changed passes for one that breaks the schema.
EXAMPLES = {"0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65", "0xFABB0ac9d68B0B445fB7357272Ff202C5651694a"}
AMOUNTS = ("ggpStaked", "avaxStaked", "minAvaxValidating", "ggAvax", "avax")
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


@schemathesis.hook
def before_call(context, case, kwargs):
    """
    Makes positive test cases valid: checksums are right, a range does not end before it starts and is requested in
    pages, amounts are below their maximum, what follows an entry is asked for oldest first, only files for tax tools have a currency, and an estimate is for exactly one of the two amounts.
    """
    if not case.meta.generation.mode.is_positive:
        return
    for parameters in (case.path_parameters, case.query):
        for name, value in (parameters or {}).items():
            changed = with_checksum(value)
            if changed != value:
                parameters[name] = changed
    query = case.query
    if "from" in query:
        ends = sorted(int(query[name]) for name in ("from", "to") if name in query)
        query["from"], query["to"] = str(ends[0]), str(ends[-1])
        query.setdefault("limit", str(PAGE))
    for name in AMOUNTS:
        whole, point, places = query.get(name, "").partition(".")
        if len(whole) > 7:
            query[name] = whole[-7:] + point + places
    if "after" in query:
        query["order"] = "asc"
    if query.get("format") not in ("koinly", "rotki"):
        query.pop("currency", None)
    if case.operation.path == "/withdrawals/estimate":
        if "ggAvax" in query and "avax" in query:
            # Keeps sometimes one, sometimes the other.
            del query["avax" if len(query["avax"]) % 2 else "ggAvax"]
        elif "ggAvax" not in query and "avax" not in query:
            query["ggAvax"] = "100"


@schemathesis.hook
def filter_query(context, query):
    """Rejects empty objects as invalid values: they are not sent at all, so the request would be valid."""
    return {} not in (query or {}).values()


def with_checksum(value):
    """
    An address in mixed case (a checksum that is almost never right) becomes one in lower case, and a node ID one of
    made-up bytes; in lists, too, also once they are joined by commas. Everything else stays.
    """
    if isinstance(value, list):
        return [with_checksum(item) for item in value]
    if not isinstance(value, str):
        return value
    if "," in value:
        return ",".join(with_checksum(item) for item in value.split(","))
    if re.fullmatch("0x[0-9a-fA-F]{40}", value) and not value[2:].isupper():
        return value if value in EXAMPLES else value.lower()
    return node_id(hashlib.sha256(value.encode()).digest()[:20]) if value.startswith("NodeID-") else value


def node_id(data):
    """The CB58 form of a node's 20 bytes."""
    whole = data + hashlib.sha256(data).digest()[-4:]
    number = int.from_bytes(whole, "big")
    digits = ""
    while number:
        number, digit = divmod(number, 58)
        digits = BASE58[digit] + digits
    zeros = len(whole) - len(whole.lstrip(b"\0"))
    return "NodeID-" + "1" * zeros + digits
