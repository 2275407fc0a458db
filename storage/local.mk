noinst_LIBRARIES += libstorage.a
libstorage_a_SOURCES =
libstorage_a_SOURCES += %D%/file_cache.h %D%/file_cache.c
libstorage_a_SOURCES += %D%/io_pool.h %D%/io_pool.c
libstorage_a_SOURCES += %D%/journal.h %D%/journal_int.h %D%/journal.c %D%/journal_replay.c
libstorage_a_SOURCES += %D%/producer.h %D%/producer.c
libstorage_a_SOURCES += %D%/vfs.h %D%/vfs.c %D%/vfs_posix.c
libstorage_a_SOURCES += %D%/vfs_mem.h %D%/vfs_mem.c
