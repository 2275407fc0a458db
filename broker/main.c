/* braidd: arguments, signals, start, stop. */
#include "broker/broker.h"
#include "compat/base/log.h"
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static struct broker *running; /* for the signal handler only */
static volatile sig_atomic_t was_asked_to_stop;

static void on_signal(int number)
{
    (void)number;
    was_asked_to_stop = 1;
    if (running)
        broker_stop(running);
}

static void usage(FILE *to)
{
    fputs("usage: braidd [server.properties] [--override key=value]...\n"
          "\n"
          "  A Kafka broker in which every record also has one place in a total order.\n"
          "  Without a file it listens on localhost:9092 and keeps its data in ./braid-data.\n"
          "\n"
          "  --override key=value   set a property (wins over the file)\n"
          "  --keys                 print every property and topic setting: name, kind, default, allowed values, what it does\n"
          "  --help, --version\n", to);
}

static void print_keys(void)
{
    static const char *const kinds[] = {"acts", "accepted", "refused"};
    size_t count;
    const struct broker_config_key *keys = broker_config_keys(&count);
    for (size_t i = 0; i < count; i++)
        printf("%s\t%s\t%s\t%s\t%s\n", keys[i].name, kinds[keys[i].kind], keys[i].default_value ? keys[i].default_value : "-", keys[i].valid ? keys[i].valid : "-",
               keys[i].doc);
    const struct broker_topic_key *topic_keys = broker_topic_keys(&count);
    for (size_t i = 0; i < count; i++)
        if (topic_keys[i].is_obeyed)
            printf("%s\ttopic\t%s\t%s\t%s\n", topic_keys[i].name, topic_keys[i].default_value ? topic_keys[i].default_value : "-",
                   topic_keys[i].valid ? topic_keys[i].valid : "-", topic_keys[i].doc);
}

/* key=value into the configuration. */
static enum br_err set_override(struct broker_config *config, const char *text, struct br_errbuf *eb)
{
    const char *eq = strchr(text, '=');
    if (!eq || eq == text)
        return br_errbuf_set(eb, BR_INVALID, "--override %s: expected key=value", text);
    return broker_config_set(config, br_str(text, (size_t)(eq - text)), br_str_c(eq + 1), eb);
}

/* Returns an exit status, or -1 to go on. The file is read first, so that overrides win wherever they stand. */
static int read_arguments(int argc, char **argv, struct broker_config *config, struct br_errbuf *eb)
{
    const char *file = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            usage(stdout);
            return 0;
        }
        if (strcmp(argv[i], "--version") == 0) {
            printf("braidd %s\n", PACKAGE_VERSION);
            return 0;
        }
        if (strcmp(argv[i], "--keys") == 0) {
            print_keys();
            return 0;
        }
        if (strcmp(argv[i], "--override") == 0 && i + 1 < argc) {
            i++;
        } else if (argv[i][0] == '-' || file) {
            fprintf(stderr, "braidd: unexpected argument %s\n", argv[i]);
            usage(stderr);
            return 2;
        } else {
            file = argv[i];
        }
    }
    enum br_err err = file ? broker_config_load(config, file, eb) : BR_OK;
    for (int i = 1; err == BR_OK && i < argc; i++)
        if (strcmp(argv[i], "--override") == 0)
            err = set_override(config, argv[++i], eb);
    if (err == BR_OK)
        err = broker_config_finish(config, eb);
    return err == BR_OK ? -1 : 1;
}

/* Where a standard file was closed its number would go to a file or a socket of ours, and log lines into that. */
static void hold_standard_files(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    struct br_errbuf eb = {{0}};
    struct broker_config *config = broker_config_new();
    struct sigaction stop = {.sa_handler = on_signal}, ignore = {.sa_handler = SIG_IGN}, hangup;
    struct broker *broker;
    hold_standard_files();
    int status = read_arguments(argc, argv, config, &eb);
    if (status >= 0) {
        if (eb.text[0])
            fprintf(stderr, "braidd: %s\n", eb.text);
        broker_config_free(config);
        return status;
    }
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGTERM, &stop, NULL); /* from here on a stop is a clean one, however early it comes */
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); /* a limit on files is an error of the write */
    sigaction(SIGHUP, NULL, &hangup);
    if (hangup.sa_handler != SIG_IGN) /* nohup */
        sigaction(SIGHUP, &stop, NULL);
    enum br_err err = broker_open(config, &broker, &eb);
    if (err != BR_OK) {
        fprintf(stderr, "braidd: %s\n", eb.text[0] ? eb.text : br_err_text(err));
        broker_config_free(config);
        return 1;
    }
    running = broker;
    if (was_asked_to_stop)
        broker_stop(broker);
    broker_run(broker);
    running = NULL;
    broker_close(broker);
    br_log(BR_LOG_INFO, "broker", "stopped");
    return 0;
}
