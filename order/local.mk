noinst_LIBRARIES += liborder.a
liborder_a_SOURCES =
