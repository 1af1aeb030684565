"""sqlglot and DuckDB (both in this process) behind a small server that speaks Flight SQL, for tests of dialects whose engines cannot be had.

sqlglot reads every statement by its own grammar of the dialect and writes DuckDB's, which DuckDB binds and runs: two readers that know
nothing of ours. What only this file decides, so that it proves nothing of the engine that is meant:
- that there is one catalog `shop` with one schema (`SCHEMA`), what tables it says it has, and the names of their types, by sqlglot as well;
- which messages of Flight SQL there are: a query, the columns of one, catalogs, schemas, tables. Nothing prepared, no keys;
- who is let in: anybody, or with LOGIN whoever signs in by that name and password (HTTP's basic way, then a token);
- what sqlglot leaves to DuckDB, which has it otherwise (`completed`);
- what sqlglot leaves as it is and DuckDB takes all the same: that such a statement runs does not say that the engine would run it.

Usage: sqlglot_server.py PORT FOLDER DIALECT SCRIPT [LOGIN]. SCRIPT is run in DuckDB's own dialect before anybody is let in. LOGIN: NAME:PASSWORD.
"""

import base64
import os
import re
import sys
import threading

import duckdb
import pyarrow as pa
import pyarrow.flight as flight
import sqlglot
from sqlglot import exp

port, folder, dialect, script = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
login = sys.argv[5] if len(sys.argv) > 5 else None
CATALOG = "shop"
# What the engine calls DuckDB's schema `main`.
SCHEMA = "dbo" if dialect == "tsql" else "main"
TOKEN = os.urandom(16).hex()
URL = "type.googleapis.com/arrow.flight.protocol.sql."

root = duckdb.connect(f"{folder}/{CATALOG}.duckdb", config={"storage_compatibility_version": "v1.4.0"})
# It takes the first row of no rows for one of NULL (1.5.5).
root.execute("SET disabled_optimizers = 'top_n_window_elimination'")
root.execute(script or "SELECT 1")
# Of a DATE, the engines give a DATE, where DuckDB gives a TIMESTAMP.
root.execute(
    "CREATE MACRO first_day(step, x DATE) AS CAST(date_trunc(step, x) AS DATE), (step, x TIMESTAMP) AS date_trunc(step, x)"
)
root.execute("CREATE MACRO days_on(x DATE, step) AS CAST(x + step AS DATE), (x TIMESTAMP, step) AS x + step")
# SQL Server's, by its documents: only an object or a list is JSON.
root.execute("CREATE MACRO isjson(x) AS CASE WHEN json_valid(x) THEN CAST(json_type(x) IN ('OBJECT', 'ARRAY') AS INT) WHEN x IS NOT NULL THEN 0 END")
for own, known in (("var", "var_samp"), ("varp", "var_pop"), ("stdevp", "stddev_pop")):
    root.execute(f"CREATE MACRO {own}(x) AS {known}(x)")
# What was executed, as it came, for tests.
log = open(f"{folder}/statements.txt", "a", buffering=1)


