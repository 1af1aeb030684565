"""DuckDB's own engine (its wheel, in this process) behind a small server that speaks PostgreSQL's protocol, for tests of MotherDuck.

DuckDB reads, binds and runs every statement, holds the transactions that only read, lists tables, keys and macros, and is interrupted.
What only this file decides, after MotherDuck's documents where they say something, and otherwise by itself:
- the one user `postgres` with a token as its password, the databases that there are, and that one of them is attached for reading alone,
  as a share is, or what a read scaling token opens;
- that the token is asked for as an MD5 of it, without encryption: a server on this computer may be told no more. MotherDuck has TLS;
- which messages of the protocol there are: startup, simple and extended queries, orders to cancel. No COPY, no parameters, no cursors;
- that columns other than text are refused in the binary form, so that nothing can depend on how MotherDuck writes them;
- codes of errors: 28P01 and 3D000 at the start, 57014 where a query was interrupted, XX000 for every word of DuckDB's;
- that every session is in a zone of its own, far from UTC.

Usage: motherduck_server.py PORT FOLDER SCRIPT. SCRIPT is run in the database `shop` before anybody is let in.
"""

import hashlib
import os
import socketserver
import struct
import sys
import threading

import duckdb

port, folder, script = int(sys.argv[1]), sys.argv[2], sys.argv[3]
TOKEN = "token:1"
USER = "postgres"
ZONE = "America/New_York"
TEXT = 25

root = duckdb.connect()
root.execute(f"ATTACH '{folder}/shared.duckdb' AS shared; CREATE TABLE shared.item (id INT, name VARCHAR); DETACH shared")
root.execute(f"ATTACH '{folder}/shared.duckdb' AS shared (READ_ONLY)")
root.execute(f"ATTACH '{folder}/shop.duckdb' AS shop; USE shop")
root.execute(script or "SELECT 1")
DATABASES = {"shop", "shared"}
# Every session by its number, with the secret that an order to cancel has to name.
sessions = {}
lock = threading.Lock()
# What was executed, for tests: the session, a tab, the statement.
log = open(f"{folder}/statements.txt", "a", buffering=1)


