check_PROGRAMS += tests/unit/order/test_core tests/unit/order/test_group
TESTS += tests/unit/order/test_core tests/unit/order/test_group
SANITIZED += tests/unit/order/test_core tests/unit/order/test_group
tests_unit_order_test_core_SOURCES = tests/unit/order/test_core.c
tests_unit_order_test_core_LDADD = liborder.a $(TEST_LIBS) $(COMPAT_LIBS)
tests_unit_order_test_group_SOURCES = tests/unit/order/test_group.c
tests_unit_order_test_group_LDADD = liborder.a $(TEST_LIBS) $(COMPAT_LIBS)

check_PROGRAMS += tests/unit/order/test_local
TESTS += tests/unit/order/test_local
SANITIZED += tests/unit/order/test_local
tests_unit_order_test_local_SOURCES = tests/unit/order/test_local.c
tests_unit_order_test_local_LDADD = $(TEST_LIBS) $(ORDER_LIBS)

check_PROGRAMS += tests/unit/order/test_local_faults
TESTS += tests/unit/order/test_local_faults
SANITIZED += tests/unit/order/test_local_faults
tests_unit_order_test_local_faults_SOURCES = tests/unit/order/test_local_faults.c tests/unit/order/local_node.h tests/unit/order/local_node.c
tests_unit_order_test_local_faults_LDADD = $(TEST_LIBS) $(ORDER_LIBS)

check_PROGRAMS += tests/unit/order/test_local_kill
TESTS += tests/unit/order/test_local_kill
SANITIZED += tests/unit/order/test_local_kill
tests_unit_order_test_local_kill_SOURCES = tests/unit/order/test_local_kill.c tests/unit/order/local_node.h tests/unit/order/local_node.c
tests_unit_order_test_local_kill_LDADD = $(TEST_LIBS) $(ORDER_LIBS)

check_PROGRAMS += tests/unit/order/test_local_positions
TESTS += tests/unit/order/test_local_positions
SANITIZED += tests/unit/order/test_local_positions
tests_unit_order_test_local_positions_SOURCES = tests/unit/order/test_local_positions.c tests/unit/order/local_node.h tests/unit/order/local_node.c
tests_unit_order_test_local_positions_LDADD = $(TEST_LIBS) $(ORDER_LIBS)

check_PROGRAMS += tests/unit/order/test_local_together
TESTS += tests/unit/order/test_local_together
SANITIZED += tests/unit/order/test_local_together
tests_unit_order_test_local_together_SOURCES = tests/unit/order/test_local_together.c tests/unit/order/local_node.h tests/unit/order/local_node.c
tests_unit_order_test_local_together_LDADD = $(TEST_LIBS) $(ORDER_LIBS)
include %D%/api.mk
