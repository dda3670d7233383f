import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Sandbox
import Testing
import Vocabulary

@testable import Services

/// Which folders with programs a command sees, and which ones are asked about.
@Suite struct UserProgramsTests {
    private let scratch: ScratchFolder
    private let home: String
    private let folders: Folders
    private let workspace: String

    init() throws {
        scratch = try ScratchFolder()
        home = "\(scratch.path)/home"
        workspace = "\(home)/work"
        folders = Folders(
            config: "\(home)/.config/assent", data: "\(home)/.local/share/assent", cache: "\(home)/.cache/assent")
        for folder in [folders.config, folders.data, folders.cache, workspace] { try makeFolders(folder) }
    }

    private var consents: ProgramConsents { ProgramConsents(folder: folders.config) }

    private func programs(path: [String], _ variables: [String: String] = [:]) -> UserPrograms {
        let all = ["PATH": path.joined(separator: ":"), "HOME": home].merging(variables) { $1 }
        return UserPrograms(consents: consents, own: folders.own) { all[$0] }
    }

    private func make(_ names: String...) throws { for name in names { try makeFolders("\(home)/\(name)") } }

    private func answer(_ folder: ProgramFolder, _ isAllowed: Bool = true) throws {
        try consents.store([
            ProgramConsent(
                folder: folder.path, isAllowed: isAllowed, shown: folder.shown, searched: folder.searched,
                at: Moment(milliseconds: 1))
        ])
    }

    private func short(_ path: String) -> String { path.path(below: home).map { "~/\($0)" } ?? path }

    // MARK: Layouts

    private struct Case: Sendable, CustomTestStringConvertible {
        let path: String
        /// The folder by which it is allowed, or nil if it is never shown.
        let folder: String?
        let roots: [String]
        let variables: [String]

        init(_ path: String, _ folder: String?, _ roots: [String] = [], _ variables: [String] = []) {
            (self.path, self.folder, self.roots, self.variables) = (path, folder, roots, variables)
        }

        var testDescription: String { path }
    }

    private static let cases = [
        Case(".pyenv/shims", ".pyenv", [".pyenv"], ["PYENV_ROOT=.pyenv"]),
        Case(".pyenv/plugins/virtualenv/shims", ".pyenv", [".pyenv"], ["PYENV_ROOT=.pyenv"]),
        Case(".pyenv", ".pyenv", [".pyenv"], ["PYENV_ROOT=.pyenv"]),
        Case(".pyenv/notes", ".pyenv/notes", [".pyenv/notes"]),
        Case(
            ".cargo/bin", ".cargo", [".cargo scratch but bin", ".rustup"], ["CARGO_HOME=.cargo", "RUSTUP_HOME=.rustup"]),
        Case(".nvm/versions/node/v20/bin", ".nvm", [".nvm"], ["NVM_DIR=.nvm"]),
        Case("go/bin", "go", ["go scratch but bin"], ["GOPATH=go"]),
        Case(
            ".local/bin", ".local/bin", [".local/bin", ".local/lib", ".local/share/uv"], ["PYTHONUSERBASE=.local"]),
        Case(".local/share/uv/python/cpython-3.12/bin", ".local/share/uv", [".local/share/uv"]),
        // A folder above that has `lib` is shown with it.
        Case("sdk/tool/bin", "sdk/tool/bin", ["sdk/tool"]), Case("plain/bin", "plain/bin", ["plain/bin"]),
        // The home has `lib`, too.
        Case("bin", "bin", ["bin"]), Case(".local/opt", ".local/opt", [".local/opt"]),
        Case("", nil), Case("..", nil), Case(".ssh", nil), Case(".gnupg/bin", nil), Case(".local", nil),
        Case(".config", nil), Case(".cache", nil), Case(".local/share", nil), Case("a:b", nil), Case("a\u{1B}b", nil),
    ]

    @Test(arguments: cases) private func aFolderBelongsToItsLayout(_ row: Case) throws {
        try make(
            ".pyenv/shims", ".pyenv/plugins/virtualenv/shims", ".pyenv/notes", ".cargo/bin", ".rustup",
            ".nvm/versions/node/v20/bin", "go/bin", ".local/bin", ".local/lib",
            ".local/share/uv/python/cpython-3.12/bin",
            "sdk/tool/bin", "sdk/tool/lib", "plain/bin", "bin", "lib", ".local/opt", ".ssh", ".gnupg/bin")
        let path = realPath(row.path.isEmpty ? home : "\(home)/\(row.path)")
        let place = ProgramLayouts.shipped.place(of: path, in: ProgramHome(path: home, variables: [:]))
        #expect(place?.folder.path == row.folder.map { "\(home)/\($0)" })
        let roots = (place?.roots ?? []).map { root in
            root.path.dropFirst(home.utf8.count + 1)
                + (!root.caches.isEmpty ? " scratch but \(root.fixed.joined(separator: " "))" : "")
        }
        #expect(roots == row.roots.map { $0[...] })
        let variables = (place?.roots.compactMap(\.variable) ?? []) + (place?.variables ?? [])
        #expect(variables.map { $0.replacing("\(home)/", with: "") } == row.variables)
    }

