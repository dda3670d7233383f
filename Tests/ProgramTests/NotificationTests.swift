import CaseNames
import Glibc
import Harness
import JSON
import Testing
import Vocabulary

/// Notifications of the program itself: the bytes on terminals of many kinds, `notify-send`, the user's own program,
/// and two chats on one database.
@Suite(.process) struct NotificationTests {
    private static let sentence = "write \"hello\" to \"x;--help.txt\"\r"
    private static let text = "Assent: w1 needs you: x;--help.txt: write"

    private func lab(_ settings: String, when: String = "always") throws -> ProgramLab {
        let lab = try ProgramLab()
        try ScratchFolder.makeFolder("\(lab.home)/config")
        try lab.write("notify:\n  when: \(when)\n\(settings)", to: "\(lab.home)/config/settings.yaml")
        return lab
    }

    /// A chat in which a question stands.
    private func asking(_ lab: ProgramLab, _ environment: [String: String] = [:], _ arguments: [String] = [])
        async throws -> Pty
    {
        let pty = try lab.terminal(["--mode", "always-ask"] + arguments, environment: environment)
        #expect(await pty.see("›"), "\(pty.screen.text)")
        pty.send(Self.sentence)
        #expect(await pty.seeQuestion("always-ask"), "\(pty.screen.text)")
        return pty
    }

