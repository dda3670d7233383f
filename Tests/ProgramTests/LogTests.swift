import Glibc
import Harness
import Storage
import Testing
import Vocabulary

@testable import assent

struct LogTests {
    @Test func aLineIsALineAndTheFileStaysSmall() throws {
        let scratch = try ScratchFolder()
        let log = Log(folder: scratch.path)
        log.warn("a\nb\u{1B}[31mc\u{0}" + String(repeating: "x", count: 5000))
        log.warn("purge", Failure("fileFailed", "It failed.", remedy: "Mend it."))
        let lines = try #require(ScratchFolder.text("\(scratch.path)/log")).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].utf8.count == Limits.logLineBytes && lines[0].contains(" warning ab[31mcxxx"))
        #expect(lines[1].hasSuffix(" warning purge: fileFailed: It failed."))
        for _ in 0..<3000 { log.warn(String(repeating: "y", count: 900)) }
        #expect(log.files.count == 2)
        for name in ["log", "log.1"] {
            #expect(try #require(ScratchFolder.bytes("\(scratch.path)/\(name)")).count <= Limits.logBytes + Limits.logLineBytes + 1)
        }
        #expect(ScratchFolder.names(in: scratch.path) == ["log", "log.1"])
    }

    /// A crash while a workflow is taken up names it; one of another thread, or at another time, names none.
    @Test(arguments: [7, 0] as [Int64]) func aCrashNamesTheWorkflowThatWasTakenUp(number: Int64) async throws {
        let scratch = try ScratchFolder()
        let path = scratch.path
        await #expect(processExitsWith: .signal(SIGILL)) { [path = path as String, number = number as Int64] in
            Crashes.note(in: path)
            Crashes.take(up: WorkflowID(7))
            if number == 0 { Crashes.take(up: nil) }
            raise(SIGILL)
        }
        let note = CrashNote(folder: path)
        #expect(note.isThere && (note.workflow?.id.number ?? 0) == number)
    }

    @Test(arguments: [
        ("api_key", true), ("API-Key", true), ("Authorization", true), ("x-auth-token", true), ("password", true), ("clientSecret", true),
        ("Cookie", true), ("max_tokens", false), ("key", false), ("title", false), ("author", false), ("prompt", false),
    ])
    func namesOfSecretsAreKnown(name: String, isSecret: Bool) { #expect(Withholding.isSecret(name) == isSecret) }

    @Test func whatHasNoSecretStaysAsItIs() {
        let plain = #"{"a" : [1.50, {"b":"c"}], "token":{"secret":"sha256:1"}}"#
        #expect(Withholding.applied(toText: plain) == plain, "the fingerprint of a secret is none")
        #expect(Withholding.applied(toText: "no json") == "no json")
        #expect(Withholding.applied(toText: #"{"secret":"hush"}"#) == #"{"secret":"(withheld)"}"#)
        let hidden = Withholding.applied(toText: #"{"a":[{"Authorization":"Bearer x"}],"n":1}"#)
        #expect(hidden == #"{"a":[{"Authorization":"(withheld)"}],"n":1}"# && Withholding.applied(toText: hidden) == hidden)
    }
}
