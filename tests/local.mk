TEST_LIBS = libtest.a $(CMOCKA_LIBS)
check_LIBRARIES = libtest.a
libtest_a_SOURCES = %D%/support/harness.h %D%/support/harness.c
EXTRA_DIST += %D%/summary.sh

# A line per test program, kept in one fragment per folder so that parallel work does not collide.
include tests/unit/compat/local.mk
