# libbraid without a broker.
check_PROGRAMS += tests/unit/order/test_speculation tests/unit/order/test_cut
TESTS += tests/unit/order/test_speculation tests/unit/order/test_cut
SANITIZED += tests/unit/order/test_speculation tests/unit/order/test_cut
tests_unit_order_test_speculation_SOURCES = tests/unit/order/test_speculation.c
tests_unit_order_test_speculation_LDADD = $(TEST_LIBS) $(BRAID_API_LIBS)
tests_unit_order_test_cut_SOURCES = tests/unit/order/test_cut.c
tests_unit_order_test_cut_LDADD = $(TEST_LIBS) $(BRAID_API_LIBS)

check_PROGRAMS += tests/unit/order/test_client
TESTS += tests/unit/order/test_client
SANITIZED += tests/unit/order/test_client
tests_unit_order_test_client_SOURCES = tests/unit/order/responder.h tests/unit/order/responder.c tests/unit/order/test_client.c
tests_unit_order_test_client_LDADD = $(TEST_LIBS) $(BRAID_API_LIBS)
