import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
import Testing
@testable import Tools
import Vocabulary

/// Repositories that lie elsewhere than in `.git` above the hidden file: what git would commit as empty is refused,
/// whatever way leads to the repository.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct HiddenGitTests {
    private let lab: Lab
    private static let git = "git -c user.name=a -c user.email=b@c -c init.defaultBranch=main"
    /// A repository of all that is in the workspace.
    private static let whole = "GIT init -q; GIT add -Af; GIT commit -qm one; "

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        try lab.write(".env", "TOKEN=1\n")
        try lab.write("a.txt", "a\n")
    }

    private func shell(_ line: String) throws {
        try Lab.program(["sh", "-ec", line.replacing("GIT ", with: "\(Self.git) ")], in: lab.workspace)
    }

    /// - Returns: the failure; `nil` if the command passes.
    private func refusal(of line: String) async throws -> Failure? {
        let assignment = try lab.assignment(
            "Shell", ["command": .string(line.replacing("GIT ", with: "\(Self.git) "))], attempt: 1)
        let toolbox = lab.toolbox
        let result = await onThread {
            Result { () throws(Failure) in try toolbox.rehearse(assignment, cancel: Cancellation()) }
        }
        switch result {
        case .success(let call):
            guard case .done(let played) = call.rehearsal else { throw Failure("test", "It was not rehearsed.") }
            #expect(played.exitCode == 0, "\(line)")
            return nil
        case .failure(let failure): return failure as Failure
        }
    }

    @Test(
        arguments: [
            // A link, and a file that leads through one.
            (whole + "mv .git dotgit; ln -s dotgit .git", "echo z >> a.txt; GIT commit -qam two", ".env"),
            (whole + "mv .git dotgit; ln -s $PWD/dotgit .git", "GIT tag v1", ".env"),
            (whole + "mkdir r; mv .git r/.git; ln -s r/.git .git", "GIT commit -q --allow-empty -m two", ".env"),
            (
                whole + "mkdir real; mv .git real/meta; ln -s real l; echo 'gitdir: l/meta' > .git",
                "GIT commit -qam two", ".env"
            ),
            (whole + "mkdir real; mv .git real/meta; ln -s real l; ln -s l/meta .git", "GIT tag v1", ".env"),
            (
                whole + "git worktree add -q tree; mv tree real; ln -s real tree",
                "cd tree; GIT commit -qam two --allow-empty", "real/.env"
            ),
            // Another work tree.
            (
                "mkdir repo; cd repo; GIT init -q; git config core.worktree ../..; GIT add -f ../.env ../a.txt; GIT commit -qm one",
                "cd repo; echo z >> ../a.txt; GIT commit -qam two", ".env"
            ),
            (
                "mkdir repo; cd repo; GIT init -q; git config core.worktree ../..; GIT add -f ../.env ../a.txt; GIT commit -qm one",
                "rm -rf repo", ".env"
            ),
            (
                "mkdir repo; cd repo; GIT init -q; "
                    + "printf '[core]\\nworktree = \"../..\"\\n' >> .git/config; GIT add -f ../.env; GIT commit -qm one",
                "cd repo; GIT tag v1", ".env"
            ),
            (whole + "mv .git dotgit", "echo z >> a.txt; GIT --git-dir=dotgit --work-tree=. commit -qam two", ".env"),
            (whole + "mv .git dotgit", "mv dotgit other", ".env"),
            (
                whole + "mkdir app; mv .env app; mv .git dotgit",
                "GIT --git-dir=dotgit --work-tree=app commit -qam two", "app/.env"
            ),
            (
                "GIT init -q sub; GIT --git-dir=sub/.git --work-tree=. add -f .env a.txt; GIT --git-dir=sub/.git commit -qm one",
                "echo z >> a.txt; export GIT_DIR=$PWD/sub/.git GIT_WORK_TREE=$PWD; GIT commit -qam two", ".env"
            ),
            (
                "GIT init -q --bare b.git; GIT --git-dir=b.git --work-tree=. add -f .env; GIT --git-dir=b.git --work-tree=. commit -qm one",
                "GIT --git-dir=b.git --work-tree=. commit -qam two", ".env"
            ),
            (
                "cd ..; GIT init -q --separate-git-dir=work/meta .; GIT add -f work/.env; GIT commit -qm one; rm .git",
                "GIT --git-dir=meta --work-tree=.. commit -qam two", ".env"
            ),
            // Another index.
            (whole + "git rm -q --cached .env; GIT commit -qm two", "GIT_INDEX_FILE=idx git read-tree HEAD~", ".env"),
            (
                "mkdir s t; mv .env s; echo t > t/t; \(whole)git sparse-checkout init --cone --sparse-index; "
                    + "git sparse-checkout set t; mkdir -p s; echo TOKEN=2 > s/.env", "GIT tag v1", "s/.env"
            ),
            (
                whole + "git config core.splitIndex true; GIT add a.txt; mv .git dotgit", "GIT --git-dir=dotgit tag v1",
                ".env"
            ),
        ])
    func theRepositoryMayLieAnywhere(prepare: String, line: String, name: String) async throws {
        try shell(prepare)
        let failure = try await refusal(of: line)
        #expect(
            failure?.code == "hiddenTracked" && failure?.message.contains(" \(name).") ?? false,
            "\(line): \(failure as Any)")
        #expect(try namesIn("\(lab.own.data)/rehearsals/w3").isEmpty)
    }

    /// What cannot be read may hold any path, and the words say so.
    @Test(
        arguments: [
            (whole + "mv .git/index idx; ln -s ../idx .git/index", "GIT tag v1"),
            (whole + "echo broken > .git/index", "echo x > .git/x"),
            (whole + "printf 'DIRC\\0\\0\\0\\011\\0\\0\\0\\0rest of another version' > .git/index", "echo x > .git/x"),
            ("true", "printf 'DIRC\\0\\0\\0\\011\\0\\0\\0\\0rest of another version' > idx"),
            (whole + "git config core.splitIndex true; GIT add a.txt; rm .git/sharedindex.*", "echo x > .git/x"),
        ])
    func anIndexThatCannotBeReadIsRefused(prepare: String, line: String) async throws {
        try shell(prepare)
        let failure = try await refusal(of: line)
        #expect(failure?.code == "hiddenTracked", "\(failure as Any)")
        for word in ["cannot read the index", ".env"] {
            #expect(failure?.message.contains(word) ?? false, "\(failure as Any)")
        }
    }

    /// Of what has nothing to do with the hidden file nothing is refused.
    @Test(
        arguments: [
            (whole, "git clone -q --no-hardlinks . copy"), (whole, "git clone -q --no-hardlinks --bare . b.git"),
            (whole, "git status --short"),
            (whole, "git clone -q --no-hardlinks . copy && cd copy && echo z >> a.txt; GIT commit -qam two"),
            (whole, "GIT init -q new; cd new; echo x > f; GIT add f; GIT commit -qm x"),
            (
                "GIT init -q; GIT add a.txt; GIT commit -qm one; mv .git dotgit; ln -s dotgit .git",
                "echo z >> a.txt; GIT commit -qam two"
            ),
            (
                "mkdir repo; cd repo; GIT init -q; git config core.worktree ../..; GIT add ../a.txt; GIT commit -qm one",
                "cd repo; echo z >> ../a.txt; GIT commit -qam two"
            ),
            (
                "mkdir sub; echo x > sub/x; cd sub; GIT init -q; cp ../.env .; GIT add -Af; GIT commit -qm one; rm .env; "
                    + "git config core.worktree ..", "cd sub; GIT tag v1"
            ),
            ("mkdir refs objects; echo x > HEAD", "echo y > refs/y"),
            ("true", "printf DIR > idx; printf 'XDIRC' > idy"),
        ])
    func otherRepositoriesMayChange(prepare: String, line: String) async throws {
        try shell(prepare)
        let failure = try await refusal(of: line)
        #expect(failure == nil, "\(failure as Any)")
    }

    @Test func workTreesAreReadFromSettings() {
        let table: [(String, [String?])] = [
            ("[core]\n\tworktree = ../..\n", ["../.."]), ("[CORE] WorkTree=a b  \r\n", ["a b"]),
            ("[core]\nworktree = a]b", ["a]b"]),
            ("[core]\nworktree = \"../..\"", [nil]), ("worktree = a ; b\nworktree = c", [nil, "c"]),
            ("[extensions]\n\tworktreeConfig = true", []),
            ("[remote \"worktree\"]\n\turl = worktree = x", []), ("worktree", []), ("", []),
        ]
        expectNoFaults(in: table) { settings, expected in
            let read = GitPlaces.workTreeSettings(settings)
            return read == expected ? [] : ["\(settings): \(read)"]
        }
    }
}