def fields(data):
    """The fields of a message of protobuf: number and value, of those that are numbers or bytes."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        else:
            size = number()
            yield key >> 3, data[at : at + size]
            at += size


def command(data):
    """The name of a command and its fields; several of one number are one."""
    whole = dict(fields(data))
    return whole[1].decode().removeprefix(URL), dict(fields(whole.get(2, b"")))


def translated(sql):
    statements = [one for one in sqlglot.parse(sql, read=dialect) if one]
    if len(statements) != 1:
        raise ValueError("one statement at a time")
    return completed(statements[0]).sql("duckdb")


def completed(tree):
    """What sqlglot leaves as it is, though DuckDB has no such thing: UNNEST of rows, each field a column, any_match, SAFE. before
    what reads a date. A text in JSON loses its quotation marks where it is cast to one, dates stay dates, and
    LIKE knows sets of letters."""
    for table in tree.find_all(exp.Table):
        if table.db == SCHEMA:
            table.set("db", exp.to_identifier("main"))
    for unnest in list(tree.find_all(exp.Unnest)):
        alias = unnest.args.get("alias")
        if alias and len(alias.columns) > 1 and len(unnest.expressions) == 1 and not unnest.args.get("offset"):
            members = exp.select("v.*").from_(exp.select(exp.alias_(exp.func("UNNEST", unnest.expressions[0].copy()), "v")).subquery())
            unnest.replace(exp.Lateral(this=members.subquery(), alias=alias.copy()))
    for call in list(tree.find_all(exp.Anonymous)):
        if call.name.lower() == "any_match":
            members, test = call.expressions
            matching = exp.ArrayFilter(this=members.copy(), expression=test.copy())
            call.replace(exp.GT(this=exp.Length(this=matching), expression=exp.Literal.number(0)))
    for safe in list(tree.find_all(exp.SafeFunc)):
        read = safe.this
        if isinstance(read, (exp.StrToDate, exp.StrToTime, exp.ParseDatetime)):
            moment = exp.func("TRY_STRPTIME", read.this.copy(), read.args["format"].copy())
            safe.replace(exp.cast(moment, "DATE") if isinstance(read, exp.StrToDate) else moment)
    for cast in list(tree.find_all(exp.Cast, exp.TryCast)):
        if cast.to.is_type("text") and type(cast.this) is exp.JSONExtract:
            cast.this.replace(exp.JSONExtractScalar(**cast.this.args))
    for like in list(tree.find_all(exp.Like)):
        if dialect == "tsql" and like.expression.is_string and "[" in like.expression.name:
            matched = exp.func("regexp_full_match", like.this.copy(), exp.Literal.string(by_sets(like.expression.name)))
            like.replace(exp.not_(matched) if like.args.get("negate") else matched)
    if dialect == "tsql":
        for join in tree.find_all(exp.Join):
            if isinstance(join.this, exp.Lateral) and join.this.args.get("cross_apply") is not None:
                join.set("side", None if join.this.args["cross_apply"] else "LEFT")
                join.set("on", exp.true())
                join.this.set("cross_apply", None)
        for added in list(tree.find_all(exp.Add)):
            if any(is_text(side) for side in (added.this, added.expression)):
                added.replace(exp.DPipe(this=added.this.copy(), expression=added.expression.copy()))
        for bit in list(tree.find_all(exp.DataType)):
            if bit.is_type(exp.DataType.Type.BIT):
                bit.replace(exp.DataType.build("boolean"))
        for members in list(tree.find_all(exp.OpenJSON)):
            rows = members_of(members)
            if isinstance(members.parent, exp.Table):
                members.parent.replace(rows)
            else:
                members.replace(rows)
    for trunc in list(tree.find_all(exp.DateTrunc, exp.TimestampTrunc)):
        unit = trunc.args["unit"].name.removeprefix("ISO")
        trunc.replace(exp.func("first_day", exp.Literal.string(unit), trunc.this.copy()))
    for added in list(tree.find_all(exp.DateAdd, exp.DateSub)):
        unit = added.args["unit"].name.upper()
        # DuckDB does not know yet what type an aggregate has.
        if not added.find(exp.AggFunc) and unit in ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR"):
            steps = exp.Paren(this=exp.cast(added.expression.copy(), "BIGINT"))
            steps = exp.Neg(this=steps) if isinstance(added, exp.DateSub) else steps
            added.replace(exp.func("days_on", added.this.copy(), exp.func(f"TO_{unit}S", steps)))
    return tree


def members_of(call):
    """SQL Server's OPENJSON: a row for each member of a list, with the fields that are asked for, or key and value."""
    rows = exp.func("UNNEST", exp.cast(exp.cast(call.this.copy(), "JSON"), "JSON[]"))
    members = exp.select(exp.alias_(rows, "member")).subquery()
    if not call.expressions:
        read = [exp.alias_(exp.func("json_extract_string", exp.column("member"), exp.Literal.string("$")), "value")]
    else:
        field = lambda one: exp.func("json_extract_string", exp.column("member"), exp.Literal.string(one.args["path"].name))
        read = [exp.alias_(exp.cast(field(one), one.args["kind"].copy()), one.name) for one in call.expressions]
    return exp.select(*read).from_(members).subquery()


def is_text(tree):
    return tree.is_string or isinstance(tree, exp.National) or (isinstance(tree, exp.Cast) and tree.to.is_type("text", "nvarchar"))


def by_sets(pattern):
    """A pattern of SQL Server's LIKE, which knows sets of letters, as a regular expression."""
    parts = re.findall(r"\[\^?\]?[^\]]*\]|.", pattern, re.DOTALL)
    written = {"%": ".*", "_": "."}
    return "(?s)" + "".join(part if len(part) > 1 else written.get(part, re.escape(part)) for part in parts)


def type_name(of):
    """A type of DuckDB's by its name in the dialect."""
    return exp.DataType.build(of, dialect="duckdb").sql(dialect).lower()


