import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// What a program says while it ends well, as a user and a script see it.
@Suite(.process) struct ToolWarningTests {
    private let lab: ProgramLab

    init() throws {
        lab = try ProgramLab(isInMemory: false)
        #expect(makeFolder("\(lab.home)/config") && makeFolder("\(lab.home)/config/tools"))
        try ScratchFolder.write(
            """
            tool: assent.tool/v1
            kind: Mutter
            title: Mutter
            outputs: {file: file}
            params: {waits: {type: flag, default: false}}
            damage: [{text: broken here, says: "{file} is cut."}]
            harmless: [as always]
            run:
              program:
                - - bash
                  - -c
                  - |
                    printf 'as always\\n\\033[2Jodd\\xff tag\\nanother\\n' >&2
                    while {waits} && ! test -e go; do sleep 0.05; done
                    echo x > out-file.txt
              files: {file: out.txt}
            """, to: "\(lab.home)/config/tools/mutter.yaml")
    }

    private static let words = "bash warned: ␛[2Jodd\u{FFFD} tag (and 1 more line in the log)"

    private func expectWarning(_ changed: JSON?) async throws {
        #expect(
            changed?["reason"]?.string == "warned" && changed?["words"]?.string == Self.words,
            "\(String(describing: changed))")
        let logs = try #require(try await lab.json("logs", "w1", "1").first)
        #expect(logs["lines"] == ["as always", "\u{1B}[2Jodd\u{FFFD} tag", "another"], "\(logs.text)")
        let plain = try await lab.run("logs", "w1", "1").output
        #expect(plain.contains("as always") && plain.contains("another") && !plain.contains("\u{1B}[2J"))
        let card = try await lab.run("show", "w1", "1").output
        #expect(card.contains("bash warned: ") && card.contains("(warned)") && card.contains("┆ another"), "\(card)")
    }

    @Test func aWarningIsTheReasonOfAStepThatSucceeds() async throws {
        try lab.write(workflow("w", [node("n", "Mutter")]), to: ".plan.json")
        let ending = try await lab.run("run", ".plan.json", "--mode", "auto", "--json")
        #expect(ending.exit == 0, "\(ending.output)")
        try await expectWarning(ending.lines(of: "step.changed").first { $0["state"] == "succeeded" })
        let plain = try await lab.run("run", ".plan.json", "--mode", "auto")
        #expect(plain.said.contains("✓ Mutter") && plain.said.contains("(warned)"), "\(plain.said)")
    }

    /// The engine dies while the program runs, and another one takes the program over.
    @Test func aWarningOutlivesItsEngine() async throws {
        try lab.write(workflow("w", [node("n", "Mutter", ["waits": true])]), to: ".plan.json")
        let running = try lab.start(["run", ".plan.json", "--mode", "auto", "--json"])
        let folder = "\(lab.home)/data/runs/w1/1-1"
        #expect(try await eventually { ScratchFolder.text(folder + ".stderr")?.contains("another") == true })
        running.end(with: SIGKILL)
        let worker = try lab.start(["work", "--json"])
        defer { worker.end(with: SIGKILL) }
        try ScratchFolder.write("", to: folder + "/go")
        #expect(try await onOwnThread { worker.wait(forOutput: #""state":"succeeded""#) }, "\(worker.output)")
        let steps = try await lab.shown("w1")["steps"]?.array ?? []
        #expect(steps.first?["state"] == "succeeded" && steps.first?["attempt"] == 1, "\(steps.map(\.text))")
        try await expectWarning(steps.first)
    }

    /// Every picture tool passed a file that was cut: its lower part was gray.
    @Test func aCutPictureIsNamed() async throws {
        try await lab.photograph("big.jpg", width: 800, height: 600)
        let bytes = try #require(lab.bytes("big.jpg"))
        try lab.write(Array(bytes.prefix(bytes.count / 2)), to: "cut.jpg")
        let ending = try await lab.run("ask", "resize cut.jpg to 80 px wide", "--mode", "auto", "--plain")
        #expect(ending.exit == 1, "\(ending.said)")
        #expect(
            ending.said.contains("cut.jpg ends too early: a part of the picture is missing. (fileDamaged)"),
            "\(ending.said)")
        #expect(lab.names() == ["big.jpg", "cut.jpg"])
    }

    @Test func aToolSaysWhatItDrops() async throws {
        let tool = try #require(try await lab.json("tools", "Resize").first)
        #expect(tool["drops"]?.array?.contains("16 bits per color: 8 stay") == true, "\(tool.text)")
        let plain = try await lab.run("tools", "Resize").output.split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        #expect(plain.contains("drops: animation and further pages, with fill: the first stays; "), "\(plain)")
        #expect(try await lab.json("tools", "Mutter").first?["drops"] == nil)
    }
}
