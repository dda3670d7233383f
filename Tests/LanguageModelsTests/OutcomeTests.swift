import CaseNames
import Foundation
import Harness
import JSON
@testable import LanguageModels
import Testing
import Vocabulary

/// Every recording of a real server, in its dialect: what is heard of it, and that none of its prefixes runs anything
/// early.
@Suite(.timeLimit(.minutes(10))) struct OutcomeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let expected: [String]
        var testDescription: String { name }

        var dialect: ModelProfile.Dialect {
            name.contains("-anthropic-") || name.contains("-messages")
                ? .messages : name.contains("-responses-") ? .responses : .chatCompletions
        }

        var profile: ModelProfile {
            var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
            profile.dialect = dialect
            return profile
        }
    }

    static let rows: [Row] = {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let text = (try? String(contentsOfFile: "/\(folder)/Fixtures/outcomes.tsv", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Row(name: fields[0], expected: Array(fields.dropFirst()))
        }
    }()

    @Test func eachRecordingHasARow() throws {
        #expect(try Set(fixtureNames()) == Set(Self.rows.map(\.name)))
    }

    @Test(arguments: rows) func aRecordingIsHeardAsItWasMeant(row: Row) throws {
        let recording = try fixture(row.name)
        guard recording.status == 200 else {
            let failure = ServerError(body: recording.body).failure(row.profile, status: recording.status)
            #expect(["threw \(failure.code)"] == row.expected)
            return
        }
        var reader = ReplyReader(row.profile)
        var parts = reader.feed(recording.body)
        let (rest, reply) = reader.end(.clean)
        parts += rest
        let streamed = parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
        let usage =
            reply.usage.map { "\($0.promptTokens)/\($0.cachedTokens)/\($0.completionTokens)/\($0.reasoningTokens)" }
            ?? "-"
        #expect(streamed == reply.text)
        #expect(
            row.expected == [
                reply.verdictInShort, "\(reply.calls.map(\.inShort))",
                reply.text.prefix(60).debugDescription,
                "R\(reply.reasoning.count)", usage, "O\(reply.opaque?.parts.members.map(\.key) ?? [])",
            ])
    }

    @Test(arguments: rows) func noPrefixOfItRunsAnythingEarly(row: Row) throws {
        let recording = try fixture(row.name)
        var reader = ReplyReader(row.profile)
        for (place, byte) in recording.body.enumerated() {
            // The reader is a value: ending a copy leaves it reading.
            var cut = reader
            let reply = cut.end(.clean).reply
            guard reply.calls.isEmpty || reply.verdict == .complete else {
                Issue.record("cut at \(place)")
                return
            }
            var broken = reader
            guard broken.end(.broken(words: "Reset.")).reply.calls.isEmpty else {
                Issue.record("broken at \(place)")
                return
            }
            _ = reader.feed([byte])
        }
    }
}
