ORDER_CORE_SOURCES = \
	order/core/ids.h \
	order/core/event.h \
	order/core/effect.h \
	order/core/message.h \
	order/core/message_body.h \
	order/core/mutation.h \
	order/core/core.h \
	order/core/core_int.h order/core/core.c \
	order/core/append.c \
	order/core/replica.c \
	order/core/binder.c \
	order/core/holder.c \
	order/core/done.c \
	order/core/check.c
liborder_a_SOURCES += $(ORDER_CORE_SOURCES)
