"""A proxy that only records: every request frame of every client that passes through it, in order of arrival.

    proxy = RecordProxy(); broker = Broker({"advertised.listeners": f"PLAINTEXT://127.0.0.1:{proxy.port}"}); proxy.open(broker.port)
    ... clients use proxy.address ...
    proxy.requests      list of frames without their length
    proxy.close()"""
import selectors
import socket
import struct
import threading


class RecordProxy(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self.requests, self.broker_port, self.is_open = [], None, True

    def open(self, broker_port):
        self.broker_port = broker_port
        self.start()

    def run(self):
        while self.is_open:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client):
        server = socket.create_connection(("127.0.0.1", self.broker_port))
        for s in (client, server):
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        pending = b""
        watch = selectors.DefaultSelector()
        watch.register(client, selectors.EVENT_READ, server)
        watch.register(server, selectors.EVENT_READ, client)
        while True:
            for key, _ in watch.select():
                try:
                    data = key.fileobj.recv(1 << 16)
                    key.data.sendall(data)
                except OSError:
                    data = b""
                if not data:
                    client.close()
                    server.close()
                    return
                if key.fileobj is client:
                    pending = self._keep(pending + data)

    def _keep(self, pending):
        while len(pending) >= 4:
            size = struct.unpack(">i", pending[:4])[0]
            if len(pending) < 4 + size:
                break
            self.requests.append(pending[4:4 + size])
            pending = pending[4 + size:]
        return pending

    def close(self):
        self.is_open = False
        self.listener.close()
