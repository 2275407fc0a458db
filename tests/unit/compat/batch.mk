check_PROGRAMS += tests/unit/compat/test_zip
TESTS += tests/unit/compat/test_zip
SANITIZED += tests/unit/compat/test_zip
tests_unit_compat_test_zip_SOURCES = %D%/test_zip.c
tests_unit_compat_test_zip_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)

check_PROGRAMS += tests/unit/compat/test_batch
TESTS += tests/unit/compat/test_batch
SANITIZED += tests/unit/compat/test_batch
tests_unit_compat_test_batch_SOURCES = %D%/test_batch.c %D%/batch_gen.h %D%/batch_gen.c
tests_unit_compat_test_batch_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)

check_PROGRAMS += tests/unit/compat/test_validate
TESTS += tests/unit/compat/test_validate
SANITIZED += tests/unit/compat/test_validate
tests_unit_compat_test_validate_SOURCES = %D%/test_validate.c %D%/batch_gen.h %D%/batch_gen.c
tests_unit_compat_test_validate_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)

check_PROGRAMS += tests/unit/compat/test_prove
TESTS += tests/unit/compat/test_prove
SANITIZED += tests/unit/compat/test_prove
tests_unit_compat_test_prove_SOURCES = %D%/test_prove.c %D%/batch_gen.h %D%/batch_gen.c
tests_unit_compat_test_prove_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)

check_PROGRAMS += tests/unit/compat/test_golden
TESTS += tests/unit/compat/test_golden
SANITIZED += tests/unit/compat/test_golden
tests_unit_compat_test_golden_SOURCES = %D%/test_golden.c %D%/batch_gen.h %D%/batch_gen.c
tests_unit_compat_test_golden_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)
EXTRA_DIST += tests/golden/batches

check_PROGRAMS += tests/unit/compat/batch_judge
tests_unit_compat_batch_judge_SOURCES = %D%/batch_judge.c %D%/batch_gen.h %D%/batch_gen.c
tests_unit_compat_batch_judge_LDADD = $(TEST_LIBS) $(COMPAT_LIBS)
EXTRA_DIST += tests/unit/compat/test_batch_judge.py
TESTS += tests/unit/compat/test_batch_judge.py

check_PROGRAMS += tests/unit/compat/test_batch_rdkafka
TESTS += tests/unit/compat/test_batch_rdkafka
tests_unit_compat_test_batch_rdkafka_SOURCES = %D%/test_batch_rdkafka.c %D%/batch_gen.h %D%/batch_gen.c
tests_unit_compat_test_batch_rdkafka_LDADD = $(TEST_LIBS) $(COMPAT_LIBS) $(RDKAFKA_LIBS)
