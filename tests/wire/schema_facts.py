"""The schema files against tables of the Kafka protocol, by position, type, null and tag at every version; and
the error list against theirs. The tables lie beside the source tree (../shared/kafka-protocol) and not in it:
without them the one result is SKIP. Where the schema knows better, DIFFERENCES says so with the reason."""
import json
import os
import re
import sys

from kwref import NUMBERS, TOP, load

FACTS = os.path.join(TOP, "..", "shared", "kafka-protocol")

# Names in the tables where they are not ours.
NAMES = {
    "InitProducerIdRequest": "InitProducerIDRequest", "InitProducerIdResponse": "InitProducerIDResponse",
    "ConsumerSubscription": "ConsumerMemberMetadata", "ConsumerAssignment": "ConsumerMemberAssignment",
}
# (message, version): flattened field that only we have, and why.
DIFFERENCES = {
    ("DescribeLogDirsResponse", 5): ("results.is_cordoned bool", "Kafka 4.3 advertises version 5 (KIP-1066)"),
}
# Tables end before these versions: the version before stands for them.
NEWER = {("DescribeLogDirsRequest", 5): 4, ("DescribeLogDirsResponse", 5): 4}
ERROR_DIFFERENCES = {
    6: "today's name: followers answer fetches too",
    8: "Kafka's class for it is not a retriable one",
    51: "clients wait for the transaction before and try again",
}


def in_range(text, version):
    if not text:
        return True
    if text.endswith("+"):
        return version >= int(text[:-1])
    low, high = text.split("-")
    return int(low) <= version <= int(high)


def theirs(fields, version, flexible, enums, where=""):
    """Rows `path type null`, and tagged ones `path tag N type null = default`; names are left out of the comparison."""
    out, tags = [], []
    for f in fields:
        kind, null, array = f["type"], False, False
        if m := re.match(r"nullable(?:-?v(\d+)\+)?(?=\[|=)", kind):
            null, kind = version >= int(m[1] or 0), kind[m.end():]
        if m := re.match(r"nullable-(string|bytes)(?:-v(\d+)\+)?$", kind):
            null, kind = version >= int(m[2] or 0), m[1]
        if kind.startswith("["):
            array, kind = True, kind[1:-1]
        if kind.startswith("enum-"):
            kind = enums[kind[5:]]["type"]
        row = ("[]" if array else "") + ("struct" if kind == "=>" else kind) + (" null" if null else "")
        inner = theirs(f["fields"], version, flexible, enums, where + f["name"] + ".") if "fields" in f else ([], [])
        if "tag" in f:
            if flexible and in_range(f.get("versions"), version):
                tags.append((f["tag"], row, str(int(f.get("default", "0"), 0)) if f.get("default", "0") != "null"
                             else "null", inner))
        elif in_range(f.get("versions"), version):
            out.append((row, inner))
    return out, sorted(tags)


def ours(fields, version, skip, where=""):
    out, tags = [], []
    for f in fields:
        if not f.first <= version <= f.last or skip == f"{where}{f.name} {f.kind}":
            continue
        kind = {"error": "int16", "records": "bytes"}.get(f.kind, f.kind)
        null = f.null_from is not None and f.null_from <= version
        row = ("[]" if f.array else "") + ("struct" if f.fields else kind) + (" null" if null else "")
        inner = ours(f.fields, version, skip, where + f.name + ".") if f.fields else ([], [])
        if f.tag is None:
            out.append((row, inner))
        else:
            value = "null" if null and not f.default else f.default or "0"
            tags.append((f.tag, row, "0" if f.fields else value, inner))
    return out, sorted(tags)


def compare(a, b, newest, where):
    """Why b (ours) differs from a (theirs), or None. Their tags have no versions: ours may come later, but at
    the newest version all must be there."""
    for i, (x, y) in enumerate(zip(a[0], b[0])):
        if x[0] != y[0]:
            return f"{where} field {i + 1}: {y[0]}, the tables have {x[0]}"
        if why := compare(x[1], y[1], newest, f"{where} field {i + 1}"):
            return why
    if len(a[0]) != len(b[0]):
        return f"{where}: {len(b[0])} fields, the tables have {len(a[0])}"
    known = {t[0]: t for t in a[1]}
    for t in b[1]:
        if t[0] not in known:
            return f"{where}: tag {t[0]} is not in the tables"
        if known[t[0]][1:3] != t[1:3]:
            return f"{where} tag {t[0]}: {t[1:3]}, the tables have {known[t[0]][1:3]}"
        if why := compare(known[t[0]][3], t[3], newest, f"{where} tag {t[0]}"):
            return why
    if newest and len(a[1]) != len(b[1]):
        return f"{where}: {len(b[1])} tags, the tables have {len(a[1])}"
    return None


def check_message(m, facts, enums):
    fact = facts.get(NAMES.get(m.name, m.name))
    if not fact:
        return "not in the tables"
    pair = facts.get(NAMES.get(m.name, m.name).replace("Response", "Request"), fact)
    fields = fact["fields"]
    if fields[0]["name"] == "Version":
        fields = fields[1:]
    flexible_from = pair.get("flexible_from", fact.get("flexible_from", 10 ** 6))
    flexible_from = 10 ** 6 if flexible_from in (None, -1) else int(flexible_from)
    if m.api >= 0 and pair["key"] != m.api:
        return f"key {m.api}, the tables have {pair['key']}"
    if m.flexible != flexible_from:
        return f"flexible from {m.flexible}, the tables have {flexible_from}"
    newest = int(pair.get("max_version", m.last))
    for version in range(m.first, m.last + 1):
        stands = NEWER.get((m.name, version), version)
        if stands > newest:
            return f"version {version} is newer than the tables"
        extra = DIFFERENCES.get((m.name, version), (None,))[0]
        why = compare(theirs(fields, stands, stands >= flexible_from, enums), ours(m.fields, version, extra),
                      version == m.last, f"version {version}")
        if why:
            return why
    return None


def check_errors():
    text = open(os.path.join(TOP, "compat/wire/error.h")).read()
    have = {int(c): (n, r) for c, n, r in re.findall(r"X\((-?\d+), (\w+), (\d),", text)}
    for line in open(os.path.join(FACTS, "errors.tsv")).read().splitlines()[1:]:
        code, name, retriable = line.split("\t")
        want = (name, "1" if retriable == "true" else "0")
        if have.get(int(code)) != want and int(code) not in ERROR_DIFFERENCES:
            return f"{code}: {have.get(int(code))}, the tables have {want}"
    return None


def main():
    if not os.path.exists(os.path.join(FACTS, "messages.json")):
        print("SKIP wire.schema_facts: no tables in ../shared/kafka-protocol")
        return 0
    facts = json.load(open(os.path.join(FACTS, "messages.json")))
    enums = json.load(open(os.path.join(FACTS, "enums.json")))
    failed = 0
    folder = os.path.join(TOP, "compat/schema")
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".kw") or name.startswith("1000"):  # keys from 10000 are our own
            continue
        why = None
        for m in load(os.path.join(folder, name)):
            why = why or (w := check_message(m, facts, enums)) and f"{m.name}: {w}"
        print(f"FAIL wire.schema_facts.{name}: {why}" if why else f"PASS wire.schema_facts.{name}")
        failed |= bool(why)
    why = check_errors()
    print(f"FAIL wire.schema_facts.errors: {why}" if why else "PASS wire.schema_facts.errors")
    return 1 if failed or why else 0


if __name__ == "__main__":
    sys.exit(main())
