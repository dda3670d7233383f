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
        let request: ScriptRequest
        let verb: String
        var job: String?
        var key: String?
        var http: Int?
        var fault: String
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

    /// A number for bytes, the same everywhere (FNV-1a).
    static func fingerprint(_ bytes: [UInt8]) -> UInt64 { JobHarness.fingerprint(bytes) }
}

extension Ledger.Entry {
    func line(bodyBytes: Int) -> JSON {
        .of([
            "n": .int(number), "at": .string("\(Moment(milliseconds: atMs))"), "port": .string(port),
            "connection": .int(request.connection), "method": .string(request.method), "path": .string(request.path),
            "verb": .string(verb), "headers": headers, "body": .string(String(decoding: request.body.prefix(bodyBytes), as: UTF8.self)),
            "bytes": .int(request.body.count), "job": job.map { .string($0) }, "key": key.map { .string($0) },
            "http": http.map { .int($0) }, "fault": fault.isEmpty ? nil : .string(fault),
        ])
    }

    /// What may be a secret stands here as a mark (`JobHarness.mark`).
    private var headers: JSON {
        .object(
            JSON.Object(
                members: request.headers.sorted { $0.key < $1.key }.map { name, value in
                    .init(key: name, value: .string(Self.maySaySecret(name) ? JobHarness.mark(of: value) : String(value.prefix(400))))
                }))
    }

    private static func maySaySecret(_ name: String) -> Bool {
        name != "idempotency-key" && ["auth", "cookie", "key", "token", "secret"].contains { name.contains($0) }
    }
}
