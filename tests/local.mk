TEST_LIBS = libtest.a $(CMOCKA_LIBS)
check_LIBRARIES = libtest.a
libtest_a_SOURCES = %D%/support/harness.h %D%/support/harness.c
libtest_a_SOURCES += %D%/support/gen.h %D%/support/gen.c
EXTRA_DIST += %D%/summary.sh %D%/stages.sh quickstart

# Programs and scripts that sanitizer builds run too (`make check-sanitized`); fragments add to it.
SANITIZED =

# A line per test program, kept in one fragment per folder so that parallel work does not collide.
include tests/lint/local.mk
include tests/unit/compat/local.mk
include tests/wire/local.mk
include tests/fuzz/local.mk
include tests/unit/broker/local.mk
include tests/unit/storage/local.mk
include tests/unit/order/local.mk
include tests/perf/local.mk
include tests/interop/local.mk
include tests/clients/local.mk
include tests/sim/local.mk

.PHONY: check-sanitized analyze bench
check-sanitized:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$(SANITIZED)"

# Short lists; each disabled check has its reason beside it.
analyze:
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -I$(top_srcdir) -j2 \
	  --enable=warning,portability \
	  --suppress=missingIncludeSystem `# system headers are not analysed` \
	  --suppress=shiftTooManyBitsSigned `# gcc defines it: arithmetic shift` \
	  --suppress=internalAstError `# of cppcheck itself, on C11 _Generic and statement macros` \
	  --suppress=uninitvar --suppress=legacyUninitvar `# does not follow out parameters; gcc and the sanitizers do` \
	  $(top_srcdir)/compat $(top_srcdir)/storage $(top_srcdir)/order $(top_srcdir)/broker
