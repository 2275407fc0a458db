# libbraid in C, against a braidd that it starts, kills and restarts.
check_PROGRAMS += tests/interop/test_libbraid
TESTS += tests/interop/test_libbraid
SANITIZED += tests/interop/test_libbraid
tests_interop_test_libbraid_SOURCES = %D%/test_libbraid.c tests/support/braidd.h tests/support/braidd.c
tests_interop_test_libbraid_LDADD = $(TEST_LIBS) $(BRAID_API_LIBS)
