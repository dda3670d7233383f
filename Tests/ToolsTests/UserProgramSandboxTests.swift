import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Rehearsal
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// The user's own programs as a command in the sandbox sees them.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct UserProgramSandboxTests {
    private let lab: Lab
    private let home: String

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        home = "\(lab.root)/home"
        try program("tools/bin/hello", "echo hello from mine; cat $(dirname $0)/../lib/words")
        try makeFolders("\(home)/tools/lib")
        try ScratchFolder.write("words of its own\n", to: "\(home)/tools/lib/words")
        try program("tools/bin/date", "echo mine")
        try program("cargo/bin/crate", "echo built > $CARGO_HOME/registry/made && cat $CARGO_HOME/registry/*")
        try makeFolders("\(home)/cargo/registry")
        try ScratchFolder.write("index\n", to: "\(home)/cargo/registry/index")
        try ScratchFolder.write("[registry]\ntoken = \"SECRET\"\n", to: "\(home)/cargo/credentials.toml")
        chmod("\(home)/cargo/credentials.toml", 0o600)
    }

    private func program(_ name: String, _ script: String) throws {
        try makeFolders(parent(of: "\(home)/\(name)"))
        try ScratchFolder.write("#!/bin/sh\n\(script)\n", to: "\(home)/\(name)")
        chmod("\(home)/\(name)", 0o755)
    }

    /// What commands see: the tools, and a folder to which a command may write.
    private var allowed: PersonalPrograms {
        var programs = PersonalPrograms()
        programs.home = home
        programs.homeCaches = [".cache"]
        programs.roots = [
            .init(path: "\(home)/tools"), .init(path: "\(home)/cargo", caches: ["registry"], fixed: ["bin"]),
        ]
        programs.searchFolders = [
            .init(path: "\(home)/tools/bin", isShown: true), .init(path: "/usr/bin", isShown: true),
            .init(path: "\(home)/cargo/bin", isShown: true),
        ]
        programs.variables = ["CARGO_HOME=\(home)/cargo"]
        return programs
    }

    /// The same folders without a yes.
    private var refused: PersonalPrograms {
        var programs = PersonalPrograms()
        programs.home = home
        programs.known = ["\(home)/cargo"]
        programs.searchFolders = [
            .init(path: "\(home)/tools/bin", isShown: false, allowedBy: "\(home)/tools/bin"),
            .init(path: "/usr/bin", isShown: true),
            .init(path: "\(home)/cargo/bin", isShown: false, allowedBy: "\(home)/cargo"),
        ]
        return programs
    }

    private struct Ran {
        var call: Call
        var output = ""
        var errors = ""
        var exit: Int?
        var notAllowed: String?
        var thrownAway: String?
        var failure: Failure?
    }

    private func run(_ command: String, _ programs: PersonalPrograms) async throws -> Ran {
        let toolbox = lab.toolbox(with: programs)
        let assignment = try lab.assignment(
            "Shell", ["command": .string(command), "exits": ["any"]], attempt: Int.random(in: 1...1_000_000))
        let (rehearsed, ending) = await onThread { () -> (Result<Call, Failure>, RunEnding) in
            do throws(Failure) {
                let call = try toolbox.rehearse(assignment, cancel: Cancellation())
                return (.success(call), toolbox.run(assignment, call: call, cancel: Cancellation()))
            } catch {
                return (.failure(error), .failed(error))
            }
        }
        let call = try rehearsed.get()
        var ran = Ran(call: call)
        var assets: [Asset] = []
        switch ending {
        case .succeeded(let made): assets = made
        case .failed(let failure): (assets, ran.failure) = (failure.left, failure)
        default: Issue.record("\(ending)")
        }
        for asset in assets {
            let text = try lab.text(asset)
            if asset.port == "errors" { ran.errors = text } else { ran.output = text }
            ran.exit = asset.meta["exit"]?.int ?? ran.exit
            ran.thrownAway = asset.meta["thrownAway"]?.string ?? ran.thrownAway
            ran.notAllowed = asset.meta["programNotAllowed"]?.string ?? ran.notAllowed
        }
        return ran
    }

    // MARK: With a yes

    @Test func anAllowedProgramRunsWithWhatItNeeds() async throws {
        let ran = try await run("hello; date; which hello", allowed)
        #expect(ran.output == "hello from mine\nwords of its own\nmine\n\(home)/tools/bin/hello\n", "\(ran)")
        #expect(ran.call.targets.isEmpty && ran.notAllowed == nil && ran.call.environment["notAllowed"] == nil)
    }

    /// A program looks for its own files below the home of the command, too.
    @Test func theHomeOfTheCommandLeadsThere() async throws {
        let ran = try await run("cat ~/tools/lib/words; ls ~", allowed)
        #expect(ran.output == "words of its own\ncargo\ntools\n", "\(ran)")
    }

    @Test(arguments: [
        "echo x > HOME/tools/lib/words", "rm HOME/tools/bin/hello", "touch HOME/tools/new",
        "echo x > HOME/cargo/bin/new",
        "rm -r HOME/cargo/bin",
    ]) func whatIsShownIsReadOnly(command: String) async throws {
        let ran = try await run(command.replacing("HOME", with: home), allowed)
        #expect(ran.exit != 0 && ran.errors.contains("ead-only file system"), "\(ran)")
    }

    @Test func whatIsWrittenToACacheIsThrownAway() async throws {
        let ran = try await run("crate; crate; ls $CARGO_HOME/registry", allowed)
        #expect(ran.output == "index\nbuilt\nindex\nbuilt\nindex\nmade\n", "\(ran)")
        #expect(ran.call.targets.isEmpty && ScratchFolder.names(in: "\(home)/cargo/registry") == ["index"])
        // Nothing of it is left with the rehearsal.
        let left = try Lab.program(["find", lab.own.data, "-name", "made"], in: lab.root)
        #expect(left.isEmpty, "\(left)")
    }

    /// A command that sets or installs something there has not done it.
    @Test(
        arguments: [
            ("echo x > ~/.gitconfig", "~/.gitconfig"),
            ("mkdir -p ~/.local/bin && echo x > ~/.local/bin/tool", "~/.local/bin/tool"),
            ("echo x > $CARGO_HOME/config.toml", "~/cargo/config.toml"), ("ln -s /usr/bin/true ~/t", "~/t"),
            ("cd ~; touch a b c d e", "~/a, ~/b, ~/c and 2 more"), ("touch ~/\"$(printf 'a\\nb')\"", "\"~/a\\nb\""),
            ("mkdir -p ~/.cache && echo x > ~/.cache/x", nil), ("crate", nil), ("true", nil), ("mkdir ~/empty", nil),
        ] as [(String, String?)]) func aFileThatIsThrownAwayIsNamed(command: String, words: String?) async throws
    {
        let ran = try await run(command, allowed)
        #expect(ran.thrownAway == words && ran.exit == 0, "\(ran)")
        let left = try Lab.program(["find", lab.own.data, "-path", "*/runs/*/*/*", "-type", "f"], in: lab.root)
        #expect(left.isEmpty)
    }

    /// A command that reads a folder of the person's home has a link to it in its own.
    @Test func aLinkOfTheSandboxIsNoFileOfTheCommand() throws {
        let folder = lab.path("home")
        try makeFolders("\(folder)/.config")
        symlink("/nowhere", "\(folder)/.config/app")
        var thrown = ThrownAway()
        thrown.add(folder, as: "~", but: [], links: [".config/app"])
        #expect(thrown.words == nil)
        thrown.add(folder, as: "~", but: [])
        #expect(thrown.words == "~/.config/app")
    }

    @Test func keysAreHidden() async throws {
        let ran = try await run(
            "cat HOME/cargo/credentials.toml; wc -c < HOME/cargo/credentials.toml; cat ~/cargo/credentials.toml"
                .replacing("HOME", with: home), allowed)
        #expect(ran.output == "0\n", "\(ran)")
        let other = try await run("grep -r SECRET \(home) && echo found", allowed)
        #expect(other.output.isEmpty, "\(other)")
    }

    /// A folder is looked through once, so a change of it must be noticed.
    @Test func aKeyThatComesLaterIsHiddenToo() async throws {
        _ = try await run("true", allowed)
        usleep(150_000)
        _ = try await run("true", allowed)
        try makeFolders("\(home)/tools/lib/deep")
        try ScratchFolder.write("SECRET", to: "\(home)/tools/lib/deep/id_rsa")
        try ScratchFolder.write("{\"token\": \"sk-1234567890abcdefghij1234\"}", to: "\(home)/tools/lib/token.json")
        let ran = try await run("cat \(home)/tools/lib/deep/id_rsa \(home)/tools/lib/token.json", allowed)
        #expect(ran.output.isEmpty, "\(ran)")
    }

    /// A survey that is damaged or of another state is not believed.
    @Test(arguments: ["", "s 1 2 /nowhere\0end\0", "f /x\0", "end\0", "z\0end\0", "mode", "link"])
    func aKeptSurveyIsBelievedOnlyIfItHolds(text: String) throws {
        let folder = "\(home)/cargo"
        let wanted = try PrivateFiles.below(folder, own: lab.own, isElsewhere: true, isGiven: true)
        #expect(wanted.files == ["\(folder)/credentials.toml"])
        usleep(150_000)
        #expect(try PrivateFiles.surveyed(below: folder, own: lab.own) == wanted)
        let kept = "\(lab.own.cache)/programs"
        let file = try #require(ScratchFolder.names(in: kept).first)
        let sound = try #require(ScratchFolder.bytes("\(kept)/\(file)"))
        #expect(String(decoding: sound, as: UTF8.self).hasSuffix("\0end\0"))
        try forge(text, "\(kept)/\(file)", sound)
        // Another process: this one remembers it.
        let other = OwnFolders(config: lab.own.config + "x", data: lab.own.data, cache: lab.own.cache)
        #expect(try PrivateFiles.surveyed(below: folder, own: other) == wanted)
    }

    /// Puts another survey without hidden files in the place of the kept one.
    private func forge(_ text: String, _ file: String, _ sound: [UInt8]) throws {
        let open = String(decoding: sound, as: UTF8.self).split(separator: "\0").filter { $0.hasPrefix("s ") }
        let forged = open.joined(separator: "\0") + "\0end\0"
        switch text {
        case "mode":
            try ScratchFolder.write(forged, to: file)
            chmod(file, 0o666)
        case "link":
            try ScratchFolder.write(forged, to: "\(lab.root)/forged")
            unlink(file)
            symlink("\(lab.root)/forged", file)
        default: try ScratchFolder.write(text, to: file)
        }
    }

    /// Its folder is hidden, since the name can be given to no mount.
    @Test func aKeyBelowANameThatIsNoTextIsHidden() async throws {
        let script =
            "import os; b = os.fsencode('\(home)/tools/lib/deep'); os.makedirs(b + b'/odd\\xff'); "
            + "[open(b + n, 'w').write('SECRET') for n in (b'/odd\\xff/id_rsa', b'/id_rsa\\xff')]"
        try Lab.program(["python3", "-c", script], in: lab.root)
        let ran = try await run("grep -r SECRET \(home)/tools | tr S s; cat \(home)/tools/lib/words", allowed)
        try Lab.program(["rm", "-r", "\(home)/tools/lib/deep"], in: lab.root)
        #expect(ran.output == "words of its own\n", "\(ran)")
    }

    /// One folder that cannot be shown is left out, and the command runs.
    @Test func aFolderThatCannotBeShownIsLeftOut() async throws {
        for number in 0...Limits.hiddenFiles {
            try ScratchFolder.write("SECRET", to: "\(home)/cargo/\(number).pem.key")
            rename("\(home)/cargo/\(number).pem.key", "\(home)/cargo/id_rsa.\(number)")
        }
        let ran = try await run("hello > /dev/null; echo made > new", allowed)
        #expect(ran.exit == 0 && ran.call.targets.count == 1, "\(ran)")
        #expect(ran.notAllowed?.contains("~/cargo is not shown to the command") ?? false, "\(ran)")
    }

    @Test func aFolderOfProgramsThatIsMissingIsNotMade() async throws {
        try Lab.program(["rm", "-r", "\(home)/cargo/bin"], in: lab.root)
        let ran = try await run("mkdir -p $CARGO_HOME/bin; echo x > $CARGO_HOME/bin/tool", allowed)
        #expect(ran.exit != 0, "\(ran)")
        symlink("\(home)/tools/bin", "\(home)/cargo/bin")
        let linked = try await run("$CARGO_HOME/bin/date; echo x > $CARGO_HOME/bin/tool", allowed)
        #expect(linked.output == "mine\n" && linked.exit != 0, "\(linked)")
    }

    /// Programs copy then, as they do from one file system to another.
    @Test func aCommandGivesNoFileASecondName() async throws {
        let ran = try await run("echo x > a; ln a b; cp -l a c; ls", allowed)
        #expect(ran.output == "a\n" && ran.errors.contains("ross-device link"), "\(ran)")
        let failed = try await run("echo x > a; ln a b", allowed)
        #expect(failed.errors.contains("assent: a command gives no file a second name"), "\(failed)")
    }

    /// If the folder cannot be laid over, it is read-only, and its keys are hidden all the same.
    @Test func withoutAnOverlayNothingIsWritten() throws {
        let hidden = try PrivateFiles.surveyed(below: "\(home)/cargo", own: lab.own)
        let layer = try ProgramLayer(
            of: .init(path: "\(home)/cargo", caches: ["registry"]), hidden: hidden, at: "\(lab.own.data)/layer")
        #expect(layer.options(isLaid: true).first == "--bind")
        #expect(layer.options(isLaid: false) == ["--ro-bind", "\(home)/cargo", "\(home)/cargo"])
        #expect(layer.hidden(isLaid: false) == hidden && layer.hidden(isLaid: true).files.isEmpty)
    }

    // MARK: Without a yes

    @Test func aProgramThatIsNotAllowedIsNamed() async throws {
        let ran = try await run("crate", refused)
        #expect(ran.failure?.code == "programNotAllowed" && ran.exit == 127)
        #expect(ran.failure?.remedy == "Let commands see it: 'assent programs allow ~/cargo'")
        #expect(ran.errors.contains("assent: crate is in ~/cargo/bin: not allowed ('assent programs allow ~/cargo')."))
        #expect(ran.call.environment["notAllowed"] == "crate is in ~/cargo/bin: not allowed")
    }

    @Test func aProgramThatDoesNotExistIsNotFound() async throws {
        let ran = try await run("no-such-program-at-all", refused)
        #expect(ran.failure?.code == "processFailed" && ran.exit == 127 && ran.notAllowed == nil)
        #expect(ran.errors.contains("not found") && !ran.errors.contains("allowed"), "\(ran)")
    }

    @Test func theProgramOfTheSystemIsNamedAsSuch() async throws {
        let ran = try await run("date > /dev/null", refused)
        #expect(ran.exit == 0 && ran.notAllowed == "date is the system's; yours is in ~/tools/bin: not allowed")
    }

    /// Other programs start it, so only what is complained about tells.
    @Test(arguments: [
        "env crate", "sh -c 'crate'", "printf 'all:\\n\\tcrate\\n' > m; make -f m",
        "python3 -c \"import subprocess; subprocess.run(['crate'])\"",
    ])
    func aProgramThatAnotherOneStartsIsNamed(command: String) async throws {
        let ran = try await run(command, refused)
        #expect(ran.errors.contains("assent: crate is in ~/cargo/bin: not allowed"), "\(ran)")
    }

    @Test func aLinkToAProgramThatIsNotAllowedIsNamed() async throws {
        try makeFolders(lab.path(".venv/bin"))
        symlink("\(home)/cargo/bin/crate", lab.path(".venv/bin/python"))
        try ScratchFolder.write("#!\(lab.path(".venv/bin/python"))\n", to: lab.path(".venv/bin/pip"))
        chmod(lab.path(".venv/bin/pip"), 0o755)
        for name in ["python", "pip"] {
            let ran = try await run(".venv/bin/\(name) -V", refused)
            #expect(ran.notAllowed == ".venv/bin/\(name) leads to ~/cargo/bin/crate: not allowed", "\(ran)")
            #expect(ran.failure?.code == "programNotAllowed", "\(ran)")
        }
    }

    // MARK: Names of hosts

    @Test func aNameThatCannotBeLookedUpSaysSo() async throws {
        let command = "python3 -c \"import socket; socket.getaddrinfo('example.org', 80)\""
        let ran = try await run(command, PersonalPrograms())
        #expect(ran.errors.contains("assent: the command has no network, so no name can be looked up"), "\(ran)")
    }
}
