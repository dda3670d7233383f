import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
import Testing
@testable import Tools
import Vocabulary

/// Commands with git in a subfolder of a repository and in a linked worktree: git reads, and nothing outside changes.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct OuterGitTests {
    private let lab: Lab
    /// The repository around the workspace, or the one that it is a worktree of.
    private let outer: String
    private static let git = "git -c user.name=a -c user.email=b@c -c init.defaultBranch=main"

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        outer = "\(lab.root)/outer"
        try ScratchFolder.makeFolder(outer)
    }

    private func shell(_ line: String, in folder: String) throws {
        try Lab.program(["sh", "-ec", line.replacing("GIT ", with: "\(Self.git) ")], in: folder)
    }

    /// Makes the workspace a subfolder of a repository that also tracks a file of keys.
    private func makeSubfolder() throws {
        try lab.write("a.txt", "a\n")
        let whole = "GIT init -q; echo top > top.txt; echo TOKEN=secret1 > .env; echo data > .gitignore; "
        try shell(whole + "GIT add -Af work/a.txt top.txt .env; GIT commit -qm one; GIT branch old", in: lab.root)
        try lab.write("a.txt", "a\nb\n")
    }

    private func makeWorktree() throws {
        let whole = "GIT init -q; echo a > a.txt; GIT add a.txt; GIT commit -qm one; rmdir ../work; "
        try shell(whole + "GIT worktree add -q ../work -b topic", in: outer)
        try lab.write("a.txt", "a\nb\n")
    }

    private func rehearsed(_ line: String) async throws -> (call: Call, output: String, errors: String, exit: Int) {
        let assignment = try lab.assignment("Shell", ["command": .string(line)], attempt: 1)
        let (toolbox, call) = (lab.toolbox, try lab.toolbox.prepare(assignment))
        let played = try await onThread {
            Result { () throws(Failure) in try toolbox.rehearse(assignment, agreed: call, cancel: Cancellation()) }
        }.get()
        guard case .done(let done) = played.rehearsal else { throw Failure("test", "It was not rehearsed.") }
        func text(_ hash: ContentHash?) throws -> String {
            guard let hash else { return "" }
            return String(decoding: try readWhole(lab.store.path(hash), limit: 1 << 20), as: UTF8.self)
        }
        return (played, try text(done.output), try text(done.errors), done.exitCode)
    }

    private static let readings: [(line: String, shows: String)] = [
        ("git status --short", " M a.txt"), ("git log --oneline", " one"), ("git diff", "+b"),
        ("git show --stat", "a.txt"), ("git branch", "* "), ("git blame a.txt", " a"),
        ("git rev-parse --is-inside-work-tree", "true"),
    ]

    @Test func inASubfolderGitReads() async throws {
        try makeSubfolder()
        for (line, shows) in Self.readings {
            let ended = try await rehearsed(line)
            #expect(ended.exit == 0 && ended.output.contains(shows), "\(line): \(ended)")
            #expect(ended.call.targets.isEmpty, "\(line)")
        }
        #expect(try await rehearsed("git show HEAD:top.txt").output == "top\n")
    }

    @Test func inALinkedWorktreeGitReads() async throws {
        try makeWorktree()
        for (line, shows) in Self.readings {
            let ended = try await rehearsed(line)
            #expect(ended.exit == 0 && ended.output.contains(shows), "\(line): \(ended)")
            #expect(ended.call.targets.isEmpty, "\(line)")
        }
    }

    @Test func theCallReadsTheRepository() throws {
        try makeSubfolder()
        let call = try lab.toolbox.prepare(lab.assignment("Shell", ["command": "git log"]))
        #expect(call.reachesOut && call.repository == lab.root && call.effects == [.executes, .reads])
        #expect(call.targets.last == Call.Target(.reads, .path(lab.root), reach: .outside))
        for line in ["ls", "echo git", "git init x; cd x; git add .", "git --version"] {
            #expect(try !lab.toolbox.prepare(lab.assignment("Shell", ["command": .string(line)])).reachesOut, "\(line)")
        }
        let bare = try lab.toolbox.prepare(lab.assignment("Shell", ["command": "git log", "bare": true]))
        #expect(bare.isBare && bare.repository == nil)
    }

    @Test(
        arguments: [
            "git commit -qam two", "git add .", "git stash", "cd ..; git checkout -q old", "git log; git tag v1",
        ])
    func verbsThatWriteAreRefusedBeforeTheyRun(line: String) throws {
        try makeSubfolder()
        let failure = #expect(throws: Failure.self) {
            try lab.toolbox.prepare(lab.assignment("Shell", ["command": .string(line)]))
        }
        #expect(failure?.code == "repositoryElsewhere", "\(failure as Any)")
        #expect(failure?.message.contains("'cd \(lab.root)'") ?? false, "\(failure as Any)")
    }

    @Test func inALinkedWorktreeTheRefusalNamesTheFolderOfBoth() throws {
        try makeWorktree()
        let failure = #expect(throws: Failure.self) {
            try lab.toolbox.prepare(lab.assignment("Shell", ["command": "git commit -qam two"]))
        }
        #expect(failure?.message.contains("'cd \(lab.root)'") ?? false, "\(failure as Any)")
        #expect(failure?.message.contains("\(outer)/.git") ?? false, "\(failure as Any)")
    }

    /// Words that hide the verb or the folder are run, git cannot write, and the advice follows its error.
    @Test(arguments: [
        "cd \"$PWD\" && git -c user.name=a -c user.email=b@c commit -qam two", "git log -1; cd $PWD; git tag v1",
    ])
    func whatFailsSinceItIsReadOnlySaysWhy(line: String) async throws {
        try makeSubfolder()
        let before = try Lab.program(["git", "rev-parse", "--all"], in: lab.root)
        let ended = try await rehearsed(line)
        #expect(ended.exit != 0 && ended.errors.contains("assent: This folder is a part of the repository"), "\(ended)")
        #expect(try Lab.program(["git", "rev-parse", "--all"], in: lab.root) == before)
    }

    @Test func filesOfKeysElsewhereInTheWorkTreeAreEmpty() async throws {
        try makeSubfolder()
        let ended = try await rehearsed("cat ../.env; git log -1 --format=%s")
        #expect(ended.output == "one\n")
        guard case .done(let played) = ended.call.rehearsal else { return }
        #expect(played.unseen?.names.contains("\(lab.root)/.env") ?? false, "\(played.unseen as Any)")
        // Assent's own folders lie in the work tree here.
        #expect(try await rehearsed("ls ../data ../config; git log -1 --format=%s").output.hasSuffix("one\n"))
        // Git keeps old versions; its output is private then.
        for line in ["git show HEAD:.env", "git log -p --all", "cd .. && git grep -h TOKEN HEAD"] {
            let ended = try await rehearsed(line)
            guard case .done(let played) = ended.call.rehearsal else { continue }
            #expect(lab.store.isPrivate(played.output), "\(line)")
        }
    }

    /// What the settings of the repository name runs in the sandbox, and can write nothing outside of the folder.
    @Test(arguments: [
        "core.fsmonitor", "core.pager", "core.hooksPath", "alias.status", "diff.external", "core.sshCommand",
    ])
    func programsOfTheSettingsStayInTheSandbox(setting: String) async throws {
        try makeSubfolder()
        let marker = "\(lab.root)/marker"
        try ScratchFolder.write("#!/bin/sh\necho x > \(marker)\n", to: "\(lab.root)/program")
        chmod("\(lab.root)/program", 0o755)
        let value = setting == "alias.status" ? "!\(lab.root)/program" : "\(lab.root)/program"
        try shell("git config \(setting) '\(value)'", in: lab.root)
        _ = try await rehearsed("git status; git diff; git -p log; true")
        #expect(access(marker, F_OK) != 0)
    }

    /// A hostile folder cannot have keys shown by its `.git`.
    @Test func aGitFileThatLeadsToKeysShowsNothing() throws {
        try ScratchFolder.makeFolder("\(lab.root)/.ssh")
        for target in ["../.ssh", "../.ssh/.git"] {
            try lab.write(".git", "gitdir: \(target)\n")
            #expect(try !lab.toolbox.prepare(lab.assignment("Shell", ["command": "git log"])).reachesOut)
        }
        try shell("GIT init -q; echo k > id_rsa; GIT add -f id_rsa; GIT commit -qm one", in: "\(lab.root)/.ssh")
        #expect(throws: Failure.self) { try lab.toolbox.prepare(lab.assignment("Shell", ["command": "git log"])) }
    }
}
