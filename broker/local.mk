noinst_LIBRARIES += libbroker.a
libbroker_a_SOURCES = \
	%D%/handler.h %D%/request.h %D%/wait.h %D%/config.h %D%/broker.h \
	%D%/group/classic.h %D%/group/classic.c \
	%D%/group/member.h %D%/group/member.c \
	%D%/group/offsets.h %D%/group/offsets.c \
	%D%/group/record.h %D%/group/record.c
