import Glibc
package import JSON

/// An answer on a raw socket and the way it ended, for tests that look at the bytes of HTTP. All calls block, each for
/// a bounded time.
package struct RawAnswer: Sendable {
    package enum Ending: Sendable, Hashable {
        /// The whole promised answer came.
        case complete
        /// The connection ended properly before the whole answer came.
        case cut
        /// The connection was reset (RST).
        case reset
        /// The connection was refused, since no process listens at the port.
        case refused
        case timedOut
    }

    package var status = 0
    /// The headers, with names in lower case.
    package var headers: [String: String] = [:]
    /// The body without chunk marks.
    package var body: [UInt8] = []
    package var ending = Ending.complete

    package var text: String { String(decoding: body, as: UTF8.self) }
    /// The body as JSON, or `nil` if it is not JSON.
    package var json: JSON? { try? JSONReader.read(body) }
}

/// A connection to 127.0.0.1 for requests in sequence.
package final class RawConnection {
    private let socket: ScriptSocket?
    private var waiting: [UInt8] = []

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Parameter seconds: how long a single read may take.
    package init(port: Int, seconds: Double = patienceSeconds) {
        socket = ScriptSocket.connected(toPort: port)
        guard let socket else { return }
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int((seconds - seconds.rounded(.down)) * 1_000_000))
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var on: Int32 = 1
        setsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { socket?.close() }

    /// Sends a request on a connection of its own, and returns the answer.
    package static func ask(
        _ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8] = [],
        seconds: Double = patienceSeconds
    ) -> RawAnswer {
        let (port, path) = split(url)
        return RawConnection(port: port, seconds: seconds).ask(method, path, headers: headers, body: body)
    }

    package static func ask(_ method: String, _ url: String, headers: [String: String] = [:], json: JSON) -> RawAnswer {
        ask(
            method, url, headers: ["content-type": "application/json"].merging(headers) { $1 },
            body: Array(json.text.utf8))
    }

    /// Returns the port and the path of `http://127.0.0.1:PORT/PATH`.
    package static func split(_ url: String) -> (port: Int, path: String) {
        let rest = url.replacing("http://127.0.0.1:", with: "")
        let port = rest.prefix { $0.isNumber }
        let path = rest.dropFirst(port.count)
        return (Int(port) ?? 0, path.isEmpty ? "/" : String(path))
    }

    package func ask(_ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []) -> RawAnswer
    {
        guard let socket else { return RawAnswer(ending: .refused) }
        var head = "\(method) \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: \(body.count)\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        _ = socket.send((Array((head + "\r\n").utf8) + body)[...])
        var answer = RawAnswer()
        if let ending = read(into: &answer) { answer.ending = ending }
        return answer
    }

    // MARK: Reading

    /// Reads an answer.
    ///
    /// - Returns: the ending, if the answer is not complete. Otherwise `nil`.
    private func read(into answer: inout RawAnswer) -> RawAnswer.Ending? {
        while true {
            guard let head = line() else { return more() ?? read(into: &answer) }
            if head.isEmpty { break }
            let fields = head.split(separator: ":", maxSplits: 1)
            if answer.status == 0 {
                answer.status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
            } else if fields.count == 2 {
                answer.headers[fields[0].lowercased()] = String(fields[1].drop { $0 == " " })
            }
        }
        if answer.headers["transfer-encoding"] == "chunked" { return chunks(into: &answer) }
        guard let length = answer.headers["content-length"].flatMap({ Int($0) }) else {
            while true {
                answer.body += waiting
                waiting = []
                if let ending = more() { return ending == .cut ? nil : ending }
            }
        }
        return bytes(length, into: &answer)
    }

    private func chunks(into answer: inout RawAnswer) -> RawAnswer.Ending? {
        while true {
            guard let line = line() else {
                if let ending = more() { return ending }
                continue
            }
            let count = Int(line, radix: 16) ?? 0
            if let ending = bytes(count, into: &answer) { return ending }
            while self.line() == nil { if let ending = more() { return ending } }
            if count == 0 { return nil }
        }
    }

    private func bytes(_ count: Int, into answer: inout RawAnswer) -> RawAnswer.Ending? {
        var left = count
        while true {
            let taken = waiting.prefix(left)
            answer.body += taken
            waiting.removeFirst(taken.count)
            left -= taken.count
            if left == 0 { return nil }
            if let ending = more() { return ending }
        }
    }

    /// Removes a whole line and returns it without its end, or `nil` if the line has not come yet.
    private func line() -> String? {
        guard let end = waiting.firstIndex(of: 10) else { return nil }
        defer { waiting.removeFirst(end + 1) }
        return String(decoding: waiting[..<end].filter { $0 != 13 }, as: UTF8.self)
    }

    /// Waits for more. `nil` if some came.
    private func more() -> RawAnswer.Ending? {
        guard let socket else { return .refused }
        var block = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket.descriptor, &block, block.count, 0)
        if count > 0 {
            waiting += block[..<count]
            return nil
        }
        if count == 0 { return .cut }
        return errno == EAGAIN || errno == EWOULDBLOCK ? .timedOut : .reset
    }
}
