check_PROGRAMS += examples/produce_consume examples/order_three_topics
examples_produce_consume_SOURCES = %D%/common.h %D%/produce_consume.c
examples_produce_consume_LDADD = $(RDKAFKA_LIBS)
examples_order_three_topics_SOURCES = %D%/common.h %D%/order_three_topics.c
examples_order_three_topics_LDADD = $(RDKAFKA_LIBS)
TESTS += %D%/test_examples.py
EXTRA_DIST += %D%/test_examples.py
