check_PROGRAMS += tests/unit/order/test_core
TESTS += tests/unit/order/test_core
SANITIZED += tests/unit/order/test_core
tests_unit_order_test_core_SOURCES = tests/unit/order/test_core.c
tests_unit_order_test_core_LDADD = liborder.a $(TEST_LIBS) $(COMPAT_LIBS)
