package import JSON

/// Pieces of an OpenAI-style stream, one server-sent event each, for `ScriptAnswer.stream`.
package enum SSE {
    package static let done = Array("data: [DONE]\n\n".utf8)

    package static func event(_ json: JSON, name: String? = nil) -> [UInt8] {
        Array("\(name.map { "event: \($0)\n" } ?? "")data: \(json.text)\n\n".utf8)
    }

    package static func comment(_ text: String) -> [UInt8] { Array(": \(text)\n\n".utf8) }

    /// Returns a chunk of a Chat Completions stream with this delta.
    package static func delta(_ delta: JSON, finish: String? = nil) -> [UInt8] {
        let choice = JSON.of(["index": 0, "delta": delta, "finish_reason": finish.map { .string($0) } ?? .null])
        return event([
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
            "choices": [choice],
        ])
    }

    package static func usage(prompt: Int, completion: Int) -> [UInt8] {
        event(["choices": [], "usage": ["prompt_tokens": .int(prompt), "completion_tokens": .int(completion)]])
    }

    /// Returns a whole reply of text, piece by piece.
    package static func text(_ pieces: String...) -> [[UInt8]] {
        pieces.map { delta(["content": .string($0)]) } + [delta([:], finish: "stop"), done]
    }

    /// Returns a whole reply that is a call. Its arguments are cut into pieces of `pieceLength` characters.
    package static func call(
        _ name: String, _ arguments: JSON, id: String = "call_1", saying text: String? = nil, pieceLength: Int = 12
    ) -> [[UInt8]] {
        let opening = text.map { [delta(["content": .string($0)])] } ?? []
        return opening + callDeltas(name, arguments, id: id, pieceLength: pieceLength) + [
            delta([:], finish: "tool_calls"), done,
        ]
    }

    /// Returns the deltas of a call without an end, so that others can follow.
    package static func callDeltas(
        _ name: String, _ arguments: JSON, id: String = "call_1", index: Int = 0, pieceLength: Int = 12
    ) -> [[UInt8]] {
        callDeltas(name, rawArguments: arguments.text, id: id, index: index, pieceLength: pieceLength)
    }

    /// Returns the deltas of a call with arguments as they stand, since a model may send invalid JSON.
    package static func callDeltas(
        _ name: String, rawArguments: String, id: String = "call_1", index: Int = 0, pieceLength: Int = 12
    ) -> [[UInt8]] {
        let start = delta([
            "tool_calls": [
                [
                    "index": .int(index), "id": .string(id), "type": "function",
                    "function": ["name": .string(name), "arguments": ""],
                ]
            ]
        ])
        var left = rawArguments[...]
        var pieces: [[UInt8]] = [start]
        while !left.isEmpty {
            let piece = String(left.prefix(pieceLength))
            left = left.dropFirst(pieceLength)
            pieces.append(delta(["tool_calls": [["index": .int(index), "function": ["arguments": .string(piece)]]]]))
        }
        return pieces
    }

    /// Returns the reply of a model that proposes this workflow (`app.workflow/v2`).
    package static func proposal(_ workflow: JSON, id: String = "call_1") -> [[UInt8]] {
        call("propose_workflow", ["workflow": workflow], id: id, saying: "Here is a plan.")
    }
}
