/* The one place where our error codes become Kafka's. */
#pragma once

#include "compat/base/err.h"
#include "compat/wire/error.h"

enum kw_error broker_errmap(enum br_err err);
