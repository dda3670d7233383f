import Consent
import JSON
import Testing
import Vocabulary

private let folder = "/home/ana/photos"
private let git = "\(folder)/.git"
private let id = String(repeating: "1a2b3c4d", count: 5)

private typealias What = GitChange.What

/// Changes with a short name for the log.
private struct Case: Sendable, CustomTestStringConvertible {
    var changes: [What]
    var more: [Call.Target] = []
    var title = ""
    var asks = (adaptive: true, auto: false)

    var testDescription: String {
        changes.map { GitChange($0, in: git, workTree: nil).words }.joined(separator: "; ")
    }
}

private func paths(_ named: [GitChange.Path]) -> GitChange.Paths { GitChange.Paths(count: named.count, named: named) }

private func commit(_ named: [GitChange.Path], count: Int = 1, on ref: String = "refs/heads/main") -> What {
    .commits(GitChange.Commits(tip: id, count: count, ref: ref, paths: paths(named)))
}

/// A rehearsed command that changes a repository and perhaps files.
private func played(_ changes: [What], _ more: [Call.Target] = []) -> Call {
    let told = changes.map { GitChange($0, in: git, workTree: folder) }
    let change = Call.Change(
        kind: .folder, modeBefore: 0o755, mode: 0o755, bytes: 9, hash: toolVersion, entries: 12)
    var targets = [Call.Target(.overwrites, .path(git), reach: .workspace, before: .sample, change: change)]
    if told.contains(where: \.loses) {
        targets.append(Call.Target(.deletes, .path(git), reach: .workspace, before: .sample, change: change))
    }
    targets += more
    var record = Call.Rehearsal.Played(exitCode: 0, output: toolVersion, outputBytes: 3)
    record.git = told
    return Call(
        tool: "Shell", toolVersion: toolVersion, targets: targets, effects: Set(targets.map(\.effect)),
        environment: JSON.Object(members: [.init(key: "folder", value: .string(folder))]),
        rehearsal: .done(record))
}

private func file(_ effect: Effect, _ name: String) -> Call.Target {
    let before: Call.Before = effect == .creates ? .absent : .sample
    return Call.Target(
        effect, .path("\(folder)/\(name)"), reach: .workspace, before: before,
        change: Call.Change(
            kind: .file, modeBefore: effect == .creates ? nil : 0o644, mode: 0o644, bytes: 3, hash: toolVersion))
}

private let plain = commit([
    .init("a.txt", .changed, isElsewhere: false), .init("Makefile", .added, isElsewhere: false),
])
private let smuggled = commit([.init("Makefile", .added, isElsewhere: true)])

private let kinds: [What] = [
    .initialized, plain, commit([], count: 3, on: "HEAD"),
    .ref(.init("refs/heads/keep", from: id, to: nil)), .ref(.init("refs/heads/new", from: nil, to: id)),
    .ref(.init("refs/tags/v1", from: id, to: String(id.reversed()))),
    .ref(.init("HEAD", from: "ref: refs/heads/main", to: "ref: refs/heads/new")), .lost(3),
    .index(paths([.init("b.txt", .removed, isElsewhere: false)])), .index(paths([])), .config(["user.name"]),
    .stash(made: 1, dropped: 2, paths([.init("c", .added, isElsewhere: true)])),
    .upkeep(["logs", "objects"], removes: true), .unread("git is not installed"),
]

@Suite struct GitQuestionTests {
    @Test(
        arguments: ([
            ([plain], [], "commit 1a2b3c4 on main: 2 files, + Makefile"),
            ([commit([], count: 3, on: "HEAD")], [], "3 commits on a detached HEAD: 0 files"),
            ([kinds[3], .lost(3)], [], "branch keep deleted; 3 commits no longer reachable"),
            ([kinds[4], kinds[6]], [], "branch new made at 1a2b3c4; switch to new"),
            ([kinds[5]], [], "tag v1 moved to d4c3b2a"), ([.lost(1)], [], "1 commit no longer reachable"),
            ([kinds[8]], [], "index: 1 path, − b.txt"), ([kinds[9]], [], "index refreshed"),
            ([.initialized], [], "init a git repository"), ([.config(["user.name"])], [], "config: user.name"),
            ([kinds[11]], [], "stash: 1 made, 2 dropped"), ([kinds[12]], [], "git's logs, objects cleaned up"),
            ([kinds[13]], [], "change .git (not known in detail: git is not installed)"),
            ([plain], [file(.overwrites, "a.txt")], "commit 1a2b3c4 on main: 2 files, + Makefile and overwrite a file"),
            ([kinds[9]], [file(.overwrites, "a.txt")], "overwrite a file"),
            (
                [plain, kinds[4], kinds[6], kinds[8], .config(["user.name"]), .lost(2)], [],
                "commit 1a2b3c4 on main: 2 files, + Makefile; branch new made at 1a2b3c4; switch to new; "
                    + "2 commits no longer reachable; 2 more changes of git"
            ),
        ] as [([What], [Call.Target], String)]).map { Case(changes: $0.0, more: $0.1, title: $0.2) })
    private func theTitleIsInGitsWords(each: Case) {
        #expect(Consent.title(of: played(each.changes, each.more)) == each.title)
    }

