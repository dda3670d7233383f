import CaseNames
import Conversations
import Harness
import JSON
import Testing
import Vocabulary

/// A coding day of a model: turns of commands, edits, reads and searches, whose sizes are drawn. It runs the turns as
/// a session does, and keeps every request.
struct CodingDay {
    private(set) var stored: [ChatMessage] = []
    private(set) var compaction = Compaction()
    private(set) var meter = ContextMeter()
    private(set) var compactions = 0
    private(set) var requests: [[ChatMessage]] = []
    private(set) var endings: [Turn.Ending] = []
    /// The requests that do not fit by the count of the server.
    private(set) var overfull = 0
    private let room: ContextRoom
    private let tools: [ChatTool]
    private var random: Seeded
    private var number = 0

    init(window: Int, seed: UInt64) {
        (room, random) = (ContextRoom(window: window, answer: 8_192), Seeded(seed))
        tools = PlannerTools.all(catalogue)
    }

    private static let system = String(repeating: "You work for a person in a folder. ", count: 230)

    /// A size between two bounds, of which small ones are more likely, as those of results are.
    private mutating func size(_ least: Double, _ most: Double) -> Int {
        // Each doubling is equally likely.
        var (low, size) = (least, least)
        while low < most {
            size = low
            low *= 2
            if Int.random(in: 0..<2, using: &random) == 0 { break }
        }
        return Int(Double.random(in: size...min(most, size * 2), using: &random))
    }

    private static func text(_ bytes: Int, _ number: Int) -> String {
        String(("result \(number): " + String(repeating: "some words of it\n", count: bytes / 17 + 1)).prefix(bytes))
    }

    /// One call with its result, in the shares of a coding day.
    private mutating func call() -> (ChatCall, CallResult) {
        number += 1
        let id = "c\(number)"
        switch Int.random(in: 0..<100, using: &random) {
        case ..<41:
            let result = "w\(number) exit 0\n" + Self.text(size(300, 12_000), number)
            return (ChatCall(id: id, name: "run", arguments: ["command": "pytest -q"]), .report(result, failure: nil))
        case ..<77:
            let new = Self.text(size(200, 4_000), number)
            let edits: JSON = [["path": "a.py", "find": .string(String(new.prefix(80))), "replace": .string(new)]]
            let result = "w\(number) edited\n" + Self.text(size(300, 2_000), number)
            return (ChatCall(id: id, name: "edit", arguments: ["edits": edits]), .report(result, failure: nil))
        case ..<96:
            let result = Self.text(size(1_500, 16_000), number)
            return (
                ChatCall(id: id, name: "read", arguments: ["path": .string("f\(number).py")]),
                .report(result, failure: nil)
            )
        default:
            let result = Self.text(size(500, 16_000), number)
            return (ChatCall(id: id, name: "search", arguments: ["text": "total"]), .report(result, failure: nil))
        }
    }

    /// Runs a turn of some calls, in replies of one or two.
    mutating func turn(calls count: Int) {
        // As after a restart: what is not stored is not known.
        let plan = ContextPlan(room: room, compaction: Compaction(json: compaction.json), meter: meter)
        let files = "[Not the person's words. The working folder holds: \(stored.count)]"
        let aside = number % 7 == 0 ? ChatMessage.Aside(words: files, whole: files) : nil
        var turn = Turn(system: Self.system, tools: tools, history: stored, aside: aside, plan: plan)
        var left = count
        var effects = turn.receive(.said("Do the next thing, number \(number), and say what you have done."))
        while true {
            var answered: (Int, Reply)?
            for effect in effects {
                switch effect {
                case .ask(let request, let of): answered = (of, reply(to: request, &left))
                case .store(let message): stored.append(message)
                case .compacted(let next): (compaction, compactions) = (next, compactions + 1)
                case .counted(let next): meter = next
                case .ended(let ending): endings.append(ending)
                case .show, .hint, .perform, .askToGoOn, .takeUp: break
                }
            }
            if let (of, reply) = answered {
                effects = turn.receive(.part(.finished(reply), of: of))
            } else if let performed = effects.compactMap({ if case .perform(let call) = $0 { call } else { nil } }).last
            {
                effects = turn.receive(.callFinished(id: performed.id, results[performed.id] ?? .lost))
            } else {
                return
            }
        }
    }

