/*
 * Kafka's Java clients against a broker: what users' programs do, with exact comparisons.
 *
 *     java Clients BOOTSTRAP GROUP [test...]
 *
 * One result line a test, `PASS GROUP.name`. A test that needs the broker restarted prints `DO restart` or `DO kill` and waits for a
 * line on standard input. Topics begin with GROUP, so that one broker may serve several runs.
 */
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

public final class Clients {
    static final int MANY = 10_000;
    static final String ORDER = "__order";
    static final long START = System.currentTimeMillis() - 3_600_000;
    static String bootstrap, group;
    static List<String> wanted;
    static boolean allGood = true;
    static final Scanner answers = new Scanner(System.in);
    static Admin admin;

    interface Body {
        void run() throws Exception;
    }

    public static void main(String[] args) {
        bootstrap = args[0];
        group = args[1];
        wanted = Arrays.asList(args).subList(2, args.length);
        admin = Admin.create(properties());
        test("the_cluster_is_described", Clients::theClusterIsDescribed);
        test("a_topic_is_created_listed_and_described", Clients::aTopicIsCreatedListedAndDescribed);
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd"))
            test(MANY + "_records_in_" + codec + "_come_back_as_they_were", () -> recordsComeBack(codec));
        test("records_stamped_by_the_broker_say_so", Clients::recordsStampedByTheBroker);
        test("a_record_too_large_is_refused_alone", Clients::aRecordTooLarge);
        test("two_members_share_a_topic_eagerly", () -> twoMembersShare(RangeAssignor.class));
        test("two_members_share_a_topic_cooperatively", () -> twoMembersShare(CooperativeStickyAssignor.class));
        test("a_static_member_comes_back_unnoticed", Clients::staticMember);
        test("commits_by_themselves_cover_what_was_read", Clients::autoCommit);
        for (String acks : List.of("0", "1"))
            test("acks_" + acks + "_and_fetches_of_one_byte_lose_nothing", () -> smallFetches(acks));
        test("commits_are_kept_with_their_metadata", Clients::commitsAreKept);
        test("clients_go_on_over_a_restart", () -> clientsGoOn("restart"));
        test("clients_go_on_over_a_kill", () -> clientsGoOn("kill"));
        test("offsets_are_found_by_time", Clients::offsetsByTime);
        test("settings_are_described_and_altered", Clients::settings);
        test("partitions_are_added", Clients::partitionsAreAdded);
        test("a_pattern_passes_over_internal_topics", Clients::pattern);
        test("records_are_deleted_up_to_an_offset", Clients::recordsAreDeleted);
        test("the_order_holds_every_record_once", Clients::theOrder);
        test("a_topic_is_deleted_and_made_anew", Clients::aTopicIsDeleted);
        admin.close();
        System.exit(allGood ? 0 : 1);
    }

    // What tests share

    static void test(String name, Body body) {
        if (!wanted.isEmpty() && !wanted.contains(name))
            return;
        try {
            body.run();
            System.out.println("PASS " + group + "." + name);
        } catch (Throwable error) {
            allGood = false;
            error.printStackTrace(System.out);
            System.out.println("FAIL " + group + "." + name + ": " + error.toString().split("\n")[0]);
        }
    }

    static void equal(Object got, Object want, String what) {
        if (!Objects.equals(got, want))
            throw new AssertionError(what + ": got " + got + ", want " + want);
    }

    static void yes(boolean fact, String what) {
        if (!fact)
            throw new AssertionError("not so: " + what);
    }

    static void refused(Class<? extends Exception> want, Future<?> future, String what) throws Exception {
        try {
            future.get();
        } catch (ExecutionException error) {
            if (want.isInstance(error.getCause()))
                return;
            throw error;
        }
        throw new AssertionError(what + ": was taken");
    }

