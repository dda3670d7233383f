"""A server of models that gives replies in their order, in one of four dialects. It keeps requests and replies."""
import http.server
import json
import threading

ALL = ["chat-completions", "messages", "responses", "ollama"]
PATHS = {"chat-completions": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses",
         "ollama": "/api/chat"}
# A text or the arguments of a call come in pieces of so many characters.
PIECE = 400


def pieces(text):
    """Returns a text in pieces."""
    return [text[start:start + PIECE] for start in range(0, len(text), PIECE)]


def event(data, name=None):
    """Returns an event of a stream."""
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n"


def chat_completions(reply, number):
    """Returns the stream of a reply in Chat Completions."""
    def chunk(delta, end=None):
        choice = {"index": 0, "delta": delta, "finish_reason": end}
        return event({"id": f"c{number}", "object": "chat.completion.chunk", "created": 1, "model": "hand",
                      "choices": [choice]})
    yield chunk({"role": "assistant"})
    for piece in pieces(reply["text"]):
        yield chunk({"content": piece})
    for index, call in enumerate(reply["calls"]):
        start = {"index": index, "id": f"h{number}-{index}", "type": "function",
                 "function": {"name": call["name"], "arguments": ""}}
        yield chunk({"tool_calls": [start]})
        for piece in pieces(json.dumps(call["arguments"])):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls" if reply["calls"] else "stop")
    yield "data: [DONE]\n\n"


def messages(reply, number):
    """Returns the stream of a reply in Messages."""
    def typed(data):
        return event(data, data["type"])
    usage = {"input_tokens": 9, "output_tokens": 1}
    yield typed({"type": "message_start", "message": {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "hand", "content": [],
        "stop_reason": None, "usage": usage}})
    blocks = [({"type": "text", "text": ""}, "text_delta", "text", reply["text"])] if reply["text"] else []
    blocks += [({"type": "tool_use", "id": f"toolu_{number}_{place}", "name": call["name"], "input": {}},
                "input_json_delta", "partial_json", json.dumps(call["arguments"]))
               for place, call in enumerate(reply["calls"])]
    for index, (start, kind, key, text) in enumerate(blocks):
        yield typed({"type": "content_block_start", "index": index, "content_block": start})
        for piece in pieces(text):
            yield typed({"type": "content_block_delta", "index": index, "delta": {"type": kind, key: piece}})
        yield typed({"type": "content_block_stop", "index": index})
    yield typed({"type": "message_delta", "delta": {"stop_reason": "tool_use" if reply["calls"] else "end_turn",
                                                    "stop_sequence": None}, "usage": {"output_tokens": 20}})
    yield typed({"type": "message_stop"})


def responses(reply, number):
    """Returns the stream of a reply in Responses."""
    def typed(data):
        return event(data, data["type"])
    yield typed({"type": "response.created", "response": {"id": f"resp_{number}", "status": "in_progress"}})
    items = []
    if reply["text"]:
        item = {"type": "message", "id": f"msg_{number}", "role": "assistant",
                "content": [{"type": "output_text", "text": reply["text"], "annotations": []}]}
        yield typed({"type": "response.output_item.added", "output_index": 0,
                     "item": {"type": "message", "id": item["id"], "role": "assistant", "content": []}})
        for piece in pieces(reply["text"]):
            yield typed({"type": "response.output_text.delta", "item_id": item["id"], "output_index": 0,
                         "content_index": 0, "delta": piece})
        yield typed({"type": "response.output_item.done", "output_index": 0, "item": item})
        items.append(item)
    for place, call in enumerate(reply["calls"]):
        index = len(items)
        item = {"type": "function_call", "id": f"fc_{number}_{place}", "call_id": f"call_{number}_{place}",
                "name": call["name"], "arguments": json.dumps(call["arguments"]), "status": "completed"}
        yield typed({"type": "response.output_item.added", "output_index": index, "item": {**item, "arguments": ""}})
        for piece in pieces(item["arguments"]):
            yield typed({"type": "response.function_call_arguments.delta", "item_id": item["id"],
                         "output_index": index, "delta": piece})
        yield typed({"type": "response.output_item.done", "output_index": index, "item": item})
        items.append(item)
    yield typed({"type": "response.completed", "response": {
        "id": f"resp_{number}", "status": "completed", "output": items,
        "usage": {"input_tokens": 9, "output_tokens": 20, "total_tokens": 29}}})


def ollama(reply, number):
    """Returns the lines of a reply of Ollama."""
    def line(message, **more):
        return json.dumps({"model": "hand", "created_at": "2026-01-01T00:00:00Z",
                           "message": {"role": "assistant", "content": "", **message}, "done": False, **more}) + "\n"
    for piece in pieces(reply["text"]):
        yield line({"content": piece})
    for call in reply["calls"]:
        yield line({"tool_calls": [{"function": {"name": call["name"], "arguments": call["arguments"]}}]})
    yield line({}, done=True, done_reason="stop", prompt_eval_count=9, eval_count=20)


STREAMS = {"chat-completions": chat_completions, "messages": messages, "responses": responses, "ollama": ollama}


class Server:
    """Listens on 127.0.0.1 until its block ends. `url` is the base of its addresses."""

    def __init__(self, dialect, replies, folder):
        """Gives `replies` in `dialect`, and keeps req-N.json and rep-N.json in `folder`."""
        self.dialect, self.folder = dialect, folder
        self.replies = [{"text": "", "calls": [], **reply} for reply in replies]
        self.asked, self.others = 0, []
        self.lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Answers a request."""
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                """Says nothing."""

            def do_GET(self):
                """Names the model."""
                outer.whole(self, {"object": "list", "data": [{"id": "hand", "object": "model"}]})

            def do_POST(self):
                """Gives the next reply."""
                outer.post(self)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{port}" + ("" if dialect == "ollama" else "/v1")

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def whole(self, handler, data, status=200):
        """Sends JSON."""
        body = json.dumps(data).encode()
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def post(self, handler):
        """Keeps a request, and streams the next reply."""
        body = handler.rfile.read(int(handler.headers["content-length"]))
        if self.dialect == "ollama" and handler.path == "/api/show":
            return self.whole(handler, {"capabilities": ["completion", "tools", "vision"],
                                        "model_info": {"hand.context_length": 200000}})
        if handler.path != PATHS[self.dialect]:
            self.others.append(handler.path)
            return self.whole(handler, {"error": {"message": "not found"}}, 404)
        with self.lock:
            self.asked += 1
            number = self.asked
        (self.folder / f"req-{number}.json").write_bytes(body)
        if number > len(self.replies):
            return self.whole(handler, {"error": {"message": "no reply is left"}}, 400)
        reply = self.replies[number - 1]
        kept = {**reply, "calls": [{**call, "arguments": json.dumps(call["arguments"])} for call in reply["calls"]]}
        (self.folder / f"rep-{number}.json").write_text(json.dumps(kept), "utf-8")
        handler.send_response(200)
        handler.send_header(
            "content-type", "application/x-ndjson" if self.dialect == "ollama" else "text/event-stream")
        handler.send_header("connection", "close")
        handler.end_headers()
        handler.close_connection = True
        for piece in STREAMS[self.dialect](reply, number):
            handler.wfile.write(piece.encode())
        return None

    def faults(self):
        """Returns what does not fit: requests without a reply, replies without a request, other addresses."""
        found = [f"a request to {path}" for path in self.others]
        if self.asked != len(self.replies):
            found.append(f"{self.asked} requests, and {len(self.replies)} replies")
        return found
