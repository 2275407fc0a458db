/* Compression codecs of record batches: one file each behind one table. Streaming, with an output cap, so that
 * a small batch that inflates to gigabytes costs a bounded buffer. */
#pragma once

#include "compat/base/buf.h"

/* Numbers are the codec bits of a batch's attributes. */
enum kw_codec { KW_CODEC_NONE, KW_CODEC_GZIP, KW_CODEC_SNAPPY, KW_CODEC_LZ4, KW_CODEC_ZSTD, KW_CODEC_COUNT };

/* "none", "gzip", ...; NULL for an unknown number. */
const char *kw_codec_name(int codec);

/* Receives the next piece of inflated bytes (borrowed until it returns); anything but BR_OK stops inflating and
 * is returned. */
typedef enum br_err (*kw_zip_sink)(void *ctx, const uint8_t *data, size_t len);

/* Inflates all of in, in pieces of at most 64 KiB. Both snappy framings (raw block and the Java stream with its
 * 16-byte header) are taken; lz4 is the frame format; gzip may have several members. KW_CODEC_NONE passes through.
 * BR_CORRUPT: not such data, or bytes left over; BR_TOO_LARGE: more than cap bytes came out; BR_UNSUPPORTED:
 * unknown codec. Memory: the codec's window plus 64 KiB (a raw snappy block: its whole output, checked against
 * cap before it is reserved). Thread: any. */
BR_MUST_USE enum br_err kw_zip_inflate(int codec, const uint8_t *in, size_t len, size_t cap, kw_zip_sink sink,
                                       void *ctx);
/* State kept between calls of one owner (a loop thread): without it a zstd decoder is made and thrown away for each
 * batch, 11 us where a small batch takes 1. Holds at most KW_ZIP_KEPT_MAX bytes when idle. NULL stands for none,
 * everywhere one is taken. Thread: owner. */
#define KW_ZIP_KEPT_MAX ((size_t)4 << 20)
struct kw_zip;
struct kw_zip *kw_zip_new(void);
void kw_zip_free(struct kw_zip *zip);
/* kw_zip_inflate with kept state. Thread: zip's owner. The sink must not use zip. */
BR_MUST_USE enum br_err kw_zip_inflate_with(struct kw_zip *zip, int codec, const uint8_t *in, size_t len, size_t cap,
                                            kw_zip_sink sink, void *ctx);
/* The same as kw_zip_inflate into a buffer (appended). */
BR_MUST_USE enum br_err kw_zip_inflate_buf(int codec, const uint8_t *in, size_t len, size_t cap, struct br_buf *out);
/* Compresses in and appends it. level: the codec's own scale, INT_MIN for its default (Kafka's: gzip -1, lz4 9,
 * zstd 3); snappy is written as the Java stream framing that every client reads. BR_TOO_LARGE: out's limit. */
BR_MUST_USE enum br_err kw_zip_deflate(int codec, int level, const uint8_t *in, size_t len, struct br_buf *out);
