check_PROGRAMS += tests/unit/broker/test_group
TESTS += tests/unit/broker/test_group
SANITIZED += tests/unit/broker/test_group
tests_unit_broker_test_group_SOURCES = %D%/test_group.c
tests_unit_broker_test_group_LDADD = $(TEST_LIBS) $(BROKER_LIBS)

check_PROGRAMS += tests/unit/broker/test_topic_config tests/unit/broker/test_catalog
TESTS += tests/unit/broker/test_topic_config tests/unit/broker/test_catalog
SANITIZED += tests/unit/broker/test_topic_config tests/unit/broker/test_catalog
tests_unit_broker_test_topic_config_SOURCES = %D%/test_topic_config.c
tests_unit_broker_test_topic_config_LDADD = $(TEST_LIBS) $(BROKER_LIBS)
tests_unit_broker_test_catalog_SOURCES = %D%/test_catalog.c
tests_unit_broker_test_catalog_LDADD = $(TEST_LIBS) $(BROKER_LIBS)

TESTS += tests/unit/broker/test_tool.py
EXTRA_DIST += tests/unit/broker/test_tool.py

check_PROGRAMS += tests/unit/broker/test_config tests/unit/broker/test_wait
TESTS += tests/unit/broker/test_config tests/unit/broker/test_wait
SANITIZED += tests/unit/broker/test_config tests/unit/broker/test_wait
tests_unit_broker_test_config_SOURCES = %D%/test_config.c
tests_unit_broker_test_config_LDADD = $(TEST_LIBS) $(BROKER_LIBS)
tests_unit_broker_test_wait_SOURCES = %D%/test_wait.c
tests_unit_broker_test_wait_LDADD = $(TEST_LIBS) $(BROKER_LIBS)

check_PROGRAMS += tests/unit/broker/test_cut
TESTS += tests/unit/broker/test_cut
SANITIZED += tests/unit/broker/test_cut
tests_unit_broker_test_cut_SOURCES = %D%/test_cut.c tests/unit/order/local_node.h tests/unit/order/local_node.c
tests_unit_broker_test_cut_LDADD = $(TEST_LIBS) $(BROKER_LIBS)
