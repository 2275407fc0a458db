STORAGE_TESTS =
STORAGE_TESTS += tests/unit/storage/test_journal
tests_unit_storage_test_journal_SOURCES = %D%/test_journal.c
tests_unit_storage_test_journal_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)
STORAGE_TESTS += tests/unit/storage/test_log
tests_unit_storage_test_log_SOURCES = %D%/test_log.c %D%/log_model.h %D%/log_model.c
tests_unit_storage_test_log_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_log_time
tests_unit_storage_test_log_time_SOURCES = %D%/test_log_time.c %D%/log_model.h %D%/log_model.c
tests_unit_storage_test_log_time_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_log_files
tests_unit_storage_test_log_files_SOURCES = %D%/test_log_files.c %D%/log_model.h %D%/log_model.c
tests_unit_storage_test_log_files_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_log_cold
tests_unit_storage_test_log_cold_SOURCES = %D%/test_log_cold.c %D%/cold_disk.h %D%/cold_disk.c %D%/log_model.h %D%/log_model.c
tests_unit_storage_test_log_cold_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_order_log
tests_unit_storage_test_order_log_SOURCES = %D%/test_order_log.c %D%/cold_disk.h %D%/cold_disk.c
tests_unit_storage_test_order_log_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_producer
tests_unit_storage_test_producer_SOURCES = %D%/test_producer.c
tests_unit_storage_test_producer_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_io_pool
tests_unit_storage_test_io_pool_SOURCES = %D%/test_io_pool.c
tests_unit_storage_test_io_pool_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_file_cache
tests_unit_storage_test_file_cache_SOURCES = %D%/test_file_cache.c
tests_unit_storage_test_file_cache_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_vfs
tests_unit_storage_test_vfs_SOURCES = %D%/test_vfs.c
tests_unit_storage_test_vfs_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

STORAGE_TESTS += tests/unit/storage/test_store
tests_unit_storage_test_store_SOURCES = %D%/test_store.c
tests_unit_storage_test_store_LDADD = $(TEST_LIBS) $(STORAGE_LIBS)

check_PROGRAMS += $(STORAGE_TESTS)
TESTS += $(STORAGE_TESTS)
SANITIZED += $(STORAGE_TESTS)
