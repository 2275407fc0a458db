#!/usr/bin/python3
"""Captures request frames of real clients against a running braidd, through a proxy that only records.

    srcdir=../../.. builddir=BUILD capture.py        writes NAME.frames for every session, beside itself

A session keeps the first frame of each API and version (of Produce one a codec), header and all. Needs kcat and Debian's python3-confluent-kafka
and python3-kafka. Nothing runs this in a check: the files are kept."""
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", d) for d in ("support", "interop", "wire")]
from broker_proc import Broker  # noqa: E402
from record_proxy import RecordProxy  # noqa: E402
import frames  # noqa: E402

SMALL = 1500  # longer frames are not kept


def kcat_produce(address):
    for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
        subprocess.run(["kcat", "-b", address, "-P", "-t", "golden", "-z", codec, "-K", ":", "-H", "h=v", "-H", "n"], input=b"k:" + b"v" * 60 + b"\n", check=True, timeout=30)
    subprocess.run(["kcat", "-b", address, "-P", "-t", "golden", "-X", "enable.idempotence=true"], input=b"once\n", check=True, timeout=30)


def kcat_consume(address):
    subprocess.run(["kcat", "-b", address, "-C", "-t", "golden", "-e", "-q", "-o", "beginning"], check=True, timeout=30, stdout=subprocess.DEVNULL)
    subprocess.run(["kcat", "-b", address, "-C", "-t", "golden", "-e", "-q", "-o", "s@1000"], check=True, timeout=30, stdout=subprocess.DEVNULL)
    subprocess.run(["kcat", "-b", address, "-L"], check=True, timeout=30, stdout=subprocess.DEVNULL)


def kcat_group(address):
    subprocess.run(["kcat", "-b", address, "-G", "golden-group", "-X", "auto.offset.reset=earliest", "-e", "-q", "golden"], check=True, timeout=60, stdout=subprocess.DEVNULL)


def confluent_produce(address):
    import confluent_kafka
    p = confluent_kafka.Producer({"bootstrap.servers": address, "enable.idempotence": True, "compression.type": "zstd"})
    for i in range(3):
        p.produce("golden", b"value %d" % i, key=b"key", headers=[("a", b"1"), ("b", None)], timestamp=1700000000000 + i)
    assert p.flush(30) == 0


def confluent_group(address):
    import confluent_kafka
    c = confluent_kafka.Consumer({"bootstrap.servers": address, "group.id": "golden-static", "group.instance.id": "one", "auto.offset.reset": "earliest",
                                  "heartbeat.interval.ms": 300, "session.timeout.ms": 6000, "enable.auto.commit": False})
    c.subscribe(["golden"])
    end = time.monotonic() + 4
    while time.monotonic() < end:
        c.poll(0.1)
    c.commit(asynchronous=False)
    c.close()


def confluent_admin(address):
    from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic
    a = AdminClient({"bootstrap.servers": address})
    for futures in (a.create_topics([NewTopic("golden-admin", 2, 1, config={"retention.ms": "1000"})]), a.create_partitions([NewPartitions("golden-admin", 3)]),
                    a.describe_configs([ConfigResource("topic", "golden-admin")]), a.alter_configs([ConfigResource("topic", "golden-admin", set_config={"retention.ms": "2000"})]),
                    a.delete_topics(["golden-admin"])):
        for f in futures.values():
            f.result(30)


def python3_kafka_produce(address):
    import kafka
    for codec in (None, "gzip"):
        p = kafka.KafkaProducer(bootstrap_servers=address, compression_type=codec, acks="all")
        p.send("golden", b"value", key=b"key", headers=[("h", b"v")], timestamp_ms=1700000000000).get(30)
        p.close()


def python3_kafka_group(address):
    import kafka
    c = kafka.KafkaConsumer("golden", bootstrap_servers=address, group_id="golden-python", auto_offset_reset="earliest", heartbeat_interval_ms=300, session_timeout_ms=6000,
                            consumer_timeout_ms=2500)
    for _ in c:
        pass
    c.commit()
    c.offsets_for_times({kafka.TopicPartition("golden", 0): 1000})
    c.close()


def python3_kafka_admin(address):
    import kafka
    from kafka.admin import ConfigResource, ConfigResourceType, NewPartitions, NewTopic
    a = kafka.KafkaAdminClient(bootstrap_servers=address)
    a.create_topics([NewTopic("golden-python", 2, 1)])
    a.create_partitions({"golden-python": NewPartitions(3)})
    a.describe_configs([ConfigResource(ConfigResourceType.TOPIC, "golden-python")])
    a.delete_topics(["golden-python"])
    a.close()


def keep(requests):
    """The first frame of each API, version and (Produce) codec."""
    seen, out = set(), []
    for frame in requests:
        line = frames.describe(frame)
        kind = (frame[:4], frames.codec_of(frame))
        if kind in seen or len(frame) > SMALL:
            continue
        seen.add(kind)
        out.append((frame, line))
    return out


def main():
    for session in (kcat_produce, kcat_consume, kcat_group, confluent_produce, confluent_group, confluent_admin, python3_kafka_produce, python3_kafka_group, python3_kafka_admin):
        proxy = RecordProxy()
        with Broker({"advertised.listeners": f"PLAINTEXT://127.0.0.1:{proxy.port}"}) as broker:
            proxy.open(broker.port)
            if session not in (kcat_produce, confluent_produce, python3_kafka_produce):
                subprocess.run(["kcat", "-b", broker.address, "-P", "-t", "golden"], input=b"one\ntwo\n", check=True, timeout=30)
            proxy.requests.clear()
            session(proxy.address)
            proxy.close()
        name = session.__name__.replace("_", "-")
        with open(os.path.join(HERE, name + ".frames"), "w") as out:
            for frame, line in keep(proxy.requests):
                out.write(f"{frame.hex()}\n{line}\n")
        print(name, len(keep(proxy.requests)), "of", len(proxy.requests))


if __name__ == "__main__":
    main()
