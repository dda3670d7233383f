import CaseNames
import Glibc
import Harness
import Storage
import Testing
import Vocabulary

@testable import Services

struct LogTests {
    @Test func aLineIsALineAndTheFileStaysSmall() throws {
        let scratch = try ScratchFolder()
        let log = Log(folder: scratch.path) { Moment(milliseconds: 0) }
        log.warn("a\nb\u{1B}[31mc\u{0}" + String(repeating: "x", count: 5000))
        log.warn("purge", Failure("fileFailed", "It failed.", remedy: "Mend it."))
        let lines = try #require(ScratchFolder.text("\(scratch.path)/log")).split(separator: "\n")
        #expect(
            lines.count == 2 && lines[0].utf8.count == Limits.logLineBytes && lines[0].contains(" warning ab[31mcxxx"))
        #expect(lines[1].hasSuffix(" warning purge: fileFailed: It failed."))
        for _ in 0..<3000 { log.warn(String(repeating: "y", count: 900)) }
        #expect(log.files.count == 2)
        for name in ["log", "log.1"] {
            #expect(
                try #require(ScratchFolder.bytes("\(scratch.path)/\(name)")).count <= Limits.logBytes
                    + Limits.logLineBytes + 1)
        }
        #expect(ScratchFolder.names(in: scratch.path) == ["log", "log.1"])
    }

    /// A crash while a workflow is taken up names it, and one at work on a step names that; one at another time names
    /// none.
    @Test(.process, arguments: [[7, 0], [7, 3], [0, 0]] as [[Int64]]) func aCrashNamesWhatItsThreadWorkedOn(
        numbers: [Int64]
    ) async throws {
        let scratch = try ScratchFolder()
        let path = scratch.path
        let (number, step) = (numbers[0], numbers[1])
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = path as String, number = number as Int64, step = step as Int64] in
            Crashes.note(in: path)
            Crashes.take(up: WorkflowID(7))
            if number == 0 { Crashes.take(up: nil) }
            if step == 0 { raise(SIGSEGV) }
            Crashes.take(up: nil)
            // The thread of a worker.
            inBackground {
                Crashes.work(on: StepID(WorkflowID(7), Int(step)))
                raise(SIGSEGV)
            }
            while true { pause() }
        }
        let work = CrashNote(folder: path).work
        #expect(CrashNote(folder: path).isThere)
        #expect(work?.workflow == (number == 0 ? nil : WorkflowID(7)) && work?.step == (step == 0 ? nil : Int(step)))
    }

    /// What another thread works on is no fault of whoever crashes.
    @Test(.process) func aCrashOfAnotherThreadNamesNothing() async throws {
        let scratch = try ScratchFolder()
        let path = scratch.path
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
            Crashes.note(in: path)
            Crashes.work(on: StepID(WorkflowID(7), 3))
            inBackground { raise(SIGSEGV) }
            while true { pause() }
        }
        #expect(CrashNote(folder: path).isThere && CrashNote(folder: path).work == nil)
    }

    @Test(arguments: [
        ("api_key", true), ("API-Key", true), ("Authorization", true), ("x-auth-token", true), ("password", true),
        ("clientSecret", true),
        ("Cookie", true), ("max_tokens", false), ("key", false), ("title", false), ("author", false), ("prompt", false),
    ])
    func namesOfSecretsAreKnown(name: String, isSecret: Bool) { #expect(Withholding.isSecret(name) == isSecret) }

    @Test func whatHasNoSecretStaysAsItIs() {
        let plain = #"{"a" : [1.50, {"b":"c"}], "token":{"secret":"sha256:1"}}"#
        #expect(Withholding.applied(toText: plain) == plain, "the fingerprint of a secret is none")
        #expect(Withholding.applied(toText: "no json") == "no json")
        #expect(Withholding.applied(toText: #"{"secret":"hush"}"#) == #"{"secret":"(withheld)"}"#)
        let hidden = Withholding.applied(toText: #"{"a":[{"Authorization":"Bearer x"}],"n":1}"#)
        #expect(
            hidden == #"{"a":[{"Authorization":"(withheld)"}],"n":1}"# && Withholding.applied(toText: hidden) == hidden)
    }
}
