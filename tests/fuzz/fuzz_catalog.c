/* Records of the catalog, as they lie in the journal and in the state file: any bytes are refused or read, and what was read is written back the same but for
 * settings named twice. Input: one record. */
#include "broker/topic/catalog_int.h"
#include "tests/fuzz/fuzz.h"

static void write_and_read_again(const struct catalog_record *r, struct br_buf *bytes)
{
    struct catalog_record again;
    br_buf_init(bytes, 1 << 24);
    catalog_record_write(r, bytes);
    BR_ASSERT(!bytes->failed);
    enum br_err err = catalog_record_read(br_str((const char *)bytes->data, bytes->len), &again);
    BR_ASSERT(err == BR_OK);
    BR_ASSERT(again.kind == r->kind);
    BR_ASSERT(again.run_count == r->run_count);
    BR_ASSERT(br_map_count(&again.overrides) == br_map_count(&r->overrides));
    catalog_record_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct catalog_record r;
    struct br_buf once;
    if (catalog_record_read(br_str((const char *)data, size), &r) != BR_OK)
        return 0;
    BR_ASSERT(r.run_count <= BR_COUNT(r.runs));
    BR_ASSERT(r.kind != CATALOG_TOPIC || (r.name.len > 0 && r.name.len <= CATALOG_NAME_MAX));
    for (unsigned i = 0; i < r.run_count; i++)
        BR_ASSERT(r.runs[i].count > 0);
    write_and_read_again(&r, &once);
    br_buf_clear(&once);
    catalog_record_clear(&r);
    return 0;
}
