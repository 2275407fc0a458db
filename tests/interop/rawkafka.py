"""A client of bytes: any request of the schema at any version, answers decoded to the last byte, record batches by hand.
Encodes with the second encoder (tests/wire/kwref.py) and shares no code with the broker.

    c = Conn(port)
    answer = c.request("Metadata", 12, {"topics": [{"name": "a"}]})     fields not given have their default
    n = c.send("Fetch", 11, ...); c.send_bytes(b"..."); answer = c.receive(n)

Strings of answers are str, uuids bytes. `records` are bytes: batches() takes them apart, batch() makes them."""
import ctypes
import glob
import os
import select
import socket
import struct
import sys
import time
import zlib
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "wire"), os.path.join(HERE, "..", "support")]
import kwref  # noqa: E402

MESSAGES = {}   # name -> message
KEYS = {}       # "Fetch" -> 1
NAMES = {}      # 1 -> "Fetch"
for _path in sorted(glob.glob(os.path.join(kwref.TOP, "compat/schema/*.kw"))):
    for _m in kwref.load(_path):
        MESSAGES[_m.name] = _m
        if _m.api >= 0 and _m.name.endswith("Request"):
            KEYS[_m.name[:-7]] = _m.api
            NAMES[_m.api] = _m.name[:-7]

NONE, OFFSET_OUT_OF_RANGE, CORRUPT_MESSAGE, UNKNOWN_TOPIC = 0, 1, 2, 3


class Closed(Exception):
    """The broker closed the connection."""


# --- messages ---

def fill(fields, value):
    """The complete message of a partial one; a name that the schema does not know is an error."""
    known = {f.name for f in fields}
    for name in value:
        if name not in known:
            raise KeyError(f"no field {name}; there are {sorted(known)}")
    return {f.name: complete(f, value[f.name]) if f.name in value else kwref.default(f) for f in fields}


def complete(f, v):
    if v is None:
        return None
    if f.array:
        return [single(f, item) for item in v]
    return single(f, v)


def single(f, v):
    if f.fields:
        return fill(f.fields, v)
    return v.encode() if isinstance(v, str) else v


class Decoder:
    """The other half of kwref.Maker. Every length is checked, every byte is used."""

    def __init__(self, data, version, flexible, text=True):
        self.data, self.at, self.version, self.flexible, self.text = data, 0, version, flexible, text

    def take(self, n):
        if n < 0 or self.at + n > len(self.data):
            raise ValueError(f"wants {n} bytes at {self.at} of {len(self.data)}")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def uvarint(self):
        out = shift = 0
        while True:
            byte = self.take(1)[0]
            out |= (byte & 127) << shift
            if byte < 128:
                return out
            shift += 7

    def length(self, short=False):
        if self.flexible:
            return self.uvarint() - 1
        return self.number(">h" if short else ">i")

    def value(self, f):
        if f.array:
            n = self.length()
            return None if n < 0 else [self.single(f) for _ in range(n)]
        if f.fields and f.null_from is not None and self.number(">b") < 0:
            return None
        return self.single(f)

    def single(self, f):
        if f.kind in kwref.NUMBERS:
            return self.number(kwref.NUMBERS[f.kind])
        if f.kind == "uuid":
            return self.take(16)
        if f.kind in ("string", "bytes", "records"):
            n = self.length(f.kind == "string")
            if n < 0:
                return None
            out = self.take(n)
            return out.decode(errors="surrogateescape") if f.kind == "string" and self.text else out
        return self.record(f.fields)

    def record(self, fields):
        out = {f.name: kwref.default(f) for f in fields}
        if self.text:
            out.update({f.name: "" for f in fields if f.kind == "string" and not f.array and out[f.name] == b""})
        for f in fields:
            if f.tag is None and f.first <= self.version <= f.last:
                out[f.name] = self.value(f)
        if self.flexible:
            self.tags(fields, out)
        return out

    def tags(self, fields, out):
        for _ in range(self.uvarint()):
            tag, size = self.uvarint(), self.uvarint()
            end = self.at + size
            for f in fields:
                if f.tag == tag and f.first <= self.version <= f.last:
                    out[f.name] = self.value(f)
                    if self.at != end:
                        raise ValueError(f"tag {tag} ({f.name}) is {size} bytes, used {self.at - end + size}")
            self.take(end - self.at)


def encode(name, version, value, noise=False):
    m = MESSAGES[name]
    maker = kwref.Maker(__import__("random").Random(1), version, version >= m.flexible)
    return maker.put_record(m.fields, fill(m.fields, value), noise)


