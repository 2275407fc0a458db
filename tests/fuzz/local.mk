# A fuzz target x is fuzz_x.c and a folder corpus/x: name it in FUZZ, and give it the four lines below. `make check`
# replays the corpora with any compiler; `make fuzz` builds the targets with libFuzzer.
FUZZ = wire batch zip
FUZZ += journal
FUZZ += order_log
FUZZ += segment
FUZZ += catalog
FUZZ += frame config
FUZZ += cut
EXTRA_DIST += %D%/README.md %D%/canary.sh %D%/corpus

check_PROGRAMS += tests/fuzz/fuzz_canary
tests_fuzz_fuzz_canary_SOURCES = %D%/fuzz.h %D%/fuzz_canary.c %D%/replay_main.c
tests_fuzz_fuzz_canary_LDADD = $(COMPAT_LIBS)
TESTS += %D%/canary.sh

check_PROGRAMS += tests/fuzz/fuzz_wire
tests_fuzz_fuzz_wire_SOURCES = %D%/fuzz.h %D%/fuzz_wire.c %D%/replay_main.c
tests_fuzz_fuzz_wire_LDADD = $(COMPAT_LIBS)
TESTS += tests/fuzz/fuzz_wire
SANITIZED += tests/fuzz/fuzz_wire

check_PROGRAMS += tests/fuzz/fuzz_batch
tests_fuzz_fuzz_batch_SOURCES = %D%/fuzz.h %D%/fuzz_batch.c %D%/replay_main.c
tests_fuzz_fuzz_batch_LDADD = $(COMPAT_LIBS)
TESTS += tests/fuzz/fuzz_batch
SANITIZED += tests/fuzz/fuzz_batch

check_PROGRAMS += tests/fuzz/fuzz_zip
tests_fuzz_fuzz_zip_SOURCES = %D%/fuzz.h %D%/fuzz_zip.c %D%/replay_main.c
tests_fuzz_fuzz_zip_LDADD = $(COMPAT_LIBS)
TESTS += tests/fuzz/fuzz_zip
SANITIZED += tests/fuzz/fuzz_zip

check_PROGRAMS += tests/fuzz/fuzz_journal
tests_fuzz_fuzz_journal_SOURCES = %D%/fuzz.h %D%/fuzz_journal.c %D%/replay_main.c
tests_fuzz_fuzz_journal_LDADD = $(STORAGE_LIBS)
TESTS += tests/fuzz/fuzz_journal
SANITIZED += tests/fuzz/fuzz_journal

check_PROGRAMS += tests/fuzz/fuzz_order_log
tests_fuzz_fuzz_order_log_SOURCES = %D%/fuzz.h %D%/fuzz_order_log.c %D%/replay_main.c
tests_fuzz_fuzz_order_log_LDADD = $(STORAGE_LIBS)
TESTS += tests/fuzz/fuzz_order_log
SANITIZED += tests/fuzz/fuzz_order_log

check_PROGRAMS += tests/fuzz/fuzz_segment
tests_fuzz_fuzz_segment_SOURCES = %D%/fuzz.h %D%/fuzz_segment.c %D%/replay_main.c
tests_fuzz_fuzz_segment_LDADD = $(STORAGE_LIBS)
TESTS += tests/fuzz/fuzz_segment
SANITIZED += tests/fuzz/fuzz_segment

check_PROGRAMS += tests/fuzz/fuzz_catalog
tests_fuzz_fuzz_catalog_SOURCES = %D%/fuzz.h %D%/fuzz_catalog.c %D%/replay_main.c
tests_fuzz_fuzz_catalog_LDADD = $(BROKER_LIBS)
TESTS += tests/fuzz/fuzz_catalog
SANITIZED += tests/fuzz/fuzz_catalog

check_PROGRAMS += tests/fuzz/fuzz_frame
tests_fuzz_fuzz_frame_SOURCES = %D%/fuzz.h %D%/fuzz_frame.c %D%/replay_main.c
tests_fuzz_fuzz_frame_LDADD = $(COMPAT_LIBS)
TESTS += tests/fuzz/fuzz_frame
SANITIZED += tests/fuzz/fuzz_frame

check_PROGRAMS += tests/fuzz/fuzz_config
tests_fuzz_fuzz_config_SOURCES = %D%/fuzz.h %D%/fuzz_config.c %D%/replay_main.c
tests_fuzz_fuzz_config_LDADD = $(BROKER_LIBS)
TESTS += tests/fuzz/fuzz_config
SANITIZED += tests/fuzz/fuzz_config

check_PROGRAMS += tests/fuzz/fuzz_cut
tests_fuzz_fuzz_cut_SOURCES = %D%/fuzz.h %D%/fuzz_cut.c %D%/replay_main.c
tests_fuzz_fuzz_cut_LDADD = $(BRAID_API_LIBS)
TESTS += tests/fuzz/fuzz_cut
SANITIZED += tests/fuzz/fuzz_cut

# fuzz/fuzz_x in the build folder; run it as `fuzz/fuzz_x -max_total_time=60 NEW-FOLDER SRC/tests/fuzz/corpus/x`.
FUZZ_FLAGS = -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
.PHONY: fuzz
fuzz:
	@command -v clang >/dev/null || { echo "make fuzz needs clang"; exit 1; }
	mkdir -p fuzz
	cd fuzz && { test -f Makefile || $(abs_top_srcdir)/configure -q CC=clang \
	  CFLAGS="$(FUZZ_FLAGS) -fsanitize=fuzzer-no-link,address,undefined"; }
	$(MAKE) -C fuzz libbraid.a libcompat.a libstorage.a liborder.a libbroker.a
	for x in $(FUZZ); do \
	  clang -std=gnu11 $(FUZZ_FLAGS) -fsanitize=fuzzer,address,undefined -I$(top_srcdir) -Ifuzz -o fuzz/fuzz_$$x \
	    $(top_srcdir)/tests/fuzz/fuzz_$$x.c -Lfuzz fuzz/libbraid.a fuzz/libbroker.a fuzz/liborder.a fuzz/libstorage.a fuzz/libcompat.a \
	    $(EVENT_LIBS) $(CRYPTO_LIBS) $(ZIP_LIBS) $(SNAPPY_LIBS) $(ISAL_LIBS) $(JANSSON_LIBS) -lpthread || exit 1; \
	done
