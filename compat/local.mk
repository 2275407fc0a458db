noinst_LIBRARIES += libcompat.a
libcompat_a_SOURCES = \
	%D%/base/base.h \
	%D%/base/assert.h %D%/base/assert.c \
	%D%/base/err.h %D%/base/err.c \
	%D%/base/mem.h %D%/base/mem.c \
	%D%/base/arena.h %D%/base/arena.c \
	%D%/base/bytes.h %D%/base/str.h %D%/base/list.h \
	%D%/base/buf.h %D%/base/buf.c \
	%D%/base/reader.h %D%/base/reader.c \
	%D%/base/crc32c.h %D%/base/crc32c.c \
	%D%/base/clock.h %D%/base/clock.c \
	%D%/base/rand.h %D%/base/rand.c \
	%D%/base/uuid.h %D%/base/uuid.c \
	%D%/base/map.h %D%/base/map.c \
	%D%/base/heap.h %D%/base/heap.c \
	%D%/base/log.h %D%/base/log.c \
	%D%/net/addr.h %D%/net/addr.c \
	%D%/net/conn.h %D%/net/conn.c \
	%D%/net/listen.h %D%/net/listen.c \
	%D%/net/loop.h %D%/net/loop.c

include %D%/wire/local.mk
include %D%/zip/local.mk
include %D%/batch/local.mk
