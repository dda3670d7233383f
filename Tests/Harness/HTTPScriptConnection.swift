import Glibc
import Synchronization

/// A connection of a scripted server, on its own thread.
final class ScriptConnection: Sendable {
    let socket: ScriptSocket
    /// The number of the connection, counted from 1.
    let number: Int

    init(_ socket: ScriptSocket, number: Int) {
        self.socket = socket
        self.number = number
    }

    func run(for server: ScriptThreads) {
        var waiting: [UInt8] = []
        while !server.isStopped, let request = nextRequest(&waiting) {
            server.record(request)
            guard give(server.answer(request), for: server, withBody: request.method != "HEAD") else { return }
        }
    }

    // MARK: In

    private static let headBytesLimit = 64 << 10
    private static let bodyBytesLimit = 256 << 20

    /// Reads the next request of the connection, or returns `nil` at its end.
    ///
    /// - Parameter waiting: bytes that came with the request before.
    private func nextRequest(_ waiting: inout [UInt8]) -> ScriptRequest? {
        var looked = 0
        var end = Self.headEnd(in: waiting, from: 0)
        while end == nil {
            looked = max(0, waiting.count - 3)
            let bytes = socket.received()
            guard !bytes.isEmpty, waiting.count < Self.headBytesLimit else { return nil }
            waiting += bytes
            // A TLS client: nothing it says will end in an empty line.
            guard waiting[0] != 0x16 else { return nil }
            end = Self.headEnd(in: waiting, from: looked)
        }
        guard let end else { return nil }
        let lines = waiting[..<end].split(separator: UInt8(ascii: "\n")).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        waiting.removeFirst(end + 4)
        let words = lines.first?.split(separator: " ") ?? []
        let headers = headers(lines.dropFirst())
        if headers["expect"]?.lowercased() == "100-continue" {
            _ = socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...])
        }
        guard words.count == 3, let body = body(Int(headers["content-length"] ?? "0") ?? 0, &waiting) else {
            return nil
        }
        return ScriptRequest(
            method: String(words[0]), path: String(words[1]), headers: headers, body: body, connection: number)
    }

    /// Returns the offset of the empty line that ends the head, or `nil` if it has not come.
    private static func headEnd(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var place = start
            while place + 4 <= bytes.count {
                if bytes[place] == 13, bytes[place + 1] == 10, bytes[place + 2] == 13, bytes[place + 3] == 10 {
                    return place
                }
                place += 1
            }
            return nil
        }
    }

    private func headers(_ lines: some Sequence<String>) -> [String: String] {
        let fields = lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].lowercased(), String((parts.dropFirst().first ?? "").drop { $0 == " " }))
        }
        return Dictionary(fields) { _, later in later }
    }

    private func body(_ count: Int, _ waiting: inout [UInt8]) -> [UInt8]? {
        guard (0...Self.bodyBytesLimit).contains(count) else { return nil }
        while waiting.count < count {
            let bytes = socket.received()
            guard !bytes.isEmpty else { return nil }
            waiting += bytes
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    // MARK: Out

    /// Sends an answer.
    ///
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
        var steps = withBody ? answer.steps[...] : []
        var opening = Array(head(of: answer).utf8)
        // Head and first bytes in one piece: it is one packet then.
        if case .send(let bytes) = steps.first {
            opening += framed(bytes, answer.framing)
            steps.removeFirst()
        }
        guard opening.isEmpty || send(opening) else { return false }
        for step in steps {
            switch step {
            case .send(let bytes): guard send(framed(bytes, answer.framing)) else { return false }
            case .flood(let count): guard flood(count, answer.framing, send) else { return false }
            case .wait(let seconds): guard wait(seconds, server) else { return false }
            case .gate(let gate):
                while !gate.isOpen {
                    guard !server.isStopped, !socket.isClosed(withinMilliseconds: 5) else { return false }
                }
            case .reached(let gate): gate.open()
            case .hang:
                while !server.isStopped, !socket.isClosed(withinMilliseconds: 1000) {}
                return false
            case .cut: return false
            case .reset:
                // A reset takes back what is still on its way.
                while socket.unacknowledgedBytes > 0, !server.isStopped, !socket.isClosed(withinMilliseconds: 1) {}
                socket.willReset()
                return false
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

    /// Waits by the server's clock.
    ///
    /// - Returns: whether the client is still connected.
    private func wait(_ seconds: Double, _ server: ScriptThreads) -> Bool {
        let end = server.clock.milliseconds + Int(seconds * 1000)
        while case let patience = server.clock.patience(until: end), patience > 0 {
            guard !server.isStopped, !socket.isClosed(withinMilliseconds: Int32(min(1000, patience))) else {
                return false
            }
        }
        return true
    }
}

extension ScriptAnswer.Step {
    fileprivate var bytes: Int {
        switch self {
        case .send(let bytes): bytes.count
        case .flood(let count): count
        case .wait, .gate, .reached, .hang, .cut, .reset: 0
        }
    }
}