    @Test(arguments: [
        "/", "/tmp", "/run/user/1000/bin", "/proc/self", "/var/lib/x/bin", "/srv", "/boot/x", "/root/bin",
        "/home/bob/bin",
    ])
    func whatTheKernelAndOthersKeepIsNeverShown(path: String) {
        #expect(ProgramLayouts.shipped.place(of: path, in: ProgramHome(path: home, variables: [:])) == nil)
    }

    @Test func theEnvironmentNamesAnotherRoot() throws {
        try make("rust/cargo/bin", "rust/up")
        let variables = ["CARGO_HOME": "\(home)/rust/cargo", "RUSTUP_HOME": "\(home)/rust/up", "GOPATH": "relative"]
        let programs = programs(path: ["\(home)/rust/cargo/bin"], variables)
        let folder = try #require(programs.unanswered(in: workspace).first)
        #expect(folder.path == "\(home)/rust/cargo" && folder.layout == "rustup")
        #expect(folder.others == ["\(home)/rust/up"])
    }

    @Test func eachLayoutCanBeRead() {
        #expect(ProgramLayouts.shipped.layouts.count >= 10)
        for layout in ProgramLayouts.shipped.layouts {
            let roots = [layout.root] + layout.others
            #expect(roots.allSatisfy { $0.path.hasPrefix("~/") }, "\(layout.name)")
            #expect(!layout.folders.isEmpty, "\(layout.name)")
        }
    }

    // MARK: The question

    @Test func allFoldersAreAskedAboutAtOnceAndInOrder() throws {
        try make(".pyenv/shims", ".pyenv/bin", ".cargo/bin", ".rustup", "bin")
        let path = ["bin", ".pyenv/shims", ".cargo/bin", ".pyenv/bin", "missing/bin"].map { "\(home)/\($0)" }
        let asked = try programs(path: path + ["relative", "", "/usr/bin", workspace]).unanswered(in: workspace)
        #expect(asked.map { short($0.path) } == ["~/bin", "~/.pyenv", "~/.cargo"])
        #expect(asked[1].searched.map(short) == ["~/.pyenv/shims", "~/.pyenv/bin"])
        #expect(asked[2].others.map(short) == ["~/.rustup"])
    }

    @Test func anAnsweredFolderIsNotAskedAboutAgain() throws {
        try make(".pyenv/shims", ".cargo/bin", "bin")
        let programs = programs(path: ["\(home)/.pyenv/shims", "\(home)/.cargo/bin", "\(home)/bin"])
        let asked = try programs.unanswered(in: workspace)
        try answer(asked[0])
        try answer(asked[1], false)
        #expect(try programs.unanswered(in: workspace).map { short($0.path) } == ["~/bin"])
    }

