#include "compat/base/log.h"
#include "compat/base/clock.h"
#include <pthread.h>

#define WINDOW_MS 10000
#define WINDOW_LINES 10

static enum br_log_level most_level = BR_LOG_INFO;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void br_log_set_level(enum br_log_level most)
{
    most_level = most;
}

void br_log_write(struct br_log_site *site, enum br_log_level level, const char *component, const char *fmt, ...)
{
    static const char *const names[] = {"ERROR", "WARN", "INFO", "DEBUG"};
    char line[1024];
    if (level > most_level)
        return;
    pthread_mutex_lock(&lock);
    int64_t now = br_clock_mono_ms();
    if (site->window_ms == 0 || now - site->window_ms >= WINDOW_MS) {
        site->window_ms = now;
        site->count = 0;
    }
    if (site->count++ >= WINDOW_LINES) {
        site->held++;
        pthread_mutex_unlock(&lock);
        return;
    }
    unsigned held = site->held;
    site->held = 0;
    int64_t wall = br_clock_wall_ms();
    time_t seconds = (time_t)(wall / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    char when[32];
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    for (char *p = line; *p; p++) /* one event, one line, whatever a client put into a name */
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
    fprintf(stderr, "%s.%03dZ %-5s %s %s", when, (int)(wall % 1000), names[level], component, line);
    if (held)
        fprintf(stderr, " held_back=%u", held);
    fputc('\n', stderr);
    pthread_mutex_unlock(&lock);
}
