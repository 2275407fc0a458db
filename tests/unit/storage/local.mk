STORAGE_TESTS =
STORAGE_TESTS += tests/unit/storage/test_journal
tests_unit_storage_test_journal_SOURCES = %D%/test_journal.c
tests_unit_storage_test_journal_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

check_PROGRAMS += $(STORAGE_TESTS)
TESTS += $(STORAGE_TESTS)
SANITIZED += $(STORAGE_TESTS)
