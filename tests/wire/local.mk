# The second encoder and the schema against the protocol's tables: Python, standard library.
check_PROGRAMS += tests/wire/kwecho
tests_wire_kwecho_SOURCES = %D%/kwecho.c
tests_wire_kwecho_LDADD = $(COMPAT_LIBS)
TESTS += %D%/frames.py %D%/kwref.py %D%/schema_facts.py %D%/kwgen_checks.py
SANITIZED += %D%/kwref.py %D%/frames.py
EXTRA_DIST += %D%/frames.py %D%/kwref.py %D%/schema_facts.py %D%/kwgen_checks.py
