import CaseNames
@testable import Files
import Foundation
import JSON
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// What programs that end well write on standard error: warnings of the step, its log, and signs of damage.
@Suite(.process) struct WarningTests {
    private static let rules = ErrorRules(
        damage: [.init(texts: ["broken here", "cut short"], says: "{file} is cut.")], harmless: ["as always"])

    /// A tool that runs shell scripts one after the other, and leaves its file.
    private func tool(_ scripts: [String], outputs: [String] = ["out"], rules: ErrorRules = rules) -> ToolManifest {
        var tool = ToolManifest(
            kind: "Probe", title: "Probe", inputs: [Port("file", .file, isOptional: true)],
            outputs: outputs.map { Port($0, .text) },
            action: .program(
                .init(
                    commands: scripts.map { .init(words: ["bash", "-c", $0 + "; echo done > out-out.txt"]) },
                    files: ["out": "out.txt"], timeoutSeconds: 600, memoryBytesLimit: 1 << 30)))
        tool.errors = rules
        return tool
    }

    private func log(_ lab: Lab) -> [UInt8] {
        [UInt8](FileManager.default.contents(atPath: "\(lab.own.data)/runs/w3/2-1.stderr") ?? Data())
    }

    @Test(
        arguments: [
            ("true", nil), ("echo >&2; printf ' \\n\\r\\n' >&2", nil), ("echo 'as always: 7' >&2", nil),
            ("echo hm >&2", "bash warned: hm"), ("printf hm >&2", "bash warned: hm"),
            (
                "echo as always >&2; echo one >&2; echo two >&2; echo two >&2",
                "bash warned: one (and 1 more line in the log)"
            ),
            ("printf '(vips:77): VIPS-WARNING **: 17:12:49.802: odd tag\\n' >&2", "bash warned: odd tag"),
            ("printf 'a 10%%\\ra 20%%\\r' >&2", "bash warned: a 20%"),
            ("printf '\\033[31mred\\033]0;x\\a\\n' >&2", "bash warned: ␛[31mred␛]0;x␇"),
            ("printf 'a\\xff\\xfeb\\n' >&2", "bash warned: a��b"),
            ("head -c 2000 /dev/zero | tr '\\0' x >&2", "bash warned: \(String(repeating: "x", count: 300)) …"),
            (
                "for i in $(seq 200); do printf 'word ' >&2; done",
                "bash warned:" + String(repeating: " word", count: 60) + " …"
            ),
        ] as [(String, String?)])
    func aProgramThatEndsWellMayWarn(script: String, warning: String?) async throws {
        let lab = try Lab()
        let ending = await lab.run(try lab.assignment(tool([script])))
        #expect(ending.assets?.map(\.warning) == [warning], "\(ending)")
        #expect(try ending.assets?.first.map(lab.text) == "done\n")
    }

    @Test func theLogHasWhatAllCommandsWrote() async throws {
        let lab = try Lab()
        let ending = await lab.run(try lab.assignment(tool(["echo first >&2", "echo as always >&2", "echo last >&2"])))
        #expect(ending.assets?.first?.warning == "bash warned: first (and 1 more line in the log)")
        #expect(String(decoding: log(lab), as: UTF8.self) == "first\nas always\nlast\n")
    }

    @Test(arguments: [0, 3]) func damageFailsTheStepAndNamesTheFile(code: Int) async throws {
        for scripts in [
            ["echo 'x: broken here!' >&2; exit \(code)"], ["echo 'cut short' >&2; exit \(code)", "echo next >&2"],
        ] {
            let lab = try Lab()
            let inputs = [("file", try lab.asset("x", .file, name: "a\u{1B}b.dat"))]
            let failure = try #require(await lab.run(try lab.assignment(tool(scripts), [:], inputs)).failure)
            #expect(failure.code == "fileDamaged" && failure.message == "a␛b.dat is cut.", "\(failure)")
            #expect(failure.remedy == "Get the file again from where it came from, or repair it with another program.")
            #expect(!log(lab).isEmpty)
        }
    }

