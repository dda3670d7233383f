import CaseNames
import Consent
@testable import Files
import Glibc
import Harness
import Testing
@testable import Tools
import Vocabulary

@testable import Services

/// Configuration counts only if nobody but the user, or root, can have written it.
@Suite struct OwnerRuleTests {
    private let scratch: ScratchFolder
    private let folders: Folders

    init() throws {
        scratch = try ScratchFolder()
        folders = Folders(
            config: "\(scratch.path)/config", data: "\(scratch.path)/data", cache: "\(scratch.path)/cache")
        for folder in [
            "config", "config/tools", "config/guides", "config/templates", "config/providers", "config/prompts",
        ] { mkdir("\(scratch.path)/\(folder)", 0o700) }
    }

    private var shelves: Shelves { Shelves(folders: folders, workspace: scratch.path) }

    /// The files of the user, each with a sound text, and the problems that are reported of it.
    private var files: [(name: String, text: String, problems: () -> [Problem])] {
        let (shelves, config) = (shelves, folders.config)
        let own = OwnFolders(config: config, data: folders.data, cache: folders.cache)
        let toolbox = Toolbox(store: AssetStore(folder: "\(folders.data)/assets"), own: own)
        return [
            ("settings.yaml", "mode: auto\n", { Settings(folder: config).read().problems }),
            ("presets.yaml", "Resize: {web: {width: 9}}\n", { PresetFile(folder: config).read().problems }),
            ("policy.yaml", "policy: assent.policy/v1\nrules: []\n", { shelves.policyProblems() }),
            ("models.yaml", "servers: {}\n", { ModelFiles(folder: config).ownModelProblems() }),
            ("hosts.json", "{\"v\":1,\"hosts\":[]}\n", { HostConsents(folder: config).read().problems }),
            ("programs.json", "{\"v\":1,\"folders\":[]}\n", { ProgramConsents(folder: config).read().problems }),
            ("tools/a.yaml", "", { shelves.tools(toolbox).1 }),
            ("providers/a.yaml", "", { shelves.providers().faults }),
            ("templates/a.json", "{}", { shelves.templateProblems { _ in [] } }),
            ("guides/a.yaml", "a: 1\n", { shelves.guideProblems { _, _ in [] } }),
            ("prompts/planner.md", "Plan.\n", { shelves.promptProblem().map { [$0] } ?? [] }),
        ]
    }

    private func hasRefused(_ problems: [Problem]) -> Bool { problems.contains { $0.code == .badRights } }

    @Test("what others can write is refused, by file and by folder") func whatOthersCanWriteIsRefused() throws {
        let isRoot = geteuid() == 0
        try expectNoFaults(in: files) { name, text, problems in
            let path = "\(folders.config)/\(name)"
            let folder = String(path[..<path.lastIndex(of: "/")!])
            try ScratchFolder.write(text, to: path)
            defer { unlink(path) }
            var faults: [String] = []
            func tried(_ what: String, isRefused: Bool) {
                if hasRefused(problems()) != isRefused { faults.append("\(name), \(what): \(problems())") }
            }
            for (mode, isRefused) in [(0o600, false), (0o644, false), (0o444, false), (0o646, true), (0o602, true)] {
                chmod(path, mode_t(mode))
                tried(String(mode, radix: 8), isRefused: isRefused)
            }
            chmod(path, 0o600)
            for (mode, isRefused) in [(0o755, false), (0o777, true), (0o1777, true), (0o703, true), (0o700, false)] {
                chmod(folder, mode_t(mode))
                tried("folder \(String(mode, radix: 8))", isRefused: isRefused)
            }
            chmod(folders.config, 0o777)
            tried("config folder 777", isRefused: true)
            chmod(folders.config, 0o700)
            guard isRoot else { return faults }
            for (place, isFolder) in [(path, false), (folder, true)] {
                chown(place, 4711, 0)
                tried("owned by another, folder \(isFolder)", isRefused: true)
                chown(place, 0, 4711)
                chmod(place, isFolder ? 0o770 : 0o660)
                tried("a group of others, folder \(isFolder)", isRefused: true)
                chown(place, 0, 0)
                // The private group of root.
                tried("the private group, folder \(isFolder)", isRefused: false)
                chmod(place, isFolder ? 0o700 : 0o600)
            }
            return faults
        }
    }