def decode(name, version, data, text=True):
    m = MESSAGES[name]
    d = Decoder(data, version, version >= m.flexible, text)
    out = d.record(m.fields)
    if d.at != len(data):
        raise ValueError(f"{name} version {version}: {len(data) - d.at} bytes left over")
    return out


def is_flexible(api, version):
    return version >= MESSAGES[api + "Request"].flexible


def request_bytes(api, version, fields, correlation, client_id="raw", noise=False):
    """A whole frame, length included. api: a name, or a number with fields as bytes."""
    key, flexible = (KEYS[api], is_flexible(api, version)) if isinstance(api, str) else (api, False)
    body = fields if isinstance(fields, bytes) else encode(api + "Request", version, fields or {}, noise)
    name = b"\xff\xff" if client_id is None else struct.pack(">h", len(client_id.encode())) + client_id.encode()
    tags = b"" if not flexible else b"\x01\x63\x03abc" if noise else b"\0"
    frame = struct.pack(">hhi", key, version, correlation) + name + tags + body
    return struct.pack(">i", len(frame)) + frame


class Conn:
    def __init__(self, port, client_id="raw", timeout=15):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.client_id = client_id
        self.next = 1
        self.asked = {}  # correlation -> (api, version)

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def frame(self, api, version, fields=None, noise=False):
        """The bytes of a request whose answer receive() will understand."""
        n = self.next
        self.next += 1
        self.asked[n] = (api, version)
        return n, request_bytes(api, version, fields, n, self.client_id, noise)

    def send(self, api, version, fields=None, noise=False):
        n, data = self.frame(api, version, fields, noise)
        self.send_bytes(data)
        return n

    def send_bytes(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            raise Closed()

    def take(self, n):
        out = b""
        while len(out) < n:
            try:
                more = self.socket.recv(min(n - len(out), 1 << 20))
            except ConnectionResetError:
                more = b""
            if not more:
                raise Closed()
            out += more
        return out

    def receive_frame(self):
        return self.take(struct.unpack(">i", self.take(4))[0])

    def receive_any(self):
        """The next answer, whatever it is to: (correlation, decoded)."""
        data = self.receive_frame()
        n = struct.unpack(">i", data[:4])[0]
        if n not in self.asked:
            raise AssertionError(f"answer to {n}, which was not asked")
        api, version = self.asked.pop(n)
        at = 4
        if is_flexible(api, version) and api != "ApiVersions":
            if data[4] != 0:
                raise AssertionError(f"tags in the response header of {api} {version}")
            at = 5
        return n, decode(api + "Response", version, data[at:])

    def receive(self, n):
        got, answer = self.receive_any()
        if got != n:
            raise AssertionError(f"answer to {got} came before the one to {n}")
        return answer

    def request(self, api, version, fields=None, noise=False):
        return self.receive(self.send(api, version, fields, noise))

    def is_closed(self, seconds=10):
        """Whether the broker closes within the time, without sending anything."""
        self.socket.settimeout(seconds)
        try:
            more = self.socket.recv(1)
        except socket.timeout:
            return False
        except ConnectionResetError:
            return True
        if more:
            raise AssertionError(f"bytes {more.hex()} came instead of the end")
        return True

    def has_answer(self, seconds=0):
        return bool(select.select([self.socket], [], [], seconds)[0])


# --- codecs, by the C libraries that Debian has anyway ---

def _library(name):
    return ctypes.CDLL(name)


def _snappy(data, unpack):
    lib = _library("libsnappy.so.1")
    size = ctypes.c_size_t()
    if unpack:
        if lib.snappy_uncompressed_length(data, ctypes.c_size_t(len(data)), ctypes.byref(size)):
            raise ValueError("snappy")
    else:
        lib.snappy_max_compressed_length.restype = ctypes.c_size_t
        size.value = lib.snappy_max_compressed_length(ctypes.c_size_t(len(data)))
    out = ctypes.create_string_buffer(size.value)
    call = lib.snappy_uncompress if unpack else lib.snappy_compress
    if call(data, ctypes.c_size_t(len(data)), out, ctypes.byref(size)):
        raise ValueError("snappy")
    return out.raw[:size.value]


JAVA_SNAPPY = b"\x82SNAPPY\0" + struct.pack(">ii", 1, 1)


def snappy_unpack(data):
    if not data.startswith(JAVA_SNAPPY[:8]):
        return _snappy(data, True)
    out, at = b"", 16
    while at < len(data):
        size = struct.unpack(">i", data[at:at + 4])[0]
        out += _snappy(data[at + 4:at + 4 + size], True)
        at += 4 + size
    return out


def java_snappy_pack(data):
    """In blocks, as Java's library frames them."""
    out = JAVA_SNAPPY
    for at in range(0, max(len(data), 1), 1000):
        block = _snappy(data[at:at + 1000], False)
        out += struct.pack(">i", len(block)) + block
    return out


def lz4_pack(data):
    lib = _library("liblz4.so.1")
    lib.LZ4F_compressFrameBound.restype = lib.LZ4F_compressFrame.restype = ctypes.c_size_t
    independent = struct.pack("<ii48x", 0, 1)  # LZ4F_preferences_t: Kafka reads only frames whose blocks stand alone
    room = lib.LZ4F_compressFrameBound(ctypes.c_size_t(len(data)), independent)
    out = ctypes.create_string_buffer(room)
    size = lib.LZ4F_compressFrame(out, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), independent)
    return out.raw[:size]


