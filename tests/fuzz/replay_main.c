/* Runs a fuzz target over corpora with any compiler: `fuzz_x [FILE or FOLDER]...`, without arguments over
 * $srcdir/tests/fuzz/corpus/x. Each file runs in a process of its own, so that a crash or a hang is a failure with
 * the name of its input. One result line a corpus. */
#include "tests/fuzz/fuzz.h"
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define INPUT_MAX (1 << 20)
#define SECONDS_MAX 20

struct corpus {
    unsigned inputs, failed;
};

static void run_input(const char *path)
{
    uint8_t *whole = malloc(INPUT_MAX), *data;
    FILE *f = fopen(path, "rb");
    if (!f || !whole)
        _exit(3);
    size_t size = fread(whole, 1, INPUT_MAX, f);
    fclose(f);
    /* A block of exactly this size, so that a sanitizer sees a byte too far. */
    data = malloc(size ? size : 1);
    if (!data)
        _exit(3);
    memcpy(data, whole, size);
    free(whole);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
}

static void replay_file(struct corpus *c, const char *path)
{
    int status = -1;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(SECONDS_MAX);
        run_input(path);
        exit(0); /* with the leak check of a sanitizer */
    }
    c->inputs++;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        c->failed++;
        printf("input %s: %s %d\n", path, WIFSIGNALED(status) ? "signal" : "exit",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}

static void replay_folder(struct corpus *c, const char *path)
{
    struct dirent **names;
    char file[4096];
    int count = scandir(path, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.')
            replay_file(c, file);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

static int replay(const char *target, const char *path)
{
    struct corpus c = {0, 0};
    struct stat st;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        replay_file(&c, path);
    else
        replay_folder(&c, path);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (c.inputs == 0)
        printf("FAIL fuzz.%s.%s: no inputs in %s\n", target, name, path);
    else if (c.failed)
        printf("FAIL fuzz.%s.%s: %u of %u inputs\n", target, name, c.failed, c.inputs);
    else
        printf("PASS fuzz.%s.%s\n", target, name);
    return c.inputs == 0 || c.failed;
}

int main(int argc, char **argv)
{
    const char *target = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    const char *top = getenv("srcdir");
    int failed = 0;
    if (strncmp(target, "fuzz_", 5) == 0)
        target += 5;
    for (int i = 1; i < argc; i++)
        failed |= replay(target, argv[i]);
    if (argc == 1) {
        char path[4096];
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", top ? top : ".", target);
        failed = replay(target, path);
    }
    return failed;
}
