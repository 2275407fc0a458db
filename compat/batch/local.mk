libcompat_a_SOURCES += \
	%D%/batch.h %D%/batch.c \
	%D%/record.h %D%/record_int.h %D%/record.c \
	%D%/prove.h %D%/prove.c \
	%D%/validate.h %D%/validate.c \
	%D%/builder.h %D%/builder.c
