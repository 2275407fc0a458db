/* Retention by time and size on the broker's clock: whole segments go, the log start moves by a durable TRIM entry first. Looks every
 * log.retention.check.interval.ms; a slice of partitions a turn. Also trims the order log behind what was removed, expires producers, and runs garbage. */
#pragma once

#include "broker/broker.h"

struct broker_retention;

struct broker_retention *broker_retention_new(struct broker *b);
void broker_retention_free(struct broker_retention *r);
