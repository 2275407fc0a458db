check_PROGRAMS += tests/unit/compat/test_wire tests/unit/compat/test_header
TESTS += tests/unit/compat/test_wire tests/unit/compat/test_header
SANITIZED += tests/unit/compat/test_wire tests/unit/compat/test_header
tests_unit_compat_test_wire_SOURCES = %D%/test_wire.c
tests_unit_compat_test_wire_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)
tests_unit_compat_test_header_SOURCES = %D%/test_header.c
tests_unit_compat_test_header_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)