    private var results: [String: CallResult] = [:]

    private mutating func reply(to request: ChatRequest, _ left: inout Int) -> Reply {
        requests.append(request.messages)
        if request.fittedWindow == nil { overfull += 1 }
        let bytes = request.messages.reduce(0) { $0 + $1.bytes } + 4_400
        let usage = Reply.Usage(promptTokens: bytes * 10 / 38, completionTokens: 100)
        guard left > 0 else { return Reply(text: "Done: it works now, and the tests pass.", usage: usage) }
        let made = (0..<min(left, Int.random(in: 1...2, using: &random))).map { _ in call() }
        left -= made.count
        for (call, result) in made { results[call.id] = result }
        return Reply(text: "", calls: made.map(\.0), usage: usage)
    }
}

struct CompactionTests {
    private static func bytes(_ messages: some Sequence<ChatMessage>) -> Int { messages.reduce(0) { $0 + $1.bytes } }

    private static func common(_ one: [ChatMessage], _ other: [ChatMessage]) -> Int {
        bytes(zip(one, other).prefix { $0 == $1 }.map(\.1))
    }

    /// Nearly all of each request is the request before, so that servers find it in their caches.
    @Test(arguments: [1, 2, 3] as [UInt64]) func aCodingDayIsMostlyAPrefix(seed: UInt64) {
        var day = CodingDay(window: 128_000, seed: seed)
        for turn in 0..<300 { day.turn(calls: turn % 5 + 1) }
        var (same, all) = (0, 0)
        for (before, request) in zip(day.requests, day.requests.dropFirst()) {
            same += Self.common(before, request)
            all += Self.bytes(request)
        }
        #expect(Double(same) / Double(all) >= 0.97, "\(Double(same) / Double(all)), \(day.compactions) compactions")
        #expect(day.compactions > 3 && day.endings.allSatisfy { $0 == .completed })
    }

    /// What a model was given is shortened once at most, the newest results never, and the stored messages stay whole.
    @Test(arguments: [(128_000, 1), (32_000, 2), (20_000, 3), (8_000, 4)] as [(Int, UInt64)])
    func nothingIsShortenedTwice(window: Int, seed: UInt64) {
        var day = CodingDay(window: window, seed: seed)
        for turn in 0..<60 { day.turn(calls: turn == 30 ? 80 : turn % 5 + 1) }
        #expect(day.endings.allSatisfy { $0 == .completed } && day.compactions > 0)
        let whole = Dictionary(day.stored.compactMap { m in m.callID.map { ($0, m.text) } }, uniquingKeysWith: { $1 })
        var short: [String: String] = [:]
        var faults: [String] = []
        for request in day.requests {
            let newest = request.lastIndex { $0.role == .assistant } ?? 0
            for (place, message) in request.enumerated() {
                guard let id = message.callID else { continue }
                if place > newest, message.text != whole[id] { faults.append("\(id) is new and not whole") }
                if let before = short[id], before != message.text { faults.append("\(id) is shortened again") }
                if message.text != whole[id] { short[id] = message.text }
            }
            if request.last(where: { $0.role == .user })?.text.hasPrefix("Do the next thing") != true {
                faults.append("no line of the person")
            }
        }
        #expect(faults.isEmpty, "\(faults.prefix(5))")
        #expect((window <= 8_000 || !short.isEmpty) && whole.values.allSatisfy { !$0.contains("[Shortened") })
        // In all but the smallest window every request fits by the count of the server.
        #expect(window <= 8_000 || day.overfull == 0, "\(day.overfull) of \(day.requests.count)")
    }

    private static let room = ContextRoom(window: 20_000, answer: 4_000)

