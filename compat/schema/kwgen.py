#!/usr/bin/env python3
"""Turns schema files (compat/schema/README.md has the language) into C structs and constant tables.

    kwgen.py [--root DIR] OUTDIR FILE.kw...

Writes DIR/OUTDIR/NAME.h and NAME.c for each file, and OUTDIR/all.c with the list of all messages and, where the
files hold API keys, of all APIs. OUTDIR is a path from the top of the tree: it is what the output includes.
Each message is checked first; what is wrong is told as `file:line: why`, and nothing is written then. Only data
comes out, never a function: compat/wire/codec.c interprets the tables.
"""
import os
import re
import sys

# schema type: C type, table type, bits of a number (negative: signed)
SCALARS = {
    "bool": ("bool", "BOOL", 1), "int8": ("int8_t", "INT8", -8), "int16": ("int16_t", "INT16", -16),
    "uint16": ("uint16_t", "UINT16", 16), "int32": ("int32_t", "INT32", -32), "uint32": ("uint32_t", "UINT32", 32),
    "int64": ("int64_t", "INT64", -64), "float64": ("double", "FLOAT64", -32), "error": ("int16_t", "INT16", -16),
    "uuid": ("struct br_uuid", "UUID", 0), "string": ("struct br_str", "STRING", 0),
    "bytes": ("struct br_str", "BYTES", 0), "records": ("struct kw_records", "RECORDS", 0),
}
NULLABLE = {"string", "bytes", "records"}
C_WORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline int
    long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile
    while bool true false unix linux errno asm typeof""".split())
NEVER = 32767
DEPTH_MAX = 6
COUNT_MAX = 120 # fields of one structure
RANGE = r"versions (\d+)-(\d+) flexible (\d+\+|none)"
API = re.compile(r"^api (\d+) ([A-Z]\w*) " + RANGE + "$")
MESSAGE = re.compile(r"^message ([A-Z]\w*) " + RANGE + "$")
PART = re.compile(r"^(request|response)$")
FIELD = re.compile(r"^( +)([a-z]\w*): (\[\])?([a-z]\w*)(?: v(\d+)(\+|-\d+)?)?( null(?: v(\d+)\+)?)?(?: tag (\d+))?"
                   r"( secret)?(?: = (\S+))?$")


class Bad(Exception):
    """What is wrong with a line."""


class Message:
    def __init__(self, name, key, first, last, flexible):
        self.name, self.key, self.first, self.last = name, key, int(first), int(last)
        self.flexible = NEVER if flexible == "none" else int(flexible[:-1])
        self.cname = "kw_" + snake(name)
        self.fields, self.words = [], set()
        if self.first > self.last:
            raise Bad("first version after the last")
        if NEVER > self.flexible > self.last:
            raise Bad("flexible from a version past the last: write none")


class Field:
    def __init__(self, m, message, parent):
        _, self.name, array, self.word, first, rest, null, null_from, tag, secret, self.default = m.groups()
        self.array, self.secret = bool(array), bool(secret)
        self.struct = self.word not in SCALARS
        self.children = []
        outer = (parent.first, parent.last) if parent else (message.first, message.last)
        self.first = int(first) if first else outer[0]
        self.last = outer[1] if not rest or rest == "+" else int(rest[1:])
        if first and not rest:
            self.last = self.first
        self.tag = int(tag) if tag else -1
        self.null_from = NEVER if not null else int(null_from) if null_from else self.first
        self.check(outer, first, message, parent)
        self.number, self.default_null = self.read_default()

    def check(self, outer, first, message, parent):
        if not outer[0] <= self.first <= self.last <= outer[1]:
            raise Bad(f"versions {self.first}-{self.last} are not inside {outer[0]}-{outer[1]}")
        if first and (self.first, self.last) == outer:
            raise Bad("the version range says nothing: leave it out")
        if self.null_from != NEVER and not self.first <= self.null_from <= self.last:
            raise Bad("null from a version that the field does not have")
        if self.null_from != NEVER and not (self.array or self.struct or self.word in NULLABLE):
            raise Bad(f"{self.word} cannot be null")
        if self.tag >= 0 and self.first < message.flexible:
            raise Bad("a tagged field must begin at a flexible version")
        siblings = parent.children if parent else message.fields
        if 0 <= self.tag <= max([s.tag for s in siblings], default=-1):
            raise Bad("tags must rise")
        for s in siblings:
            if {self.name, self.name + "_count"} & {s.name, s.name + "_count" if s.array else s.name}:
                raise Bad(f"{self.name} collides with {s.name}")
        if len(siblings) == COUNT_MAX:
            raise Bad("too many fields")
        if self.name in C_WORDS:
            raise Bad(f"{self.name} is a word of C")
        self.in_tag = self.tag >= 0 or bool(parent and parent.in_tag)
        if self.word == "records" and (self.array or self.in_tag):
            raise Bad("records can be neither in an array nor in a tagged field")
        if self.struct and self.word in message.words:
            raise Bad(f"two structures called {self.word}: they need different words")
        if self.struct:
            message.words.add(self.word)
            self.cname = f"{message.cname}_{self.word}"

    def read_default(self):
        always_null = self.null_from == self.first
        if self.default is None:
            return 0, always_null
        if self.array or self.struct or self.word in NULLABLE:
            if self.default == "null" and always_null:
                raise Bad("null is the default of a nullable field: leave it out")
            if self.default == "empty" and always_null and not (self.struct and not self.array):
                return 0, False
            raise Bad(f"default {self.default} does not fit the type")
        if self.word == "uuid":
            raise Bad("a uuid has no default but zero")
        if self.word == "bool":
            if self.default != "true":
                raise Bad("only = true can be said of a bool")
            return 1, False
        bits = SCALARS[self.word][2]
        low, high = (0, 2 ** bits - 1) if bits > 0 else (-2 ** (-bits - 1), 2 ** (-bits - 1) - 1)
        if not re.fullmatch(r"-?\d+", self.default) or not low <= int(self.default) <= high:
            raise Bad(f"default {self.default} does not fit {self.word}")
        if int(self.default) in (0, -2 ** 63):
            raise Bad(f"{self.default} cannot be said: 0 is the default anyway, the smallest int64 has no literal in C")
        return int(self.default), False


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def parse(path):
    """The messages of one file."""
    messages, api, stack, line_no = [], None, [], 0
    try:
        for line_no, line in enumerate(open(path, encoding="ascii"), 1):
            line = line.rstrip("\n")
            if not line or line.lstrip().startswith("#"):
                continue
            if m := API.match(line):
                if api or messages:
                    raise Bad("one api a file, before its messages")
                api = m.groups()
                check_file_name(path, int(api[0]), api[1])
            elif m := PART.match(line):
                if not api or len(messages) != ("request", "response").index(line):
                    raise Bad("api, request and response come in this order, once each")
                messages.append(Message(api[1] + line.capitalize(), int(api[0]), *api[2:]))
                stack = [None]
            elif m := MESSAGE.match(line):
                if api:
                    raise Bad("no other message in the file of an api")
                messages.append(Message(m[1], -1, *m.groups()[1:]))
                stack = [None]
            elif m := FIELD.match(line):
                add_field(m, messages, stack)
            else:
                raise Bad("not a line of the language")
        if not messages or api and len(messages) != 2:
            raise Bad("a message is missing")
        for message in messages:
            check_children(message.fields)
    except Bad as why:
        sys.exit(f"{path}:{line_no}: {why}")
    return messages


def check_file_name(path, key, name):
    want = f"{key:02d}_{snake(name)}.kw"
    if os.path.basename(path) != want:
        raise Bad(f"this file should be called {want}")


def add_field(m, messages, stack):
    """stack[d] is the structure that a field at depth d + 1 belongs to; stack[0] stands for the message."""
    indent = len(m[1])
    depth = indent // 2
    if not messages or indent % 2 or depth > len(stack):
        raise Bad("indentation does not fit")
    if depth > DEPTH_MAX:
        raise Bad(f"more than {DEPTH_MAX} levels")
    del stack[depth:]
    message, parent = messages[-1], stack[-1]
    if parent and not parent.struct:
        raise Bad(f"{parent.word} has no fields")
    field = Field(m, message, parent)
    (parent.children if parent else message.fields).append(field)
    stack.append(field)


def check_children(fields):
    for f in fields:
        if f.struct and not f.children:
            raise Bad(f"{f.word} (of {f.name}) is neither a type nor a structure with fields")
        check_children(f.children)


def structs(fields, cname, name):
    """(C name, name, fields) of a structure and of those inside it, children first."""
    for f in fields:
        if f.struct:
            yield from structs(f.children, f.cname, f.word)
    yield cname, name, fields


def c_struct(message, cname, fields):
    """A comment tells versions where they are not all of the message's."""
    out = [f"struct {cname} {{"]
    for f in fields:
        ctype = f"struct {f.cname}" if f.struct else SCALARS[f.word][0]
        star = "*" if f.array or (f.struct and f.null_from != NEVER) else ""
        note = []
        if (f.first, f.last) != (message.first, message.last):
            note.append(f"v{f.first}" + ("" if f.first == f.last else f"-{f.last}"))
        if f.null_from != NEVER:
            note.append("null" + (f" v{f.null_from}+" if f.null_from > f.first else ""))
        if f.tag >= 0:
            note.append(f"tag {f.tag}")
        if f.default:
            note.append(f"default {f.default}")
        out.append(f"    {ctype} {star}{f.name};" + (f" /* {', '.join(note)} */" if note else ""))
        if f.array:
            out.append(f"    int32_t {f.name}_count;")
    return out + ["};"]


