import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The question about the user's own programs, and the verb for the answers.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct UserProgramTests {
    private let lab: ProgramLab
    private let person: String

    init() throws {
        lab = try ProgramLab()
        person = lab.environment["HOME"] ?? ""
        for (folder, name) in [(".cargo/bin", "crate"), (".pyenv/shims", "date")] {
            #expect(makeFolder("\(person)/\(folder)"))
            try ScratchFolder.write("#!/bin/sh\necho \(name) of mine\n", to: "\(person)/\(folder)/\(name)")
            chmod("\(person)/\(folder)/\(name)", 0o755)
        }
    }

    private func makeFolder(_ path: String) -> Bool {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            mkdir(made, 0o700)
        }
        return access(path, F_OK) == 0
    }

    private var path: [String: String] {
        ["PATH": "\(person)/.pyenv/shims:\(person)/.cargo/bin:/usr/local/bin:/usr/bin:/bin"]
    }

    private func ask(_ words: String, _ more: String...) async throws -> ProgramEnding {
        try await lab.run(["ask", "run \(words)"] + more, environment: path)
    }

    @Test func headlessACommandRunsWithoutAndSaysSo() async throws {
        let missing = try await ask("crate", "--json")
        #expect(missing.exit == 4, "\(missing.output)")
        #expect(missing.output.contains("programNotAllowed"), "\(missing.output)")
        #expect(missing.output.contains("crate is in ~/.cargo/bin: not allowed"), "\(missing.output)")
        let other = try await ask("date +%Y", "--json")
        #expect(other.exit == 0, "\(other.output)")
        #expect(
            other.output.contains("date is the system's; yours is in ~/.pyenv/shims: not allowed"), "\(other.output)")
        // Nothing was answered for the person.
        #expect(!ScratchFolder.names(in: "\(lab.home)/config").contains("programs.json"))
    }

    @Test func anAllowedProgramRunsUntilItIsRevoked() async throws {
        #expect(try await lab.run(["programs", "allow", "~/.cargo/bin"], environment: path).exit == 0)
        // This process has another search path.
        let ran = try await lab.run("ask", "run crate")
        #expect(ran.exit == 0 && ran.output.contains("crate of mine"), "\(ran.output)\(ran.errors)")
        let listed = try await lab.run(["programs", "--json"], environment: path).lines
        #expect(listed.map { $0["allowed"] } == [true, .null], "\(listed)")
        #expect(listed.map { $0["layout"]?.string } == ["rustup", "pyenv"], "\(listed)")
        #expect(try await lab.run("programs", "revoke", "~/.cargo").exit == 0)
        #expect(try await ask("crate").exit == 4)
        for words in [["programs", "allow", "~"], ["programs", "allow", "/usr/bin"], ["programs", "allow"]] {
            #expect(try await lab.run(words, environment: path).exit == 2, "\(words)")
        }
    }

    @Test func aFileThatCannotBeReadStopsCommands() async throws {
        #expect(makeFolder("\(lab.home)/config"))
        try ScratchFolder.write("{", to: "\(lab.home)/config/programs.json")
        chmod("\(lab.home)/config/programs.json", 0o600)
        let refused = try await ask("true")
        #expect(refused.exit == 2 && refused.errors.contains("programs.json:1"), "\(refused.output)\(refused.errors)")
        let checked = try await lab.run("doctor")
        #expect(checked.output.contains("programs.json:1"), "\(checked.output)")
    }

    @Test func theFirstCommandAsksOnce() async throws {
        let pty = try lab.terminal(environment: path)
        #expect(await pty.see("›"))
        pty.send("run date\r")
        #expect(await pty.seeQuestion("let commands use your own programs"), "\(pty.screen.text)")
        #expect(
            pty.screen.text.contains("1  ~/.pyenv") && pty.screen.text.contains("2  ~/.cargo"), "\(pty.screen.text)")
        pty.send("3\r")
        #expect(await pty.seeQuestion("\"3\" is none of them."), "\(pty.screen.text)")
        pty.send("1\r")
        #expect(await pty.see("Commands see ~/.pyenv."), "\(pty.screen.text)")
        #expect(await pty.see("date of mine"), "\(pty.screen.text)")
        pty.send("run crate\r")
        #expect(await pty.see("crate is in ~/.cargo/bin: not allowed"), "\(pty.screen.text)")
        #expect(pty.screen.text.ranges(of: "your own programs").count == 1, "\(pty.screen.text)")
        pty.send("/status\r")
        #expect(await pty.see("not allowed: ~/.cargo"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    @Test func withoutAnAnswerALaterCommandAsksAgain() async throws {
        let pty = try lab.terminal(environment: path)
        #expect(await pty.see("›"))
        pty.send("run date\r")
        #expect(await pty.seeQuestion("let commands use your own programs"), "\(pty.screen.text)")
        pty.send("\u{1B}")
        #expect(await pty.see("Left open"), "\(pty.screen.text)")
        #expect(!ScratchFolder.names(in: "\(lab.home)/config").contains("programs.json"))
        #expect(await pty.see("date is the system's"), "\(pty.screen.text)")
        pty.send("run date\r")
        #expect(await pty.seeQuestion { $0.text.ranges(of: "your own programs").count == 2 }, "\(pty.screen.text)")
        pty.send("n\r")
        #expect(await pty.see("None is shown to commands."), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(
            try await lab.run(["programs", "--json"], environment: path).lines.map { $0["allowed"] } == [false, false])
    }
}
