import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A machine on which less holds than usual: it is said once, by `doctor` always, and nothing is looser there.
@Suite(.process, .enabled(if: canBeTried)) struct ShelterTests {
    private func lab(_ command: String = "ls") throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("buy milk\n", to: "notes.txt")
        try lab.write(workflow("command", [node("run", "Shell", ["command": .string(command)])]), to: ".command.json")
        return lab
    }

    private func run(_ lab: ProgramLab, without lack: Lack, _ arguments: String..., input: String? = nil) async throws
        -> ProgramEnding
    {
        let process = try lab.start(
            program: "/usr/bin/unshare", words(lack, [ProgramLab.program] + arguments), input: input)
        return try await onOwnThread { process.wait() }
    }

    @Test(arguments: Lack.allCases) func itIsSaidOnceAndNotAmongResults(lack: Lack) async throws {
        for arguments in [
            ["run", ".command.json", "--on-ask", "deny", "--json"],
            ["ask", "count the words in notes.txt", "--mode", "auto"],
        ] {
            let lab = try lab()
            for round in 1...2 {
                let process = try lab.start(program: "/usr/bin/unshare", words(lack, [ProgramLab.program] + arguments))
                let ending = try await onOwnThread { process.wait() }
                #expect(
                    ending.errors.components(lack.words ?? "a command") == (round == 1 && lack != .nothing ? 1 : 0),
                    "\(ending.errors)")
                #expect(
                    !ending.output.contains("cannot be rehearsed here") && !ending.output.contains("is no sandbox here")
                )
            }
        }
    }

    @Test(arguments: Lack.allCases) func theChatSaysItOnce(lack: Lack) async throws {
        let lab = try lab()
        let said = [
            try await run(lab, without: lack, input: "/mode\n"), try await run(lab, without: lack, input: "/mode\n"),
        ].map {
            ending in
            ending.said.components(lack.words ?? "cannot be rehearsed here")
        }
        #expect(said == [lack == .nothing ? 0 : 1, 0])
    }

    @Test(arguments: Lack.allCases) func doctorSaysItAlways(lack: Lack) async throws {
        let lab = try lab()
        let before = lab.names()
        for _ in 1...2 {
            let findings = try await run(lab, without: lack, "doctor", "--json").lines
            let told = findings.filter { ["sandbox", "rehearsal"].contains($0["name"]?.string) }.map {
                $0["words"]?.string ?? ""
            }
            switch lack {
            case .nothing: #expect(told.count == 2 && told[1].hasPrefix("works: "), "\(told)")
            case .overlays: #expect(told.count == 2 && told[1].hasPrefix(lack.words!), "\(told)")
            case .bubblewrap: #expect(told.count == 1 && told[0].hasPrefix(lack.words!), "\(told)")
            }
        }
        #expect(lab.names() == before)
        #expect(ScratchFolder.names(in: "\(lab.home)/data/rehearsals").allSatisfy { !$0.hasPrefix("probe") })
    }

    /// What passes unasked where less holds passes unasked where all holds, and changes nothing there that it would not
    /// change here.
    @Test(
        arguments: Lack.allCases,
        [
            ("adaptive", "ls; cat notes.txt", [0, 0, 4]), ("adaptive", "test -e nothing", [1, 1, 4]),
            ("adaptive", "echo hi > new", [0, 4, 4]), ("adaptive", "rm notes.txt", [4, 4, 4]),
            ("auto", "rm notes.txt", [0, 4, 4]),
            ("auto", "echo hi > new || true", [0, 0, 4]), ("always-ask", "ls", [4, 4, 4]),
        ] as [(String, String, [Int32])]) func nothingIsLooser(
            lack: Lack, row: (mode: String, command: String, exits: [Int32])
        )
        async throws
    {
        let lab = try lab(row.command)
        let before = lab.names()
        let ending = try await run(lab, without: lack, "run", ".command.json", "--mode", row.mode, "--on-ask", "deny")
        #expect(ending.exit == row.exits[Lack.allCases.firstIndex(of: lack)!], "\(ending.output)\(ending.errors)")
        if lack != .nothing { #expect(lab.names() == before && lab.text("notes.txt") == "buy milk\n") }
    }

    /// A folder that is read-only keeps nobody from writing to a pipe in it.
    @Test func aPipeIsNotThereForAReadOnlyCommand() async throws {
        let lab = try lab("timeout 5 sh -c 'echo hi > pipe' 2>/dev/null; true")
        try #require(mkfifo("\(lab.folder)/pipe", 0o600) == 0)
        let pipe = open("\(lab.folder)/pipe", O_RDWR | O_NONBLOCK)
        defer { close(pipe) }
        let ending = try await run(lab, without: .overlays, "run", ".command.json", "--on-ask", "deny")
        var byte: UInt8 = 0
        #expect(ending.exit == 0 && read(pipe, &byte, 1) <= 0, "\(ending.output)\(ending.errors)")
    }

    /// A program that somebody else wrote (m1).
    @Test(arguments: Lack.allCases, ["adaptive", "auto"]) func toolsOfOthersSayWhyTheyAsk(lack: Lack, mode: String)
        async throws
    {
        let lab = try lab()
        let tool = """
            tool: assent.tool/v1
            kind: Mine
            title: Mine
            outputs: {text: text}
            run: {program: [[sh, "-c", "echo hi > {out.text}"]], files: {text: a.txt}}
            """
        try ScratchFolder.makeFolder("\(lab.home)/config/tools")
        try ScratchFolder.write(tool, to: "\(lab.home)/config/tools/mine.yaml")
        try lab.write(workflow("mine", [node("n", "Mine")]), to: ".mine.json")
        let ending = try await run(lab, without: lack, "run", ".mine.json", "--mode", mode, "--on-ask", "deny")
        #expect(ending.exit == (lack == .bubblewrap ? 4 : 0), "\(ending.output)\(ending.errors)")
        if lack == .bubblewrap {
            #expect(ending.said.contains("without a sandbox: bubblewrap is not installed"), "\(ending.said)")
        }
    }
}

/// What is taken away, for one process and what it starts.
enum Lack: String, CaseIterable {
    case nothing, overlays, bubblewrap

    var words: String? {
        switch self {
        case .nothing: nil
        case .overlays: "Commands cannot be rehearsed here: "
        case .bubblewrap: "There is no sandbox here: bubblewrap is not installed."
        }
    }

    fileprivate var script: String {
        switch self {
        case .nothing: "exec \"$@\""
        case .overlays: "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\""
        case .bubblewrap: "mount --bind /dev/null /usr/bin/bwrap && exec \"$@\""
        }
    }
}

private func words(_ lack: Lack, _ words: [String]) -> [String] {
    ["--user", "--map-root-user", "--mount", "sh", "-c", lack.script, "sh"] + words
}

/// Namespaces of our own are how it is taken away.
private let canBeTried: Bool = {
    let has = { (path: String) in access(path, X_OK) == 0 }
    guard Rehearsals.place == .disk, has("/usr/bin/unshare"), has("/usr/bin/bwrap"), let lab = try? ProgramLab(),
        let process = try? lab.start(program: "/usr/bin/unshare", words(.bubblewrap, ["true"])),
        process.wait().exit == 0
    else {
        print("No machine on which less holds can be made here, and no test of one is run.")
        return false
    }
    return true
}()
