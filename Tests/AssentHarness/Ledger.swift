import Harness
import JSON
import Vocabulary

/// What the peers were asked, and what they answered. The oldest entries go when there are too many; how many is told.
struct Ledger {
    struct Entry: Sendable {
        var number = 0
        var atMs: Int64 = 0
        /// `jobs` or `foreign`.
        let port: String
        let connection: Int
        let method: String
        let path: String
        let headers: [String: String]
        /// The beginning of it.
        let body: [UInt8]
        let bodyBytes: Int
        let verb: String
        var job: String?
        var key: String?
        var http: Int?
        var fault = ""

        init(_ request: ScriptRequest, at port: String, verb: String, limits: LedgerLimits) {
            (self.port, self.verb) = (port, verb)
            (connection, method, headers) = (request.connection, request.method, request.headers)
            path = String(request.path.prefix(2000))
            bodyBytes = request.body.count
            // A copy, so that the whole is not kept.
            body = Array(request.body.prefix(limits.bodyBytes))
        }
    }

    var limits = LedgerLimits()
    private(set) var entries: [Entry] = []
    private(set) var count = 0

    mutating func add(_ entry: Entry) {
        count += 1
        var entry = entry
        (entry.number, entry.atMs) = (count, Wall.nowMs())
        entries.append(entry)
        // In one go, and seldom: each costs the whole list.
        if entries.count > limits.entries + limits.entries / 4 { entries.removeFirst(entries.count - limits.entries) }
    }

    mutating func clear() { (entries, count) = ([], 0) }
}

extension Ledger.Entry {
    var line: JSON {
        .of([
            "n": .int(number), "at": .string("\(Moment(milliseconds: atMs))"), "port": .string(port),
            "connection": .int(connection), "method": .string(method), "path": .string(path),
            "verb": .string(verb), "headers": shownHeaders, "body": .string(String(decoding: body, as: UTF8.self)),
            "bytes": .int(bodyBytes), "job": job.map { .string($0) }, "key": key.map { .string($0) },
            "http": http.map { .int($0) }, "fault": fault.isEmpty ? nil : .string(fault),
        ])
    }

    /// What may be a secret stands here as a mark (`JobHarness.mark`).
    private var shownHeaders: JSON {
        .object(
            JSON.Object(
                members: headers.sorted { $0.key < $1.key }.map { name, value in
                    .init(
                        key: name,
                        value: .string(Self.maySaySecret(name) ? JobHarness.mark(of: value) : String(value.prefix(400)))
                    )
                }))
    }

    private static func maySaySecret(_ name: String) -> Bool {
        name != "idempotency-key" && ["auth", "cookie", "key", "token", "secret"].contains { name.contains($0) }
    }
}
