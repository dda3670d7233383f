import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// Commands in a folder with files of keys that they do not see: what they find in their place, and what never comes
/// of it.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct HiddenFilesTests {
    private let lab: Lab
    private static let secrets = [
        ".env": "TOKEN=1\n", "app/.env": "TOKEN=2\n", "app/.ssh/id_rsa": "key\n", ".docker/config.json": "{}\n",
    ]

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        for (name, text) in Self.secrets { try lab.write(name, text) }
        for name in ["notes.txt", "app/main.c", ".docker/Dockerfile"] { try lab.write(name, "words of \(name)\n") }
    }

    private func rehearse(_ line: String, reads: [String] = []) async throws -> Call {
        let params: JSON = ["command": .string(line), "reads": .array(reads.map { .string($0) })]
        let assignment = try lab.assignment("Shell", params, attempt: .random(in: 1...1_000_000))
        let toolbox = lab.toolbox
        return try await onThread {
            Result { () throws(Failure) in
                try toolbox.rehearse(assignment, agreed: try toolbox.prepare(assignment), cancel: Cancellation())
            }
        }.get()
    }

    private func output(_ call: Call) throws -> String {
        guard case .done(let played) = call.rehearsal else { throw Failure("test", "It was not rehearsed.") }
        return String(decoding: try readWhole(lab.store.path(played.output), limit: 1 << 20), as: UTF8.self)
    }

    /// An empty file can be read, is a file, and does not end a search.
    @Test(
        arguments: [
            ("cat .env; echo $?", "0"), ("grep -c TOKEN .env", "0"), ("[ -f .env ] && echo file", "file"),
            ("grep -rl words . | sort", "./.docker/Dockerfile\n./app/main.c\n./notes.txt"),
            ("stat -c '%F %s' .env app/.env", "regular empty file 0\nregular empty file 0"),
            ("ls -A app/.ssh | wc -l", "0"),
            ("cat .docker/config.json; cat .docker/Dockerfile", "words of .docker/Dockerfile"),
            ("find . -newer notes.txt -name .env", ""), ("stat -c '%a' app", "755"),
        ])
    func whatIsHiddenIsEmptyAndCanBeRead(line: String, expected: String) async throws {
        let call = try await rehearse(line)
        #expect(call.targets.isEmpty)
        #expect(try output(call).trimmed == expected)
        guard case .done(let played) = call.rehearsal else { return }
        #expect(played.unseen == .init(names: [".env", ".docker/config.json", "app/.env", "app/.ssh/"], count: 4))
    }

    /// Whatever a command does with a stand-in, none of it is applied, and the failure names the file.
    @Test(
        arguments: [
            ("rm .env", ".env"), ("rm -f app/.env", "app/.env"), ("echo x > .env", ".env"), (": > .env", ".env"),
            ("truncate -s 0 .env", ".env"),
            ("mv .env env.txt", ".env"), ("mv .env .env.old", ".env"), ("mv app app2", "app/.env"),
            ("rm -rf app", "app/.env"),
            ("rm -rf app/.ssh", "app/.ssh"), ("mv app/.ssh keys", "app/.ssh"), ("touch app/.ssh/config", "app/.ssh"),
            ("chmod 644 .env", ".env"),
            ("touch .env", ".env"), ("cp -a app app2", "app2/.env"),
            ("cp -r app app2", "app2/.env"),
            ("cp -p .env env.txt", "env.txt"), ("cp -a .env notes.txt", "notes.txt"),
            ("cp -p .env notes.txt", "notes.txt"),
            ("cp -a app/.ssh keys", "keys"), ("mkdir b; cp -r app b", "b/app/.env"), ("mv notes.txt .env", ".env"),
            ("rm -rf app; mkdir app; echo x > app/y", "app/.env"), ("rm .env; mkdir .env", ".env"),
            ("ln -sf notes.txt .env", ".env"),
            ("tar cf - app | (mkdir t; tar xf - -C t)", "t/app/.env"),
            ("python3 -c \"import os; os.rename('app/.env', 'app/x')\"", "app/.env"),
            ("python3 -c \"import os; os.rename('.env', 'app/.env')\"", ".env"),
        ])
    func noStandInGetsIntoTheWorkspace(line: String, name: String) async throws {
        let failure = await #expect(throws: Failure.self) { _ = try await rehearse(line) }
        #expect(
            failure?.code == "rehearsalRefused" && failure?.message.contains(name) ?? false,
            "\(line): \(failure as Any)")
        for (name, text) in Self.secrets { #expect(lab.read(name) == text) }
        #expect(try layers().isEmpty)
    }

    private func layers() throws -> [String] { (try? namesIn("\(lab.own.data)/rehearsals/layers")) ?? [] }

    /// What does not touch them is as it was, and so is what only looks at them.
    @Test(
        arguments: [
            ("echo more >> notes.txt", ["overwrites notes.txt"]), ("echo x > app/new.c", ["creates app/new.c"]),
            ("tar cf b.tar .docker/Dockerfile notes.txt", ["creates b.tar"]), ("exec 3>>.env; exec 3>&-", []),
            ("mkdir app2; touch app2/x", ["creates app2", "creates app2/x"]), ("touch empty", ["creates empty"]),
            ("sed -i s/words/word/ .docker/Dockerfile", ["overwrites .docker/Dockerfile"]),
            ("chmod 700 app", ["overwrites app"]),
        ] as [(String, [String])])
    func theRestCanBeChanged(line: String, expected: [String]) async throws {
        let call = try await rehearse(line)
        let told = call.targets.map { "\($0.effect) \($0.path?.path(below: lab.workspace) ?? "?")" }
        #expect(told == expected)
    }

    /// A file that the call names is seen as it is, and may be changed after a yes.
    @Test func aFileThatIsNamedIsNoStandIn() async throws {
        let call = try await rehearse("cat .env; rm .env; cat app/.env", reads: [".env"])
        #expect(try output(call) == "TOKEN=1\n")
        #expect(call.targets.map { "\($0.effect) \($0.path ?? "")" } == ["deletes \(lab.path(".env"))"])
    }

    /// Where the data folder lies in the workspace no layer can be laid: mounts hide the files, and cannot be changed.
    @Test(arguments: ["rm .env", "echo x > .env", "mv .env x", "rm -rf app", "cp -a app app2", "mv app app2"])
    func withoutALayerNothingEmptyComesEither(line: String) async throws {
        let hidden = try PrivateFiles.below(lab.workspace, own: lab.own)
        #expect(try StandIns(of: hidden, given: [], in: lab.workspace, at: lab.path("layer")) == nil)
        let rehearsal = OverlayRun(
            folder: RehearsalFolder(path: "\(lab.own.data)/rehearsals/w9/1-1"), workspace: lab.workspace)
        try rehearsal.folder.make()
        let folder = RunFolder("\(lab.own.data)/runs/r")
        try makeFolders(folder.path)
        let empty = try StandIns.emptyFile(in: lab.own.data)
        let ended = try rehearsal.run(
            ["sh", "-c", "cat .env && { \(line); }"], in: folder, sandbox: lab.sandbox, cancel: Cancellation()
        ) {
            $0.hidden = hidden
            $0.emptyFile = empty
        }
        #expect(ended.ending != .exited(0) || line.hasPrefix("cp"))
        let list = try rehearsal.changes(
            since: ended.started, hidden: HiddenPaths(hidden, given: [], below: lab.workspace))
        let brought = list.targets.compactMap(\.path).filter { $0.hasSuffix(".env") }
        #expect(brought.isEmpty || !list.refusals.isEmpty, "\(brought) \(list.refusals)")
    }

    /// What is refused is removed at once: it may be as large as a disk.
    @Test(arguments: [
        ("fallocate -l 30M big; mkfifo p", "rehearsalRefused"), ("rm .env; echo x > y", "rehearsalRefused"),
        ("mkdir -p $(printf 'd/%.0s' $(seq 110))", "tooManyChanges"),
    ]) func nothingIsKeptOfWhatIsRefused(line: String, code: String) async throws {
        let failure = await #expect(throws: Failure.self) { _ = try await rehearse(line) }
        #expect(failure?.code == code, "\(failure as Any)")
        #expect(try namesIn("\(lab.own.data)/rehearsals/w3").isEmpty)
    }

    // MARK: git

    private static let git = "git -c user.name=a -c user.email=b@c -c init.defaultBranch=main"

    private func shell(_ line: String, in folder: String? = nil) throws {
        try Lab.program(["sh", "-ec", line.replacing("GIT", with: Self.git)], in: folder ?? lab.workspace)
    }

    /// A commit of all lost what git did not see.
    @Test(
        arguments: [
            "echo x >> notes.txt; GIT commit -qam notes", "GIT add -A; GIT commit -qm all",
            "echo x >> notes.txt; GIT stash",
            "GIT checkout -q -f other", "GIT rm -q --cached .env", "GIT tag v1", "GIT commit -q --allow-empty -m x",
            "GIT mv notes.txt n.txt", "rm -rf .git",
        ], [2, 4])
    func whatChangesGitWithHiddenTrackedFilesIsRefused(line: String, version: Int) async throws {
        try shell("GIT init -q; git config index.version \(version); GIT add -Af; GIT commit -qm one; git branch other")
        let failure = await #expect(throws: Failure.self) {
            _ = try await rehearse(line.replacing("GIT", with: Self.git))
        }
        #expect(failure?.code == "hiddenTracked", "\(failure as Any)")
        let words = failure.map { "\($0.message) \($0.remedy ?? "")" } ?? ""
        for word in [".env", ".docker/config.json", "app/.ssh/", "\"reads\": [", "exit code"] {
            #expect(words.contains(word), "\(words)")
        }
        for (name, text) in Self.secrets { #expect(lab.read(name) == text) }
    }

    /// The state of git stays, but files would come back as they were committed.
    @Test func aResetIsRefused() async throws {
        try shell("GIT init -q; GIT add -Af; GIT commit -qm one; echo TOKEN=3 > .env")
        let failure = await #expect(throws: Failure.self) { _ = try await rehearse("git reset -q --hard") }
        #expect(
            ["rehearsalRefused", "hiddenTracked"].contains(failure?.code) && failure?.message.contains(".env") ?? false)
        #expect(lab.read(".env") == "TOKEN=3\n")
    }

    /// The way that the failure names: then git sees the files, and commits them as they are.
    @Test func namedFilesAreCommitted() async throws {
        try shell("GIT init -q; GIT add -f notes.txt .env; GIT commit -qm one")
        let assignment = try lab.assignment(
            "Shell", ["command": .string("echo x >> notes.txt; \(Self.git) commit -qam two"), "reads": [".env"]],
            attempt: 77)
        let ending = await lab.run(assignment)
        guard case .succeeded = ending else { throw Failure("test", "\(ending)") }
        #expect(
            try Lab.program(["git", "show", "--stat", "--format=", "HEAD"], in: lab.workspace).contains(
                "1 file changed"))
        #expect(try Lab.program(["git", "show", "HEAD:.env"], in: lab.workspace) == "TOKEN=1\n")
    }

    /// Only what git tracks, or would track from now on.
    @Test(
        arguments: [
            ("echo x >> notes.txt; GIT commit -qam notes", true), ("GIT add notes.txt", true),
            ("GIT status --short", true),
            ("GIT add -f .env", false), ("GIT tag v1", true),
        ])
    func untrackedHiddenFilesDoNotMatter(line: String, passes: Bool) async throws {
        try shell("GIT init -q; GIT add -f notes.txt app/main.c; GIT commit -qm one; echo y >> notes.txt")
        do {
            _ = try await rehearse(line.replacing("GIT", with: Self.git))
            #expect(passes)
        } catch let failure as Failure {
            #expect(!passes && failure.code == "hiddenTracked", "\(failure)")
        }
    }

    /// A repository in the folder, a worktree, a submodule, one that is new, and a split index.
    @Test(
        arguments: [
            (
                "cd app; GIT init -q; GIT add -Af; GIT commit -qm one", "cd app; GIT commit -q --allow-empty -m x",
                "app/.env"
            ),
            (
                "GIT init -q; GIT add -f .env; GIT commit -qm one; git worktree add -q tree",
                "cd tree; GIT commit -q --allow-empty -m x", "tree/.env"
            ),
            ("true", "GIT init -q; GIT add -Af", "app/.env"),
            (
                "GIT init -q; git config core.splitIndex true; GIT add -Af; GIT commit -qm one; GIT add notes.txt",
                "GIT tag v1", "app/.env"
            ),
            ("GIT init -q --object-format=sha256; GIT add -Af; GIT commit -qm one", "GIT tag v1", "app/.env"),
            (
                "cd app; GIT init -q; GIT add -Af; GIT commit -qm one; cd ..; GIT init -q; "
                    + "GIT -c protocol.file.allow=always submodule --quiet add ./app sub",
                "cd sub; GIT commit -q --allow-empty -m x", "sub/.env"
            ),
        ])
    func everyKindOfRepositoryIsLookedAt(prepare: String, line: String, name: String) async throws {
        try shell(prepare)
        let failure = await #expect(throws: Failure.self) {
            _ = try await rehearse(line.replacing("GIT", with: Self.git))
        }
        #expect(failure?.code == "hiddenTracked" && failure?.message.contains(name) ?? false, "\(failure as Any)")
    }

    /// What git keeps of files of keys is private: by the words of the command, by what stands in front of lines, and
    /// by the lines.
    @Test(
        arguments: [
            ("git show HEAD:.env", true), ("git cat-file -p HEAD:app/.env", true), ("git log -p", true),
            ("git diff HEAD~1", true),
            ("git grep -h TOKEN HEAD -- .env", true), ("git grep TOKEN HEAD", true),
            ("git archive HEAD .env | tar xO", true),
            ("git show HEAD~1:\".env\"", true), ("git rev-parse HEAD:notes.txt | xargs git cat-file -p", false),
            ("git rev-list --objects --all | while read h p; do git cat-file -p $h; done", true),
            ("git log --oneline", false), ("git show HEAD:notes.txt", false), ("git diff HEAD -- notes.txt", false),
            ("git grep words HEAD -- notes.txt", false), ("cat notes.txt", false),
            ("echo a: b; echo .env.example: x", false),
        ])
    func whatGitKeepsOfKeysIsPrivate(line: String, isPrivate: Bool) async throws {
        try shell(
            "GIT init -q; GIT add -f .env app/.env notes.txt; GIT commit -qm one; echo TOKEN=longer1 > .env; "
                + "GIT commit -qam two; echo y >> notes.txt"
        )
        let call = try await rehearse(line)
        guard case .done(let played) = call.rehearsal else { throw Failure("test", "It was not rehearsed.") }
        let text = try output(call)
        #expect(!text.isEmpty && lab.store.isPrivate(played.output) == isPrivate, "\(text)")
    }

    /// What is made of it is marked, and asks.
    @Test func aCopyOfWhatGitKeepsIsPrivate() async throws {
        try shell("GIT init -q; GIT add -f .env; GIT commit -qm one; git rm -q --cached .env; GIT commit -qm two")
        let call = try await rehearse("git show HEAD~1:.env | tee copy.txt")
        #expect(call.targets.map(\.isPrivate) == [true])
    }

    /// A strong form is not kept, and no other step can read it.
    @Test(
        arguments: [
            ("cat conf.txt", "a GitHub token"), ("grep -r token . || true; echo", "a GitHub token"),
            ("cat short.txt", nil),
            ("wc conf.txt", nil),
        ] as [(String, String?)])
    func outputWithAKeyIsNotKept(line: String, form: String?) async throws {
        let key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2"
        try lab.write("conf.txt", "token \(key)\n")
        try lab.write("short.txt", "TOKEN=weak-and-long\n")
        let forms = [KeyForm(["name": "a GitHub token", "begins": ["ghp_"], "of": "A-Za-z0-9", "least": 20])]
            .compactMap(\.self)
        let toolbox = Toolbox(
            store: lab.store, own: lab.own, sandbox: lab.sandbox, keyFilter: { KeyFilter(forms: forms) })
        let assignment = try lab.assignment("Shell", ["command": .string(line)], attempt: .random(in: 1...1_000_000))
        let result = await onThread {
            Result { () throws(Failure) in try toolbox.rehearse(assignment, cancel: Cancellation()) }
        }
        switch result {
        case .success: #expect(form == nil)
        case .failure(let failure):
            let failure = failure as Failure
            #expect(
                failure.code == "keyInOutput" && failure.message.contains(form ?? "?")
                    && !failure.message.contains(key), "\(failure)")
            for content in lab.store.contents() {
                let bytes = try readWhole(lab.store.path(content.hash), limit: 1 << 20)
                #expect(!String(decoding: bytes, as: UTF8.self).contains(key))
            }
            #expect(try namesIn("\(lab.own.data)/rehearsals/w3").isEmpty)
        }
    }

    /// git says that a file was changed which it did not see: what was not seen is told with it.
    @Test func statusIsToldWithWhatWasNotSeen() async throws {
        try shell("GIT init -q; GIT add -f .env notes.txt; GIT commit -qm one")
        let call = try await rehearse("git status --short --untracked-files=no")
        guard case .done(let played) = call.rehearsal else { throw Failure("test", "It was not rehearsed.") }
        #expect(try output(call) == " M .env\n" && call.targets.isEmpty)
        #expect(played.unseen?.names.first == ".env")
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
}
