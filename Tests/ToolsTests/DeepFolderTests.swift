import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
import Testing
@testable import Tools
import Vocabulary

/// Folders that lie deep in each other: whatever is told of them is hashed once, and is the same as where each level
/// tells it anew.
@Suite struct DeepFolderTests {
    /// A folder in a folder in a folder, and the files of each.
    struct Chain: Sendable, CustomTestStringConvertible {
        var folders: Int
        var files: Int
        /// How many of the folders are told by their name.
        var told: Int
        var testDescription: String { "\(folders) folders of \(files) files" }

        static func name(_ file: Int) -> String { "f\(file)" }
        static func text(_ level: Int, _ file: Int) -> String { "\(level) \(file)" }

        /// - Parameter path: of the outermost folder.
        func make(at path: String) throws {
            var path = path
            for level in 1...folders {
                if level > 1 { path += "/d" }
                try ScratchFolder.makeFolder(path)
                for file in 0..<files {
                    try ScratchFolder.write(Self.text(level, file), to: "\(path)/\(Self.name(file))")
                }
            }
        }
    }

    /// What each folder tells to the one around it, in the simplest way: one with more than a thousand changes is told
    /// in one, by the lines of all that was told to it.
    private func told(_ chain: Chain, _ effect: Effect, at path: String, in root: String, level: Int = 1) throws
        -> [Call.Target]
    {
        let names = (level < chain.folders ? ["d"] : []) + (0..<chain.files).map(Chain.name).sorted()
        var inner: [Call.Target] = []
        for name in names {
            if name == "d" {
                inner += try told(chain, effect, at: "\(path)/d", in: "\(root)/d", level: level + 1)
            } else {
                let text = try #require(ScratchFolder.text("\(root)/\(name)"))
                inner.append(
                    try target(
                        effect, "\(path)/\(name)", at: "\(root)/\(name)", bytes: text.utf8.count, hash: .of(text)))
            }
        }
        let entries = inner.reduce(0) { $0 + ($1.change?.entries ?? 0) }
        guard entries > Limits.rehearsedFolderTargets else { return [try target(effect, path, at: root)] + inner }
        let bytes = inner.reduce(0) { $0 + ($1.change?.bytes ?? 0) }
        let lines = inner.map { ContentHash.of($0.json.canonical).hex }.joined()
        return [try target(effect, path, at: root, bytes: bytes, hash: .of(lines), entries: entries + 1)]
    }

    /// - Parameter file: where it is now.
    private func target(
        _ effect: Effect, _ path: String, at file: String, bytes: Int = 0, hash: ContentHash? = nil, entries: Int = 1
    ) throws -> Call.Target {
        var status = stat()
        guard lstat(file, &status) == 0 else { throw Failure("fileNotFound", "\(file) is not there.") }
        let (isFolder, isGone, mode) = (
            status.st_mode & S_IFMT == S_IFDIR, effect == .deletes, Int(status.st_mode & 0o7777)
        )
        let before = Call.Before.file(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: isFolder ? 0 : Int64(status.st_size),
            modifiedNanoseconds: isFolder
                ? 0 : Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
            hash: isFolder ? nil : hash)
        let change = Call.Change(
            kind: isFolder ? .folder : .file, modeBefore: isGone ? mode : nil, mode: isGone ? nil : mode, bytes: bytes,
            hash: hash,
            entries: entries)
        return Call.Target(effect, .path(path), reach: .workspace, before: isGone ? before : .absent, change: change)
    }

    @Test(
        arguments: [
            Chain(folders: 1, files: 999, told: 1), Chain(folders: 1, files: 1000, told: 1),
            Chain(folders: 1, files: 1001, told: 1),
            Chain(folders: 2, files: 499, told: 2), Chain(folders: 2, files: 500, told: 1),
            Chain(folders: 2, files: 1001, told: 1),
            Chain(folders: 90, files: 3, told: 90), Chain(folders: 90, files: 12, told: 1),
        ], [Effect.creates, .deletes])
    func eachLevelIsToldAsItWouldTellItself(chain: Chain, effect: Effect) throws {
        let scratch = try ScratchFolder(isInMemory: true)
        let (upper, work) = ("\(scratch.path)/upper", "\(scratch.path)/work")
        for folder in [upper, work] { try ScratchFolder.makeFolder(folder) }
        let root = "\(effect == .creates ? upper : work)/top"
        try chain.make(at: root)
        // A file that comes to the place of the folder.
        if effect == .deletes { try ScratchFolder.write("x", to: "\(upper)/top") }
        let list = try ChangeWalk.list(upper: OpenFolder(upper), workspace: work, started: .max)
        let targets = list.targets.filter { $0.effect == effect }
        #expect(
            list.refusals.isEmpty && list.targets.count == targets.count + (effect == .deletes ? 1 : 0),
            "\(list.refusals)")
        // No difference of a megabyte is printed.
        let isSame = try targets == told(chain, effect, at: "\(work)/top", in: root)
        #expect(isSame)
        #expect(targets.count { $0.change?.kind == .folder } == chain.told)
    }

    /// The kernel's overlay cannot rename them, so that `mv` copies each.
    @Test(.process, .enabled(if: Rehearsals.areHere)) func aMoveOfDeepFoldersIsToldRight() throws {
        let lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let chain = Chain(folders: 90, files: 3, told: 90)
        try chain.make(at: lab.path("old"))
        let gone = try told(chain, .deletes, at: lab.path("old"), in: lab.path("old"))
        let call = try lab.toolbox.rehearse(
            try lab.assignment("Shell", ["command": "mv old new"]), cancel: Cancellation())
        #expect(call.targets.filter { $0.effect == .deletes } == gone)
        let come = call.targets.filter { $0.effect == .creates }
        #expect(come.count == call.targets.count - gone.count && come.map(\.change?.hash) == gone.map(\.change?.hash))
        #expect(
            come.map { $0.path?.path(below: lab.path("new")) } == gone.map { $0.path?.path(below: lab.path("old")) })
    }
}
