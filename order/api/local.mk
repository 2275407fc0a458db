# libbraid: static, with what it needs of compat/ inside.
lib_LIBRARIES = libbraid.a
include_HEADERS = %D%/braid.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/braid.pc
libbraid_a_SOURCES = \
	%D%/braid.h %D%/client_int.h \
	%D%/append.c \
	%D%/blocking.c \
	%D%/call.c \
	%D%/calls.c \
	%D%/client.c \
	%D%/cut.h %D%/cut.c \
	%D%/filter.h \
	%D%/lane.c \
	%D%/read.c \
	%D%/records.h %D%/records.c \
	%D%/speculation.h %D%/speculation.c \
	%D%/subscribe.c
libbraid_a_LIBADD = $(libcompat_a_OBJECTS)
libbraid_a_DEPENDENCIES = $(libcompat_a_OBJECTS)
BRAID_API_LIBS = libbraid.a $(EVENT_LIBS) $(CRYPTO_LIBS) $(ZIP_LIBS) $(SNAPPY_LIBS) $(ISAL_LIBS) -lpthread