def c_fields(cname, fields):
    out = [f"static const struct kw_field {cname}_fields[] = {{"]
    for f in fields:
        kind = "STRUCT" if f.struct else SCALARS[f.word][1]
        flags = [flag for flag, on in (("KW_F_ARRAY", f.array), ("KW_F_SECRET", f.secret),
                 ("KW_F_DEFAULT_NULL", f.default_null), ("KW_F_ERROR", f.word == "error")) if on]
        count = f"offsetof(struct {cname}, {f.name}_count)" if f.array else "0"
        sub = f"&{f.cname}" if f.struct else "NULL"
        never = "KW_NEVER" if f.null_from == NEVER else str(f.null_from)
        out.append(f'    {{"{f.name}", {sub}, {f.number}, offsetof(struct {cname}, {f.name}), {count},')
        out.append(f"     {f.first}, {f.last}, {never}, {f.tag}, KW_T_{kind}, {' | '.join(flags) or '0'}}},")
    return out + ["};"]


def write_pair(base, include, source, messages):
    head = f"/* Made by kwgen.py from {source}: do not edit. */"
    h = [head, "#pragma once", "", '#include "compat/wire/codec.h"', ""]
    c = [head, f'#include "{include}.h"', '#include "compat/wire/table.h"', ""]
    for m in messages:
        for cname, name, fields in structs(m.fields, m.cname, m.name):
            h += c_struct(m, cname, fields)
            root = cname == m.cname
            tags = sum(f.tag >= 0 for f in fields)
            c += c_fields(cname, fields)
            c.append(f"{'static ' if root else ''}const struct kw_struct {cname}{'_root' if root else ''} = "
                     f'{{"{name}", {cname}_fields, sizeof(struct {cname}), {len(fields)}, {tags}}};')
            c.append("")
            h += [f"extern const struct kw_{'message' if root else 'struct'} {cname};", ""]
        flexible = "KW_NEVER" if m.flexible == NEVER else m.flexible
        c += [f'const struct kw_message {m.cname} = {{"{m.name}", {m.key}, {m.first}, {m.last}, {flexible},',
              f"    &{m.cname}_root}};", ""]
    write(base + ".h", h)
    write(base + ".c", c)


