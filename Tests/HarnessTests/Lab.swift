import Glibc
import Harness
import JSON

/// Runs a body against a harness with this script, on a thread that may block, and ends it.
func withHarness<Value: Sendable>(_ script: JSON, _ body: @escaping @Sendable (JobHarness) throws -> Value) async throws
    -> Value
{
    try await onOwnThread {
        let harness = try JobHarness(script)
        defer { harness.end() }
        return try body(harness)
    }
}

/// Waits, blocking, until something holds.
/// - Returns: whether it came to hold.
func waits(_ holds: () throws -> Bool) throws -> Bool {
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    while try !holds() {
        guard ContinuousClock.now < end else { return false }
        usleep(5000)
    }
    return true
}

extension JobHarness {
    func submit(_ kind: String = "stylize", input: JSON = ["n": 1], key: String? = nil, headers: [String: String] = [:])
        -> RawAnswer
    {
        RawConnection.ask("POST", jobsURL + "/jobs", headers: headers, json: Self.order(kind, input, key))
    }

    func put(_ key: String, kind: String = "stylize", input: JSON = ["n": 1]) -> RawAnswer {
        RawConnection.ask("PUT", jobsURL + "/jobs/\(key)", json: Self.order(kind, input, nil))
    }

    func get(_ path: String, seconds: Double = patienceSeconds) -> RawAnswer {
        RawConnection.ask("GET", jobsURL + path, seconds: seconds)
    }
    func cancel(_ id: String) -> RawAnswer { RawConnection.ask("POST", jobsURL + "/jobs/\(id)/cancel") }
    func status(_ id: String) -> String? { get("/jobs/\(id)").json?["status"]?.string }

    /// The status words of so many polls, or the HTTP status where it is no success.
    func words(_ id: String, polls: Int) -> [String] {
        (0..<polls).map { _ in
            let answer = get("/jobs/\(id)")
            return answer.status == 200 ? answer.json?["status"]?.string ?? "no word" : "\(answer.status)"
        }
    }

    private static func order(_ kind: String, _ input: JSON, _ key: String?) -> JSON {
        .of(["kind": .string(kind), "input": input, "key": key.map { .string($0) }])
    }

    func chat(stream: Bool = true, text: String = "Hello", headers: [String: String] = [:]) -> RawAnswer {
        RawConnection.ask(
            "POST", modelURL + "/chat/completions", headers: headers,
            json: [
                "model": "scripted", "stream": .bool(stream), "messages": [["role": "user", "content": .string(text)]],
            ])
    }
}

extension RawAnswer {
    /// The data of its server-sent events.
    var events: [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
    }

    /// The pieces of text that a stream brought, joined.
    var streamedText: String {
        events.compactMap { try? JSONReader.read($0)["choices"]?[0]?["delta"]?["content"]?.string }.joined()
    }
}
