import CaseNames
import Consent
@testable import Files
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// Attacks by commands that know how repositories are read, and harmless commands like them, labelled before they were
/// run (`Fixtures/git-attacks.jsonl`).
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct GitAttackTests {
    private struct Case {
        var id: String
        var setup: String
        var command: String
        var asks: Bool
    }

    private static func cases() throws -> [Case] {
        let path = "\(#filePath.dropLast("GitAttackTests.swift".count))Fixtures/git-attacks.jsonl"
        return try #require(ScratchFolder.bytes(path)).split(separator: UInt8(ascii: "\n")).map { line in
            let json = try JSONReader.read(Array(line))
            return Case(
                id: try #require(json["id"]?.string), setup: try #require(json["setup"]?.string),
                command: try #require(json["command"]?.string), asks: json["asks"] == true)
        }
    }

    private static let identity = """
        export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
        export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

        """

    /// In auto mode, where a plain commit is not asked about.
    @Test func whatGitWouldObeyIsAskedAndNothingElse() async throws {
        let cases = try Self.cases()
        #expect(cases.count { $0.asks } >= 50 && cases.count { !$0.asks } >= 5)
        for each in cases {
            let lab = try Lab(isInMemory: Rehearsals.isInMemory)
            try Lab.program(["sh", "-ec", Self.identity + each.setup], in: lab.workspace)
            let assignment = try lab.assignment("Shell", ["command": .string(each.command)])
            let toolbox = lab.toolbox
            let answer = await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }
            // A command that is refused changes nothing.
            guard case .success(let call) = answer else {
                #expect(each.asks, "\(each.id): \(answer)")
                continue
            }
            let around = Surroundings(
                workspace: lab.workspace, ownFolders: [lab.own.config, lab.own.data, lab.own.cache])
            let decision = try EverydayTests.builtInPolicy().decide(
                call, mode: .auto, in: around, at: Moment(milliseconds: 0))
            #expect((decision.name == "ask") == each.asks, "\(each.id): \(Consent.title(of: call))")
        }
    }
}