    @Test(arguments: [".venv", "venv"]) func theInterpreterOfAVirtualEnvironmentIsAskedAbout(name: String) throws {
        try make(".pyenv/versions/3.11/bin", "work/\(name)")
        try ScratchFolder.write("", to: "\(home)/.pyenv/versions/3.11/bin/python3")
        chmod("\(home)/.pyenv/versions/3.11/bin/python3", 0o755)
        try ScratchFolder.write(
            "home = \(home)/.pyenv/versions/3.11/bin\nversion = 3.11\n", to: "\(workspace)/\(name)/pyvenv.cfg")
        let programs = programs(path: ["/usr/bin"])
        let asked = try programs.unanswered(in: workspace)
        #expect(
            asked.map { short($0.path) } == ["~/.pyenv"] && asked[0].searched.isEmpty && asked[0].environment == name)
        try answer(asked[0])
        // It is shown, and no other command finds its programs by name.
        let seen = try programs.seen(in: workspace)
        #expect(seen.roots.map { short($0.path) } == ["~/.pyenv"] && seen.path.first == "/usr/bin")
    }

    /// A workspace may come from elsewhere.
    @Test(arguments: ["~/Documents/bin", "~/missing/bin", "~", "~/.ssh", "/", "~/.local", "~/py:bin"])
    func aFolderThatAWorkspaceNamesNeedsAnInterpreter(named: String) throws {
        try make("Documents/bin", "Documents/lib", "py:bin", "work/.venv", ".ssh")
        for folder in ["py:bin", ".ssh", ".local", ""] { try ScratchFolder.write("", to: "\(home)/\(folder)/python3") }
        for folder in ["py:bin", ".ssh", ".local", ""] { chmod("\(home)/\(folder)/python3", 0o755) }
        let path = named.replacing("~", with: home)
        try ScratchFolder.write("home = \(path)\n", to: "\(workspace)/.venv/pyvenv.cfg")
        #expect(try programs(path: ["/usr/bin"]).unanswered(in: workspace).isEmpty)
    }

    // MARK: What is seen

    /// The environment may name another folder than the one in the question.
    @Test(arguments: [["CARGO_HOME", "Documents"], ["RUSTUP_HOME", "Documents"], ["HOME", "work"]])
    func aYesIsForTheFoldersThatWereShown(change: [String]) throws {
        try make(".cargo/bin", ".rustup", "Documents", "work/.cargo")
        let path = ["\(home)/.cargo/bin"]
        try answer(try #require(try programs(path: path).unanswered(in: workspace).first))
        let other = programs(path: path, [change[0]: "\(home)/\(change[1])"])
        let seen = try other.seen(in: "/elsewhere").roots.map { short($0.path) }
        #expect(Set(seen).isSubset(of: ["~/.cargo", "~/.rustup"]), "\(seen)")
        if change[0] == "RUSTUP_HOME" {
            let asked = try other.unanswered(in: workspace)
            #expect(asked.map { short($0.path) } == ["~/.cargo"] && asked[0].others.map(short) == ["~/Documents"])
            try answer(asked[0])
            #expect(try other.unanswered(in: workspace).isEmpty)
            // What was shown before is shown to a process with the old environment.
            #expect(
                try programs(path: path).seen(in: workspace).roots.map { short($0.path) } == ["~/.cargo", "~/.rustup"])
        }
    }

    @Test func aFolderThatIsAnotherOneNowIsNotShown() throws {
        try make("tools/bin", "other/bin")
        let programs = programs(path: ["\(home)/tools/bin"])
        try answer(try programs.folder("~/tools/bin"))
        #expect(try programs.isSeen(consents.list()[0]))
        rename("\(home)/tools/bin", "\(home)/tools/old")
        symlink("\(home)/other/bin", "\(home)/tools/bin")
        #expect(try programs.seen(in: workspace).roots.isEmpty && !programs.isSeen(consents.list()[0]))
        #expect(try programs.unanswered(in: workspace).map { short($0.path) } == ["~/other/bin"])
    }

    @Test func withoutAnAnswerOnlyTheSystemIsSeen() throws {
        try make(".cargo/bin")
        let seen = try programs(path: ["\(home)/.cargo/bin", "/usr/bin"]).seen(in: workspace)
        #expect(seen.roots.isEmpty && seen.variables.isEmpty)
        #expect(seen.path == ["/usr/bin", "/usr/local/bin", "/bin"])
        #expect(seen.searchFolders.map(\.isShown) == [false, true])
    }

    @Test func allowedFoldersAreSearchedInTheOrderOfTheUser() throws {
        try make(".cargo/bin", "bin", ".rustup", "work/tools")
        let path = ["/usr/local/bin", "\(home)/bin", "\(workspace)/tools", "/usr/bin", "\(home)/.cargo/bin"]
        let programs = programs(path: path)
        for folder in try programs.unanswered(in: workspace) { try answer(folder) }
        let seen = try programs.seen(in: workspace)
        #expect(seen.path == path + ["/bin"])
        #expect(seen.roots.map { short($0.path) } == ["~/bin", "~/.cargo", "~/.rustup"])
        #expect(seen.variables == ["CARGO_HOME=\(home)/.cargo", "RUSTUP_HOME=\(home)/.rustup"])
    }

    /// A worker that systemd starts has another search path.
    @Test func aProcessWithAnotherSearchPathSeesTheSame() throws {
        try make(".pyenv/shims", ".pyenv/bin")
        for folder in try programs(path: ["\(home)/.pyenv/shims", "\(home)/.pyenv/bin"]).unanswered(in: workspace) {
            try answer(folder)
        }
        let seen = try programs(path: ["/usr/bin"]).seen(in: workspace)
        #expect(seen.path == ["\(home)/.pyenv/shims", "\(home)/.pyenv/bin", "/usr/bin", "/usr/local/bin", "/bin"])
    }

    @Test func aRootInTheWorkspaceIsSeenAsTheWorkspaceIs() throws {
        try make("work/.cargo/bin")
        let programs = programs(path: [], ["CARGO_HOME": "\(workspace)/.cargo"])
        let root = "\(workspace)/.cargo"
        try answer(ProgramFolder(path: root, searched: ["\(root)/bin"], shown: [root]))
        #expect(try programs.seen(in: workspace).roots.isEmpty)
    }

    @Test func ourOwnFoldersAreNeverShown() throws {
        let path = "\(folders.data)/bin"
        try makeFolders(path)
        let programs = programs(path: [path])
        #expect(try programs.unanswered(in: workspace).isEmpty)
        #expect(throws: Failure.self) { try programs.folder(path) }
        try answer(ProgramFolder(path: path, searched: [path], shown: [path]))
        #expect(try programs.seen(in: workspace).roots.isEmpty)
        // Nor is a folder around them.
        try make(".local/share/assent/lib")
        #expect(throws: Failure.self) { try programs.folder("~/.local/share/assent/../assent") }
    }

    // MARK: The words of the user

    @Test(arguments: [
        ("~/.cargo/bin", "~/.cargo"), ("~/.cargo", "~/.cargo"), ("~/bin", "~/bin"), ("~/.cargo/../bin/", "~/bin"),
    ]) func aFolderIsFoundByItsName(written: String, folder: String) throws {
        try make(".cargo/bin", "bin")
        let found = try programs(path: ["/usr/bin"]).folder(written)
        #expect(short(found.path) == folder)
        #expect(
            found.searched.map(short) == (written == "~/.cargo" ? [] : [written == "~/.cargo/bin" ? written : folder]))
    }

    @Test(arguments: ["~", "~/missing", "bin", "/usr/bin", "/", "~/..", "~/file", "~/.local", "~/a:b"])
    func whatIsNoFolderWithProgramsIsRefused(written: String) throws {
        try ScratchFolder.write("x", to: "\(home)/file")
        try make("a:b")
        let failure = #expect(throws: Failure.self) { try programs(path: []).folder(written) }
        #expect(failure?.code == "badPath")
    }

    // MARK: The file

    @Test func theFileSaysWhatWasAnswered() throws {
        let cargo = ProgramFolder(
            path: "/home/ann/.cargo", searched: ["/home/ann/.cargo/bin"], shown: ["/home/ann/.cargo"])
        try answer(cargo)
        try answer(ProgramFolder(path: "/home/ann/bin", searched: []), false)
        #expect(
            ScratchFolder.text("\(folders.config)/programs.json")
                == #"{"v":1,"folders":[{"folder":"/home/ann/.cargo","allowed":true,"shown":["/home/ann/.cargo"],"#
                + #""searched":["/home/ann/.cargo/bin"],"at":1},"#
                + #"{"folder":"/home/ann/bin","allowed":false,"shown":[],"searched":[],"at":1}]}"# + "\n")
        try answer(ProgramFolder(path: "/home/ann/.cargo"), false)
        #expect(try consents.list().map(\.isAllowed) == [false, false])
    }

    @Test(arguments: [
        "", "{", "[]", #"{"v":2,"folders":[]}"#, #"{"v":1}"#, #"{"v":1,"folders":{}}"#, #"{"v":1,"folders":[],"x":1}"#,
        #"{"v":1,"folders":[{"folder":"bin","allowed":true,"shown":[],"searched":[],"at":1}]}"#,
        #"{"v":1,"folders":[{"folder":"/a/../b","allowed":true,"shown":[],"searched":[],"at":1}]}"#,
        #"{"v":1,"folders":[{"folder":"/a","allowed":"yes","shown":[],"searched":[],"at":1}]}"#,
        #"{"v":1,"folders":[{"folder":"/a","allowed":true,"shown":[],"searched":["b"],"at":1}]}"#,
        #"{"v":1,"folders":[{"folder":"/a","allowed":true,"shown":[],"searched":["/b:/c"],"at":1}]}"#,
        #"{"v":1,"folders":[{"folder":"/a","allowed":true,"shown":[],"searched":[]}]}"#,
        #"{"v":1,"folders":[{"folder":"/a","allowed":true,"shown":["a"],"searched":[],"at":1}]}"#,
        #"{"v":1,"folders":[{"folder":"/a","allowed":true,"searched":[],"at":1}]}"#,
        #"{"v":1,"folders":[{"folder":"/a","allowed":true,"shown":[],"searched":[],"at":1,"more":1}]}"#,
    ]) func aFileThatCannotBeReadIsNoAnswer(text: String) throws {
        try ScratchFolder.write(text, to: "\(folders.config)/programs.json")
        chmod("\(folders.config)/programs.json", 0o600)
        let programs = programs(path: ["/usr/bin"])
        let failure = #expect(throws: Failure.self) { try programs.seen(in: workspace) }
        #expect(failure?.code == "programsBroken" && !consents.read().problems.isEmpty)
        // Nothing is lost if an empty file is written.
        if text.isEmpty { return }
        #expect(throws: Failure.self) { try answer(ProgramFolder(path: "/home/ann/bin")) }
        #expect(ScratchFolder.text("\(folders.config)/programs.json") == text)
    }
}
