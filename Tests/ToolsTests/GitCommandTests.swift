import CaseNames
import Harness
@testable import Rehearsal
import Testing

/// What the words of a shell command tell of its calls of git.
@Suite struct GitCommandTests {
    /// The verbs, with the folder before a colon; `?` is a folder that the words do not tell.
    @Test(
        arguments: [
            ("git status", ":status"), ("git log --oneline | head", ":log"),
            ("ls; git diff && git show HEAD", ":diff :show"),
            ("grep -r git .", ""), ("echo git commit", ""), ("cat git", ""), ("digit status", ""), ("git", ":"),
            ("git --no-pager -c a.b=c log", ":log"), ("git --version", ":"), ("/usr/bin/git add .", ":add"),
            ("cd sub && git add .", "sub:add"), ("cd sub; cd ..; git log", "sub/..:log"), ("git -C a/b log", "a/b:log"),
            ("cd /x && git -C y log", "/x/y:log"), ("cd \"$D\" && git commit", "?:commit"),
            ("cd ~ && git log", "?:log"),
            ("cd - ; git log", "?:log"), ("git --git-dir=x log", "?:log"), ("GIT_DIR=x git log", "?:log"),
            ("export GIT_DIR=x; git log", "?:log"), ("A=1 env -i B=2 git log", ":log"), ("timeout 5 git log", ":log"),
            ("find . | xargs git add", ":add"), ("sh -c 'git add .; git commit'", ":add :commit"),
            ("bash -lc \"cd x && git log\"", "x:log"), ("eval git log", ":log"),
            ("echo $(git rev-parse HEAD)", ":rev-parse"),
            ("echo \"`git log`\"", ":log"), ("x=$(git log); git add $x", ":log :add"), ("(cd a; git log)", "a:log"),
            ("if git diff --quiet; then git commit -m x; fi", ":diff :commit"), ("# git add\ngit log", ":log"),
            ("cat > R <<END\ngit commit\nEND\ngit log", ":log"), ("cat <<-'E'\n\tgit commit\n\tE\ngit log", ":log"),
            ("git log > git", ":log"), ("git log 2>&1", ":log"), ("git \"commit\" -m 'a; git b'", ":commit"),
            ("g\\it log", ":log"), ("git log 'unended", ":log"), ("git $(", ":\u{FFFD}"), ("\"", ""), ("git \\", ":"),
        ])
    func callsOfGitAreFound(command: String, expected: String) {
        let found = GitCommand.all(in: command).map { "\($0.folder ?? "?"):\($0.verb)" }.joined(separator: " ")
        #expect(found == expected)
    }

    @Test(
        arguments: [
            "status -sb", "log -p", "diff HEAD~ -- a", "show HEAD:a", "grep x", "blame a", "branch", "branch -vv",
            "branch -a --sort=-committerdate", "branch --list x*", "branch --contains HEAD", "branch --show-current",
            "tag", "tag -l v*", "tag -n3", "tag --points-at HEAD", "stash list", "stash show -p", "remote", "remote -v",
            "remote get-url origin", "worktree list", "config --get user.name", "config user.name", "config -l",
            "config get user.name", "reflog", "reflog show HEAD", "submodule status", "symbolic-ref HEAD",
            "hash-object a", "apply a.patch", "format-patch -1", "archive HEAD", "notes show", "bisect log", "",
            "init x", "clone . x", "help log", "describe --tags", "ls-files", "rev-parse HEAD", "cat-file -p HEAD",
        ])
    func readingVerbsRead(words: String) {
        #expect(GitCommand(folder: "", words: words.split(separator: " ").map(String.init)).onlyReads)
    }

    @Test(
        arguments: [
            "commit -m x", "add .", "checkout x", "switch x", "merge x", "rebase x", "reset", "stash", "stash pop",
            "stash push", "tag v1", "tag -d v1", "tag -a v1 -m x", "push", "pull", "fetch", "clean -fd", "restore a",
            "mv a b", "rm a", "apply --index a", "apply --cached a", "branch x", "branch -d x", "branch -m x y",
            "branch -f --list x", "branch --set-upstream-to=x", "config user.name x", "config --unset user.name",
            "config --add --get x", "config set a b", "remote add o u", "remote set-url o u", "worktree add x", "gc",
            "reflog expire", "submodule update", "symbolic-ref HEAD x", "symbolic-ref -d HEAD", "hash-object -w a",
            "update-index a", "update-ref x y", "read-tree x", "write-tree", "notes add", "bisect start", "am x",
            "cherry-pick x", "revert x", "prune", "repack", "filter-branch", "replace a b", "st", "commit-tree x",
            "fast-import", "maintenance run", "sparse-checkout set x", "lfs pull", "\u{FFFD}", "difftool",
            "bundle unbundle x",
        ])
    func allOtherVerbsWrite(words: String) {
        #expect(!GitCommand(folder: "", words: words.split(separator: " ").map(String.init)).onlyReads)
    }

    /// Any text is read to its end, and a command in a command in a command is not followed without an end.
    @Test func oddTextsAreReadToTheirEnd() {
        let pieces = [
            "git", " ", "'", "\"", "$(", ")", "`", "<<", "E", "\n", "\\", ";", "sh -c", "#", ">", "${", "}", "é",
        ]
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(seed)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            _ = GitCommand.all(in: text.joined())
        }
        #expect(GitCommand.all(in: String(repeating: "sh -c ", count: 50) + "git").count <= 1)
    }
}