    /// The end of a long standard error is looked at as well as its beginning.
    @Test func damageIsFoundBehindALongBeginning() async throws {
        let lab = try Lab()
        let script = "for i in $(seq 9000); do echo a line of no weight $i; done >&2; echo broken here >&2"
        #expect(await lab.run(try lab.assignment(tool([script]))).failure?.code == "fileDamaged")
        let noisy = await lab.run(
            try lab.assignment(tool(["for i in $(seq 9000); do echo line $i; done >&2"]), attempt: 2))
        #expect(
            noisy.assets?.first?.warning
                == "bash warned: line 1 (and \(Limits.countedWarnings - 1) more lines in the log)")
    }

    @Test(arguments: [["out"], []]) func aFloodOnStandardErrorIsEndedAndLeavesAShortLog(outputs: [String]) async throws
    {
        let lab = try Lab()
        let script = "yes 'a line that comes again and again' | head -c 100000000 >&2"
        let failure = await lab.run(try lab.assignment(tool([script], outputs: outputs))).failure
        #expect(
            failure?.code == "outputLimit" && failure?.message.contains("standard error") == true,
            "\(String(describing: failure))")
        #expect((1...Limits.heededErrorBytes + Limits.errorTailBytes + 1).contains(log(lab).count), "\(log(lab).count)")
    }

    @Test(
        arguments: [
            ("echo hm >&2; echo done > out-out.txt", nil, "bash warned: hm"),
            ("echo broken here >&2; echo done > out-out.txt", "fileDamaged", nil),
            ("echo broken here >&2; exit 4", "fileDamaged", nil), ("echo hm >&2; exit 4", "processFailed", nil),
            ("echo as always >&2; echo done > out-out.txt", nil, nil),
        ] as [(String, String?, String?)])
    func theSameHoldsAfterACrashOfTheEngine(script: String, code: String?, warning: String?) async throws {
        let lab = try Lab()
        let assignment = try lab.assignment(tool([script]), [:], [("file", try lab.asset("x", .file, name: "a.dat"))])
        try FileManager.default.createDirectory(atPath: assignment.runFolder, withIntermediateDirectories: true)
        let first = await lab.run(assignment)
        #expect(first.failure?.code == code && first.assets?.first?.warning == warning, "\(first)")
        try FileManager.default.removeItem(atPath: assignment.runFolder + ".result")
        try FileManager.default.createDirectory(atPath: assignment.runFolder, withIntermediateDirectories: true)
        try "done\n".write(toFile: assignment.runFolder + "/out-out.txt", atomically: true, encoding: .utf8)
        guard case .finished(let ending) = lab.toolbox.adopt(assignment) else {
            Issue.record("not finished: \(lab.toolbox.adopt(assignment))")
            return
        }
        #expect(ending == first)
        #expect(lab.toolbox.adopt(assignment) == .finished(ending))
    }

    @Test func theWordsOfAProgramAtASecretAreNotKept() async throws {
        let lab = try Lab()
        let secret = try lab.asset("x", .file, name: "a.dat")
        try lab.store.markPrivate(secret.hash)
        let scripts = ["echo key=s3cr3t >&2", "echo key=s3cr3t >&2"]
        let ending = await lab.run(try lab.assignment(tool(scripts), [:], [("file", secret)]))
        #expect(
            ending.assets?.first?.warning
                == "A program gave a warning. Its words are not kept, since they may hold keys.")
        #expect(log(lab).isEmpty)
    }

    @Test func aWarningStaysWithItsStep() async throws {
        let lab = try Lab()
        var asset = try lab.asset("x", .file)
        asset.warning = "vips warned: x"
        let passed = await lab.run(try lab.assignment("Pass", [:], [("in", asset)], outputs: [Port("out", .any)]))
        #expect(passed.assets?.count == 1 && passed.assets?.first?.warning == nil)
    }
}