def lz4_unpack(data):
    lib = _library("liblz4.so.1")
    lib.LZ4F_decompress.restype = ctypes.c_size_t
    context = ctypes.c_void_p()
    lib.LZ4F_createDecompressionContext(ctypes.byref(context), 100)
    source = ctypes.create_string_buffer(data, len(data))
    room, out, at = ctypes.create_string_buffer(1 << 20), b"", 0
    try:
        while at < len(data):
            got, used = ctypes.c_size_t(len(room)), ctypes.c_size_t(len(data) - at)
            left = lib.LZ4F_decompress(context, room, ctypes.byref(got), ctypes.byref(source, at), ctypes.byref(used), None)
            if left > 1 << 62 or (not used.value and not got.value):
                raise ValueError("lz4")
            out += room.raw[:got.value]
            at += used.value
        return out
    finally:
        lib.LZ4F_freeDecompressionContext(context)


def zstd_pack(data):
    lib = _library("libzstd.so.1")
    lib.ZSTD_compressBound.restype = lib.ZSTD_compress.restype = ctypes.c_size_t
    room = lib.ZSTD_compressBound(ctypes.c_size_t(len(data)))
    out = ctypes.create_string_buffer(room)
    size = lib.ZSTD_compress(out, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), 3)
    return out.raw[:size]


def zstd_unpack(data):
    class Buffer(ctypes.Structure):
        _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t), ("pos", ctypes.c_size_t)]
    lib = _library("libzstd.so.1")
    lib.ZSTD_createDStream.restype = ctypes.c_void_p
    lib.ZSTD_decompressStream.restype = ctypes.c_size_t
    stream = ctypes.c_void_p(lib.ZSTD_createDStream())
    source, room, out = ctypes.create_string_buffer(data, len(data)), ctypes.create_string_buffer(1 << 20), b""
    inp = Buffer(ctypes.cast(source, ctypes.c_void_p), len(data), 0)
    try:
        while True:
            o = Buffer(ctypes.cast(room, ctypes.c_void_p), len(room), 0)
            left = lib.ZSTD_decompressStream(stream, ctypes.byref(o), ctypes.byref(inp))
            if lib.ZSTD_isError(ctypes.c_size_t(left)):
                raise ValueError("zstd")
            out += room.raw[:o.pos]
            if inp.pos == inp.size and o.pos < o.size:
                return out
    finally:
        lib.ZSTD_freeDStream(stream)


def gzip_pack(data):
    c = zlib.compressobj(wbits=31)
    return c.compress(data) + c.flush()


CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
PACK = [bytes, gzip_pack, lambda d: _snappy(d, False), lz4_pack, zstd_pack]
UNPACK = [bytes, lambda d: zlib.decompress(d, 31), snappy_unpack, lz4_unpack, zstd_unpack]


# --- record batches ---

def crc32c(data):
    """ISA-L's wants the complement at both ends; it shares nothing with the test but the checksum's definition, which
    test_produce_fetch.py compares with python3-kafka's."""
    lib = _library("libisal.so.2")
    lib.crc32_iscsi.restype = ctypes.c_uint32
    return ~lib.crc32_iscsi(data, ctypes.c_int(len(data)), ctypes.c_uint32(0xffffffff)) & 0xffffffff


Record = namedtuple("Record", "offset timestamp key value headers")
Batch = namedtuple("Batch", "base_offset leader_epoch attributes last_offset_delta base_timestamp max_timestamp producer_id "
                            "producer_epoch base_sequence count records raw")


