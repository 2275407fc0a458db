check_PROGRAMS += tests/unit/compat/test_base
TESTS += tests/unit/compat/test_base
SANITIZED += tests/unit/compat/test_base
tests_unit_compat_test_base_SOURCES = %D%/test_base.c
tests_unit_compat_test_base_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)
include %D%/net.mk
include %D%/batch.mk
include %D%/wire.mk
