# The broker against bytes, kcat, librdkafka and python3-kafka: each program starts its own braidd.
INTEROP = \
	%D%/test_wire.py \
	%D%/test_connections.py \
	%D%/test_produce.py \
	%D%/test_fetch.py \
	%D%/test_order.py \
	%D%/test_order_api.py \
	%D%/test_cold.py \
	%D%/test_views.py \
	%D%/test_groups.py \
	%D%/test_random.py \
	%D%/test_damage.py \
	%D%/test_admin.py \
	%D%/test_history.py \
	%D%/test_cli.py
TESTS += $(INTEROP)
EXTRA_DIST += $(INTEROP) %D%/rawkafka.py %D%/properties/kraft.properties %D%/properties/zookeeper.properties
EXTRA_DIST += tests/support/check.py tests/support/broker_proc.py tests/support/record_proxy.py tests/golden/frames
include %D%/libbraid.mk
