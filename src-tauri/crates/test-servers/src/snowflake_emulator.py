"""fakesnow's server for tests, with what it lacks: logins, roles, orders to stop and moments that are NULL.

It explains no statement: what it says of any is written after Snowflake's documented answer to EXPLAIN USING JSON.
Refusing a login is written after Snowflake's documented answer (error 390100), as are a session that has expired (390114) and signing in
by the browser: whoever opens the page that is named is let in. A line of JSON for each login, statement and order to stop goes to the
file that is named.
"""

import gzip
import json
import sys
from urllib.parse import quote

import fakesnow.arrow as arrow
import fakesnow.server as server
import pyarrow as pa
import uvicorn
from fakesnow.instance import FakeSnow
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

port, log_path, password = int(sys.argv[1]), sys.argv[2], sys.argv[3]
log = open(log_path, "a", buffering=1)
# The sessions so far, and those that have expired.
sessions, expired = set(), set()


def note(**line):
    log.write(json.dumps(line) + "\n")


async def body_of(request):
    body = await request.body()
    if request.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    return json.loads(body or b"{}")


connect = FakeSnow.connect


def connect_with_roles(self, database=None, schema=None, **others):
    # It knows no roles, and so no secondary ones.
    others["nop_regexes"] = ["(?i)^USE SECONDARY ROLES NONE$"]
    return connect(self, database, schema, **others)


FakeSnow.connect = connect_with_roles
to_struct = arrow.timestamp_to_sf_struct


def to_struct_with_nulls(times):
    # Its moments that are NULL are so inside of the struct alone, where no client looks.
    if isinstance(times, pa.ChunkedArray):
        times = times.combine_chunks()
    struct = to_struct(times)
    return pa.StructArray.from_arrays(struct.flatten(), fields=list(struct.type), mask=times.is_null())


arrow.timestamp_to_sf_struct = to_struct_with_nulls
# As with Snowflake, signing in makes nothing.
server.shared_fs = FakeSnow(create_database_on_connect=False, create_schema_on_connect=False)


async def login(request):
    data = (await body_of(request))["data"]
    token = data.get("TOKEN")
    note(login=data.get("LOGIN_NAME"), authenticator=data.get("AUTHENTICATOR"), parameters=data["SESSION_PARAMETERS"])
    if (token or data.get("PASSWORD")) != password:
        return JSONResponse({
            "data": {"nextAction": "RETRY_LOGIN", "authnMethod": "USERNAME_PASSWORD", "signInOptions": {}},
            "code": "390100",
            "message": "Incorrect username or password was specified.",
            "success": False,
            "headers": None,
        })
    return await server.login_request(request)


async def authenticator(request):
    place = f"http://localhost:{(await body_of(request))['data']['BROWSER_MODE_REDIRECT_PORT']}/?token={quote(password)}"
    note(authenticator=place)
    return JSONResponse({"data": {"tokenUrl": place, "ssoUrl": place, "proofKey": "proof"}, "code": None, "message": None, "success": True})


PLAN = '{"GlobalStats":{"partitionsTotal":4,"partitionsAssigned":3,"bytesAssigned":49152},"Operations":[[]]}'


async def query(request):
    body = await body_of(request)
    note(sql=body.get("sqlText"))
    if (body.get("sqlText") or "").startswith("EXPLAIN USING JSON"):
        body["sqlText"] = f"SELECT '{PLAN}' AS \"content\""
        request._body = json.dumps(body).encode()
        if request.headers.get("Content-Encoding") == "gzip":
            request._body = gzip.compress(request._body)
    token = server.to_token(request)
    sessions.add(token)
    if token in expired:
        message = "Authentication token has expired.  The user must authenticate again."
        return JSONResponse({"data": None, "code": "390114", "message": message, "success": False, "headers": None})
    return await server.query_request(request)


async def expire(request):
    """All sessions so far expire; another password, where one is given, is the right one from now on."""
    global password
    expired.update(sessions)
    password = (await request.body()).decode() or password
    return JSONResponse({})


async def abort(request):
    note(abort=True)
    server.to_conn(server.to_token(request))._duck_conn.interrupt()
    return JSONResponse({"success": True})


own = [
    Route("/session/v1/login-request", login, methods=["POST"]),
    Route("/queries/v1/query-request", query, methods=["POST"]),
    Route("/queries/v1/abort-request", abort, methods=["POST"]),
    Route("/session/authenticator-request", authenticator, methods=["POST"]),
    Route("/test/expire", expire, methods=["POST"]),
]
taken = {route.path for route in own}
app = Starlette(routes=own + [route for route in server.routes if route.path not in taken])
uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
