check_PROGRAMS += tests/unit/compat/test_net
TESTS += tests/unit/compat/test_net
SANITIZED += tests/unit/compat/test_net
tests_unit_compat_test_net_SOURCES = %D%/test_net.c
tests_unit_compat_test_net_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)
