#!/usr/bin/python3
"""Writes braid.conf(5) to standard output from `braidd --keys` (the tables broker/config_keys.def and broker/topic/config.c)."""
import re, subprocess, sys

KINDS = {"acts": "Properties that act", "accepted": "Properties accepted without effect", "refused": "Properties that are refused", "topic": "Settings of topics"}


def escape(text):
    text = text.replace("\\", "\\e")
    return "\\&" + text if text[:1] in (".", "'") else text


rows = [line.split("\t") for line in subprocess.run([sys.argv[1], "--keys"], check=True, capture_output=True, text=True).stdout.splitlines()]
print(""".Dd December 1, 2026
.Dt BRAID.CONF 5
.Os
.Sh NAME
.Nm braid.conf
.Nd properties of braidd, a Kafka server.properties file
.Sh DESCRIPTION
A Java properties file as Kafka reads it.
Kafka's names keep their meaning; names of Braid's own begin with
.Dq Li braid. .
An unknown property is a warning, one under braid. a mistake; a bad value refuses to start and says what is allowed.
Topics inherit the properties that have a topic setting of the same meaning.""")
for kind, title in KINDS.items():
    print(f".Ss {title}\n.Bl -tag -width Ds")
    for name, k, default, valid, doc in rows:
        if k != kind:
            continue
        print(f".It Li {name}")
        extra = "" if default == "-" else f"Default: {escape(default) or 'empty'}."
        if valid != "-" and kind in ("acts", "topic"):
            extra += f" Allowed: {escape(valid)}."
        text = (doc if re.match(r"[a-z]+[=:]", doc) else doc[0].upper() + doc[1:]) + ("" if doc.endswith(".") else ".")
        print("\n".join(escape(s) for s in text.replace(". ", ".\n").split("\n")))
        if extra:
            print(extra.strip().replace(". ", ".\n"))
    print(".El")
print(".Sh SEE ALSO\n.Xr braidd 8")
