import Engine
import Glibc
import Synchronization

/// Tokens of a model on their way to the terminal: the chat beside `curl -N`, both on a pseudo-terminal, from the same server.
enum StreamBench {
    private static let burst = 20_000
    private static let paced = 150

    static func run() throws -> [Figure] {
        let burst = try Pairs(5) {
            try seconds(toShow: try chat(.burst), from: .burst)
        } _: {
            try seconds(toShow: try curl(.burst), from: .burst)
        }
        let paced = try Pairs(5) {
            1e6 * (try latency(try chat(.paced)))
        } _: {
            1e6 * (try latency(try curl(.paced)))
        }
        return [
            Figure(name: "20,000 deltas shown", burst, unit: "s", reference: "curl -N", bar: .ratioAtMost(5)),
            Figure(
                name: "token to terminal at 50 a second", paced, unit: "µs", reference: "curl -N", bar: .ratioAtMost(3)),
        ]
    }

    private typealias Run = (terminal: Terminal, server: TokenServer)

    private static func chat(_ kind: TokenServer.Kind) throws -> Run {
        let server = try TokenServer(kind, count: kind == .burst ? burst : paced)
        let folder = withScratchFolder { $0 }
        let terminal = try Terminal(
            [try Terminal.program()],
            environment: ["ASSENT_HOME=\(folder)/home", "ASSENT_MODEL_URL=http://127.0.0.1:\(server.port)/v1", "ASSENT_MODEL=bench"],
            in: folder)
        try terminal.wait(for: "›")
        usleep(700_000)
        terminal.send("go\r")
        return (terminal, server)
    }

    private static func curl(_ kind: TokenServer.Kind) throws -> Run {
        let server = try TokenServer(kind, count: kind == .burst ? burst : paced)
        let folder = withScratchFolder { $0 }
        let terminal = try Terminal(
            ["/usr/bin/curl", "-sN", "http://127.0.0.1:\(server.port)/v1/chat/completions"], environment: [], in: folder)
        return (terminal, server)
    }

    private static func seconds(toShow run: Run, from kind: TokenServer.Kind) throws -> Double {
        defer { run.terminal.end() }
        try run.terminal.wait(for: "Zend")
        return Clock.seconds() - run.server.startedAt
    }

    /// Each token carries its number; the server kept when it was sent, the terminal when it was first seen.
    private static func latency(_ run: Run) throws -> Double {
        defer { run.terminal.end() }
        var seen: [Int: Double] = [:]
        var tail: [UInt8] = []
        try run.terminal.wait(for: "Zend") { bytes, now in
            tail += bytes
            for number in numbers(in: tail) where seen[number] == nil { seen[number] = now }
            tail = Array(tail.suffix(16))
        }
        let delays = run.server.sentAt.enumerated().compactMap { number, sent in seen[number].map { $0 - sent } }.sorted()
        guard delays.count > paced / 2 else { throw Terminal.Failed(words: "only \(delays.count) tokens were seen") }
        return delays[delays.count / 2]
    }

    /// `Q17Q` in the bytes.
    private static func numbers(in bytes: [UInt8]) -> [Int] {
        bytes.split(separator: UInt8(ascii: "Q")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}

/// A model on 127.0.0.1 that says numbered tokens, at once or 50 a second.
final class TokenServer: Sendable {
    enum Kind: Sendable { case burst, paced }

    let port: UInt16
    private let times = Mutex<[Double]>([])

    init(_ kind: Kind, count: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 4) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw Terminal.Failed(words: "no port for the benchmark's server") }
        port = UInt16(bigEndian: address.sin_port)
        workers.run { [self] in
            let client = accept(listener, nil, nil)
            close(listener)
            var one: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
            answer(client, kind, count)
            close(client)
        }
    }

    var startedAt: Double { times.withLock { $0.first ?? 0 } }
    var sentAt: [Double] { times.withLock { $0 } }

    private func answer(_ client: Int32, _ kind: Kind, _ count: Int) {
        var request = [UInt8](repeating: 0, count: 1 << 18)
        // The request is small and comes whole, or its rest comes while we answer: nobody here looks at it.
        _ = read(client, &request, request.count)
        send(client, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        switch kind {
        case .burst:
            var text = ""
            for number in 0..<count { text += event("word\(number % 10) ", isLine: number % 12 == 11) }
            times.withLock { $0 = [Clock.seconds()] }
            send(client, text)
        case .paced:
            for number in 0..<count {
                times.withLock { $0.append(Clock.seconds()) }
                send(client, event("Q\(number)Q ", isLine: false))
                usleep(20_000)
            }
        }
        send(client, event("Zend", isLine: false))
        send(client, #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\ndata: [DONE]\n\n")
    }

    private func event(_ text: String, isLine: Bool) -> String {
        #"data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{"content":""#
            + text + (isLine ? #"\n\n"# : "") + #""},"finish_reason":null}]}"# + "\n\n"
    }

    private func send(_ client: Int32, _ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
