import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// What a command says beforehand that it needs besides its folder.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct OutsideAccessTests {
    private let lab: Lab
    private let other: String

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        other = "\(lab.root)/other"
        try ScratchFolder.makeFolder(other)
        for folder in ["sub", "keys", ".ssh", ".assent"] { try ScratchFolder.makeFolder("\(other)/\(folder)") }
        for (name, text) in [
            ("notes.txt", "buy oil\n"), ("sub/deep.txt", "deep\n"), (".env", "SECRET\n"),
            ("keys/server.p12", "SECRET\n"),
            (".ssh/id_rsa", "SECRET\n"), (".ssh/config", "SECRET\n"), (".assent/policy.yaml", "SECRET\n"),
        ] { try ScratchFolder.write(text, to: "\(other)/\(name)") }
    }

    private func prepare(_ params: JSON) throws -> Call { try lab.toolbox.prepare(lab.assignment("Shell", params)) }
    private func command(_ line: String, reads: [String]) -> JSON {
        ["command": .string(line), "reads": .array(reads.map { .string($0) })]
    }
    private func said(_ line: String, reads: [String]) async throws -> String {
        try lab.text(try #require(try await lab.run("Shell", command(line, reads: reads)).first))
    }

    // MARK: The call

    @Test func hostsAndPathsAreTargetsOfTheCall() throws {
        let call = try prepare([
            "command": "true", "network": ["example.org", "127.0.0.1:80", "EXAMPLE.org"],
            "reads": [.string(other), .string("\(other)/sub/..")],
        ])
        #expect(call.rehearsal == .wanted && call.reachesOut && !call.isBare)
        #expect(
            call.targets == [
                Call.Target(.executes, .command(["sh", "-c", "true"]), reach: .workspace),
                Call.Target(.sends, .host("example.org:443"), reach: .remote),
                Call.Target(.sends, .host("example.org:80"), reach: .remote),
                Call.Target(.sends, .host("127.0.0.1:80"), reach: .remote),
                Call.Target(.reads, .path(other), reach: .outside),
            ])
        #expect(call.effects == [.executes, .sends, .reads])
    }

    @Test func withoutThemTheCallIsWhatItWas() throws {
        for params in [
            ["command": "true"], ["command": "true", "network": [], "reads": []],
            ["command": "true", "network": .null],
        ]
            as [JSON]
        {
            let call = try prepare(params)
            #expect(!call.reachesOut && call.targets.count == 1 && call.effects == [.executes])
        }
    }

    @Test func theDigestIsOfTheHostsAndThePaths() throws {
        let all: [JSON] = [
            ["command": "true"], ["command": "true", "network": ["example.org"]],
            ["command": "true", "network": ["example.org:443"]],
            ["command": "true", "network": ["example.com"]],
            ["command": "true", "network": ["example.com", "example.org"]],
            command("true", reads: [other]), command("true", reads: ["\(other)/sub"]),
            command("true", reads: ["\(other)/.env"]),
            command("true", reads: ["\(other)/sub", "\(other)/.env"]),
        ]
        #expect(try Set(all.map { ContentHash.of(try prepare($0).json.canonical) }).count == all.count)
    }

    @Test(
        arguments: [
            ("network", "example.org", "badParam"), ("network", [1], "badParam"), ("network", [""], "badParam"),
            ("network", ["*.org"], "badHost"),
            ("network", .array((1...17).map { .string("h\($0).example") }), "badParam"),
            ("reads", "x", "badParam"), ("reads", ["/nowhere/x"], "fileNotFound"), ("reads", ["/"], "badPath"),
            ("reads", ["/tmp"], "badPath"),
            ("reads", ["/proc/self/environ"], "badPath"), ("reads", ["/sys"], "badPath"),
            ("reads", ["/dev/null"], "badPath"),
            ("reads", ["/run"], "badPath"), ("reads", ["a\0b"], "badPath"), ("reads", ["~/../proc/1"], "badPath"),
        ] as [(String, JSON, String)])
    func whatCannotBeMeantIsRefused(param: String, value: JSON, code: String) {
        let failure = #expect(throws: Failure.self) { try prepare(["command": "true", param: value] as JSON) }
        #expect(failure?.code == code, "\(String(describing: failure))")
    }

    @Test(arguments: ["config", "data", "cache", "data/x", "other/.assent", "other/.assent/policy.yaml"])
    func ownFoldersAreNotRead(path: String) throws {
        if path == "data/x" { try ScratchFolder.write("x", to: "\(lab.root)/\(path)") }
        let failure = #expect(throws: Failure.self) { try prepare(command("true", reads: ["\(lab.root)/\(path)"])) }
        #expect(failure?.code == "ownFolder", "\(String(describing: failure))")
    }

    @Test func aLinkIsWhatItLeadsTo() throws {
        #expect(symlink("\(other)/.env", lab.path("harmless.txt")) == 0 && symlink("/proc", lab.path("there")) == 0)
        let call = try prepare(command("true", reads: ["harmless.txt"]))
        let written = [lab.path("harmless.txt")]
        #expect(
            call.targets.last
                == Call.Target(.reads, .path("\(other)/.env"), reach: .outside, otherPaths: written, isPrivate: true))
        #expect(throws: Failure.self) { try prepare(command("true", reads: ["there/1"])) }
    }

    @Test(arguments: [".env", "keys/server.p12", ".ssh/config"]) func keysAndHostsDoNotGoTogether(name: String) throws {
        let params: JSON = ["command": "true", "network": ["example.org"], "reads": [.string("\(other)/\(name)")]]
        #expect(#expect(throws: Failure.self) { try prepare(params) }?.code == "secretFile")
    }

    @Test func aFolderOfKeysIsNamedFileByFile() throws {
        #expect(
            #expect(throws: Failure.self) { try prepare(command("true", reads: ["\(other)/.ssh"])) }?.code
                == "secretFile")
    }

    @Test func theBareMachineIsNotHeldToThem() throws {
        let params: JSON = ["command": "true", "bare": true, "network": ["example.org"]]
        #expect(#expect(throws: Failure.self) { try prepare(params) }?.code == "badParam")
    }

    /// What was said yes to is run, or nothing is.
    @Test func onlyTheCallThatWasAgreedToIsRun() throws {
        let assignment = try lab.assignment("Shell", command("echo x > new", reads: [other]))
        let call = try lab.toolbox.prepare(assignment)
        var another = call
        another.targets.removeLast()
        for agreed in [nil, another] {
            #expect(try lab.toolbox.rehearse(assignment, agreed: agreed, cancel: Cancellation()) == call)
            #expect(try lab.toolbox.prepare(assignment).rehearsal == .wanted)
        }
        let played = try lab.toolbox.rehearse(assignment, agreed: call, cancel: Cancellation())
        #expect(played.targets.map(\.place) == [.path(lab.path("new"))] && played.params == call.params)
    }

    /// A command that reads keys can put them into names, and those into what fails.
    @Test(arguments: ["ln -s \"$(printf '\\377')\" leak-$(cat OTHER)", "mkfifo leak-$(cat OTHER)"])
    func noFailureNamesWhatWasRead(line: String) throws {
        let line = line.replacing("OTHER", with: "\(other)/.env")
        let assignment = try lab.assignment("Shell", command(line, reads: ["\(other)/.env"]))
        let call = try lab.toolbox.prepare(assignment)
        let failure = #expect(throws: Failure.self) {
            try lab.toolbox.rehearse(assignment, agreed: call, cancel: Cancellation())
        }
        #expect(failure.map { !"\($0)".contains("SECRET") } == true, "\(String(describing: failure))")
        // Nothing of it is kept: the next look is the first.
        #expect(try lab.toolbox.prepare(assignment) == call)
    }

    // MARK: What it sees

    @Test func aFolderIsReadAsItIs() async throws {
        #expect(try await said("cat \(other)/notes.txt \(other)/sub/deep.txt", reads: [other]) == "buy oil\ndeep\n")
        #expect(
            try await said("cat \(other)/notes.txt; ls -A \(other)", reads: ["\(other)/notes.txt"])
                == "buy oil\nnotes.txt\n")
        #expect(try await said("cat \(other)/notes.txt 2>/dev/null || echo held", reads: []) == "held\n")
    }

    /// By the name that programs look for it under, in a home that holds nothing else.
    @Test func whatLiesInTheHomeIsInTheHome() throws {
        var command = ProgramCommand(["true"], in: lab.workspace)
        let home = try #require(getenv("HOME").map { realPath(String(cString: $0)) })
        var outside = try OutsideAccess(
            lab.assignment("Shell", ["command": "true"]), Preparation(lab.assignment("Shell"), lab.own))
        outside.readings = [home + "/.cargo", home + "/.cargo/registry", home + "/a/b", home, "/srv/x"].map {
            OutsideAccess.Reading(path: $0, isFolder: true, isPrivate: false)
        }
        command.allow(outside, resolve: SocketAddress.all)
        #expect(command.homeLinks.isEmpty)
        outside.readings.remove(at: 3)
        command.allow(outside, resolve: SocketAddress.all)
        #expect(command.homeLinks == [".cargo": "\(home)/.cargo", "a/b": "\(home)/a/b"])
    }

    @Test(arguments: [
        "echo x > notes.txt", "rm notes.txt", "touch new", "chmod 777 notes.txt", "mv sub other", "ln notes.txt b",
    ])
    func nothingIsWrittenThere(line: String) async throws {
        #expect(try await said("cd \(other); (\(line)) 2>/dev/null || echo held", reads: [other]) == "held\n")
        #expect(ScratchFolder.text("\(other)/notes.txt") == "buy oil\n")
    }

    @Test func whatMayHoldKeysIsEmptyUnlessItIsNamed() async throws {
        let line = "cat .env keys/server.p12; ls -A .ssh .assent"
        #expect(try await said("cd \(other); \(line)", reads: [other]) == ".assent:\n\n.ssh:\n")
        #expect(
            try await said("cd \(other); \(line)", reads: [other, "\(other)/.env"]) == "SECRET\n.assent:\n\n.ssh:\n")
        #expect(
            try await said("cat \(other)/.ssh/config; ls -A \(other)/.ssh", reads: ["\(other)/.ssh/config"])
                == "SECRET\nconfig\n")
        #expect(
            try await said("cd \(other); cat .ssh/config .env; ls -A .ssh", reads: [other, "\(other)/.ssh/config"])
                == "SECRET\nconfig\n")
    }

    /// Another name of a file of keys brings it in only where that is named, and then as what may hold keys.
    @Test func keysUnderAnotherNameAreKeys() async throws {
        #expect(link("\(other)/.env", "\(other)/plain.txt") == 0)
        #expect(try await said("cat \(other)/plain.txt; echo end", reads: [other]) == "end\n")
        let named = command("cat \(other)/plain.txt", reads: [other, "\(other)/plain.txt"])
        #expect(lab.store.isPrivate(try #require(try await lab.run("Shell", named).first).hash))
    }

    @Test func keysOfTheFolderItselfAreReadWhereTheyAreNamed() async throws {
        try lab.write(".env", "SECRET")
        try lab.write(".ssh/config", "SECRET")
        #expect(try await said("cat .env; cat .ssh/config 2>&1 | grep -c SECRET; true", reads: [".env"]) == "SECRET0\n")
        #expect(try await said("cat .ssh/config; ls -A .ssh", reads: [".ssh/config"]) == "SECRETconfig\n")
    }

    @Test func whatComesOfKeysIsPrivate() async throws {
        let line = "mkdir -p new/deep; base64 \(other)/.env | tee copy.txt new/deep/other.txt"
        let output = try #require(try await lab.run("Shell", command(line, reads: ["\(other)/.env"])).first)
        #expect(lab.store.isPrivate(output.hash))
        for name in ["copy.txt", "new/deep/other.txt"] {
            #expect(
                lab.store.isPrivate(try #require(try await lab.run("ReadFile", ["path": .string(name)]).first).hash),
                "\(name)")
        }
        let plain = try #require(try await lab.run("Shell", command("cat \(other)/notes.txt", reads: [other])).first)
        #expect(!lab.store.isPrivate(plain.hash))
    }

    /// A failure is stored, exported, and told to a model.
    @Test(arguments: ["cat %K >&2; exit 1", "mkfifo \"pipe-$(cat %K)\"", "cat %K >&2; kill -9 $$"])
    func whatACommandThatReadsKeysSaysLastIsInNoFailure(line: String) async throws {
        try ScratchFolder.write("hunter2secret", to: "\(other)/.env")
        let line = line.replacing("%K", with: "\(other)/.env")
        let assignment = try lab.assignment("Shell", command(line, reads: ["\(other)/.env"]))
        let toolbox = lab.toolbox
        let agreed = try toolbox.prepare(assignment)
        let ending = await onThread { () -> String in
            let played = Result { () throws(Failure) in
                try toolbox.rehearse(assignment, agreed: agreed, cancel: Cancellation())
            }
            guard case .success(let call) = played else { return "\(played)" }
            return "\(toolbox.run(assignment, call: call, cancel: Cancellation()))"
        }
        #expect(ending.contains("fail") && !ending.contains("hunter2"), "\(ending)")
    }

    @Test func aNamedFileWithAnotherNameMayHoldKeys() throws {
        #expect(link("\(other)/.env", "\(other)/plain.txt") == 0)
        let call = try prepare(command("true", reads: ["\(other)/plain.txt"]))
        #expect(call.targets.last?.isPrivate == true)
    }

    /// Commands and models could read it from then on: that asks in every mode.
    @Test func whatIsMadeOfKeysUnderAPlainNameIsTold() async throws {
        let line = "cp \(other)/.env copy.txt; cp \(other)/.env .env"
        let assignment = try lab.assignment("Shell", command(line, reads: ["\(other)/.env"]))
        let toolbox = lab.toolbox
        let agreed = try toolbox.prepare(assignment)
        let call = try await onThread {
            Result { try toolbox.rehearse(assignment, agreed: agreed, cancel: Cancellation()) }
        }.get()
        let told = call.targets.map { "\($0.path.map { lastName(of: $0) } ?? "") \($0.isPrivate)" }
        #expect(told.sorted() == [".env false", "copy.txt true"])
    }

    /// A pipe or a socket there leads to another program.
    @Test func otherProgramsAreNotReachedThroughIt() async throws {
        #expect(mkfifo("\(other)/pipe", 0o600) == 0)
        let listener = try #require(LocalSocket("\(other)/socket"))
        let script = """
            import socket, sys
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
                try:
                    socket.socket(socket.AF_UNIX, kind).connect(sys.argv[1]); print('reached')
                except OSError: print('held')
            try:
                socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); print('reached')
            except OSError: print('held')
            socket.socketpair()[0].send(b'x')
            """
        try lab.write("connect.py", script)
        let held = try await said(
            "python3 connect.py \(other)/socket; test -p \(other)/pipe || echo held", reads: [other])
        #expect(held == String(repeating: "held\n", count: 5))
        #expect(listener.descriptor >= 0)
    }

    @Test func aFolderAroundTheWorkspaceHidesItNot() async throws {
        try lab.write("mine.txt", "mine\n")
        let line =
            "cat mine.txt; echo new > new.txt; cat \(other)/notes.txt; ls -A \(lab.own.data) \(lab.own.config); echo end"
        #expect(
            try await said(line, reads: [lab.root]) == "mine\nbuy oil\n\(lab.own.config):\n\n\(lab.own.data):\nend\n")
        #expect(lab.read("new.txt") == "new\n")
    }
}

/// Something that listens at a path.
private final class LocalSocket {
    let descriptor: Int32

    init?(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafeBytes(of: address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, socklen_t(bytes.count)) }
        }
        guard result == 0, listen(descriptor, 1) == 0 else { return nil }
    }

    deinit { close(descriptor) }
}
