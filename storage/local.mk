noinst_LIBRARIES += libstorage.a
libstorage_a_SOURCES =