def write_all(base, outdir, names, messages):
    """The lists over all files. Their symbols end in the name of the folder above OUTDIR when it is not compat."""
    apis = sorted((m for m in messages if m.key >= 0 and m.name.endswith("Request")), key=lambda m: m.key)
    owner = outdir.split("/")[0]
    mark = "" if owner == "compat" else "_" + owner
    c = [f"/* Made by kwgen.py from all schema files of {outdir}: do not edit. */", '#include "compat/wire/api.h"',
         '#include "compat/wire/table.h"'] + [f'#include "{outdir}/{n}.h"' for n in names] + [""]
    if apis:
        c.append("const struct kw_api kw_api_list[] = {")
        c += [f'    {{{m.key}, "{m.name[:-7]}", &{m.cname}, &{m.cname[:-7]}response}},' for m in apis]
        c += ["};", f"const size_t kw_api_list_count = {len(apis)};", ""]
    c += [f"const struct kw_message *const kw_message_list{mark}[] = {{"] + [f"    &{m.cname}," for m in messages]
    c += ["};", f"const size_t kw_message_list{mark}_count = {len(messages)};"]
    write(base, c)


def write(path, lines):
    with open(path, "w", encoding="ascii") as f:
        f.write("\n".join(lines).rstrip("\n") + "\n")


def main(args):
    root = "."
    if args[:1] == ["--root"]:
        root, args = args[1], args[2:]
    if len(args) < 2:
        sys.exit(__doc__)
    outdir, files = args[0], sorted(args[1:])
    parsed = [(path, parse(path)) for path in files]
    every = [m for _, messages in parsed for m in messages]
    if len({m.cname for m in every}) != len(every):
        sys.exit("two messages of one name")
    os.makedirs(os.path.join(root, outdir), exist_ok=True)
    names = [os.path.splitext(os.path.basename(path))[0] for path in files]
    for name, (path, messages) in zip(names, parsed):
        write_pair(os.path.join(root, outdir, name), f"{outdir}/{name}", os.path.basename(path), messages)
    write_all(os.path.join(root, outdir, "all.c"), outdir, names, every)


if __name__ == "__main__":
    main(sys.argv[1:])
