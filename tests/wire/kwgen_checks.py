"""What kwgen.py must refuse, each with the line and the reason, and without writing anything."""
import os
import subprocess
import sys
import tempfile

TOP = os.environ.get("srcdir") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

HEAD = "message M versions 2-5 flexible 4+\n"
CASES = [  # (name, text, line, part of the reason)
    ("a_line_of_no_kind", HEAD + "  a int32\n", 2, "not a line of the language"),
    ("an_uneven_indentation", HEAD + "   a: int32\n", 2, "indentation"),
    ("a_level_too_deep", HEAD + "  a: b\n      c: int32\n", 3, "indentation"),
    ("a_field_below_a_number", HEAD + "  a: int32\n    b: int32\n", 3, "int32 has no fields"),
    ("an_unknown_type", HEAD + "  a: in32\n", 2, "neither a type nor a structure"),
    ("versions_past_the_last", HEAD + "  a: int32 v3-6\n", 2, "not inside"),
    ("versions_before_the_first", HEAD + "  a: int32 v1+\n", 2, "not inside"),
    ("versions_outside_the_parent", HEAD + "  a: b v3+\n    c: int32 v2-4\n", 3, "not inside"),
    ("versions_that_say_nothing", HEAD + "  a: int32 v2+\n", 2, "says nothing"),
    ("null_before_the_field", HEAD + "  a: string v3+ null v2+\n", 2, "does not have"),
    ("null_of_a_number", HEAD + "  a: int32 null\n", 2, "cannot be null"),
    ("a_tag_before_flexible", HEAD + "  a: int32 v3+ tag 0\n", 2, "flexible version"),
    ("a_tag_twice", HEAD + "  a: int32 v4+ tag 0\n  b: int32 v4+ tag 0\n", 3, "tags must rise"),
    ("a_default_too_large", HEAD + "  a: int8 = 128\n", 2, "does not fit"),
    ("a_default_that_is_no_number", HEAD + "  a: int8 = x\n", 2, "does not fit"),
    ("a_default_of_zero", HEAD + "  a: int8 = 0\n", 2, "default anyway"),
    ("a_null_default_where_null_is_not", HEAD + "  a: string = null\n", 2, "does not fit"),
    ("a_null_default_said_twice", HEAD + "  a: string null = null\n", 2, "leave it out"),
    ("a_name_twice", HEAD + "  a: int8\n  a: int8\n", 3, "collides"),
    ("a_name_that_is_a_count", HEAD + "  a: []int8\n  a_count: int8\n", 3, "collides"),
    ("a_word_of_c", HEAD + "  register: int8\n", 2, "word of C"),
    ("one_word_for_two_structures", HEAD + "  a: s\n    x: int8\n  b: s\n    y: int8\n", 4, "different words"),
    ("records_in_a_tag", HEAD + "  a: s v4+ tag 0\n    r: records\n", 3, "tagged field"),
    ("seven_levels", HEAD + "".join("  " * n + f"a: s{n}\n" for n in range(1, 7)) + "  " * 7 + "a: int8\n", 8, "levels"),
    ("an_empty_range", "message M versions 5-2 flexible none\n  a: int8\n", 1, "after the last"),
    ("a_late_flexible", "message M versions 0-2 flexible 3+\n  a: int8\n", 1, "past the last"),
    ("a_missing_response", "api 1 M versions 0-0 flexible none\nrequest\n  a: int8\n", 3, "missing", "01_m.kw"),
    ("a_wrong_file_name", "api 1 M versions 0-0 flexible none\n", 1, "01_m.kw"),
]


def main():
    failed = 0
    for name, text, line, why, *file_name in CASES:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, file_name[0] if file_name else "x.kw")
            open(path, "w").write(text)
            run = subprocess.run([sys.executable, os.path.join(TOP, "compat/schema/kwgen.py"), "--root", folder, "gen",
                                  path], capture_output=True, text=True)
            bad = None
            if run.returncode == 0:
                bad = "was taken"
            elif not run.stderr.startswith(f"{path}:{line}: ") or why not in run.stderr:
                bad = run.stderr.strip() or "no reason given"
            elif os.path.exists(os.path.join(folder, "gen")):
                bad = "wrote output"
        print(f"FAIL wire.kwgen_refuses_{name}: {bad}" if bad else f"PASS wire.kwgen_refuses_{name}")
        failed |= bad is not None
    return failed


if __name__ == "__main__":
    sys.exit(main())