    @Test func aStubSaysHowItIsReadAgain() throws {
        let long = String(repeating: "word ", count: 1_000)
        let write = ChatCall(id: "c2", name: "edit", arguments: ["edits": [["path": "a", "text": .string(long)]]])
        let messages = [
            ChatMessage(.user, "one"),
            ChatMessage(.assistant, "", calls: [ChatCall(id: "c1", name: "read", arguments: ["path": "a.txt"])]),
            ChatMessage(.tool, "a.txt\n" + long + "THE END", callID: "c1"),
            ChatMessage(.assistant, "", calls: [write]),
            ChatMessage(.tool, "w7 edited\n" + long, callID: "c2"),
            ChatMessage(.assistant, "Done."), ChatMessage(.user, "two"),
        ]
        var compaction = Compaction()
        compaction.stubs = 5
        let sent = CompactedMessages(compaction).messages(of: messages)
        #expect(sent[2].text.hasPrefix("[Shortened: this result had") && sent[2].text.hasSuffix("THE END"))
        #expect(sent[2].text.contains(#"Read it again: read {"path":"a.txt"}."#) && sent[2].text.utf8.count < 1_200)
        #expect(sent[4].text.contains(#"Read it again: results {"workflow": "w7"}."#))
        let arguments = sent[3].calls[0].arguments
        #expect(arguments["edits"]?.array?.first?["path"] == "a" && arguments.text.utf8.count < 700)
        compaction.lines = 6
        let lines = CompactedMessages(compaction).messages(of: messages)
        #expect(lines.count == 1 && lines[0].text == "two", "\(lines)")
        #expect(lines[0].sentText.contains("- “one” → read, edit → “Done.”") && lines[0].sentText.hasSuffix("\n\ntwo"))
        #expect(Compaction(json: compaction.json) == compaction && Compaction(json: "x").isEmpty)
    }

    /// A line that came into a turn begins none: the line of the running turn and the one that came into it stay whole.
    @Test func aLineThatCameIntoTheTurnStays() {
        var late = ChatMessage(.user, "use tabs")
        late.isInterjected = true
        var messages = [ChatMessage(.user, "do it all")]
        for number in 1...60 {
            let call = ChatCall(id: "c\(number)", name: "run", arguments: ["command": "x"])
            messages.append(ChatMessage(.assistant, "", calls: [call]))
            messages.append(ChatMessage(.tool, String(repeating: "long ", count: 600), callID: call.id))
            if number == 20 { messages.append(late) }
        }
        var plan = ContextPlan(room: Self.room)
        let isShorter = plan.compact(messages)
        #expect(isShorter)
        let sent = plan.sent(messages)
        #expect(sent.filter { $0.role == .user }.map(\.text) == ["do it all", "use tabs"], "\(plan.compaction)")
        #expect(plan.compaction.lines == 0 && sent.last == messages.last)
        #expect(plan.meter.tokens(of: plan.bytes(of: sent)) <= Self.room.tokens * 6 / 10)
    }

    @Test func theServersCountDecides() {
        var meter = ContextMeter()
        #expect(meter.tokens(of: 35_000) == 10_000 && !meter.isCounted)
        meter.count(20_000, bytes: 40_000)
        #expect(meter.tokens(of: 40_000) == 20_000 && meter.tokens(of: 43_500) == 21_000)
        #expect(meter.tokens(of: 20_000) == 10_000 && meter.isCounted)
        // A count that cannot be is not believed.
        for (tokens, bytes) in [(0, 10), (-1, 10), (1, 40_000), (90_000, 40_000)] { meter.count(tokens, bytes: bytes) }
        #expect(meter.tokens(of: 40_000) == 20_000)
    }

    @Test func oneResultIsAQuarterOfTheWindowAtMost() {
        for (window, bytes) in [(8_000, 7_000), (128_000, 24_576), (1_000, 1_024)] {
            #expect(ContextRoom(window: window, answer: 8_192).resultBytes == bytes)
        }
        #expect(Self.room.tokens == 16_000 && ContextRoom(window: 8_000, answer: 8_192).tokens == 6_000)
    }
}
