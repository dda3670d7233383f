package import JSON

/// What a scripted server was asked.
package struct ScriptRequest: Sendable, Hashable {
    package let method: String
    /// With its query.
    package let path: String
    /// Names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
    /// Which of the server's connections brought it, counted from 1.
    package let connection: Int

    package var text: String { String(decoding: body, as: UTF8.self) }
    /// `nil` if the body is no JSON.
    package var json: JSON? { try? JSONReader.read(body) }
}

/// What a scripted server does with one request.
package struct ScriptAnswer: Sendable {
    package enum Framing: Sendable {
        /// With `content-length`, which is that of all `send` steps.
        case length
        /// Each `send` is one chunk.
        case chunked
        /// The end of the connection is the end of the body.
        case untilClose
        /// The steps are the whole answer, head and all.
        case raw
    }

    package enum Step: Sendable, Hashable {
        case send([UInt8])
        /// So many bytes of nothing in particular, to see where they get stuck (`ScriptedServer.sentBytes`).
        case flood(bytes: Int)
        /// By the server's clock.
        case wait(seconds: Double)
        /// Goes on when the test opens it.
        case gate(ScriptGate)
        /// Opens it: all before this is on its way.
        case reached(ScriptGate)
        /// Says nothing more until the client goes away or the server is stopped.
        case hang
        /// Ends the connection here, whatever was promised.
        case cut
        /// The same without manners: the other side gets a reset (RST) and not an end.
        case reset
    }

    package var status: Int
    package var headers: [String: String]
    package var framing: Framing
    package var steps: [Step]
    /// Ends the connection after so many bytes on the wire, head and chunk marks included.
    package var cutAfterBytes: Int?

    package init(status: Int = 200, headers: [String: String] = [:], framing: Framing = .length, steps: [Step] = []) {
        self.status = status
        self.headers = headers
        self.framing = framing
        self.steps = steps
    }

    package static func text(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> ScriptAnswer {
        ScriptAnswer(status: status, headers: headers, steps: [.send(Array(text.utf8))])
    }

    package static func json(_ json: JSON, status: Int = 200, headers: [String: String] = [:]) -> ScriptAnswer {
        text(
            json.text, status: status,
            headers: ["content-type": "application/json"].merging(headers) { _, given in given })
    }

    /// Chunks, each but the first when its gate is open, if there is one for it.
    package static func stream(_ pieces: [[UInt8]], gates: [ScriptGate] = [], type: String = "text/event-stream")
        -> ScriptAnswer
    {
        var steps: [Step] = []
        for (index, piece) in pieces.enumerated() {
            if gates.indices.contains(index - 1) { steps.append(.gate(gates[index - 1])) }
            steps.append(.send(piece))
        }
        return ScriptAnswer(headers: ["content-type": type], framing: .chunked, steps: steps)
    }

    package static func redirect(to location: String, status: Int = 302) -> ScriptAnswer {
        ScriptAnswer(status: status, headers: ["location": location])
    }

    /// Takes the request and never answers.
    package static let hanging = ScriptAnswer(framing: .raw, steps: [.hang])

    /// The first `count` sends, then nothing more until the client goes away; `reached` is opened when they are on
    /// their way.
    package func held(after count: Int, _ reached: ScriptGate) -> ScriptAnswer {
        var answer = self
        answer.steps = Array(steps.prefix(count)) + [.reached(reached), .hang]
        return answer
    }

    package func cut(afterBytes count: Int) -> ScriptAnswer {
        var answer = self
        answer.cutAfterBytes = count
        return answer
    }

    /// Returns the same, for when the gate is open; its head comes at once.
    package func behind(_ gate: ScriptGate) -> ScriptAnswer {
        var answer = self
        answer.steps.insert(.gate(gate), at: 0)
        return answer
    }

    /// The same with one more step: `.hang` or `.cut` after what was sent.
    package func ending(with step: Step) -> ScriptAnswer {
        var answer = self
        answer.steps.append(step)
        return answer
    }
}
