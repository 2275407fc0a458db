noinst_LIBRARIES += liborder.a
liborder_a_SOURCES =

include %D%/core/local.mk
