@testable import Files
import Harness
@testable import Rehearsal
import Testing
import Vocabulary

/// What a command printed, searched for files of keys: the search for bytes finds what a look at every line finds.
@Suite struct GitOutputTests {
    @Test(
        arguments: [
            ("", false), ("\n", false), ("y\n", false), ("HEAD:.env:TOKEN=1\n", true), ("x\n.env:TOKEN=1\n", true),
            ("HEAD:.env:TOKEN=1", false), ("a:b:.env\n", false), ("a b/.env:1\n", false), ("y\n\n\n+++ b/.env\n", true),
            ("+++ b/.env x\n", false), ("x +++ b/.env\n", false), ("diff --git a/.env b/.env\n", true),
            ("--- a/id_rsa\n+++ /dev/null", true), ("-a\n+b\n:\n::\n\n.env:", true), (":.env:\n", true),
        ])
    func aLineThatNamesAFileOfKeysIsFound(output: String, isFound: Bool) {
        #expect(GitOutput(command: "true", output: output).mayShowKeys(hidden: PrivateFiles()) == isFound)
    }

    @Test(arguments: [(5, false), (6, true)]) func onlyTheBeginningOfALineIsSearched(less: Int, isFound: Bool) {
        let output = String(repeating: "a", count: Limits.gitNoteBytes - less) + ":.env:\n"
        #expect(GitOutput(command: "true", output: output).mayShowKeys(hidden: PrivateFiles()) == isFound)
    }

    /// The bytes that matter stand close together, so that every way through the search is taken.
    @Test func randomOutputIsJudgedAsByALookAtEveryLine() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(seed)
        let scratch = try ScratchFolder()
        let known = ["TOKEN=12", "password:secret", "-SECRET=345678"]
        try ScratchFolder.write((known + ["short"]).joined(separator: "\n"), to: "\(scratch.path)/.env")
        let hidden = PrivateFiles(keys: ["\(scratch.path)/.env"])
        let pieces =
            ["\n", "\n", "\n\n", "y\n", ":", "+", "-", " ", "+++ ", "--- ", "diff --git ", ".env", "b/.env", "é", "\0"]
            + known + ["short", "x", "a long word "]
        var counts = [true: 0, false: 0]
        for number in 0..<7500 {
            let output = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random)!
            }.joined()
            let isFound = GitOutput(command: "true", output: output).mayShowKeys(hidden: hidden)
            #expect(isFound == Self.shows(output, known), "seed \(seed), number \(number): \(output.debugDescription)")
            counts[isFound, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 500 }, "\(counts)")
    }

    /// Returns what a look at every line says. Every name of a file of keys here is `.env` or ends with `/.env`.
    private static func shows(_ output: String, _ known: [String]) -> Bool {
        let bytes = Array(output.utf8)
        let lines = bytes.split(separator: 10)
        let namesKeys = lines.contains { line in
            if ["diff --git ", "+++ ", "--- "].contains(where: { line.starts(with: $0.utf8) }) {
                return isOfKeys(line.split(separator: 32).last ?? [])
            }
            let parts = line.split(separator: 58, maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count > 1 && parts.dropLast().contains(where: isOfKeys)
        }
        return bytes.contains(10) && namesKeys
            || lines.contains { line in
                known.contains { Array($0.utf8)[...] == line || Array($0.utf8)[...] == line.dropFirst() }
            }
    }

    private static func isOfKeys(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && name.allSatisfy { $0 > 32 } && SecretFiles.holds("/" + String(decoding: name, as: UTF8.self))
    }
}
