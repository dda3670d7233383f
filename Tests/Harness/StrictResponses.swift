import JSON

/// The Responses dialect of the server: items that are not stored there, each call behind the reasoning that led to it.
extension StrictModel {
    func responses(_ body: JSON) -> ScriptAnswer {
        for name in ["messages", "stream_options", "max_tokens"] where body[name] != nil {
            return Self.refused("Unknown parameter: '\(name)'.", parameter: name)
        }
        guard body["store"]?.bool == false, body["include"]?.array?.contains("reasoning.encrypted_content") == true
        else {
            return Self.refused(
                "Items are not persisted when `store` is set to false. Include reasoning.encrypted_content.")
        }
        var open: [String] = []
        var thought: String?
        var (turn, round) = (0, 0)
        for item in body["input"]?.array ?? [] {
            switch item["type"]?.string {
            case "reasoning": thought = item["encrypted_content"]?.string
            case "function_call":
                let id = item["call_id"]?.string ?? ""
                open.append(id)
                guard isOwn(id), id.hasSuffix("00") else { continue }
                guard thought == "enc-\(id)" else {
                    return Self.refused(
                        "Item 'fc_\(id)' of type 'function_call' was provided without its required 'reasoning' item")
                }
                thought = nil
            case "function_call_output":
                let id = item["call_id"]?.string ?? ""
                guard let place = open.firstIndex(of: id) else {
                    return Self.refused("No tool call found for function call output \(id).")
                }
                open.remove(at: place)
                if open.isEmpty { round += 1 }
            case "message" where item["role"]?.string == "user": (turn, round) = (turn + 1, 0)
            default: break
            }
        }
        guard open.isEmpty else { return Self.refused("No tool output found for function call \(open[0]).") }
        return .stream(round < rounds ? responseCalls(turn, round) : Self.responseText("Done after \(round) rounds."))
    }

    private static func completed(_ output: [JSON]) -> [UInt8] {
        SSE.typed([
            "type": "response.completed",
            "response": [
                "status": "completed", "output": .array(output),
                "usage": [
                    "input_tokens": 50, "input_tokens_details": ["cached_tokens": 40], "output_tokens": 9,
                    "output_tokens_details": ["reasoning_tokens": 4],
                ],
            ],
        ])
    }

    private static func responseText(_ words: String) -> [[UInt8]] {
        let item: JSON = [
            "type": "message", "role": "assistant", "content": [["type": "output_text", "text": .string(words)]],
        ]
        return [
            SSE.typed(["type": "response.created", "response": ["status": "in_progress"]]),
            SSE.typed([
                "type": "response.output_item.added", "output_index": 0,
                "item": ["type": "message", "role": "assistant"],
            ]),
            SSE.typed(["type": "response.output_text.delta", "output_index": 0, "delta": .string(words)]),
            SSE.typed(["type": "response.output_item.done", "output_index": 0, "item": item]), completed([item]),
        ]
    }

    private func responseCalls(_ turn: Int, _ round: Int) -> [[UInt8]] {
        let ids = calls(turn, round)
        let seal = "enc-\(ids[0])"
        let thought: JSON = [
            "type": "reasoning", "id": .string("rs_\(ids[0])"), "summary": [], "encrypted_content": .string(seal),
        ]
        var items = [thought]
        var pieces = [
            SSE.typed(["type": "response.created", "response": ["status": "in_progress"]]),
            SSE.typed([
                "type": "response.output_item.added", "output_index": 0,
                "item": ["type": "reasoning", "encrypted_content": "cut"],
            ]),
            SSE.typed(["type": "response.output_item.done", "output_index": 0, "item": thought]),
        ]
        for (number, id) in ids.enumerated() {
            let index = JSON.int(number + 1)
            let (call, halves) = (call(id), self.pieces(id))
            let arguments = JSON.string(call.arguments.text)
            let item: JSON = [
                "type": "function_call", "id": .string("fc_\(id)"), "call_id": .string(id), "name": .string(call.name),
                "arguments": arguments, "status": "completed",
            ]
            items.append(item)
            pieces += [
                SSE.typed([
                    "type": "response.output_item.added", "output_index": index,
                    "item": [
                        "type": "function_call", "id": .string("fc_\(id)"), "call_id": .string(id),
                        "name": .string(call.name),
                        "arguments": "",
                    ],
                ]),
                SSE.typed(["type": "response.function_call_arguments.delta", "output_index": index, "delta": halves[0]]
                ),
                SSE.typed(["type": "response.function_call_arguments.delta", "output_index": index, "delta": halves[1]]
                ),
                SSE.typed([
                    "type": "response.function_call_arguments.done", "output_index": index, "arguments": arguments,
                ]),
                SSE.typed(["type": "response.output_item.done", "output_index": index, "item": item]),
            ]
        }
        return pieces + [Self.completed(items)]
    }
}