def varint(n):
    n = n * 2 if n >= 0 else -n * 2 - 1
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def _sized(data):
    return varint(-1) if data is None else varint(len(data)) + data


def record(delta, value, key=None, time_delta=0, headers=()):
    body = b"\0" + varint(time_delta) + varint(delta) + _sized(key) + _sized(value) + varint(len(headers))
    body += b"".join(_sized(k.encode()) + _sized(v) for k, v in headers)
    return varint(len(body)) + body


def now_ms():
    return int(time.time() * 1000)


def batch(values, codec=0, producer=(-1, -1, -1), time=None, times=None, attributes=0, base_offset=0, keys=None, headers=(),
          body=None, pack=None, count=None, last_delta=None, magic=2, bad_crc=False, max_time=None):
    """A batch of values (bytes or None). producer: id, epoch, base sequence. times: one a record, else all have `time` (now).
    The rest is there to make batches that are wrong."""
    time = now_ms() if time is None else time
    times = times or [time] * len(values)
    if body is None:
        body = b"".join(record(i, v, keys[i] if keys else None, times[i] - times[0], headers) for i, v in enumerate(values))
        body = (pack or PACK[codec])(body)
    n = len(values) if count is None else count
    tail = struct.pack(">hiqqqhii", attributes | codec, len(values) - 1 if last_delta is None else last_delta, times[0] if times else -1,
                       max(times, default=-1) if max_time is None else max_time, producer[0], producer[1], producer[2], n) + body
    crc = crc32c(tail) ^ (1 if bad_crc else 0)
    return struct.pack(">qiibI", base_offset, 9 + len(tail), -1, magic, crc) + tail


def _unzigzag(d):
    n = d.uvarint()
    return (n >> 1) ^ -(n & 1)


def _take_sized(d):
    n = _unzigzag(d)
    return None if n < 0 else d.take(n)


def _records(data, count, base_offset, base_timestamp):
    d, out = Decoder(data, 0, True), []
    for _ in range(count):
        end = _unzigzag(d)
        end += d.at
        d.take(1)
        stamp, offset = base_timestamp + _unzigzag(d), base_offset + _unzigzag(d)
        key, value = _take_sized(d), _take_sized(d)
        headers = [(_take_sized(d).decode(), _take_sized(d)) for _ in range(_unzigzag(d))]
        if d.at != end:
            raise ValueError("record length")
        out.append(Record(offset, stamp, key, value, headers))
    if d.at != len(data):
        raise ValueError("bytes after the last record")
    return out


def batches(data):
    """Whole batches; a trailing part of one is allowed, as Kafka does (E3)."""
    out, at = [], 0
    while len(data) - at >= 12:
        size = 12 + struct.unpack(">i", data[at + 8:at + 12])[0]
        if at + size > len(data):
            break
        raw = data[at:at + size]
        base, _, epoch, magic, crc = struct.unpack(">qiibI", raw[:21])
        attributes, last, base_time, max_time, pid, pepoch, seq, count = struct.unpack(">hiqqqhii", raw[21:61])
        if magic != 2 or crc32c(raw[21:]) != crc:
            raise ValueError(f"batch at {base}: magic {magic}, checksum {'wrong' if magic == 2 else '?'}")
        records = _records(UNPACK[attributes & 7](raw[61:]), count, base, base_time)
        if attributes & 8:
            records = [r._replace(timestamp=max_time) for r in records]
        out.append(Batch(base, epoch, attributes, last, base_time, max_time, pid, pepoch, seq, count, records, raw))
        at += size
    return out


def records_of(data):
    """The records of data that clients show: not those of control batches."""
    return [r for b in batches(data or b"") if not b.attributes & 32 for r in b.records]


# --- the requests that most tests make ---