    @Test func whatGitObeysIsNamedInTheTitle() {
        var target = file(.creates, ".git/hooks/pre-commit")
        target.isGitState = true
        #expect(
            Consent.title(of: played([plain], [target])).hasSuffix("; change what git obeys: .git/hooks/pre-commit"))
    }

    /// Each kind, alone: whether adaptive mode asks, and whether auto mode asks.
    @Test(
        arguments: ([
            ([plain], true, false), ([smuggled], true, true), ([kinds[3]], true, false), ([.lost(3)], true, false),
            ([kinds[8]], true, false), ([kinds[9]], false, false), ([.initialized], true, false),
            ([.config(["user.name"])], true, false), ([kinds[12]], true, false), ([kinds[13]], true, true),
            ([.index(paths([.init(".github/workflows/x.yml", .added, isElsewhere: true)]))], true, true),
            ([.index(paths([.init("notes.txt", .added, isElsewhere: true)]))], true, false),
            ([.stash(made: 1, dropped: 0, paths([.init("Makefile", .changed, isElsewhere: true)]))], true, true),
        ] as [([What], Bool, Bool)]).map { Case(changes: $0.0, asks: ($0.1, $0.2)) })
    private func changesOfGitAskOnce(each: Case) throws {
        let rule = #"{"names": ["Makefile", ".github/**"], "decide": "ask", "evenInAuto": true, "reason": "run later"}"#
        let json = try JSONReader.read(#"{"policy": "assent.policy/v1", "rules": [\#(rule)]}"#)
        let policy = Policy.read(json: json, source: "policy.yaml", origin: .user).policy
        let call = played(each.changes)
        for (mode, asks) in [
            (ConfirmationMode.adaptive, each.asks.adaptive), (.auto, each.asks.auto), (.alwaysAsk, true),
        ] {
            let decision = policy.decide(call, mode: mode, in: surroundings, at: noon)
            #expect((decision.name == "ask") == asks, "\(mode): \(decision.because)")
        }
        let words = policy.decide(call, mode: .adaptive, in: surroundings, at: noon).because.joined()
        #expect(words.contains("run later") == (each.asks.auto && kinds[13] != each.changes[0]))
    }

    @Test(arguments: [true, false]) func whatGitObeysAsksInAutoTooAndNoGrantCoversIt(isTool: Bool) {
        var target = isTool ? Call.Target.create("\(git)/HEAD") : file(.creates, ".git/rebase-merge/todo")
        target.isGitState = true
        let call = isTool ? call("WriteFile", [.creates], [target]) : played([plain], [target])
        let grant = Grant(
            id: "g", tool: call.tool, toolVersion: toolVersion,
            conditions: Conditions(effects: Set(Effect.allCases), isIrreversible: true))
        for mode in ConfirmationMode.allCases {
            let decision = Policy.modesOnly.decide(call, mode: mode, grants: [grant], in: surroundings, at: noon)
            #expect(decision.name == "ask", "\(mode)")
        }
    }

    /// Rows of earlier versions say that `.git` changes, and not how.
    @Test func aRepositoryThatIsNotToldAsksInAutoToo() {
        let call = played([])
        #expect(Policy.modesOnly.decide(call, mode: .auto, in: surroundings, at: noon).name == "ask")
        #expect(Consent.title(of: call) == "change .git")
        #expect(!call.json.canonical.contains("\"git\""))
    }

    @Test(arguments: kinds.map { Case(changes: [$0]) }) private func eachKindIsReadBackAndHashed(each: Case) throws {
        let call = played(each.changes)
        let read = try Call(json: try JSONReader.read(call.json.text))
        #expect(read == call && digest(of: read) == digest(of: call) && read.gitChanges == call.gitChanges)
        #expect(digest(of: call) != digest(of: played([])))
        for mutant in mutations(of: call.json) {
            guard let read = try? Call(json: mutant) else { continue }
            #expect(digest(of: read) != digest(of: call), "\(mutant.canonical)")
        }
    }
}
