import CaseNames
import Consent
@testable import Files
import Harness
import JSON
@testable import Rehearsal
import Testing
@testable import Tools
import Vocabulary

/// Commands that change a repository, told in git's words by git itself.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct GitChangeTests {
    private let lab: Lab

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        try Lab.program(["sh", "-ec", "\(Self.identity)\n\(Self.repository)"], in: lab.workspace)
    }

    private static let identity = """
        export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
        export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
        """

    /// Two commits on `main`, an old branch `keep`, a branch `side` with one commit more, and changes in the work tree.
    private static let repository = """
        git init -q -b main; echo a > a.txt; echo b > b.txt; git add .; git commit -qm one
        echo c >> a.txt; git commit -qam two; git branch keep HEAD~1; git tag v1
        git checkout -q -b side; echo s > s.txt; git add s.txt; git commit -qm side; git checkout -q main
        echo d >> a.txt; echo n > new.txt
        """

    private func call(_ command: String, setup: String = "") async throws -> Call {
        if !setup.isEmpty { try Lab.program(["sh", "-ec", "\(Self.identity)\n\(setup)"], in: lab.workspace) }
        let assignment = try lab.assignment("Shell", ["command": .string("export GIT_EDITOR=true; " + command)])
        let toolbox = lab.toolbox
        return try await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }.get()
    }

    private func decision(_ call: Call, _ mode: ConfirmationMode) throws -> Decision {
        let around = Surroundings(workspace: lab.workspace, ownFolders: [lab.own.config, lab.own.data, lab.own.cache])
        return try EverydayTests.builtInPolicy().decide(call, mode: mode, in: around, at: Moment(milliseconds: 0))
    }

    /// The title with `ID` for the names of objects.
    private func title(_ call: Call) -> String {
        Consent.title(of: call).replacing(#/\b[0-9a-f]{7,64}\b/#, with: "ID")
    }

    /// Each asks once in adaptive mode, in one line, and passes in auto mode.
    @Test(
        arguments: [
            ("git add new.txt", "index: 1 path, + new.txt"),
            ("git add .", "index: 2 paths, + new.txt"),
            ("git commit -qam x", "commit ID on main: 1 file"),
            ("git add . && git commit -qm x", "commit ID on main: 2 files, + new.txt"),
            ("git commit -q --allow-empty -m x", "commit ID on main: 0 files"),
            ("git commit -qa --amend -m x", "commit ID on main: 1 file; branch main moved to ID"),
            ("git tag v2", "tag v2 made at ID"), ("git tag -a v3 -m x", "tag v3 made at ID"),
            ("git tag -d v1 >&2", "tag v1 deleted"), ("git tag -f v1 HEAD~1 >&2", "tag v1 moved to ID"),
            ("git stash -q", "stash made: 1 file, ~ a.txt and overwrite a file"),
            ("git stash -q; git stash drop -q", "git's ORIG_HEAD, index, logs, objects changed and overwrite a file"),
            ("git checkout -q -b next", "branch next made at ID; switch to next"),
            ("git branch next keep", "branch next made at ID"),
            ("git branch -D keep >&2", "branch keep deleted"),
            ("git branch -D side >&2", "branch side deleted; 1 commit no longer reachable"),
            ("git branch -m keep kept", "branch keep deleted; branch kept made at ID"),
            ("git checkout -q side", "switch to side and create a file"),
            ("git checkout -q --detach", "HEAD at ID"),
            ("git merge -q --no-ff --no-edit side", "merge ID on main: 1 file, + s.txt and create a file"),
            ("git merge -q side", "branch main moved to ID and create a file"),
            ("git reset -q --soft HEAD~1", "branch main moved to ID"),
            ("git reset -q --hard side", "branch main moved to ID and overwrite a file"),
            ("git branch -f side main", "branch side moved to ID; 1 commit no longer reachable"),
            ("git cherry-pick side >&2", "commit ID on main: 1 file, + s.txt and create a file"),
            ("git rm -q b.txt", "index: 1 path, − b.txt and delete a file"),
            ("git rm -q --cached b.txt", "index: 1 path, − b.txt"),
            ("git update-index --assume-unchanged b.txt", "index: 1 path"),
            (
                "git branch -D side >&2; git tag -d v1 >&2; git commit -q --amend -m x",
                "commit ID on main: 1 file, ~ a.txt; branch side deleted; tag v1 deleted; "
                    + "2 commits no longer reachable; "
                    + "1 more change of git"
            ),
            ("git config user.name x", "config: user.name"),
            ("git remote add o https://example.org/x", "config: remote.o.fetch, remote.o.url"),
            ("git init -q sub", "init a git repository in sub and create a folder"),
            ("git pack-refs --all", "git's packed-refs, refs changed"),
            (
                "git notes add -m x HEAD",
                "ref refs/notes/commits made at ID; commit ID on refs/notes/commits: 1 file, + ID"
            ),
            ("git update-ref refs/heads/odd HEAD~1", "branch odd made at ID"),
            ("git symbolic-ref HEAD refs/heads/side", "switch to side"),
            (
                "for n in 1 2 3; do git commit -q --allow-empty -m $n; done; git branch -D keep >&2; git tag -d v1 >&2",
                "3 commits on main: 0 files; branch keep deleted; tag v1 deleted"
            ),
        ] as [(String, String)])
    func aChangeOfGitAsksOnceInGitsWords(command: String, title: String) async throws {
        let call = try await call(command)
        #expect(self.title(call) == title)
        let adaptive = try decision(call, .adaptive)
        #expect(adaptive.name == "ask" && !adaptive.because.joined().contains("run later"))
        #expect(try decision(call, .auto).name == "allow")
        let loses = title.contains("deleted") || title.contains("no longer")
        #expect(call.effects.contains(.deletes) == (loses || title.contains("delete a file")))
    }

    @Test(
        arguments: [
            "git status", "git log --stat -p", "git diff HEAD", "git show side", "git blame a.txt", "git grep a",
            "git ls-files -s", "git branch -avv", "git describe --tags --dirty", "git stash list", "git reflog",
            "git cat-file -p HEAD", "git for-each-ref", "touch a.txt b.txt; git status; git diff", "git fsck",
            "git archive side | cat | wc -c", "git worktree list", "git config --list", "git rev-parse HEAD",
        ])
    func readingGitIsNeverAsked(command: String) async throws {
        let call = try await call(command)
        #expect(try decision(call, .adaptive).name == "allow", "\(self.title(call))")
    }

    /// In auto mode too: what git runs, follows or goes on with, and files that are obeyed later and come by git alone.
    @Test(
        arguments: [
            "rm -rf .git", "mv .git g", "echo x > .git/hooks/pre-commit", "cp a.txt .git/hooks/post-checkout",
            "ln -s ../../a.txt .git/hooks/x",
            "git config core.hooksPath h", "git config core.fsmonitor ./x", "git config alias.st '!x'",
            "git config diff.external x", "git config filter.f.clean x", "git config include.path ../t",
            "git config url.x.insteadOf y", "git config credential.helper x", "git config core.pager x",
            "printf '[CORE]\\n\\thooksPath=h' >> .git/config",
            "printf '[core]fsMonitor = \"a\\\\\\nb\"\\n' >> .git/config",
            "printf '[core\\n' >> .git/config", "git config remote.o.url 'ext::x'",
            "git config branch.main.remote /tmp",
            "mkdir .git/rebase-merge; echo 'exec x' > .git/rebase-merge/git-rebase-todo",
            "mkdir .git/sequencer; echo x > .git/sequencer/todo",
            "mkdir -p .git/rebase-apply; echo > .git/rebase-apply/x",
            "echo /tmp > .git/objects/info/alternates", "echo x > .git/info/grafts",
            "echo '* filter=f' > .git/info/attributes",
            "echo x > .git/shallow", "git worktree add -q wt keep",
            "echo 'gitdir: b' > .git.new; mv .git g; mv .git.new .git",
            "rm -rf .git; ln -s g .git", "mkdir s; echo 'gitdir: x' > s/.git", "ln -sf a.txt .git/info/exclude",
            "echo x > .git/unknown", "mkdir -p .git/modules/x; echo x > .git/modules/x/config",
            "git init -q --bare b.git; printf '[core]\\n\\tfsmonitor=x\\n' >> b.git/config",
            "cp -r .git g; echo x > g/hooks/post-commit",
            "b=$(git hash-object -w a.txt); git update-index --add --cacheinfo 100644,$b,Makefile; git commit -qm x",
            "b=$(git hash-object -w a.txt); git update-index --add --cacheinfo 100644,$b,.github/workflows/c.yml",
            "echo x > Makefile; git stash -qu -- Makefile",
            "git checkout -q side; echo x > Makefile; git add Makefile; git commit -qm x; git checkout -q main",
            "git update-index --chmod=+x b.txt; mkdir .husky; echo x > .husky/c; git add .husky; rm -r .husky",
            "t=$(echo x | git hash-object -w --stdin); t=$(printf '100644 blob %s\\tjustfile\\n' $t | git mktree); "
                + "git update-ref refs/tags/t $(git commit-tree -m x $t)",
        ])
    func whatGitObeysAsksInAutoToo(command: String) async throws {
        let call = try await call(command)
        #expect(!call.targets.isEmpty)
        let decision = try decision(call, .auto)
        #expect(decision.name == "ask", "\(self.title(call))")
    }

    /// A plain commit of a file that is obeyed brings nothing that the folder does not have.
    @Test func aCommitOfWhatIsThereIsPlain() async throws {
        let call = try await call("git add . && git commit -qm x", setup: "echo all: > Makefile")
        #expect(title(call) == "commit ID on main: 3 files, + Makefile, + new.txt")
        #expect(try decision(call, .auto).name == "allow")
    }

    /// Commits of which git cannot tell all within its limits hide nothing of what the oldest of them adds.
    @Test func aHistoryThatIsTooLongToReadIsSaidToBe() async throws {
        let history = #"""
            awk 'BEGIN { for (i = 1; i <= 9000; i++) {
              printf "commit refs/heads/long\nmark :%d\ncommitter t <t@t> 1700000000 +0000\ndata 0\n", i
              if (i > 1) printf "from :%d\n", i - 1
              for (k = 2; k <= 15; k++) if (i > k) printf "merge :%d\n", i - k
              if (i == 1) printf "M 100755 inline run.sh\ndata 2\n:\n\n"
              print "" } }' > history
            """#
        let call = try await call("git fast-import --quiet < history", setup: history)
        #expect(title(call).contains("run.sh") || title(call).contains("could not read"), "\(title(call))")
    }

    /// The differences that git has told, by commit, and whether they are all.
    @Test(
        arguments: [
            ([1], [:], false), ([1], ["a": 1], true), ([0], ["a": 1], true), ([2], ["a": 1], false),
            ([2], ["a": 2], true),
            ([2, 1], ["a": 2], false), ([2, 1], ["a": 2, "b": 1], true), ([], [:], true),
        ] as [([Int], [String: Int], Bool)])
    func aCommitWithoutItsDifferencesIsMissed(parents: [Int], told: [String: Int], isWhole: Bool) {
        var answer = GitHistory.Answer()
        answer.commits = zip(["a", "b"], parents).map { id, count in
            GitHistory.Commit(id: id, parents: Array(repeating: "p", count: count))
        }
        answer.changes = told.mapValues { Array(repeating: [], count: $0) }
        #expect(answer.isWhole == isWhole)
    }

    /// What settings of a person name is obeyed, wherever it lies.
    @Test(
        arguments: [
            ("core.hooksPath tools", "echo x > tools/pre-push"), ("include.path ../team.cfg", "echo x > team.cfg"),
            ("core.fsmonitor ./watch.sh", "echo x > watch.sh"),
            ("alias.go '!sh scripts/go.sh'", "echo x > scripts/go.sh"),
            ("filter.f.clean 'tools/clean %f'", "echo x > tools/clean"),
        ] as [(String, String)])
    func whatSettingsNameIsObeyed(setting: String, command: String) async throws {
        let setup = "mkdir tools scripts; git config \(setting)"
        #expect(try decision(await call(command, setup: setup), .auto).name == "ask")
        #expect(try decision(await call("echo x > other.txt"), .auto).name == "allow")
    }

    /// Nothing that the repository or the command names is run while git reads.
    @Test func nothingOfTheRepositoryRuns() async throws {
        let trap = "\(lab.workspace)/ran"
        let setup = """
            printf '#!/bin/sh\\ntouch \(trap)\\n' > trap; chmod +x trap
            echo '* filter=f diff=f merge=f' > .gitattributes
            git add .gitattributes; git commit -qm attributes; cp trap .git/hooks/post-index-change
            for key in core.fsmonitor filter.f.clean filter.f.smudge diff.f.textconv diff.external core.pager; do
              git config $key ./trap; done; git config attr.tree HEAD; rm -f ran
            """
        let call = try await call("git -c core.fsmonitor=false tag v2", setup: setup)
        #expect(title(call) == "tag v2 made at ID")
        #expect(!lab.exists("ran"))
    }

    /// A repository is taken as a whole, or not at all.
    @Test func aPartTakesARepositoryAsAWhole() async throws {
        let command = "git add new.txt; git commit -qm x; git branch -D keep >&2; echo more > more.txt"
        let call = try await call(command)
        let assignment = try lab.assignment("Shell", ["command": .string("export GIT_EDITOR=true; " + command)])
        try lab.toolbox.narrowRehearsal(of: assignment.run, workspace: lab.workspace, to: [lab.path(".git")])
        let part = try lab.toolbox.prepare(assignment)
        #expect(part.gitChanges == call.gitChanges && part.targets.allSatisfy { $0.path != lab.path("more.txt") })
        let toolbox = lab.toolbox
        let ending = await onThread { toolbox.run(assignment, call: part, cancel: Cancellation()) }
        #expect(ending.failure == nil && !lab.exists("more.txt"))
        let log = try Lab.program(["git", "log", "--format=%s", "-1"], in: lab.workspace)
        #expect(log == "x\n")
    }
}
