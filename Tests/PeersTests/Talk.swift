import HTTP
import Harness
import JSON
import Testing

/// Requests to a peer as it is documented, without a manifest: these tests say what the peers themselves do here.
struct Talk: Sendable {
    let base: String
    var headers: [String: String] = [:]
    private let client = HTTPClient(NetworkSettings())

    struct Answer: Sendable {
        let status: Int
        let type: String
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSON { (try? JSONReader.read(body)) ?? .null }
        subscript(key: String) -> JSON? { json[key] }
    }

    init(_ base: String, headers: [String: String] = [:]) {
        self.base = base
        self.headers = headers
    }

    func send(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> Answer {
        var request = HTTPRequest(base + path, method: method)
        for (name, value) in headers { request.headers[name] = value }
        if let body {
            request.headers["content-type"] = "application/json"
            request.body = Array(body.text.utf8)
        }
        let (response, bytes) = try await client.collect(request)
        return Answer(status: response.status, type: response.headers["content-type"] ?? "", body: bytes)
    }

    /// Asks until the status word is one of `words`.
    func poll(_ path: String, until words: String...) async throws -> Answer {
        let end = ContinuousClock.now + .seconds(patienceSeconds)
        while true {
            let answer = try await send("GET", path)
            if let word = answer["status"]?.string, words.contains(word) { return answer }
            guard ContinuousClock.now < end else {
                Issue.record("\(path) never was one of \(words): \(answer.status) \(answer.text)")
                return answer
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
