import CaseNames
@testable import Files
import Glibc
import Harness
@testable import Rehearsal
import Testing

/// The repository that git would use in a workspace although it lies outside.
@Suite struct EnclosingRepositoryTests {
    private let scratch: ScratchFolder
    private let root: String

    init() throws {
        scratch = try ScratchFolder()
        root = realPath(scratch.path)
    }

    /// Makes a folder that git takes for a repository.
    private func repository(_ path: String, _ more: [String: String] = [:]) throws {
        for name in ["objects", "refs"] { try ScratchFolder.makeFolder("\(root)/\(path)/\(name)") }
        for (name, text) in ["HEAD": "ref: refs/heads/main\n"].merging(more, uniquingKeysWith: { $1 }) {
            try ScratchFolder.write(text, to: "\(root)/\(path)/\(name)")
        }
    }

    private func worktree(_ path: String, of main: String, named name: String) throws {
        let own = "\(root)/\(main)/.git/worktrees/\(name)"
        try ScratchFolder.makeFolder(own)
        try ScratchFolder.makeFolder("\(root)/\(path)")
        try ScratchFolder.write("ref: refs/heads/x\n", to: "\(own)/HEAD")
        try ScratchFolder.write("../..\n", to: "\(own)/commondir")
        try ScratchFolder.write("gitdir: \(own)\n", to: "\(root)/\(path)/.git")
    }

    /// Returns the top of the work tree, what is read and where to start, below the root.
    private func found(_ workspace: String, from folder: String? = nil, home: String = "home") -> String? {
        let found = EnclosingRepository.around(
            "\(root)/\(folder ?? workspace)", in: "\(root)/\(workspace)", home: "\(root)/\(home)")
        return found.map { found in
            let paths = [found.workTree, found.readings.joined(separator: "+"), found.start ?? "nowhere"]
            return paths.joined(separator: " ").replacing("\(root)/", with: "")
        }
    }

    @Test func aSubfolderReadsTheWholeWorkTree() throws {
        try repository("a/repo/.git")
        try ScratchFolder.makeFolder("\(root)/a/repo/sub/deep")
        try ScratchFolder.makeFolder("\(root)/a/beside")
        #expect(found("a/repo/sub/deep") == "a/repo a/repo a/repo")
        #expect(found("a/repo/sub", from: "a/repo/sub/new") == "a/repo a/repo a/repo")
        #expect(found("a/repo/sub", from: "a/repo") == "a/repo a/repo a/repo")
        for workspace in ["a/repo", "a", "a/beside"] { #expect(found(workspace) == nil) }
        // An empty `.git` is passed over, and the nearest repository counts.
        try ScratchFolder.makeFolder("\(root)/a/repo/sub/.git")
        #expect(found("a/repo/sub/deep") == "a/repo a/repo a/repo")
        try repository("a/repo/sub/deep/.git")
        #expect(found("a/repo/sub/deep") == nil)
        #expect(found("a/repo/sub", from: "a/repo/sub/deep") == nil)
    }

    @Test func aLinkedWorktreeReadsTheGitFolderOfItsRepository() throws {
        try repository("a/main/.git")
        try worktree("a/tree", of: "a/main", named: "tree")
        try ScratchFolder.makeFolder("\(root)/a/tree/sub")
        #expect(found("a/tree") == "a/tree a/main/.git a")
        #expect(found("a/tree/sub") == "a/tree a/tree+a/main/.git a")
        #expect(found("a") == nil && found("a", from: "a/tree") == nil)
        // Both lie in the home folder, which is no place for a session.
        #expect(found("a/tree", home: "a") == "a/tree a/main/.git nowhere")
    }

    @Test func aSubmoduleReadsItsGitFolder() throws {
        try repository("super/.git")
        try repository("super/.git/modules/m")
        try ScratchFolder.makeFolder("\(root)/super/m")
        try ScratchFolder.write("gitdir: ../.git/modules/m\n", to: "\(root)/super/m/.git")
        #expect(found("super/m") == "super/m super/.git/modules/m super")
    }

    @Test(arguments: ["", "/a", "/a/b"]) func aRepositoryOfTheHomeFolderOrAboveIsNotUsed(below: String) throws {
        try repository("home/.git")
        try repository(".git")
        try ScratchFolder.makeFolder("\(root)/home\(below)")
        #expect(found("home\(below)") == nil)
    }

    @Test func theSearchEnds() throws {
        try repository("repo/.git")
        for (count, isFound) in [(31, true), (32, true), (33, false)] {
            let folder = "repo" + String(repeating: "/d", count: count)
            try ScratchFolder.makeFolder("\(root)/\(folder)")
            #expect((found(folder) != nil) == isFound, "\(count)")
        }
    }

    /// A `.git` that leads to what is no repository shows nothing.
    @Test(
        arguments: [
            "gitdir: ../keys\n", "gitdir: keys\n", "gitdir: /nowhere\n", "gitdir:\n", "", "other: x\n", "gitdir: \0\n",
            "gitdir: .git\n", "gitdir: loop\n", "gitdir: ../broken\n",
        ])
    func aFileThatLeadsToNoRepositoryShowsNothing(line: String) throws {
        try ScratchFolder.makeFolder("\(root)/repo/sub")
        try ScratchFolder.makeFolder("\(root)/keys")
        try ScratchFolder.write("SECRET", to: "\(root)/keys/id_rsa")
        // Its `commondir` leads to what is no repository.
        try ScratchFolder.makeFolder("\(root)/broken")
        for (name, text) in [("HEAD", "x"), ("commondir", "../keys")] {
            try ScratchFolder.write(text, to: "\(root)/broken/\(name)")
        }
        #expect(symlink("loop", "\(root)/repo/loop") == 0)
        try ScratchFolder.write(line, to: "\(root)/repo/.git")
        #expect(found("repo/sub") == nil && found("repo") == nil)
    }

    @Test func aLinkInPlaceOfGitIsWhereItLeads() throws {
        try repository("elsewhere/.git")
        try ScratchFolder.makeFolder("\(root)/repo/sub")
        try ScratchFolder.makeFolder("\(root)/keys")
        #expect(symlink("\(root)/keys", "\(root)/repo/.git") == 0)
        #expect(found("repo/sub") == nil)
        unlink("\(root)/repo/.git")
        #expect(symlink("../elsewhere/.git", "\(root)/repo/.git") == 0)
        #expect(found("repo/sub") == "repo repo+elsewhere/.git nowhere")
    }

    @Test func aRepositoryOfAnotherUserIsNotUsed() throws {
        try repository("repo/.git")
        try ScratchFolder.makeFolder("\(root)/repo/sub")
        let (sub, home) = ("\(root)/repo/sub", "\(root)/home")
        #expect(EnclosingRepository.around(sub, in: sub, home: home) != nil)
        #expect(EnclosingRepository.around(sub, in: sub, home: home, user: geteuid() + 1) == nil)
    }
}
