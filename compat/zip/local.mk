libcompat_a_SOURCES += \
	%D%/zip.h %D%/zip_int.h %D%/zip.c \
	%D%/zip_gzip.c \
	%D%/zip_snappy.c \
	%D%/zip_lz4.c \
	%D%/zip_zstd.c
