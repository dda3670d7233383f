import CaseNames
import Glibc
import Harness
import JSON
import Synchronization
import Testing

/// A coding day through the whole program: turns of commands, edits, reads and searches in a small window, of which most
/// are killed at some boundary. The conversation goes on each time, and no edit is made twice.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct CodingDayTests {
    private static func setting(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    /// `ASSENT_DAY_TURNS=300` is a whole day; this many are enough for each boundary.
    private static let turns = setting("ASSENT_DAY_TURNS") ?? 14
    private static let window = setting("ASSENT_DAY_WINDOW") ?? 8_000
    private static let isKilled = setting("ASSENT_DAY_KILLS") != 0

    /// The boundaries at which a turn is killed, one after the other. The number behind `stream` and `answer` counts the
    /// events that are out by then.
    private static let boundaries = [
        "session.started", "stream 0", "stream 1", "stream 5", "call.pending", "call.running", "workflow.started",
        "call.succeeded", "look.done", "answer 1", "message.completed", "none",
    ]

    @Test func itGoesOnAfterEachKillAndNoEditIsMadeTwice() async throws {
        let seed = getenv("ASSENT_DAY_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 1...(.max))
        print("a coding day: ASSENT_DAY_SEED=\(seed) ASSENT_DAY_TURNS=\(Self.turns) ASSENT_DAY_WINDOW=\(Self.window)")
        let model = DayModel(seed)
        let server = try ScriptedServer(isRecording: false) { model.answer($0) }
        defer { server.stop() }
        let lab = try ProgramLab()
        for file in 0..<DayModel.files {
            let lines = (0..<250).map { "line \($0) of f\(file)\n" }.joined()
            try lab.write(lines, to: "f\(file).py")
        }
        try lab.connect(to: server, "window: \(Self.window), max_tokens: 1000")

        var kills: [String: Int] = [:]
        for turn in 0..<Self.turns {
            let boundary = Self.isKilled ? Self.boundaries[turn % Self.boundaries.count] : "none"
            let line = "Do thing number \(turn)."
            let words = ["ask"] + (turn == 0 ? [] : ["--continue"]) + [line, "--mode", "auto", "--json"]
            if boundary != "none", try await kill(lab.start(words), at: boundary, model) {
                kills[boundary, default: 0] += 1
            }
            // A turn of which only the line is stored runs with the next one.
            let ending =
                boundary == "none"
                ? try await lab.run(words) : try await lab.run("ask", "-c", "go on", "--mode", "auto", "--json")
            try #require(ending.exit == 0, "turn \(turn), \(boundary): \(ending.output.suffix(3000))\(ending.errors)")
            #expect(ending.lines(of: "message.completed").last?["text"]?.string == DayModel.answer)
        }
        let report = model.report
        print("killed: \(kills.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
        print(
            "\(report.requests) requests, \(report.share) % of their bytes are a prefix, largest \(report.largest) bytes"
        )
        #expect(report.faults.isEmpty, "\(report.faults.prefix(5))")
        if Self.isKilled { #expect(kills.count > Self.boundaries.count / 2, "\(kills)") }
        // Each edit was made once, or never: that of a killed call was told.
        let text = (0..<DayModel.files).compactMap { lab.text("f\($0).py") }.joined()
        for mark in report.marks {
            #expect(text.ranges(of: "mark \(mark)\n").count <= 1, "mark \(mark)")
            if report.done.contains(mark) { #expect(text.contains("mark \(mark)\n"), "mark \(mark) was told as done") }
        }
        #expect(!report.done.isEmpty)
    }

    /// Kills the program at a boundary.
    ///
    /// - Returns: false if it ended before.
    private func kill(_ running: ProgramProcess, at boundary: String, _ model: DayModel) async throws -> Bool {
        let parts = boundary.split(separator: " ")
        if parts.count == 2, let events = Int(parts[1]) {
            let gate = ScriptGate()
            model.hold(at: gate, after: events, onlyAnswers: parts[0] == "answer")
            #expect(try await eventually { gate.isOpen || running.hasEnded })
        } else {
            _ = try await onOwnThread { running.wait(forOutput: "\"type\":\"\(boundary)\"") }
        }
        let ending = try await onOwnThread { running.end(with: SIGKILL) }
        model.release()
        return ending.wasKilled
    }
}

/// A model on a coding day, which refuses what servers refuse and compares each request with the one before.
private final class DayModel: Sendable {
    static let files = 5
    static let answer = "It works now."

    struct Report {
        var requests = 0
        var faults: [String] = []
        /// The numbers of all edits, and of those whose result says that they were made.
        var marks: [Int] = []
        var done: Set<Int> = []
        var largest = 0
        fileprivate var (same, all) = (0, 0)
        /// The part of all requests that is a prefix of the request before, in percent.
        var share: Double { all == 0 ? 0 : (Double(same) * 1_000 / Double(all)).rounded() / 10 }
    }

    private struct State {
        var report = Report()
        var random: Seeded
        var number = 0
        var held: (gate: ScriptGate, events: Int, onlyAnswers: Bool)?
        var last: [UInt8] = []
        /// The texts of the results that each call had so far, and the marks of the edits by call.
        var texts: [String: [String]] = [:]
        var edits: [String: Int] = [:]
    }

    private let state: Mutex<State>

    init(_ seed: UInt64) { state = Mutex(State(random: Seeded(seed))) }

    var report: Report { state.withLock { $0.report } }

    func hold(at gate: ScriptGate, after events: Int, onlyAnswers: Bool) {
        state.withLock { $0.held = (gate, events, onlyAnswers) }
    }

    func release() { state.withLock { $0.held = nil } }

    func answer(_ request: ScriptRequest) -> ScriptAnswer {
        state.withLock { state in
            let messages = request.json?["messages"]?.array ?? []
            Self.compare(messages, &state)
            let rounds = messages.reversed().prefix { $0["role"]?.string != "user" }.count {
                $0["role"]?.string == "assistant"
            }
            let isAnswer = rounds >= Int.random(in: 1...3, using: &state.random)
            let answer = isAnswer ? ScriptAnswer.stream(SSE.text("It works ", "now.")) : Self.calls(&state)
            guard let held = state.held, isAnswer || !held.onlyAnswers else { return answer }
            return answer.held(after: held.events, held.gate)
        }
    }

    /// Returns one or two calls, in the shares of a coding day.
    private static func calls(_ state: inout State) -> ScriptAnswer {
        let deltas = (0..<Int.random(in: 1...2, using: &state.random)).flatMap { index in
            state.number += 1
            let (name, arguments) = call(&state)
            return SSE.callDeltas(name, arguments, id: "c\(state.number)", index: index, pieceLength: 200)
        }
        return .stream(deltas + [SSE.delta([:], finish: "tool_calls"), SSE.done])
    }

    private static func call(_ state: inout State) -> (String, JSON) {
        let number = state.number
        let (file, line) = (number % files, Int.random(in: 0..<250, using: &state.random))
        switch Int.random(in: 0..<100, using: &state.random) {
        case ..<41:
            let lines = [20, 60, 200, 900].randomElement(using: &state.random) ?? 20
            return ("run", ["command": .string("seq \(lines); wc -l f\(file).py; echo end \(number)")])
        case ..<77:
            state.report.marks.append(number)
            state.edits["c\(number)"] = number
            let edit: JSON = [
                "path": .string("f\(file).py"), "find": .string("line \(line) of f\(file)\n"),
                "replace": .string("line \(line) of f\(file)\nmark \(number)\n"),
            ]
            return ("edit", ["edits": [edit], "check": .string("grep -c line f\(file).py")])
        case ..<96: return ("read", ["path": .string("f\(file).py"), "from": .int(line + 1), "lines": 80])
        default: return ("search", ["text": .string("line \(line)")])
        }
    }

    /// Compares a request with those before it: what servers refuse, what changed twice, and how much is the same.
    private static func compare(_ messages: [JSON], _ state: inout State) {
        var open: [String] = []
        for message in messages {
            if message["role"]?.string == "tool", let id = message["tool_call_id"]?.string {
                if !open.contains(id) { state.report.faults.append("a result of \(id) without its call") }
                open.removeAll { $0 == id }
                hear(message["content"]?.string ?? "", of: id, &state)
                continue
            }
            if !open.isEmpty { state.report.faults.append("no result of \(open)") }
            open = (message["tool_calls"]?.array ?? []).compactMap { $0["id"]?.string }
        }
        if !open.isEmpty { state.report.faults.append("no result of \(open) at the end") }
        let bytes = Array(messages.map(\.text).joined(separator: ",").utf8)
        if state.report.requests > 0 {
            state.report.same += zip(state.last, bytes).prefix { $0 == $1 }.count
            state.report.all += bytes.count
        }
        state.report.requests += 1
        state.report.largest = max(state.report.largest, bytes.count)
        state.last = bytes
    }

    private static func hear(_ text: String, of id: String, _ state: inout State) {
        if let mark = state.edits[id], text.contains("edited, check: exit 0") { state.report.done.insert(mark) }
        guard state.texts[id]?.last != text else { return }
        state.texts[id, default: []].append(text)
        if state.texts[id, default: []].count > 2 { state.report.faults.append("the result of \(id) changed twice") }
    }
}
