import CaseNames
import Glibc
import Harness
import JSON
import Synchronization
import Testing

/// kill -9 at the boundaries of a task of several rounds, with servers that refuse what the real ones refuse; then the
/// conversation goes on.
@Suite(.process) struct KilledTurnTests {
    /// Where the program is killed.
    enum Moment: Sendable, CustomTestStringConvertible {
        /// When it has said this of itself.
        case said(String)
        /// When so many events of the answer to a request are out.
        case streaming(request: Int, events: Int)
        /// While so many calls have run, and one more runs.
        case calling(Int)

        var testDescription: String {
            switch self {
            case .said(let type): "said \(type)"
            case .streaming(let request, let events): "request \(request) event \(events)"
            case .calling(let number): "call \(number)"
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let kind: StrictModel.Kind
        let moment: Moment
        var testDescription: String { "\(kind.rawValue) \(moment.testDescription)" }
    }

    /// Two calls at once, then one, then words.
    static let rounds = 2
    static let seed = getenv("ASSENT_KILL_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_123

    /// All of the moments that are no stream; of each stream its beginning, its first event, its last but one, and one
    /// between.
    static let cases: [Case] = {
        print("kill -9 in a turn: ASSENT_KILL_SEED=\(seed)")
        var random = Seeded(seed)
        return StrictModel.Kind.allCases.flatMap { kind in
            let sizes = (0...rounds).map { events(of: kind, round: $0) }
            let streams = sizes.enumerated().flatMap { request, size in
                Set([0, 1, Int.random(in: 1..<size, using: &random), size - 1]).sorted()
                    .map { Moment.streaming(request: request, events: $0) }
            }
            // A third of them: the first and the last event of each kind of reply are met by one server or another.
            let sampled = streams.shuffled(using: &random).prefix(4)
            let others: [Moment] = [
                .said("session.started"), .said("call.pending"), .calling(0), .calling(1), .calling(2),
            ]
            return (sampled + others).map { Case(kind: kind, moment: $0) }
        }
    }()

    /// How many events an answer has: the words of the last round have fewer.
    private static func events(of kind: StrictModel.Kind, round: Int) -> Int {
        switch (kind, round) {
        case (.anthropic, rounds): 6
        case (.openAI, rounds): 5
        case (_, rounds): 3
        case (.anthropic, let round): (round == 0 ? 16 : 12)
        case (.openAI, let round): (round == 0 ? 14 : 9)
        case (.deepSeek, let round), (.openRouter, let round): (round == 0 ? 10 : 8)
        case (.gemini, let round), (.mistral, let round): (round == 0 ? 7 : 5)
        }
    }

    /// The model's server and the one that its calls go to, which cannot be asked twice: a POST.
    private final class Peers: Sendable {
        private struct State {
            var moment: Moment?
            var requests = 0
            var calls: [String] = []
            var refusals: [String] = []
        }

        private let state: Mutex<State>
        let reached = ScriptGate()

        init(_ moment: Moment) { state = Mutex(State(moment: moment)) }

        var calls: [String] { state.withLock { $0.calls } }
        var refusals: [String] { state.withLock { $0.refusals } }
        func release() { state.withLock { $0.moment = nil } }

        func answer(_ request: ScriptRequest, _ model: StrictModel) -> ScriptAnswer {
            if request.path.hasPrefix("/ran/") { return called(String(request.path.dropFirst(5))) }
            let answer = model.answer(request)
            return state.withLock { state in
                if answer.status != 200 { state.refusals.append("\(answer.steps)") }
                defer { state.requests += 1 }
                guard case .streaming(let number, let events) = state.moment, number == state.requests else {
                    return answer
                }
                return answer.held(after: events, reached)
            }
        }

        private func called(_ id: String) -> ScriptAnswer {
            state.withLock { state in
                defer { state.calls.append(id) }
                guard case .calling(let number) = state.moment, number == state.calls.count else {
                    return .text("done")
                }
                return ScriptAnswer(framing: .raw, steps: [.reached(reached), .hang])
            }
        }
    }

    private static func profile(_ kind: StrictModel.Kind) -> (name: String, path: String, key: String) {
        switch kind {
        case .deepSeek: ("deepseek", "", "DEEPSEEK_API_KEY")
        case .openRouter: ("openrouter", "/api/v1", "OPENROUTER_API_KEY")
        case .openAI: ("openai", "/v1", "OPENAI_API_KEY")
        case .gemini: ("gemini", "/v1beta/openai", "GEMINI_API_KEY")
        case .anthropic: ("anthropic", "/v1", "ANTHROPIC_API_KEY")
        case .mistral: ("mistral", "/v1", "MISTRAL_API_KEY")
        }
    }

    @Test(arguments: cases) func theConversationGoesOn(_ tested: Case) async throws {
        let (kind, peers) = (tested.kind, Peers(tested.moment))
        let url = Mutex("")
        let server = try ScriptedServer { request in
            let place = url.withLock { $0 }
            return peers.answer(
                request,
                StrictModel(kind, rounds: Self.rounds) { id in
                    (
                        "call_tool",
                        ["kind": "HTTPFetch", "params": ["url": .string("\(place)/ran/\(id)"), "method": "POST"]]
                    )
                })
        }
        url.withLock { $0 = server.url }
        let profile = Self.profile(kind)
        let lab = try ProgramLab(environment: [
            profile.key: "key", "ASSENT_MODEL_PROFILE": profile.name, "ASSENT_MODEL": "m",
        ])
        #expect(makeFolder("\(lab.home)/config"))
        try ScratchFolder.write(
            "models: assent.models/v1\nprofiles:\n  \(profile.name): {url: \"\(server.url)\(profile.path)\"}\n",
            to: "\(lab.home)/config/models.yaml")

        let running = try lab.start(["ask", "look", "--mode", "auto", "--json"])
        switch tested.moment {
        case .said(let type):
            #expect(
                try await onOwnThread { running.wait(forOutput: "\"type\":\"\(type)\"") },
                "\(running.output)\(running.errors)")
        case .streaming, .calling:
            #expect(try await eventually { peers.reached.isOpen || running.hasEnded })
            try #require(peers.reached.isOpen, "\(running.output)\(running.errors)")
        }
        let killed = try await onOwnThread { running.end(with: SIGKILL) }
        // What it said may have been its last step: on a busy machine it can end before the kill, and must go on all
        // the same.
        if case .said = tested.moment {} else { #expect(killed.wasKilled) }
        peers.release()
        let before = server.requests.count

        let ending = try await lab.run("ask", "-c", "go on", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(
            ending.lines(of: "message.completed").last?["text"]?.string == "Done after 2 rounds.", "\(ending.output)")
        #expect(peers.refusals.isEmpty, "\(peers.refusals)")
        #expect(Set(peers.calls).count == peers.calls.count, "a call ran twice: \(peers.calls)")
        let told = server.requests[before...].filter { !$0.path.contains("/ran/") }
        // What became of a call is known, and told.
        #expect(
            !told.isEmpty && told.allSatisfy { !$0.text.contains("The program ended before this call was answered") })
        if case .calling = tested.moment {
            let words = told.first?.text ?? ""
            #expect(words.contains("Assent was ended") || words.contains("processLost"), "\(words.suffix(2000))")
        }
        #expect(try await lab.json("inbox").isEmpty)
        #expect(
            try await lab.json("list", "--all").allSatisfy {
                ["succeeded", "failed"].contains($0["state"]?.string ?? "")
            })
    }
}
