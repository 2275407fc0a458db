check_PROGRAMS += examples/produce_consume examples/order_three_topics
examples_produce_consume_SOURCES = %D%/common.h %D%/produce_consume.c
examples_produce_consume_LDADD = $(RDKAFKA_LIBS)
examples_order_three_topics_SOURCES = %D%/common.h %D%/order_three_topics.c
examples_order_three_topics_LDADD = $(RDKAFKA_LIBS)

check_PROGRAMS += examples/bank examples/aggregate examples/index examples/change_feed
examples_bank_SOURCES = %D%/braid_common.h %D%/bank.c
examples_bank_LDADD = $(BRAID_API_LIBS)
examples_aggregate_SOURCES = %D%/braid_common.h %D%/aggregate.c
examples_aggregate_LDADD = $(BRAID_API_LIBS)
examples_index_SOURCES = %D%/braid_common.h %D%/index.c
examples_index_LDADD = $(BRAID_API_LIBS)
examples_change_feed_SOURCES = %D%/braid_common.h %D%/change_feed.c
examples_change_feed_LDADD = $(BRAID_API_LIBS)

TESTS += %D%/test_examples.py
EXTRA_DIST += %D%/test_examples.py
