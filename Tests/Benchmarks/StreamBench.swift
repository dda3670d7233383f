import Engine
import Glibc
import Synchronization

/// Tokens of a model on their way to the terminal: the chat beside `curl -N`, both on a pseudo-terminal, from the same
/// server, in each dialect.
enum StreamBench {
    private static let burst = 20_000
    private static let paced = 150

    static func run() throws -> [Figure] {
        var figures: [Figure] = []
        for dialect in TokenServer.Dialect.allCases {
            let burst = try Pairs(9) {
                try seconds(toShow: try chat(.burst, dialect))
            } _: {
                try seconds(toShow: try curl(.burst, dialect))
            }
            figures.append(
                Figure(
                    name: "20,000 deltas of \(dialect.rawValue) shown", burst, unit: "s", reference: "curl -N",
                    bar: .ratioAtMost(1.5)))
        }
        let paced = try Pairs(5) {
            1e6 * (try latency(try chat(.paced, .chatCompletions)))
        } _: {
            1e6 * (try latency(try curl(.paced, .chatCompletions)))
        }
        return figures + [
            Figure(
                name: "token to terminal at 50 a second", paced, unit: "µs", reference: "curl -N", bar: .ratioAtMost(3))
        ]
    }

    private typealias Run = (terminal: Terminal, server: TokenServer)

    private static func server(_ kind: TokenServer.Kind, _ dialect: TokenServer.Dialect) throws -> TokenServer {
        try TokenServer(kind, dialect, count: kind == .burst ? burst : paced)
    }

    private static func chat(_ kind: TokenServer.Kind, _ dialect: TokenServer.Dialect) throws -> Run {
        let server = try server(kind, dialect)
        let folder = withScratchFolder { $0 }
        let terminal = try Terminal(
            [try Terminal.program()],
            environment: [
                "ASSENT_HOME=\(folder)/home", "ASSENT_MODEL_URL=http://127.0.0.1:\(server.port)\(dialect.base)",
                "ASSENT_MODEL=bench",
            ] + (dialect.profile.map { ["ASSENT_MODEL_PROFILE=\($0)", "ASSENT_API_KEY=none"] } ?? []),
            in: folder)
        try terminal.wait(for: "›")
        usleep(700_000)
        terminal.send("go\r")
        return (terminal, server)
    }

    private static func curl(_ kind: TokenServer.Kind, _ dialect: TokenServer.Dialect) throws -> Run {
        let server = try server(kind, dialect)
        let folder = withScratchFolder { $0 }
        let terminal = try Terminal(
            ["/usr/bin/curl", "-sN", "http://127.0.0.1:\(server.port)/stream"], environment: [], in: folder)
        return (terminal, server)
    }

    private static func seconds(toShow run: Run) throws -> Double {
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
        let delays = run.server.sentAt.enumerated().compactMap { number, sent in seen[number].map { $0 - sent } }
            .sorted()
        guard delays.count > paced / 2 else { throw Terminal.Failed(words: "only \(delays.count) tokens were seen") }
        return delays[delays.count / 2]
    }

    /// `Q17Q` in the bytes.
    private static func numbers(in bytes: [UInt8]) -> [Int] {
        bytes.split(separator: UInt8(ascii: "Q")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}
