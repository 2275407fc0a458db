#include "tests/support/braidd.h"
#include "compat/base/mem.h"
#include "tests/support/harness.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define START_MS 30000

struct braidd {
    pid_t pid;
    char address[32], listener[64], data[512], log[512], property[256];
};

static const char *build(void)
{
    const char *dir = getenv("builddir");
    return dir ? dir : ".";
}

/* A port outside the range that outgoing connections get, so that one that looks for a stopped broker cannot take it. */
static int free_port(void)
{
    for (int i = 0; i < 200; i++) {
        int port = 12000 + (int)((unsigned)getpid() * 31u + (unsigned)i * 97u) % 18000, on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        bool is_free = bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0;
        close(fd);
        if (is_free)
            return port;
    }
    fail_msg("no free port");
    return 0;
}

static pid_t spawn(char *const argv[], const char *output)
{
    pid_t pid = fork();
    if (pid == 0) {
        int fd = open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nothing behind */
        dup2(fd, 1);
        dup2(fd, 2);
        execv(argv[0], argv);
        _exit(127);
    }
    assert_true(pid > 0);
    return pid;
}

static bool listens(const struct braidd *b)
{
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    addr.sin_port = htons((uint16_t)strtol(strrchr(b->address, ':') + 1, NULL, 10));
    bool is_there = connect(fd, (struct sockaddr *)&addr, sizeof addr) == 0;
    close(fd);
    return is_there;
}

void braidd_again(struct braidd *b)
{
    char *program = br_asprintf("%s/braidd", build());
    char *argv[] = {program, "--override", b->listener, "--override", b->data, b->property[0] ? "--override" : NULL, b->property, NULL};
    b->pid = spawn(argv, b->log);
    br_free(program);
    for (int ms = 0; !listens(b); ms += 5) {
        assert_true(ms < START_MS);
        assert_int_equal(waitpid(b->pid, NULL, WNOHANG), 0);
        usleep(5000);
    }
}

struct braidd *braidd_start(const char *property)
{
    static int count;
    struct braidd *b = br_alloc(sizeof *b);
    snprintf(b->address, sizeof b->address, "127.0.0.1:%d", free_port());
    snprintf(b->listener, sizeof b->listener, "listeners=PLAINTEXT://%s", b->address);
    snprintf(b->data, sizeof b->data, "log.dirs=%s/data-%d", harness_tmpdir(), count);
    snprintf(b->log, sizeof b->log, "%s/log-%d", harness_tmpdir(), count++);
    snprintf(b->property, sizeof b->property, "%s", property ? property : "");
    braidd_again(b);
    return b;
}

const char *braidd_address(const struct braidd *b) { return b->address; }

static void end(struct braidd *b, int number)
{
    int status = 0;
    kill(b->pid, number);
    assert_int_equal(waitpid(b->pid, &status, 0), b->pid);
    b->pid = 0;
    assert_true(number == SIGKILL ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void braidd_kill(struct braidd *b) { end(b, SIGKILL); }
void braidd_term(struct braidd *b) { end(b, SIGTERM); }

void braidd_stop(struct braidd *b)
{
    if (b->pid > 0)
        end(b, SIGTERM);
    br_free(b);
}

void braidd_topic(struct braidd *b, const char *name, int partitions, const char *config)
{
    char *program = br_asprintf("%s/braid", build()), *count = br_asprintf("%d", partitions);
    char *argv[] = {program, "--bootstrap-server", b->address, "topic", "create", (char *)name, "--partitions", count, config ? "--config" : NULL, (char *)config, NULL};
    int status;
    assert_int_equal(waitpid(spawn(argv, b->log), &status, 0) > 0, 1);
    assert_int_equal(status, 0);
    br_free(program);
    br_free(count);
}
