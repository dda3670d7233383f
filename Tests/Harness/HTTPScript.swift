package import JSON

/// A request that a scripted server has received.
package struct ScriptRequest: Sendable, Hashable {
    package let method: String
    /// The path with its query.
    package let path: String
    /// The headers, with names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
    /// The number of the connection that the request came on, counted from 1.
    package let connection: Int

    package var text: String { String(decoding: body, as: UTF8.self) }
    /// The body as JSON, or `nil` if it is not JSON.
    package var json: JSON? { try? JSONReader.read(body) }
}

/// The answer of a scripted server to a request, as steps.
package struct ScriptAnswer: Sendable {
    package enum Framing: Sendable {
        /// The body has a `content-length`, which is the sum of all `send` steps.
        case length
        /// Each `send` is a chunk.
        case chunked
        /// The end of the connection is the end of the body.
        case untilClose
        /// The steps are the whole answer, head and all.
        case raw
    }

    package enum Step: Sendable, Hashable {
        case send([UInt8])
        /// The given number of arbitrary bytes, to see where they get stuck (`ScriptedServer.sentBytes`).
        case flood(bytes: Int)
        /// A pause by the server's clock.
        case wait(seconds: Double)
        /// A pause until the test opens the gate.
        case gate(ScriptGate)
        /// Opens the gate, after all earlier steps were sent.
        case reached(ScriptGate)
        /// Sends nothing more until the client closes the connection or the server is stopped.
        case hang
        /// Ends the connection here, whatever was promised.
        case cut
        /// Resets the connection (RST), so that the client sees no proper end.
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

    /// Returns an answer in chunks. Each chunk after the first waits until its gate is open, if it has one.
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

    /// Returns this answer cut after its first `count` steps. Then `reached` is opened, and the connection hangs until
    /// the client closes it.
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

    /// Returns this answer with a further step at its end, such as `.hang` or `.cut`.
    package func ending(with step: Step) -> ScriptAnswer {
        var answer = self
        answer.steps.append(step)
        return answer
    }
}
