"""What the TLS peer of the tests answers (hypercorn runs it, over HTTP/2 where the client wants it)."""

import asyncio
import itertools
import json
import os

gates = {}
replies = itertools.count(1)


def gate(name):
    return gates.setdefault(name, asyncio.Event())


async def start(send, kind="text/plain", status=200):
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", kind.encode())]})


async def piece(send, body=b"", more=True):
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def body_of(receive):
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body


async def until_gone(receive):
    while (await receive())["type"] != "http.disconnect":
        pass


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    path = scope["path"]
    name = scope["query_string"].decode()
    if path == "/look":
        # How the request came: the version, the client's port (one a connection), its headers and body.
        body = await body_of(receive)
        seen = {
            "version": scope["http_version"],
            "connection": scope["client"][1],
            "method": scope["method"],
            "body": len(body),
            "headers": {key.decode(): value.decode() for key, value in scope["headers"]},
        }
        await start(send, "application/json")
        await piece(send, json.dumps(seen).encode(), more=False)
    elif path == "/steps":
        # One piece, then the next only when another request has opened the gate.
        await start(send, "text/event-stream")
        await piece(send, b"data: one\n\n")
        await gate(name).wait()
        await piece(send, b"data: two\n\n", more=False)
    elif path == "/open":
        gate(name).set()
        await start(send)
        await piece(send, more=False)
    elif path == "/flood":
        await start(send, "application/octet-stream")
        for _ in range(int(name)):
            await piece(send, b"x" * 65536)
        await piece(send, more=False)
    elif path == "/hang":
        # Opens the gate once the client has gone.
        await start(send)
        await piece(send, b"begun")
        await until_gone(receive)
        gate(name).set()
    elif path == "/await":
        await asyncio.wait_for(gate(name).wait(), 30)
        await start(send)
        await piece(send, more=False)
    elif path == "/cut":
        # The whole server is gone once another request has opened the gate.
        await start(send)
        await piece(send, b"begun")
        await gate(name).wait()
        os._exit(0)
    elif path == "/v1/chat/completions":
        # The first request gets the events of reply-1, one a piece, and so on.
        await body_of(receive)
        with open(f"reply-{next(replies)}", "rb") as file:
            events = file.read().split(b"\n\n")
        await start(send, "text/event-stream")
        for event in events:
            await piece(send, event + b"\n\n")
        await piece(send, more=False)
    else:
        await start(send, status=404)
        await piece(send, b"nothing here", more=False)
