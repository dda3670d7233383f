import ArgumentParser
import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

@testable import Console

/// The last line of `--json`: `end` with the exit code for each call that begins or changes something, and a row for
/// each call that only looks.
@Suite(.process) struct EndLineTests {
    /// The calls that do less with `--json` than without: nobody is asked.
    private static let lookWithJSON = [
        "work --unit", "model", "open 3", "open assent://workflow/w3/node/2?await=3", "doctor", "doctor --thorough",
    ]

    /// A chat reads lines until its input ends, and this worker never ends by itself.
    private static func isEndless(_ verb: any Verb, _ line: String) -> Bool {
        verb is Chat || verb is Resume || Root.opened(verb) is Chat || line == "work"
    }

    @Test func everyCallThatBeginsOrChangesSomethingPrintsItsEnd() async throws {
        let lab = try VerbLab()
        for (role, line) in roles.flatMap({ role, lines in lines.map { (role, $0) } }) {
            let verb = try #require(Root.verb(calledBy: line), "\(line)")
            guard !Self.isEndless(verb, line) else { continue }
            let ending = try await lab.run(Words.split(line) + ["--json"])
            let ends = ending.lines(of: "end")
            guard role != .looks, !Self.lookWithJSON.contains(line) else {
                #expect(ends.isEmpty, "\(line): \(ending.output)")
                continue
            }
            #expect(ends.count == 1 && ending.types.last == "end", "\(line): \(ending.output)\(ending.errors)")
            #expect(ends.last?["exit"]?.int == Int(ending.exit), "\(line): \(ending.exit) \(ending.output)")
        }
    }

    /// The first example of a command says whether it begins or changes something.
    @Test(arguments: [
        (["retry", "w1", "2", "3"], true), (["approve", "x"], true), (["run"], true),
        (["work", "--until", "idle"], true),
        (["show", "seven"], false), (["list", "--limit", "many"], false), (["frobnicate"], false),
    ])
    func argumentsThatAreNotUnderstoodEndLikeTheirCommand(arguments: [String], hasEnd: Bool) async throws {
        let ending = try await VerbLab().run(arguments + ["--json"])
        #expect(ending.exit == 2 && ending.types == (hasEnd ? ["error", "end"] : ["error"]), "\(ending.output)")
    }
}
