# The simulator has its own copy of the core, built with mutations.
check_PROGRAMS += tests/sim/braid-sim
tests_sim_braid_sim_SOURCES = $(ORDER_CORE_SOURCES) \
	tests/sim/world.h tests/sim/world.c \
	tests/sim/sim_net.h tests/sim/sim_net.c \
	tests/sim/sim_disk.h tests/sim/sim_disk.c \
	tests/sim/sim_node.h tests/sim/sim_node.c \
	tests/sim/sim_recover.c \
	tests/sim/real_node.h tests/sim/real_node.c \
	tests/sim/workload.h tests/sim/workload.c \
	tests/sim/check_order.h tests/sim/check_order.c \
	tests/sim/main.c
tests_sim_braid_sim_CPPFLAGS = $(AM_CPPFLAGS) -DORDER_MUTATIONS
tests_sim_braid_sim_LDADD = $(ORDER_LIBS)
SIM_TESTS = tests/sim/seeds.sh tests/sim/mutations.sh
TESTS += $(SIM_TESTS)
EXTRA_DIST += $(SIM_TESTS)
SANITIZED += tests/sim/few_seeds.sh
EXTRA_DIST += tests/sim/few_seeds.sh tests/sim/README.md order/README.md order/core/README.md
