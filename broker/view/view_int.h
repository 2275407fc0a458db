/* Shared by the files of broker/view. */
#pragma once

#include "broker/view/answer.h"
#include "broker/view/filter.h"
#include "broker/view/order_view.h"

#define VIEW_ROWS 128u /* of the order log, read at once */

struct broker_views {
    struct broker *broker;
    struct br_list list;         /* of views; __order first */
    size_t count;                /* filtered ones */
    struct broker_view_buffers buffers;
    uint64_t scanned;            /* live: rows below are in every view's end */
    bool is_live;                /* after recovery */
    struct broker_warm *warm;    /* `scanned` goes on when it is done */
};

struct broker_order_view {
    struct broker_views *all;
    struct broker_topic *topic;
    struct br_link link;
    bool is_all;
    struct broker_view_filter filter; /* not is_all */
    struct br_map members;            /* topic id -> topic, in order of joining */
    uint64_t end;                     /* one past the last member record */
    uint64_t seen;                    /* rows below are in `end`; live: all->scanned is */
    struct br_map gone;               /* recovery: streams of members that were deleted -> a mark */
    bool has_moved;                   /* end, since readers were woken */
    struct broker_watch_list watchers;

    /* The first record left. Positions from clean_from up to it never had a member record, those below lost_end did; in between nobody has looked yet. */
    uint64_t start, clean_from, lost_end;
    bool has_first;                   /* start is a record: of this stream and offset */
    uint32_t first_stream;
    int64_t first_offset;
    unsigned asked;                   /* partitions that the last jump asked */
};

/* Rows at or after p, below stable; in recovery, of what was replayed. As order_local_read. */
BR_MUST_USE enum br_err view_rows(struct broker_views *views, uint64_t p, struct store_order_row *rows, unsigned *count, struct store_range *cold);
uint64_t view_row_end(const struct store_order_row *row);
/* The partition of a row's stream, or NULL when the topic is gone. Live only. */
struct broker_partition *view_row_partition(struct broker_views *views, const struct store_order_row *row);
/* Was it a record? Lost ones were: a replay finds those of a topic that it will delete again without their bytes, and readers have seen them. */
bool view_row_is_data(const struct store_order_row *row);
bool view_has_topic(const struct broker_order_view *v, const struct broker_topic *topic);
/* A record of the view in the rows up to its end? For `__order` rows of deleted topics, and removed stretches, count. */
bool view_row_is_member(const struct broker_order_view *v, const struct store_order_row *row);
/* A new member record: the last one so far. */
void view_extend(struct broker_order_view *v, const struct store_order_row *row);
/* The first member record left at or after p, by the members' sidecars: its position in *next (UINT64_MAX: none), stream and offset. BR_BUSY, BR_COLD as store_log_seek. */
BR_MUST_USE enum br_err view_jump(struct broker_order_view *v, uint64_t p, uint64_t *next, uint32_t *stream, int64_t *offset, struct store_range *cold);
