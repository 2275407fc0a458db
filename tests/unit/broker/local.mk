check_PROGRAMS += tests/unit/broker/test_group
TESTS += tests/unit/broker/test_group
SANITIZED += tests/unit/broker/test_group
tests_unit_broker_test_group_SOURCES = %D%/test_group.c
tests_unit_broker_test_group_LDADD = $(TEST_LIBS) $(BROKER_LIBS)