    @Test(
        arguments: [
            (["TERM": "xterm-kitty"], "\u{1B}]99;e=1;QXNzZW50OiB3MSBuZWVkcyB5b3U6IHg7LS1oZWxwLnR4dDogd3JpdGU=\u{1B}\\"),
            (["TERM_PROGRAM": "iTerm.app"], "\u{1B}]9;Assent: w1 needs you: x,--help.txt: write\u{1B}\\"),
            (["TERM_PROGRAM": "WezTerm"], "\u{1B}]9;Assent: w1 needs you: x,--help.txt: write\u{1B}\\"),
            (["TERM": "foot"], "\u{1B}]777;notify;Assent;Assent: w1 needs you: x,--help.txt: write\u{1B}\\"),
            (
                ["TMUX": "/none"],
                "\u{1B}Ptmux;\u{1B}\u{1B}]9;Assent: w1 needs you: x,--help.txt: write\u{1B}\u{1B}\\\u{1B}\\\u{07}"
            ),
            ([:], "\u{07}"), (["SSH_TTY": "/dev/pts/0", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"], "\u{07}"),
        ] as [([String: String], String)])
    func aQuestionIsToldOnceInTheWayOfTheTerminal(environment: [String: String], bytes: String) async throws {
        let pty = try await asking(try lab(""), environment)
        let isTold = try await eventually { pty.output.contains(bytes) }
        #expect(isTold, "\(pty.output.debugDescription)")
        pty.send("y\r")
        #expect(await pty.see("▢ file"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
        #expect(pty.output.ranges(of: bytes).count == 1 && !pty.screen.modes.contains(1004))
    }

    /// With `--plain`, no sequence goes out. The bell, the desktop and the user's program stay.
    @Test func aPlainTerminalHasTheBellAndTheProgram() async throws {
        let lab = try lab("  command: [sh, -c, \"cat > told.json; echo noise; exit 3\"]\n")
        let pty = try await asking(lab, ["TERM": "xterm-kitty"], ["--plain"])
        let json =
            #"{"text":"\#(Self.text)","notices":[{"workflow":"w1","state":"needs-you","entry":1,"title":"x;--help.txt: write"}]}"#
        let isTold = try await eventually { pty.output.contains("\u{07}") && lab.text("told.json") == json + "\n" }
        #expect(isTold, "\(pty.output.debugDescription) \(lab.text("told.json") ?? "")")
        #expect(!pty.output.contains("\u{1B}") && !pty.output.contains("noise"))
    }

    @Test func neverEndsAll() async throws {
        let lab = try lab("  command: [touch, told]\n", when: "never")
        let pty = try await asking(lab, ["TERM": "xterm-kitty"])
        pty.send("y\r")
        #expect(await pty.see("▢ file"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
        let output = pty.output.replacing("\u{1B}[?1004l", with: "")
        #expect(!["]99;", "]7501;", "1004", "\u{07}"].contains(where: output.contains), "\(output.debugDescription)")
        #expect(lab.text("told") == nil)
    }

    /// The text stands behind `--`, so that no title is an option. Without the program, the bell rings.
    @Test func theDesktopHasTheTextAsOneWord() async throws {
        let lab = try lab("")
        let programs = "\(lab.folder)/programs"
        try ScratchFolder.makeFolder(programs)
        try lab.write("#!/bin/sh\nprintf '%s\\n' \"$@\" > \"\(lab.folder)/told\"\n", to: "programs/notify-send")
        chmod("\(programs)/notify-send", 0o755)
        let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"]
        let pty = try await asking(lab, bus.merging(["PATH": "\(programs):/usr/bin:/bin"]) { $1 })
        let isTold = try await eventually { lab.text("told") == "--app-name=Assent\n--\n\(Self.text)\n" }
        #expect(isTold && !pty.output.contains("\u{07}"), "\(lab.text("told") ?? "")")
        let other = try self.lab("  by: desktop\n")
        let bare = try await asking(other, bus.merging(["PATH": "\(other.folder)/none"]) { $1 })
        let rang = try await eventually { bare.output.contains("\u{07}") }
        #expect(rang)
    }

    @Test func ofTwoChatsOneTells() async throws {
        let lab = try lab("  command: [sh, -c, \"cat >> told\"]\n")
        let other = try lab.terminal(["--mode", "always-ask"])
        #expect(await other.see("›"))
        let pty = try await asking(lab)
        // The other chat shows the entry as news.
        #expect(await other.see("[1⚑]"), "\(other.screen.text)")
        let isTold = try await eventually { pty.output.contains("\u{07}") || other.output.contains("\u{07}") }
        #expect(isTold)
        let isHeard = try await eventually { lab.text("told")?.contains("w1 needs you") ?? false }
        #expect(isHeard)
        pty.send("y\r")
        #expect(await pty.see("▢ file"), "\(pty.screen.text)")
        pty.send("\u{4}")
        other.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
        #expect(await other.exitStatus() == 0)
        #expect((pty.output + other.output).ranges(of: "\u{07}").count == 1)
        #expect(lab.text("told")?.ranges(of: "w1 needs you").count == 1)
    }

    @Test func workTellsAtItsEndWithoutATerminal() async throws {
        let lab = try lab("  command: [sh, -c, \"cat >> told\"]\n")
        try lab.write("mine", to: "notes.txt")
        let write = node("write", "WriteFile", ["path": "notes.txt", "text": "theirs", "overwrite": true])
        try lab.write(workflow("notes", [write]), to: "plan.json")
        _ = try await lab.run("run", "plan.json", "--detach", "--on-ask", "park")
        let ending = try await lab.run("work", "--until-idle")
        let isTold = try await eventually { lab.text("told")?.contains("needs-you") ?? false }
        #expect(isTold && !ending.output.contains("\u{07}"), "\(ending.output) \(lab.text("told") ?? "")")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func aSignalEndsTheReportsOfTheFocus(signal: Int32) async throws {
        let pty = try lab("").terminal(environment: ["TERM": "xterm-kitty"])
        #expect(await pty.see { $0.text.contains("›") && $0.modes.contains(1004) })
        kill(try #require(pty.process), signal)
        _ = await pty.exitStatus()
        #expect(!pty.screen.modes.contains(1004), "\(pty.output.debugDescription)")
    }

    /// The answer to the query makes the status visible, whatever the focus.
    @Test func theStatusFollowsAWorkflow() async throws {
        let lab = try lab("")
        let pty = try lab.terminal(["--mode", "always-ask"])
        let isAsked = try await eventually { pty.output.contains("\u{1B}]7501;?\u{1B}\\") }
        #expect(isAsked)
        pty.send("\u{1B}]7501;?\u{1B}\\")
        #expect(await pty.see("›"), "\(pty.screen.text)")
        pty.send(Self.sentence)
        #expect(await pty.seeQuestion("always-ask"), "\(pty.screen.text)")
        // On a busy machine, the answer may come too late, and no status is shown then.
        guard pty.output.contains("state=") else {
            print("SKIPPED theStatusFollowsAWorkflow: the terminal's answer was read too late")
            return
        }
        let isBlocked = try await eventually {
            pty.output.contains(
                "\u{1B}]7501;state=blocked:kind=permission:app=assent:id=w1.1:msg=eDstLWhlbHAudHh0OiB3cml0ZQ==\u{1B}\\")
        }
        #expect(isBlocked, "\(pty.output.debugDescription)")
        pty.send("y\r")
        let isOver = try await eventually { pty.output.contains("state=clear:id=w1.1") }
        #expect(isOver)
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }
}
