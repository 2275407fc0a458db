/* The list itself is generated: compat/gen/all.c. */
#include "compat/wire/api.h"
#include "compat/wire/table.h"

const struct kw_api *kw_api_find(int16_t key)
{
    size_t low = 0, high = kw_api_list_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (kw_api_list[mid].key == key)
            return &kw_api_list[mid];
        if (kw_api_list[mid].key < key)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

const struct kw_api *kw_api_all(size_t *count)
{
    *count = kw_api_list_count;
    return kw_api_list;
}
