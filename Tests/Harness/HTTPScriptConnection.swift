import Glibc
import Synchronization

/// One connection of a scripted server, on its own thread.
final class ScriptConnection: Sendable {
    let socket: ScriptSocket

    init(_ socket: ScriptSocket) {
        self.socket = socket
    }

    func run(for server: ScriptThreads) {
        var waiting: [UInt8] = []
        while !server.isStopped, let request = nextRequest(&waiting) {
            server.state.withLock { $0.requests.append(request) }
            guard give(server.answer(request), for: server, withBody: request.method != "HEAD") else { return }
        }
    }

    // MARK: In

    /// - Parameter waiting: bytes that came with the request before.
    private func nextRequest(_ waiting: inout [UInt8]) -> ScriptRequest? {
        let emptyLine = Array("\r\n\r\n".utf8)
        var headEnd: Int?
        while headEnd == nil {
            headEnd = waiting.indices.first { waiting[$0...].starts(with: emptyLine) }
            guard headEnd == nil else { break }
            let bytes = socket.received()
            guard !bytes.isEmpty else { return nil }
            waiting += bytes
            // A TLS client: nothing it says will end in an empty line.
            guard waiting[0] != 0x16 else { return nil }
        }
        guard let headEnd else { return nil }
        let lines = String(decoding: waiting[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        waiting.removeFirst(headEnd + 4)
        let words = lines.first?.split(separator: " ") ?? []
        let headers = headers(lines.dropFirst())
        guard words.count == 3, let body = body(Int(headers["content-length"] ?? "0") ?? 0, &waiting) else { return nil }
        return ScriptRequest(method: String(words[0]), path: String(words[1]), headers: headers, body: body)
    }

    private func headers(_ lines: some Sequence<Substring>) -> [String: String] {
        let fields = lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].lowercased(), String((parts.dropFirst().first ?? "").drop { $0 == " " }))
        }
        return Dictionary(fields) { _, later in later }
    }

    private func body(_ count: Int, _ waiting: inout [UInt8]) -> [UInt8]? {
        while waiting.count < count {
            let bytes = socket.received()
            guard !bytes.isEmpty else { return nil }
            waiting += bytes
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    // MARK: Out

    /// - Returns: whether the connection may be used again.
    private func give(_ answer: ScriptAnswer, for server: ScriptThreads, withBody: Bool) -> Bool {
        var left = answer.cutAfterBytes ?? .max
        func send(_ bytes: some Collection<UInt8>) -> Bool {
            let bytes = Array(bytes.prefix(left))
            let sent = socket.send(bytes[...])
            server.state.withLock { $0.sentBytes += sent }
            left -= sent
            return sent == bytes.count && left > 0
        }
        guard send(head(of: answer).utf8) else { return false }
        for step in withBody ? answer.steps : [] {
            switch step {
            case .send(let bytes): guard send(framed(bytes, answer.framing)) else { return false }
            case .flood(let count): guard flood(count, answer.framing, send) else { return false }
            case .wait(let seconds): guard wait(seconds, server) else { return false }
            case .hang:
                while !server.isStopped, !socket.isClosed(withinMilliseconds: 20) {}
                return false
            case .cut: return false
            }
        }
        switch answer.framing {
        case .length: return true
        case .chunked: return send("0\r\n\r\n".utf8)
        case .untilClose, .raw: return false
        }
    }

    private func head(of answer: ScriptAnswer) -> String {
        var headers = answer.headers
        switch answer.framing {
        case .raw: return ""
        case .chunked: headers["transfer-encoding"] = "chunked"
        case .untilClose: headers["connection"] = "close"
        case .length:
            let count = answer.steps.reduce(0) { $0 + $1.bytes }
            headers["content-length"] = headers["content-length"] ?? "\(count)"
        }
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        return "HTTP/1.1 \(answer.status) Scripted\r\n" + lines.joined() + "\r\n"
    }

    private func framed(_ bytes: [UInt8], _ framing: ScriptAnswer.Framing) -> [UInt8] {
        guard case .chunked = framing else { return bytes }
        return bytes.isEmpty ? [] : Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    private func flood(_ count: Int, _ framing: ScriptAnswer.Framing, _ send: ([UInt8]) -> Bool) -> Bool {
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        var left = count
        while left > 0 {
            let piece = left < block.count ? Array(block[..<left]) : block
            guard send(framed(piece, framing)) else { return false }
            left -= piece.count
        }
        return true
    }

    private func wait(_ seconds: Double, _ server: ScriptThreads) -> Bool {
        let end = SuspendingClock.now + .seconds(seconds)
        while SuspendingClock.now < end {
            guard !server.isStopped else { return false }
            usleep(UInt32(min(5_000, max(1, (end - SuspendingClock.now) / .microseconds(1)))))
        }
        return true
    }
}

extension ScriptAnswer.Step {
    fileprivate var bytes: Int {
        switch self {
        case .send(let bytes): bytes.count
        case .flood(let count): count
        case .wait, .hang, .cut: 0
        }
    }
}
