# `make bench`: not part of the check; nothing there asserts on time.
EXTRA_PROGRAMS += tests/perf/bench
tests_perf_bench_SOURCES = %D%/bench.c
tests_perf_bench_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
tests_perf_bench_LDADD = $(COMPAT_LIBS) $(RDKAFKA_LIBS)
EXTRA_DIST += %D%/bench.py

bench: tests/perf/bench$(EXEEXT) braidd$(EXEEXT) braid$(EXEEXT)
	builddir='$(top_builddir)' /usr/bin/python3 $(srcdir)/%D%/bench.py