def tables(cursor):
    # Of a type alone nothing is asked: the name stands beside it.
    rows = cursor.execute(
        "SELECT table_name, table_type, column_name, data_type, is_nullable = 'YES' FROM information_schema.columns "
        "JOIN information_schema.tables USING (table_catalog, table_schema, table_name) "
        "WHERE table_catalog = current_database() ORDER BY table_name, ordinal_position"
    ).fetchall()
    found = {}
    for table, kind, name, of, nullable in rows:
        field = pa.field(name, pa.string(), nullable, {"ARROW:FLIGHT:SQL:TYPE_NAME": type_name(of)})
        found.setdefault((table, "TABLE" if kind == "BASE TABLE" else kind), []).append(field)
    return found


def listed(*columns):
    """A table of columns: name, type, whether it may be NULL, values."""
    schema = pa.schema([pa.field(name, of, nullable) for name, of, nullable, _ in columns])
    return pa.table([pa.array(values, of) for _, of, _, values in columns], schema=schema)


def metadata(name, cursor):
    text = pa.string()
    if name == "CommandGetCatalogs":
        return listed(("catalog_name", text, False, [CATALOG]))
    if name == "CommandGetDbSchemas":
        return listed(("catalog_name", text, True, [CATALOG]), ("db_schema_name", text, False, [SCHEMA]))
    found = tables(cursor)
    return listed(
        ("catalog_name", text, True, [CATALOG] * len(found)),
        ("db_schema_name", text, True, [SCHEMA] * len(found)),
        ("table_name", text, False, [table for table, _ in found]),
        ("table_type", text, False, [kind for _, kind in found]),
        ("table_schema", pa.binary(), False, [pa.schema(columns).serialize().to_pybytes() for columns in found.values()]),
    )


class Admitted(flight.ServerMiddleware):
    """Tells who has signed in the token to come with."""

    def sending_headers(self):
        return {"authorization": f"Bearer {TOKEN}"}


class Door(flight.ServerMiddlewareFactory):
    """Lets in whoever signs in by name and password, or comes with the token."""

    def start_call(self, info, headers):
        said = next((values[0] for name, values in headers.items() if name.lower() == "authorization"), "")
        # The driver leaves out the signs that fill it up.
        basic = f"Basic {base64.b64encode(login.encode()).decode()}".rstrip("=")
        if said.rstrip("=") not in (basic, f"Bearer {TOKEN}"):
            raise flight.FlightUnauthenticatedError("login failed" if said else "nobody signed in")
        return Admitted()


class Anybody(flight.ServerAuthHandler):
    """The handshake, which has nothing to say: the door has."""

    def authenticate(self, outgoing, incoming):
        pass

    def is_valid(self, token):
        return ""


class Server(flight.FlightServerBase):
    def answer(self, name, given, cursor, described=False):
        if name != "CommandStatementQuery":
            return metadata(name, cursor).to_reader()
        sql = given[1].decode()
        if not described:
            log.write(sql.replace("\n", " ") + "\n")
        try:
            rows = cursor.sql(translated(sql))
            # Nothing is run to describe it.
            return (rows.limit(0) if described else rows).to_arrow_reader(2048)
        except (duckdb.Error, sqlglot.errors.SqlglotError, ValueError) as error:
            raise flight.FlightServerError(str(error)) from None

    def get_flight_info(self, context, descriptor):
        name, given = command(descriptor.command)
        if name not in ("CommandStatementQuery", "CommandGetCatalogs", "CommandGetDbSchemas", "CommandGetTables"):
            raise NotImplementedError(name)
        endpoint = flight.FlightEndpoint(descriptor.command, [])
        schema = self.answer(name, given, root.cursor(), described=True).schema
        return flight.FlightInfo(schema, descriptor, [endpoint], -1, -1)

    def get_schema(self, context, descriptor):
        name, given = command(descriptor.command)
        return flight.SchemaResult(self.answer(name, given, root.cursor(), described=True).schema)

    def do_get(self, context, ticket):
        cursor, found = root.cursor(), threading.Event()

        def stop_with_the_call():
            while not found.wait(0.05):
                if context.is_cancelled():
                    cursor.interrupt()
                    return

        threading.Thread(target=stop_with_the_call, daemon=True).start()
        try:
            reader = self.answer(*command(ticket.ticket), cursor)
        finally:
            found.set()
        return flight.GeneratorStream(reader.schema, reader)


def end_with_the_test():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_the_test, daemon=True).start()
guarded = {"auth_handler": Anybody(), "middleware": {"door": Door()}} if login else {}
Server(f"grpc://127.0.0.1:{port}", **guarded).serve()