    /// The names of what is refused stay known, so that nothing shipped takes its place.
    @Test func aRefusedToolIsNotReplacedByAShippedOne() throws {
        let path = "\(folders.config)/tools/a.yaml"
        try ScratchFolder.write("kind: Resize\n", to: path)
        chmod(path, 0o666)
        let own = OwnFolders(config: folders.config, data: folders.data, cache: folders.cache)
        let (_, problems) = shelves.tools(Toolbox(store: AssetStore(folder: "\(folders.data)/assets"), own: own))
        #expect(problems.contains { $0.code == .badRights && $0.manifests == ["Resize"] }, "\(problems)")
    }

    @Test func aFileBehindALinkIsLookedAtWhereItLies() throws {
        let dotfiles = "\(scratch.path)/dotfiles"
        mkdir(dotfiles, 0o700)
        try ScratchFolder.write("mode: auto\n", to: "\(dotfiles)/settings.yaml")
        symlink("\(dotfiles)/settings.yaml", "\(folders.config)/settings.yaml")
        let settings = Settings(folder: folders.config)
        #expect(settings.read().problems.isEmpty)
        chmod(dotfiles, 0o777)
        #expect(hasRefused(settings.read().problems))
    }

    /// The message has the owner and the mode, and what to do.
    @Test func theRefusalSaysWhoAndWhatToDo() throws {
        let path = "\(folders.config)/settings.yaml"
        try ScratchFolder.write("mode: auto\n", to: path)
        chmod(path, 0o666)
        let words = Settings(folder: folders.config).read().problems.first?.message ?? ""
        #expect(words.contains("has the mode 666") && words.contains("chmod go-w \(path)"), "\(words)")
    }

    /// A policy that is no longer believed refuses effects, as one that cannot be read.
    @Test func aPolicyThatOthersCanWriteRefusesEffects() throws {
        let path = "\(folders.config)/policy.yaml"
        try ScratchFolder.write("policy: assent.policy/v1\nrules: []\n", to: path)
        let policies = Policies(shelves)
        #expect(policies.policy(of: scratch.path).unreadable == nil)
        // Noticed by a process that runs, by the file and by its folder.
        chmod(path, 0o666)
        #expect(policies.policy(of: scratch.path).unreadable != nil)
        chmod(path, 0o600)
        #expect(policies.policy(of: scratch.path).unreadable == nil)
        chmod(folders.config, 0o777)
        #expect(policies.policy(of: scratch.path).unreadable != nil)
        chmod(folders.config, 0o700)
    }

    @Test func anEmptySettingsFileIsRefusedAndNeverMade() throws {
        let settings = Settings(folder: folders.config)
        try ScratchFolder.write("", to: settings.path)
        #expect(settings.read().problems.first?.message.contains("delete it for the defaults") == true)
        #expect(throws: Failure.self) { try settings.mode() }
        unlink(settings.path)
        try settings.set("slots.local", to: "3")
        try settings.set("slots.local", to: nil)
        #expect(settings.read().problems.isEmpty)
        #expect(try settings.mode() == .adaptive)
        try settings.store("", over: try settings.text())
        #expect(settings.read().problems.isEmpty, "\(settings.read().problems)")
    }

    @Test func nothingIsStoredInAFolderThatOthersCanWrite() throws {
        chmod(folders.config, 0o777)
        let settings = Settings(folder: folders.config)
        #expect(throws: Failure.self) { try settings.set("slots.local", to: "3") }
        #expect(!ScratchFolder.exists(settings.path))
    }
}
