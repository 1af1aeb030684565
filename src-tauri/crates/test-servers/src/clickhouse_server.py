"""ClickHouse's own engine (chdb, in this process) behind a small HTTP server for tests.

The engine reads, checks and runs every statement, holds every setting (`readonly` above all), streams the rows, finds queries in
`system.processes` and kills them. What only this file decides, after ClickHouse's documents:
- users, passwords and which `readonly` a user's profile has (the engine here has one user, who may do everything);
- that the parameters of a request become settings for this one request, all at once;
- the ids of queries: the engine here gives its own, so that the id of a request is kept in `log_comment`;
- that names and types come once, before all rows (the engine's stream here has them before each block, and none without rows);
- that INTO OUTFILE is for programs and refused over HTTP (in this process the engine would write the file);
- that a result that waits for its end comes with a summary of what it read, which the engine counts;
- statuses, other headers, and the text of an exception behind rows that were already sent; encryption.

Each statement but the owner's goes into `statements.txt` in the folder, a line each.

Usage: clickhouse_server.py PORT FOLDER [CERTIFICATE KEY]
"""

import base64
import re
import ssl
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb.state import connect

port, folder = int(sys.argv[1]), sys.argv[2]
# The one that keeps the engine up.
owner = connect(folder)
owner.query("CREATE DATABASE IF NOT EXISTS shop")
PASSWORD = "pass-word:1"
# Each user's `readonly`.
USERS = {"owner": 0, "ann": 0, "reads": 2, "fixed": 1}
NO_SETTINGS = {"database", "query_id", "default_format", "wait_end_of_query"}
CODE = re.compile(r"Code: (\d+)")


def text(value):
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def fail(self, message, status=500):
        code = CODE.search(message)
        body = (message.strip() + "\n").encode()
        self.send_response(status)
        if code:
            self.send_header("X-ClickHouse-Exception-Code", code.group(1))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def user(self):
        kind, _, rest = self.headers.get("Authorization", "").partition(" ")
        name, _, password = base64.b64decode(rest).decode().partition(":") if kind == "Basic" else ("default", "", "")
        return name if password == PASSWORD and name in USERS else None

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"Ok.\n")

    def do_POST(self):
        sql = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        user = self.user()
        if user is None:
            name = "Authentication failed: password is incorrect, or there is no user with such name."
            self.fail(f"Code: 516. DB::Exception: {name} (AUTHENTICATION_FAILED) (version 26.9.2.1)", 403)
            return
        if user != "owner":
            with open(f"{folder}/statements.txt", "a") as log:
                log.write(sql.replace("\n", " ") + "\n")
        given = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        session = connect(folder)
        try:
            self.run(session, sql, user, given)
        except BrokenPipeError:
            self.close_connection = True
        except ConnectionResetError:
            self.close_connection = True
        finally:
            session.close()

    def run(self, session, sql, user, given):
        settings = {name: value for name, value in given.items() if name not in NO_SETTINGS}
        try:
            if "database" in given:
                session.query(f"USE `{given['database']}`")
            if "query_id" in given:
                session.query(f"SET log_comment = {text(given['query_id'])}")
            if USERS[user]:
                session.query(f"SET readonly = {USERS[user]}")
            if settings:
                session.query("SET " + ", ".join(f"{name} = {text(value)}" for name, value in settings.items()))
        except Exception as error:
            self.fail(str(error))
            return
        if re.search(r"\bINTO\s+(/\*.*?\*/\s*)?OUTFILE\b", sql, re.I):
            self.fail("Code: 372. DB::Exception: INTO OUTFILE is not allowed. (INTO_OUTFILE_NOT_ALLOWED) (version 26.9.2.1)")
            return
        sql = re.sub(r"(?<=^KILL QUERY WHERE )(query_id = ('[^']*'))", r"(\1 OR Settings['log_comment'] = \2)", sql)
        form = given.get("default_format", "TabSeparated")
        begun = False
        if given.get("wait_end_of_query") == "1":
            self.whole(session, sql, form)
            return
        try:
            if re.match(r"\s*(--.*\n|/\*.*?\*/|\s)*\(*\s*(SELECT|WITH|FROM)\b", sql, re.I):
                pieces = session.send_query(sql, form)
            else:
                pieces = [session.query(sql, form)]
            for piece in pieces:
                data = piece.bytes()
                if not begun:
                    self.begin()
                    begun = True
                elif form.endswith("WithNamesAndTypes"):
                    # Its stream has the header before each block; an answer has one.
                    data = data.split(b"\n", 2)[2]
                if data:
                    self.piece(data)
        except (BrokenPipeError, ConnectionResetError):
            if hasattr(pieces, "cancel"):
                pieces.cancel()
            raise
        except Exception as error:
            message = str(error)
            message = message[message.find("Code: ") :] if "Code: " in message else message
            if not begun:
                self.fail(message)
                return
            self.piece((message.strip() + "\n").encode())
        if not begun:
            # Its stream of no rows has no header either; an answer has.
            data = session.query(sql, form).bytes()
            self.begin()
            if data:
                self.piece(data)
        self.piece(b"")

    def whole(self, session, sql, form):
        try:
            result = session.query(sql, form)
        except Exception as error:
            message = str(error)
            self.fail(message[message.find("Code: ") :] if "Code: " in message else message)
            return
        read = f'{{"read_rows":"{result.storage_rows_read()}","read_bytes":"{result.storage_bytes_read()}"}}'
        data = result.bytes()
        self.send_response(200)
        self.send_header("X-ClickHouse-Summary", read)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def begin(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def piece(self, data):
        self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")
        self.wfile.flush()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def finish_request(self, request, address):
        if len(sys.argv) > 4:
            request = CONTEXT.wrap_socket(request, server_side=True)
        super().finish_request(request, address)

    def handle_error(self, *_):
        pass


if len(sys.argv) > 4:
    CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    CONTEXT.load_cert_chain(sys.argv[3], sys.argv[4])
Server(("127.0.0.1", port), Handler).serve_forever()
