import CaseNames
import Consent
import Embedded
@testable import Files
import Harness
import JSON
import Manifests
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// A working week, call by call: what is harmless passes, what is not is asked about.
@Suite(.process, .enabled(if: Isolation.here.reasonForNone == nil)) struct EverydayTests {
    /// What became of a call.
    private enum Outcome: Sendable, Equatable {
        case passed
        /// With the reasons, or the words with which it was refused.
        case held(String)
        /// It passed, and could not be done: such a call shows nothing.
        case failed(String)

        var isUnasked: Bool { if case .held = self { false } else { true } }

        var words: String {
            switch self {
            case .passed: "passed"
            case .held(let words), .failed(let words): words
            }
        }
    }

    @Test func whatIsHarmlessPassesAndNothingElse() async throws {
        async let repo = Self.outcomes(of: "repo")
        async let photos = Self.outcomes(of: "photos")
        async let data = Self.outcomes(of: "data")
        let all = try await repo + photos + data
        let shell = all.filter { $0.0.tool == "Shell" }
        #expect(all.count >= 300 && shell.count >= 120)
        var table: [String: (harmless: Int, asked: Int, other: Int, unsafe: Int)] = [:]
        for (entry, outcome) in all {
            var row = table[entry.kind] ?? (0, 0, 0, 0)
            if entry.isHarmless {
                row.harmless += 1
                row.asked += outcome.isUnasked ? 0 : 1
                if !outcome.isUnasked {
                    print("asks, though harmless: \(entry.place) | \(entry.text) – \(outcome.words)")
                }
            } else {
                row.other += 1
                row.unsafe += outcome.isUnasked ? 1 : 0
                #expect(!outcome.isUnasked, "\(entry.place) | \(entry.text) – \(outcome.words)")
            }
            if case .failed(let words) = outcome { Issue.record("\(entry.place) | \(entry.text) – \(words)") }
            table[entry.kind] = row
        }
        for (kind, row) in table.sorted(by: { $0.key < $1.key }) {
            print(
                "\(kind): \(row.harmless) harmless, \(row.asked) of them asked; \(row.other) others, \(row.unsafe) of them unasked"
            )
        }
        let harmless = table.values.reduce(0) { $0 + $1.harmless }
        let asked = table.values.reduce(0) { $0 + $1.asked }
        print("all: \(asked) of \(harmless) harmless calls asked")
        #expect(asked * 20 <= harmless)
    }

    private static func outcomes(of place: String) async throws -> [(WorkingWeek.Entry, Outcome)] {
        let lab = try Lab()
        try Lab.program(["sh", "-c", try WorkingWeek.script(of: place)], in: lab.workspace)
        let policy = try builtInPolicy()
        var outcomes: [(WorkingWeek.Entry, Outcome)] = []
        for (index, entry) in try WorkingWeek.entries(of: place).enumerated() {
            var inputs: [(String, Asset)] = []
            if let input = entry.input {
                let bytes = try #require(ScratchFolder.bytes(lab.path(input.file)), "\(entry.text)")
                inputs = [
                    (input.port, try lab.asset(bytes, input.file.hasSuffix(".jpg") ? .image : .text, name: input.file))
                ]
            }
            let assignment = try lab.assignment(entry.tool, entry.params, inputs, attempt: index + 1)
            outcomes.append((entry, await onThread { outcome(of: entry, assignment, lab, policy) }))
        }
        return outcomes
    }

    private static func outcome(of entry: WorkingWeek.Entry, _ assignment: Assignment, _ lab: Lab, _ policy: Policy)
        -> Outcome
    {
        let toolbox = lab.toolbox
        let surroundings = Surroundings(
            workspace: lab.workspace, ownFolders: [lab.own.config, lab.own.data, lab.own.cache])
        func decided(_ call: Call) -> Decision {
            policy.decide(call, mode: .adaptive, in: surroundings, at: Moment(milliseconds: 0))
        }
        do throws(Failure) {
            var call = try toolbox.prepare(assignment)
            if call.rehearsal == .wanted {
                guard case .allow = decided(call) else { return .held("the rehearsal asks") }
                call = try toolbox.rehearse(assignment, cancel: Cancellation())
            }
            let decision = decided(call)
            var isAllowed = entry.isAgreedTo
            if case .allow = decision { isAllowed = true }
            // What only works on contents changes nothing, and is tested elsewhere.
            if isAllowed, !call.targets.isEmpty || call.rehearsal != nil {
                let ending = toolbox.run(assignment, call: call, cancel: Cancellation())
                if let failure = ending.failure { return .failed("\(failure)") }
            }
            return decision.name == "allow" ? .passed : .held(decision.because.joined(separator: "; "))
        } catch {
            return .held("\(error)")
        }
    }

    static func builtInPolicy() throws -> Policy {
        let text = PlacedJSON(try #require(Embedded.text(at: "Config/policy.yaml")))
        return Policy.read(
            json: try readYAML(text, file: "Config/policy.yaml"), source: "built-in policy", origin: .builtIn
        ).policy
    }
}