class Failure(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def failure(error):
    if isinstance(error, Failure):
        return error
    return Failure("57014" if isinstance(error, duckdb.InterruptException) else "XX000", str(error))


def message(kind, body=b""):
    return kind + struct.pack("!i", len(body) + 4) + body


def word(text):
    return text.encode() + b"\0"


def cut(data):
    """What stands before the first NUL, and behind it."""
    end = data.index(b"\0")
    return data[:end].decode(), data[end + 1 :]


class Session(socketserver.BaseRequestHandler):
    def setup(self):
        self.statements, self.portals = {}, {}
        self.failed = False
        self.in_transaction = False

    def exactly(self, size):
        data = bytearray()
        while len(data) < size:
            more = self.request.recv(size - len(data))
            if not more:
                raise ConnectionError
            data += more
        return bytes(data)

    def send(self, *messages):
        self.request.sendall(b"".join(messages))

    def fail(self, error, severity="ERROR"):
        error = failure(error)
        fields = [b"S" + word(severity), b"V" + word(severity), b"C" + word(error.code), b"M" + word(str(error)), b"\0"]
        self.send(message(b"E", b"".join(fields)))

    def ready(self):
        self.send(message(b"Z", b"T" if self.in_transaction else b"I"))

    def handle(self):
        try:
            if self.begin():
                self.serve()
        except (ConnectionError, OSError):
            pass
        finally:
            with lock:
                sessions.pop(id(self) & 0x7FFFFFFF, None)

    def begin(self):
        while True:
            size, code = struct.unpack("!ii", self.exactly(8))
            rest = self.exactly(size - 8)
            if code == 80877103:
                self.send(b"N")
            elif code == 80877102:
                number, secret = struct.unpack("!ii", rest)
                with lock:
                    known, engine = sessions.get(number, (None, None))
                if known == secret:
                    engine.interrupt()
                return False
            else:
                break
        words = rest.decode().split("\0")
        options = dict(zip(words[::2], words[1::2]))
        salt = os.urandom(4)
        self.send(message(b"R", struct.pack("!i", 5) + salt))
        self.exactly(1)
        answer = self.exactly(struct.unpack("!i", self.exactly(4))[0] - 4).rstrip(b"\0")
        inner = hashlib.md5((TOKEN + USER).encode()).hexdigest()
        wanted = b"md5" + hashlib.md5(inner.encode() + salt).hexdigest().encode()
        if options.get("user") != USER or answer != wanted:
            self.fail(Failure("28P01", "the token is not known"), "FATAL")
            return False
        if options.get("database") not in DATABASES:
            self.fail(Failure("3D000", f"there is no database {options.get('database')}"), "FATAL")
            return False
        self.engine = root.cursor()
        self.engine.execute(f"USE {options['database']}; SET TimeZone = '{ZONE}'")
        number, secret = id(self) & 0x7FFFFFFF, struct.unpack("!i", os.urandom(4))[0]
        with lock:
            sessions[number] = (secret, self.engine)
        status = [message(b"S", word(name) + word(value)) for name, value in [("server_version", "16.0"), ("client_encoding", "UTF8")]]
        self.send(message(b"R", struct.pack("!i", 0)), *status, message(b"K", struct.pack("!ii", number, secret)))
        self.ready()
        return True

    def serve(self):
        while True:
            kind = self.exactly(1)
            data = self.exactly(struct.unpack("!i", self.exactly(4))[0] - 4)
            if kind == b"X":
                return
            if kind == b"S":
                self.failed = False
                self.ready()
                continue
            if self.failed:
                continue
            try:
                {b"Q": self.query, b"P": self.parse, b"D": self.describe, b"B": self.bind, b"E": self.execute, b"C": self.close, b"H": lambda _: None}[kind](data)
            except KeyError:
                raise ConnectionError from None
            except (duckdb.Error, Failure, RuntimeError) as error:
                self.fail(error)
                if kind == b"Q":
                    self.ready()
                else:
                    self.failed = True

    def run(self, sql):
        log.write(f"{id(self)}\t" + sql.replace("\n", " ") + "\n")
        self.engine.execute(sql)
        first = sql.split(maxsplit=1)[0].upper()
        self.in_transaction = {"BEGIN": True, "ROLLBACK": False, "COMMIT": False}.get(first, self.in_transaction)

    def query(self, data):
        self.run(cut(data)[0])
        self.send(message(b"C", word("OK")))
        self.ready()

    def parse(self, data):
        name, rest = cut(data)
        sql, rest = cut(rest)
        if struct.unpack("!h", rest[:2])[0] != 0:
            raise Failure("0A000", "there are no parameters here")
        described = self.engine.execute("DESCRIBE " + sql).fetchall()
        self.statements[name] = sql, [(column[0], column[1]) for column in described]
        self.send(message(b"1"))

    def describe(self, data):
        name = cut(data[1:])[0]
        columns = self.statements[name if data[:1] == b"S" else self.portals[name]][1]
        fields = [word(name) + struct.pack("!ihihih", 0, 0, TEXT if of == "VARCHAR" else 0, -1, -1, 0) for name, of in columns]
        before = message(b"t", struct.pack("!h", 0)) if data[:1] == b"S" else b""
        self.send(before, message(b"T", struct.pack("!h", len(fields)) + b"".join(fields)))

    def bind(self, data):
        portal, rest = cut(data)
        statement, rest = cut(rest)
        # No formats of parameters, no parameters, the number of formats of columns, and these.
        formats = struct.unpack(f"!{len(rest) // 2}h", rest)[3:]
        if 1 in formats and any(of != "VARCHAR" for _, of in self.statements[statement][1]):
            raise Failure("0A000", "only text has a binary form here")
        self.portals[portal] = statement
        self.send(message(b"2"))

    def execute(self, data):
        self.run(self.statements[self.portals[cut(data)[0]]][0])
        count = 0
        while rows := self.engine.fetchmany(2048):
            batch = []
            for row in rows:
                cells = [b"\xff\xff\xff\xff" if cell is None else struct.pack("!i", len(cell)) + cell for cell in (None if cell is None else str(cell).encode() for cell in row)]
                batch.append(message(b"D", struct.pack("!h", len(cells)) + b"".join(cells)))
            count += len(rows)
            self.send(*batch)
        self.send(message(b"C", word(f"SELECT {count}")))

    def close(self, data):
        (self.statements if data[:1] == b"S" else self.portals).pop(cut(data[1:])[0], None)
        self.send(message(b"3"))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def end_with_the_test():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_the_test, daemon=True).start()
Server(("127.0.0.1", port), Session).serve_forever()
