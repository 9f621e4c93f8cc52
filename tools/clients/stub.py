"""A model on loopback that says what it is told: one scripted tool call, then a last word. It keeps what it was sent.

Speaks the four wires that agent programs use: Anthropic messages, OpenAI responses, OpenAI chat, Gemini.
"""

from __future__ import annotations

import http.server
import json
import threading
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

LAST_WORD = "STUB-FINAL"
Json = dict[str, Any]


class Stub:
    """Listens on a free port of 127.0.0.1 while the block lasts."""

    def __init__(self, name: str, arguments: Json, namespace: str = "") -> None:
        """The tool that the model calls once, and with what; `namespace`: what it is offered in, instead of by name."""
        self.name = name
        self.namespace = namespace
        self.arguments = arguments
        self.seen: list[str] = []
        """Results of tools, as the model would have read them."""
        self.tools: list[str] = []
        stub = self

        class Handler(_Handler):
            model = stub

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def calls(self, offered: list[str], results: list[str]) -> bool:
        """Whether the tool is called now: it is offered and has not answered yet."""
        self.tools = sorted({*self.tools, *offered})
        self.seen += [result for result in results if result not in self.seen]
        return not results and ((self.namespace or self.name) in offered or not offered)


class _Handler(http.server.BaseHTTPRequestHandler):
    """Picks the wire by the path."""

    model: Stub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Nothing: what matters is kept."""

    def do_GET(self) -> None:
        self._send(b'{"data": [], "models": []}', "application/json")

    def do_HEAD(self) -> None:
        self._send(b"", "application/json")

    def do_POST(self) -> None:
        body = json.loads(self._body() or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith(("count_tokens", ":countTokens")):
            self._send(b'{"input_tokens": 1, "totalTokens": 1}', "application/json")
        elif path.endswith("/messages"):
            self._events(anthropic(self.model, body), named=True)
        elif path.endswith("/responses"):
            self._events(responses(self.model, body), named=True)
        elif path.endswith("/chat/completions"):
            self._chat(body)
        elif "enerateContent" in path:
            self._gemini(body, streamed="stream" in path)
        else:
            self._send(b"{}", "application/json")

    def _chat(self, body: Json) -> None:
        chunks = list(chat(self.model, body))
        if body.get("stream"):
            self._events(iter(chunks), last="data: [DONE]\n\n")
            return
        message = {key: value for chunk in chunks for key, value in chunk["choices"][0]["delta"].items()}
        ended = chunks[-1]["choices"][0]["finish_reason"]
        whole = {**chunks[0], "object": "chat.completion"}
        whole["choices"] = [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": ended}]
        self._send(json.dumps(whole).encode(), "application/json")

    def _gemini(self, body: Json, *, streamed: bool) -> None:
        answer = gemini(self.model, body)
        if streamed:
            self._events(iter([answer]))
        else:
            self._send(json.dumps(answer).encode(), "application/json")

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        data = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def _events(self, events: Iterator[Json], *, named: bool = False, last: str = "") -> None:
        lines = [(f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events]
        self._send(("".join(lines) + last).encode(), "text/event-stream")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def anthropic(stub: Stub, body: Json) -> Iterator[Json]:
    """POST /v1/messages."""
    parts = [
        part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]
    ]
    results = [_text(part.get("content")) for part in parts if part["type"] == "tool_result"]
    called = stub.calls([tool["name"] for tool in body.get("tools", [])], results) and bool(body.get("tools"))
    block: Json = {"type": "tool_use", "id": "toolu_1", "name": stub.name, "input": {}}
    delta: Json = {"type": "input_json_delta", "partial_json": json.dumps(stub.arguments)}
    if not called:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": LAST_WORD}
    usage = {"input_tokens": 10, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": []}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    ended = {"stop_reason": "tool_use" if called else "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 5}}
    yield {"type": "message_stop"}


def responses(stub: Stub, body: Json) -> Iterator[Json]:
    """POST /v1/responses."""
    results = [_text(item.get("output")) for item in body["input"] if str(item.get("type")).endswith("_output")]
    offered = [tool.get("name", tool["type"]) for tool in body.get("tools", [])]
    item: Json = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    item["content"] = [{"type": "output_text", "text": LAST_WORD, "annotations": []}]
    if stub.calls(offered, results):
        item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": stub.name, "status": "completed"}
        item["arguments"] = json.dumps(stub.arguments)
        item |= {"namespace": stub.namespace} if stub.namespace else {}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage}
    yield {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": whole}


def chat(stub: Stub, body: Json) -> Iterator[Json]:
    """POST /v1/chat/completions."""
    results = [_text(message["content"]) for message in body["messages"] if message["role"] == "tool"]
    called = stub.calls([tool["function"]["name"] for tool in body.get("tools", [])], results) and bool(
        body.get("tools")
    )
    function = {"name": stub.name, "arguments": json.dumps(stub.arguments)}
    call = {"index": 0, "id": "call_1", "type": "function", "function": function}
    delta: Json = {"role": "assistant", "content": None, "tool_calls": [call]} if called else {"content": LAST_WORD}
    frame = {"id": "chat_1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model", "stub")}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield {**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    ended = "tool_calls" if called else "stop"
    yield {**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": ended}], "usage": usage}


def gemini(stub: Stub, body: Json) -> Json:
    """POST /v1beta/models/M:generateContent and :streamGenerateContent."""
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    results = [json.dumps(part["functionResponse"]) for part in parts if "functionResponse" in part]
    offered = [one["name"] for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [])]
    part: Json = {"text": LAST_WORD}
    if stub.calls(offered, results) and offered:
        part = {"functionCall": {"name": stub.name, "args": stub.arguments}}
    said = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [said], "usageMetadata": usage}


def _text(content: object) -> str:
    """A result as one text, whatever parts it came in."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_text(part.get("text", part)) if isinstance(part, dict) else str(part) for part in content)
    return json.dumps(content)