    /** Polls while done is false, 30 seconds at most. */
    static void until(String what, BooleanSupplier done) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (!done.getAsBoolean())
            yes(System.nanoTime() < end, "within 30 s: " + what);
    }

    /** Asks the driver for something to be done with the broker. */
    static void ask(String what) {
        System.out.println("DO " + what);
        System.out.flush();
        equal(answers.nextLine(), "done", what);
    }

    static Properties properties(Object... pairs) {
        Properties out = new Properties();
        out.put("bootstrap.servers", bootstrap);
        for (int i = 0; i < pairs.length; i += 2)
            out.put(pairs[i], pairs[i + 1]);
        return out;
    }

    static Producer<byte[], byte[]> producer(Object... pairs) {
        return new KafkaProducer<>(properties(pairs), new ByteArraySerializer(), new ByteArraySerializer());
    }

    static Consumer<byte[], byte[]> consumer(Object... pairs) {
        Properties p = properties("auto.offset.reset", "earliest", "enable.auto.commit", "false");
        p.putAll(properties(pairs));
        return new KafkaConsumer<>(p, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static String create(String name, int partitions, Map<String, String> settings) throws Exception {
        String topic = group + "." + name;
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings))).all().get();
        return topic;
    }

    static byte[] bytes(String text) {
        return text.getBytes();
    }

    static List<TopicPartition> partitions(String topic, int count) {
        List<TopicPartition> out = new ArrayList<>();
        for (int i = 0; i < count; i++)
            out.add(new TopicPartition(topic, i));
        return out;
    }

    /** Record i of a topic: keys that repeat or are null, values of 0 to 100,000 bytes or null, times that go back and forth, 0 to 3 headers. */
    static ProducerRecord<byte[], byte[]> record(String topic, int i) {
        byte[] value = new byte[i % 1000 == 999 ? 100_000 : i % 300];
        Arrays.fill(value, (byte) i);
        if (i % 2 == 0)
            new Random(i).nextBytes(value);
        List<Header> headers = List.of(new RecordHeader("n", bytes("i" + i)), new RecordHeader("empty", new byte[0]), new RecordHeader("n", null));
        return new ProducerRecord<>(topic, null, START + 3L * i - 50 * (i % 7), i % 10 == 9 ? null : bytes("key-" + i % 1000),
            i % 50 == 49 ? null : value, headers.subList(0, i % 4));
    }

    /** What was sent, by partition and by the offset that was answered. */
    static final class Sent {
        final Map<TopicPartition, TreeMap<Long, ProducerRecord<byte[], byte[]>>> records = new HashMap<>();
        final List<ProducerRecord<byte[], byte[]>> pending = new ArrayList<>();
        final List<Future<RecordMetadata>> futures = new ArrayList<>();

        void send(Producer<byte[], byte[]> producer, String topic, int from, int to) {
            for (int i = from; i < to; i++) {
                ProducerRecord<byte[], byte[]> r = record(topic, i);
                pending.add(r);
                futures.add(producer.send(r));
            }
        }

        void settle(Producer<byte[], byte[]> producer) throws Exception {
            producer.flush();
            for (int i = 0; i < futures.size(); i++) {
                RecordMetadata m = futures.get(i).get();
                ProducerRecord<byte[], byte[]> before = records.computeIfAbsent(new TopicPartition(m.topic(), m.partition()), p -> new TreeMap<>())
                    .put(m.offset(), pending.get(i));
                yes(before == null, "one record an offset: " + m);
            }
            futures.clear();
            pending.clear();
        }

        int count() {
            return records.values().stream().mapToInt(Map::size).sum();
        }
    }

    static List<ConsumerRecord<byte[], byte[]>> poll(Consumer<byte[], byte[]> consumer) {
        List<ConsumerRecord<byte[], byte[]>> out = new ArrayList<>();
        consumer.poll(Duration.ofMillis(100)).forEach(out::add);
        return out;
    }

    /** Polls until count records came, and no more. */
    static List<ConsumerRecord<byte[], byte[]>> take(Consumer<byte[], byte[]> consumer, int count) {
        List<ConsumerRecord<byte[], byte[]>> out = new ArrayList<>();
        until(count + " records", () -> {
            out.addAll(poll(consumer));
            return out.size() >= count;
        });
        equal(out.size(), count, "records");
        return out;
    }

    static String text(Iterable<Header> headers) {
        StringBuilder out = new StringBuilder();
        for (Header h : headers)
            out.append(h.key()).append('=').append(Arrays.toString(h.value())).append(';');
        return out.toString();
    }

    static void same(ConsumerRecord<byte[], byte[]> got, ProducerRecord<byte[], byte[]> want) {
        String at = got.topic() + "-" + got.partition() + " at " + got.offset();
        yes(want != null, at + " was sent");
        yes(Arrays.equals(got.key(), want.key()), at + ": key");
        yes(Arrays.equals(got.value(), want.value()), at + ": value");
        equal(text(got.headers()), text(want.headers()), at + ": headers");
        if (got.timestampType() == TimestampType.CREATE_TIME)
            equal(got.timestamp(), want.timestamp(), at + ": timestamp");
    }

    /** That got is what was sent: each record once, each partition in the order of its offsets, without gaps. */
    static void same(List<ConsumerRecord<byte[], byte[]>> got, Sent sent) {
        equal(got.size(), sent.count(), "records");
        Map<TopicPartition, Long> next = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> r : got) {
            TopicPartition p = new TopicPartition(r.topic(), r.partition());
            equal(r.offset(), next.getOrDefault(p, 0L), p + ": offset");
            next.put(p, r.offset() + 1);
            same(r, sent.records.get(p).get(r.offset()));
        }
    }

    /** All records of partitions that are there now. */
    static List<ConsumerRecord<byte[], byte[]>> readAll(Collection<TopicPartition> partitions) {
        List<ConsumerRecord<byte[], byte[]>> out = new ArrayList<>();
        try (Consumer<byte[], byte[]> c = consumer()) {
            c.assign(partitions);
            c.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = c.endOffsets(partitions);
            until("all read", () -> {
                out.addAll(poll(c));
                return partitions.stream().allMatch(p -> c.position(p) >= ends.get(p));
            });
        }
        return out;
    }

    // Tests

    static void theClusterIsDescribed() throws Exception {
        DescribeClusterResult got = admin.describeCluster();
        equal(got.nodes().get().size(), 1, "nodes");
        equal(got.clusterId().get().length(), 22, "length of the cluster id");
        yes(got.controller().get() != null, "there is a controller");
        int node = got.nodes().get().iterator().next().id();
        Map<String, LogDirDescription> dirs = admin.describeLogDirs(List.of(node)).descriptions().get(node).get();
        equal(dirs.size(), 1, "log directories");
        yes(dirs.values().iterator().next().error() == null, "the log directory is well");
    }

    static void aTopicIsCreatedListedAndDescribed() throws Exception {
        String topic = group + ".made";
        CreateTopicsResult made = admin.createTopics(List.of(new NewTopic(topic, 3, (short) 1).configs(Map.of("retention.ms", "1234567"))));
        made.all().get();
        equal(made.numPartitions(topic).get(), 3, "partitions");
        equal(made.replicationFactor(topic).get(), 1, "replication factor");
        equal(made.config(topic).get().get("retention.ms").value(), "1234567", "retention.ms in the answer");
        Uuid id = made.topicId(topic).get();
        yes(!id.equals(Uuid.ZERO_UUID), "the topic has an id");

        yes(admin.listTopics().names().get().contains(topic), "the topic is listed");
        yes(!admin.listTopics().names().get().contains(ORDER), "internal topics are not listed");
        yes(admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get().contains(ORDER), "unless asked");

        TopicDescription got = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
        equal(got.topicId(), id, "id by name");
        equal(got.partitions().size(), 3, "partitions");
        equal(got.partitions().stream().filter(p -> p.leader() != null && p.isr().size() == 1).count(), 3L, "partitions with a leader");
        equal(admin.describeTopics(TopicCollection.ofTopicIds(List.of(id))).allTopicIds().get().get(id).name(), topic, "name by id");
        yes(admin.describeTopics(List.of(ORDER)).allTopicNames().get().get(ORDER).isInternal(), "the order is internal");

        refused(TopicExistsException.class, admin.createTopics(List.of(new NewTopic(topic, 3, (short) 1))).all(), "the same name");
        refused(InvalidReplicationFactorException.class, admin.createTopics(List.of(new NewTopic(topic + "3", 1, (short) 3))).all(), "three replicas");
        refused(InvalidConfigurationException.class,
            admin.createTopics(List.of(new NewTopic(topic + "x", 1, (short) 1).configs(Map.of("retention.ms", "x")))).all(), "a bad value");
        refused(UnknownTopicOrPartitionException.class, admin.describeTopics(List.of(topic + "-no")).allTopicNames(), "a topic that is not there");
    }

    static void recordsComeBack(String codec) throws Exception {
        String topic = create("codec-" + codec, 3, Map.of());
        Sent sent = new Sent();
        try (Producer<byte[], byte[]> p = producer("compression.type", codec, "linger.ms", 5)) {
            sent.send(p, topic, 0, MANY);
            sent.settle(p);
        }
        try (Consumer<byte[], byte[]> c = consumer("group.id", topic, "isolation.level", codec.equals("lz4") ? "read_committed" : "read_uncommitted")) {
            c.subscribe(List.of(topic));
            same(take(c, MANY), sent);
            equal(poll(c).size(), 0, "records after the last");
            c.commitSync();
            Set<TopicPartition> all = new HashSet<>(partitions(topic, 3));
            Map<TopicPartition, Long> ends = c.endOffsets(all);
            c.committed(all).forEach((p, o) -> equal(o.offset(), ends.get(p), "committed of " + p));
            equal(ends.values().stream().mapToLong(x -> x).sum(), (long) MANY, "ends in all");
        }
    }

    static void recordsStampedByTheBroker() throws Exception {
        String topic = create("stamped", 1, Map.of("message.timestamp.type", "LogAppendTime", "compression.type", "zstd"));
        long before = System.currentTimeMillis();
        Sent sent = new Sent();
        try (Producer<byte[], byte[]> p = producer("compression.type", "lz4")) {
            sent.send(p, topic, 0, 500);
            for (Future<RecordMetadata> f : sent.futures)
                yes(f.get().timestamp() >= before && f.get().timestamp() <= System.currentTimeMillis(), "the answer has the broker's time");
            sent.settle(p);
        }
        List<ConsumerRecord<byte[], byte[]>> got = readAll(partitions(topic, 1));
        same(got, sent);
        for (ConsumerRecord<byte[], byte[]> r : got) {
            equal(r.timestampType(), TimestampType.LOG_APPEND_TIME, "whose time");
            yes(r.timestamp() >= before && r.timestamp() <= System.currentTimeMillis(), "the record has the broker's time");
        }
    }

    static void aRecordTooLarge() throws Exception {
        String topic = create("small", 1, Map.of("max.message.bytes", "1000"));
        try (Producer<byte[], byte[]> p = producer()) {
            byte[] large = new byte[5000];
            refused(RecordTooLargeException.class, p.send(new ProducerRecord<>(topic, large)), "5000 bytes");
            equal(p.send(new ProducerRecord<>(topic, new byte[100])).get().offset(), 0L, "offset of the next");
            refused(InvalidTopicException.class, p.send(new ProducerRecord<>(ORDER, new byte[1])), "a record for the order itself");
        }
    }

    static void twoMembersShare(Class<?> assignor) throws Exception {
        String topic = create("shared-" + assignor.getSimpleName(), 4, Map.of());
        Object[] how = {"group.id", topic, "partition.assignment.strategy", assignor.getName(), "heartbeat.interval.ms", 200};
        Sent sent = new Sent();
        List<ConsumerRecord<byte[], byte[]>> got = new ArrayList<>();
        try (Producer<byte[], byte[]> p = producer(); Consumer<byte[], byte[]> one = consumer(how)) {
            one.subscribe(List.of(topic));
            until("one has all", () -> {
                got.addAll(poll(one));
                return one.assignment().size() == 4;
            });
            sent.send(p, topic, 0, 400);
            sent.settle(p);
            until("all came to one", () -> {
                got.addAll(poll(one));
                return got.size() >= 400;
            });
            one.commitSync();
            try (Consumer<byte[], byte[]> two = consumer(how)) {
                two.subscribe(List.of(topic));
                until("two each", () -> {
                    got.addAll(poll(one));
                    got.addAll(poll(two));
                    return one.assignment().size() == 2 && two.assignment().size() == 2;
                });
                yes(Collections.disjoint(one.assignment(), two.assignment()), "no partition has two readers");
                sent.send(p, topic, 400, 800);
                sent.settle(p);
                until("all came to both", () -> {
                    got.addAll(poll(one));
                    got.addAll(poll(two));
                    return got.size() >= 800;
                });
                one.commitSync();
                two.commitSync();
            }
            until("one has all again", () -> {
                got.addAll(poll(one));
                return one.assignment().size() == 4;
            });
            sent.send(p, topic, 800, 1000);
            sent.settle(p);
            until("the rest came to one", () -> {
                got.addAll(poll(one));
                return got.size() >= 1000;
            });
        }
        same(got, sent);
    }

    static void staticMember() throws Exception {
        String topic = create("static", 4, Map.of());
        int[] changes = {0};
        ConsumerRebalanceListener counts = new ConsumerRebalanceListener() {
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                changes[0]++;
            }

            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                changes[0]++;
            }
        };
        try (Consumer<byte[], byte[]> stays = consumer("group.id", topic, "group.instance.id", "stays", "heartbeat.interval.ms", 200)) {
            stays.subscribe(List.of(topic), counts);
            Set<TopicPartition> before;
            try (Consumer<byte[], byte[]> goes = consumer("group.id", topic, "group.instance.id", "goes")) {
                goes.subscribe(List.of(topic));
                until("two each", () -> {
                    poll(stays);
                    poll(goes);
                    return stays.assignment().size() == 2 && goes.assignment().size() == 2;
                });
                before = new HashSet<>(goes.assignment());
            }
            int seen = changes[0];
            try (Consumer<byte[], byte[]> back = consumer("group.id", topic, "group.instance.id", "goes")) {
                back.subscribe(List.of(topic));
                until("it has its own again", () -> {
                    poll(stays);
                    poll(back);
                    return back.assignment().equals(before);
                });
            }
            equal(changes[0], seen, "rebalances that the other one saw");
        }
    }

    static void autoCommit() throws Exception {
        String topic = create("auto", 1, Map.of());
        TopicPartition part = new TopicPartition(topic, 0);
        Sent sent = new Sent();
        try (Producer<byte[], byte[]> p = producer()) {
            sent.send(p, topic, 0, 300);
            sent.settle(p);
        }
        Object[] how = {"group.id", topic, "enable.auto.commit", "true", "max.poll.records", 100};
        try (Consumer<byte[], byte[]> c = consumer(how)) {
            c.subscribe(List.of(topic));
            take(c, 100);
        }
        try (Consumer<byte[], byte[]> c = consumer(how)) {
            equal(c.committed(Set.of(part)).get(part).offset(), 100L, "committed by closing");
            c.subscribe(List.of(topic));
            equal(take(c, 100).get(0).offset(), 100L, "where reading goes on");
        }
    }

    static void smallFetches(String acks) throws Exception {
        String topic = create("acks-" + acks, 1, Map.of());
        Sent sent = new Sent();
        try (Producer<byte[], byte[]> p = producer("acks", acks, "enable.idempotence", "false", "batch.size", 500)) {
            sent.send(p, topic, 0, 1000);
            p.flush();
        }
        try (Consumer<byte[], byte[]> c = consumer("max.partition.fetch.bytes", 1, "fetch.max.bytes", 1)) {
            c.assign(partitions(topic, 1));
            List<ConsumerRecord<byte[], byte[]>> got = take(c, 1000);
            for (int i = 0; i < 1000; i++)
                same(got.get(i), sent.pending.get(i));
        }
    }

    static void commitsAreKept() throws Exception {
        String topic = create("commits", 2, Map.of());
        List<TopicPartition> parts = partitions(topic, 2);
        Sent sent = new Sent();
        try (Producer<byte[], byte[]> p = producer()) {
            sent.send(p, topic, 0, 200);
            sent.settle(p);
        }
        try (Consumer<byte[], byte[]> c = consumer("group.id", topic)) {
            c.assign(parts);
            equal(c.committed(new HashSet<>(parts)).get(parts.get(0)), null, "committed before");
            c.commitSync(Map.of(parts.get(0), new OffsetAndMetadata(7, "seven"), parts.get(1), new OffsetAndMetadata(3, Optional.of(1), "")));
        }
        ask("restart");
        try (Consumer<byte[], byte[]> c = consumer("group.id", topic)) {
            Map<TopicPartition, OffsetAndMetadata> got = c.committed(new HashSet<>(parts));
            equal(got.get(parts.get(0)), new OffsetAndMetadata(7, "seven"), "commit of 0");
            equal(got.get(parts.get(1)), new OffsetAndMetadata(3, Optional.of(1), ""), "commit of 1");
            c.subscribe(List.of(topic));
            Map<Integer, Long> first = new HashMap<>();
            take(c, 190).forEach(r -> first.putIfAbsent(r.partition(), r.offset()));
            equal(first, Map.of(0, 7L, 1, 3L), "where reading begins");
        }
        try (Consumer<byte[], byte[]> c = consumer("group.id", topic + "-new", "auto.offset.reset", "none")) {
            c.subscribe(List.of(topic));
            until("a refusal", () -> {
                try {
                    poll(c);
                    return false;
                } catch (NoOffsetForPartitionException error) {
                    return true;
                }
            });
        }
    }

    /** Producer and consumer live through a restart while records are on their way: none is lost, none comes twice. */
    static void clientsGoOn(String how) throws Exception {
        String topic = create("go-on-" + how, 3, Map.of());
        Sent sent = new Sent();
        List<ConsumerRecord<byte[], byte[]>> got = new ArrayList<>();
        try (Producer<byte[], byte[]> p = producer("linger.ms", 1, "batch.size", 2000, "delivery.timeout.ms", 60_000, "request.timeout.ms", 10_000)) {
            try (Consumer<byte[], byte[]> c = consumer("group.id", topic, "max.poll.records", 100)) {
                c.subscribe(List.of(topic));
                sent.send(p, topic, 0, 1000);
                sent.settle(p);
                until("half", () -> {
                    got.addAll(poll(c));
                    return got.size() >= 500;
                });
                c.commitSync();
                sent.send(p, topic, 1000, 3000);
                ask(how);
                sent.send(p, topic, 3000, 4000);
                sent.settle(p);
                until("all but the last part", () -> {
                    got.addAll(poll(c));
                    return got.size() >= 4000;
                });
                same(got, sent);
                c.commitSync();
            }
            sent.send(p, topic, 4000, 4500);
            sent.settle(p);
        }
        try (Consumer<byte[], byte[]> c = consumer("group.id", topic)) {
            c.subscribe(List.of(topic));
            got.addAll(take(c, 500));
            equal(c.endOffsets(partitions(topic, 3)).values().stream().mapToLong(x -> x).sum(), 4500L, "ends in all");
        }
        same(got, sent);
    }

    static void offsetsByTime() throws Exception {
        String topic = create("times", 1, Map.of());
        TopicPartition part = new TopicPartition(topic, 0);
        try (Producer<byte[], byte[]> p = producer("compression.type", "gzip", "linger.ms", 5)) {
            for (int i = 0; i < 2000; i++)
                p.send(new ProducerRecord<>(topic, 0, START + 10L * i, null, bytes("v" + i)));
        }
        try (Consumer<byte[], byte[]> c = consumer()) {
            c.assign(List.of(part));
            for (int i : new int[] {0, 1, 999, 1234, 1999}) {
                for (int before : new int[] {0, 9}) {
                    OffsetAndTimestamp got = c.offsetsForTimes(Map.of(part, START + 10L * i - before)).get(part);
                    equal(got.offset(), (long) i, "offset of time " + i);
                    equal(got.timestamp(), START + 10L * i, "its time");
                }
                c.seek(part, c.offsetsForTimes(Map.of(part, START + 10L * i)).get(part).offset());
                List<ConsumerRecord<byte[], byte[]>> got = new ArrayList<>();
                until("a record", () -> {
                    got.addAll(poll(c));
                    return !got.isEmpty();
                });
                equal(new String(got.get(0).value()), "v" + i, "first record behind the seek");
            }
            equal(c.offsetsForTimes(Map.of(part, START + 10L * 2000)).get(part), null, "a time behind the last");
        }
        ListOffsetsResultInfo max = admin.listOffsets(Map.of(part, OffsetSpec.maxTimestamp())).partitionResult(part).get();
        equal(max.offset(), 1999L, "offset of the largest time");
        equal(max.timestamp(), START + 10L * 1999, "the largest time");
        equal(admin.listOffsets(Map.of(part, OffsetSpec.earliest())).partitionResult(part).get().offset(), 0L, "start");
        equal(admin.listOffsets(Map.of(part, OffsetSpec.latest())).partitionResult(part).get().offset(), 2000L, "end");
    }

    static Config settingsOf(ConfigResource resource) throws Exception {
        return admin.describeConfigs(List.of(resource)).all().get().get(resource);
    }

    static Future<?> alter(ConfigResource resource, String name, String value, AlterConfigOp.OpType op) {
        return admin.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(new ConfigEntry(name, value), op)))).all();
    }

    static void settings() throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, create("settings", 1, Map.of("retention.ms", "5000")));
        Config before = settingsOf(topic);
        equal(before.get("retention.ms").value(), "5000", "retention.ms");
        equal(before.get("retention.ms").source(), ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG, "its source");
        equal(before.get("retention.bytes").source(), ConfigEntry.ConfigSource.DEFAULT_CONFIG, "source of one not set");
        alter(topic, "retention.ms", "6000", AlterConfigOp.OpType.SET).get();
        alter(topic, "compression.type", "zstd", AlterConfigOp.OpType.SET).get();
        equal(settingsOf(topic).get("retention.ms").value(), "6000", "after a change");
        equal(settingsOf(topic).get("compression.type").value(), "zstd", "after a change");
        alter(topic, "retention.ms", "", AlterConfigOp.OpType.DELETE).get();
        equal(settingsOf(topic).get("retention.ms").value(), "604800000", "after it was taken back");
        equal(settingsOf(topic).get("compression.type").value(), "zstd", "the other one stays");
        refused(InvalidConfigurationException.class, alter(topic, "compression.type", "rar", AlterConfigOp.OpType.SET), "a bad value");
        refused(InvalidConfigurationException.class, alter(topic, "no.such.setting", "1", AlterConfigOp.OpType.SET), "a bad name");
        String node = String.valueOf(admin.describeCluster().nodes().get().iterator().next().id());
        Config broker = settingsOf(new ConfigResource(ConfigResource.Type.BROKER, node));
        equal(broker.get("node.id").value(), node, "node.id of the broker");
        yes(broker.get("log.retention.hours") != null, "the broker's settings are told");
    }

    static void partitionsAreAdded() throws Exception {
        String topic = create("grows", 1, Map.of());
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(5))).all().get();
        equal(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size(), 5, "partitions");
        try (Producer<byte[], byte[]> p = producer()) {
            equal(p.partitionsFor(topic).size(), 5, "what a producer sees");
            equal(p.send(new ProducerRecord<>(topic, 4, null, bytes("last"))).get().offset(), 0L, "offset");
        }
        equal(readAll(partitions(topic, 5)).size(), 1, "records");
    }

    static void pattern() throws Exception {
        String topic = create("found", 1, Map.of());
        try (Consumer<byte[], byte[]> c = consumer("group.id", topic)) {
            c.subscribe(Pattern.compile(".*"));
            until("the topic is found", () -> {
                poll(c);
                return c.assignment().contains(new TopicPartition(topic, 0));
            });
            equal(c.assignment().stream().filter(p -> p.topic().startsWith("__")).count(), 0L, "internal topics");
        }
    }

    static void recordsAreDeleted() throws Exception {
        String topic = create("cut", 1, Map.of());
        TopicPartition part = new TopicPartition(topic, 0);
        try (Producer<byte[], byte[]> p = producer("compression.type", "snappy", "linger.ms", 5)) {
            for (int i = 0; i < 1000; i++)
                p.send(new ProducerRecord<>(topic, bytes("v" + i)));
        }
        equal(admin.deleteRecords(Map.of(part, RecordsToDelete.beforeOffset(421))).lowWatermarks().get(part).get().lowWatermark(), 421L, "low watermark");
        List<ConsumerRecord<byte[], byte[]>> got = readAll(List.of(part));
        equal(got.size(), 579, "records left");
        equal(new String(got.get(0).value()), "v421", "the first left");
        equal(admin.listOffsets(Map.of(part, OffsetSpec.earliest())).partitionResult(part).get().offset(), 421L, "start");
        try (Consumer<byte[], byte[]> c = consumer("auto.offset.reset", "none")) {
            c.assign(List.of(part));
            c.seek(part, 420);
            until("a refusal", () -> {
                try {
                    poll(c);
                    return false;
                } catch (OffsetOutOfRangeException error) {
                    return true;
                }
            });
        }
        equal(admin.deleteRecords(Map.of(part, RecordsToDelete.beforeOffset(-1))).lowWatermarks().get(part).get().lowWatermark(), 1000L, "all");
        equal(readAll(List.of(part)).size(), 0, "records left");
    }

    /** Reads every user topic and the order: the same records, the headers of the order aside; positions rise, so do offsets of a partition. */
    static void theOrder() throws Exception {
        List<TopicPartition> parts = new ArrayList<>();
        admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get()
            .forEach((name, t) -> parts.addAll(partitions(name, t.partitions().size())));
        Map<String, ConsumerRecord<byte[], byte[]>> want = new HashMap<>();
        readAll(parts).forEach(r -> want.put(r.topic() + "-" + r.partition() + "@" + r.offset(), r));
        yes(want.size() > 1000 || !wanted.isEmpty(), "there is something to order: " + want.size());

        long position = -1;
        Map<TopicPartition, Long> last = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> r : readAll(partitions(ORDER, 1))) {
            yes(r.offset() > position, "positions rise");
            position = r.offset();
            Header[] headers = r.headers().toArray();
            int own = headers.length - 3;
            equal(Arrays.stream(headers).skip(own).map(Header::key).collect(Collectors.toList()),
                List.of("braid.topic", "braid.partition", "braid.offset"), "its last headers");
            String topic = new String(headers[own].value());
            int partition = Integer.parseInt(new String(headers[own + 1].value()));
            long offset = Long.parseLong(new String(headers[own + 2].value()));
            Long before = last.put(new TopicPartition(topic, partition), offset);
            yes(before == null || before < offset, "offsets of a partition rise");
            ConsumerRecord<byte[], byte[]> w = want.remove(topic + "-" + partition + "@" + offset);
            yes(w != null, topic + "-" + partition + " at " + offset + " is there, and once");
            yes(Arrays.equals(r.key(), w.key()) && Arrays.equals(r.value(), w.value()), "key and value of position " + position);
            equal(r.timestamp(), w.timestamp(), "timestamp of position " + position);
            equal(text(Arrays.asList(headers).subList(0, own)), text(w.headers()), "headers of position " + position);
        }
        equal(want.size(), 0, "records that the order lacks");
        try (Consumer<byte[], byte[]> c = consumer()) { // not available, and said at once
            equal(c.offsetsForTimes(Map.of(new TopicPartition(ORDER, 0), START), Duration.ofSeconds(10)).get(new TopicPartition(ORDER, 0)), null, "by time");
        }
    }

    static void aTopicIsDeleted() throws Exception {
        String topic = create("goes", 2, Map.of());
        try (Producer<byte[], byte[]> p = producer()) {
            p.send(new ProducerRecord<>(topic, bytes("old"))).get();
        }
        Uuid id = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).topicId();
        admin.deleteTopics(List.of(topic)).all().get();
        yes(!admin.listTopics().names().get().contains(topic), "the topic is gone");
        refused(UnknownTopicOrPartitionException.class, admin.deleteTopics(List.of(topic)).all(), "again");
        create("goes", 1, Map.of());
        TopicDescription got = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
        yes(!got.topicId().equals(id), "a new id");
        equal(readAll(partitions(topic, 1)).size(), 0, "records of the new topic");
        try (Producer<byte[], byte[]> p = producer()) {
            equal(p.send(new ProducerRecord<>(topic, bytes("new"))).get().offset(), 0L, "offset");
        }
        equal(readAll(partitions(topic, 1)).size(), 1, "records of the new topic");
    }
}
