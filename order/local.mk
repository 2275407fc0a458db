noinst_LIBRARIES += liborder.a
liborder_a_SOURCES =

include %D%/core/local.mk
liborder_a_SOURCES += %D%/driver/local.h %D%/driver/local_int.h %D%/driver/local.c %D%/driver/local_append.c %D%/driver/local_recover.c
include %D%/api/local.mk
