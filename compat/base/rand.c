#include "compat/base/rand.h"
#include <sys/random.h>

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void br_rand_init(struct br_rand *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) { /* splitmix64 fills the state */
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        r->s[i] = z ^ (z >> 31);
    }
}

uint64_t br_rand_u64(struct br_rand *r)
{
    uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t br_rand_below(struct br_rand *r, uint64_t below)
{
    BR_ASSERT(below > 0);
    return (uint64_t)(((unsigned __int128)br_rand_u64(r) * below) >> 64);
}

bool br_rand_chance(struct br_rand *r, unsigned percent)
{
    return br_rand_below(r, 100) < percent;
}

void br_entropy(void *out, size_t len)
{
    uint8_t *p = out;
    while (len > 0) {
        ssize_t n = getrandom(p, len, 0);
        if (n < 0 && errno == EINTR)
            continue;
        BR_ASSERT(n > 0);
        p += n;
        len -= (size_t)n;
    }
}