class Client(Conn):
    """Conn with the common requests, at versions that tests may choose."""

    def create(self, topic, partitions=1, configs=None):
        answer = self.request("CreateTopics", 5, {"topics": [{"name": topic, "num_partitions": partitions, "replication_factor": 1,
                                                             "configs": [{"name": k, "value": str(v)} for k, v in (configs or {}).items()]}]})
        error = answer["topics"][0]["error_code"]
        if error:
            raise AssertionError(f"create {topic}: {error} {answer['topics'][0]['error_message']}")
        return topic

    def topic_id(self, topic):
        return self.request("Metadata", 12, {"topics": [{"name": topic}], "allow_auto_topic_creation": False})["topics"][0]["topic_id"]

    def produce_fields(self, topic, partition, data, acks=-1, version=9, topic_id=None):
        parts = partition if isinstance(partition, dict) else {partition: data}
        return {"acks": acks, "timeout_ms": 10000,
                "topics": [{"name": topic, "topic_id": topic_id or bytes(16), "partitions": [{"index": i, "records": r} for i, r in parts.items()]}]}

    def produce(self, topic, partition, data, acks=-1, version=9):
        """Answer of the one partition."""
        topic_id = self.topic_id(topic) if version >= 13 else None
        answer = self.request("Produce", version, self.produce_fields(topic, partition, data, acks, version, topic_id))
        return answer["topics"][0]["partitions"][0]

    def append(self, topic, partition, values, **how):
        """Base offset of values that must be taken."""
        got = self.produce(topic, partition, batch(values, **how))
        if got["error_code"]:
            raise AssertionError(f"append to {topic}-{partition}: {got}")
        return got["base_offset"]

    def fetch_fields(self, topic, partition, offset, wait=0, min_bytes=1, max_bytes=1 << 26, part_bytes=1 << 26, isolation=0, topic_id=None, **more):
        parts = partition if isinstance(partition, dict) else {partition: offset}
        out = {"max_wait_ms": wait, "min_bytes": min_bytes, "max_bytes": max_bytes, "isolation_level": isolation, "session_epoch": -1,
               "topics": [{"topic": topic, "topic_id": topic_id or bytes(16),
                           "partitions": [{"partition": i, "fetch_offset": o, "partition_max_bytes": part_bytes} for i, o in parts.items()]}]}
        out.update(more)
        return out

    def fetch(self, topic, partition, offset, version=12, **how):
        """Answer of the one partition."""
        topic_id = self.topic_id(topic) if version >= 13 else None
        answer = self.request("Fetch", version, self.fetch_fields(topic, partition, offset, topic_id=topic_id, **how))
        if answer["error_code"]:
            raise AssertionError(f"fetch {topic}-{partition}: {answer}")
        return answer["topics"][0]["partitions"][0]

    def list_offset(self, topic, partition, timestamp, version=9, isolation=0):
        """Answer of the one partition."""
        answer = self.request("ListOffsets", version, {"isolation_level": isolation,
                                                       "topics": [{"name": topic, "partitions": [{"partition_index": partition, "timestamp": timestamp}]}]})
        return answer["topics"][0]["partitions"][0]

    def end(self, topic, partition=0):
        got = self.list_offset(topic, partition, -1)
        if got["error_code"]:
            raise AssertionError(f"end of {topic}-{partition}: {got}")
        return got["offset"]

    def start(self, topic, partition=0):
        return self.list_offset(topic, partition, -2)["offset"]

    def read(self, topic, partition=0, offset=None, end=None, part_bytes=1 << 20):
        """All records from offset (the start) up to end (asked first), control batches passed over; progress is demanded."""
        at = self.start(topic, partition) if offset is None else offset
        end = self.end(topic, partition) if end is None else end
        out = []
        while at < end:
            got = self.fetch(topic, partition, at, part_bytes=part_bytes)
            if got["error_code"]:
                raise AssertionError(f"read {topic}-{partition} at {at}: error {got['error_code']}")
            found = batches(got["records"] or b"")
            if not found:
                raise AssertionError(f"read {topic}-{partition} at {at}: nothing, but the end is {end}")
            for b in found:
                if not b.attributes & 32:
                    out += [r for r in b.records if r.offset >= at]
            after = found[-1].base_offset + found[-1].last_offset_delta + 1
            if after <= at:
                raise AssertionError(f"read {topic}-{partition} at {at}: no progress")
            at = after
        return out

    def producer_id(self):
        answer = self.request("InitProducerId", 4, {"transactional_id": None, "transaction_timeout_ms": 60000})
        if answer["error_code"]:
            raise AssertionError(f"InitProducerId: {answer}")
        return answer["producer_id"], answer["producer_epoch"]

    def delete_records(self, topic, partition, offset):
        answer = self.request("DeleteRecords", 2, {"timeout_ms": 10000, "topics": [{"name": topic, "partitions": [{"partition_index": partition, "offset": offset}]}]})
        return answer["topics"][0]["partitions"][0]

    def delete_topic(self, topic):
        answer = self.request("DeleteTopics", 5, {"topic_names": [topic], "timeout_ms": 10000})
        return answer["responses"][0]["error_code"]
