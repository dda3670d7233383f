import CaseNames
import CProcess
@testable import Files
import Foundation
import Glibc
import Harness
import JSON
@testable import Rehearsal
@testable import Sandbox
import Synchronization
import Testing
@testable import Tools
@testable import Undo
import Vocabulary

/// A random workflow over a random folder, which is undone: what the property tests of undo play.
struct UndoProperty {
    private let lab: Lab
    private var random: Seeded
    private var attempt = 0
    private var texts = 0
    private let names = ["a", "b", "c", "d", "d/a", "d/b", "e", "e/f", "e/f/a", "é"]
    private let toolbox: Toolbox
    private let mark: CutMark

    /// Says whether an undo was cut that moves a folder back.
    final class CutMark: Sendable {
        private let isMarked = Mutex(false)

        var isSet: Bool { isMarked.withLock { $0 } }

        func set() { isMarked.withLock { $0 = true } }
    }

    init(seed: UInt64, isInMemory: Bool, mark: CutMark = CutMark()) throws {
        self.mark = mark
        lab = try Lab(sandbox: .bubblewrap("/usr/bin/bwrap"), isInMemory: isInMemory)
        random = Seeded(seed)
        toolbox = lab.toolbox
        for name in ["a", "b", "d/a", "d/b", "e/f/a"] where random.chance(60) { try lab.write(name, text()) }
        for name in files() where random.chance(30) {
            chmod(lab.path(name), [0o600, 0o444, 0o755, 0o640].randomElement(using: &random)!)
        }
        if random.chance(30) { symlink("a", lab.path("c")) }
    }

    /// A text that no other file has.
    private mutating func text() -> String {
        texts += 1
        return "text \(texts) " + String(repeating: "x", count: Int.random(in: 0...40, using: &random))
    }

    private mutating func name() -> String { names.randomElement(using: &random)! }

    // MARK: Looking

    /// Paths with types, permissions, contents, links and times. Of folders no times.
    func picture() -> [String: String] {
        var picture: [String: String] = [:]
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: lab.workspace)) ?? [] {
            var status = stat()
            guard lstat(lab.path(path), &status) == 0 else { continue }
            switch status.kind {
            case .file:
                picture[path] =
                    "\(String(status.permissions, radix: 8)) \(status.modifiedNanoseconds) \(lab.read(path) ?? "?")"
            case .folder: picture[path] = "folder \(String(status.permissions, radix: 8))"
            case .link:
                picture[path] =
                    "→ \((try? FileManager.default.destinationOfSymbolicLink(atPath: lab.path(path))) ?? "?")"
            case .special: picture[path] = "special"
            }
        }
        return picture
    }

    private func files() -> [String] {
        picture().filter { !$0.value.hasPrefix("folder") && !$0.value.hasPrefix("→") }.keys.sorted()
    }

    // MARK: Steps

    /// Runs one step; it may fail, as steps do.
    mutating func step() throws {
        attempt += 1
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3:
            try run(
                "WriteFile", ["path": .string(name()), "text": .string(text()), "overwrite": .bool(random.chance(70))])
        case 3..<5: try run("MoveFile", ["from": .string(name()), "to": .string(name())])
        case 5..<7: try run("DeleteFile", ["path": .string(name())])
        default: try command()
        }
    }

    private func run(_ kind: String, _ params: JSON) throws {
        let assignment = try lab.assignment(kind, params, attempt: attempt)
        guard let call = try? toolbox.prepare(assignment) else { return }
        _ = toolbox.run(assignment, call: call, cancel: Cancellation())
    }

    /// A process that was killed after it had recorded what it would do, and before it did that.
    mutating func cutStep() throws {
        attempt += 1
        let (path, text) = (lab.path("cut"), text())
        let after = FileState.file(
            FileState.Content(hash: .of(text), bytes: Int64(text.utf8.count), mode: 0o644, modified: nowNanoseconds()))
        let run = RunID(StepID(WorkflowID(3), 2), attempt: attempt)
        try ChangeRecording(UndoRecords(lab.own), run, workspace: lab.workspace).begin([
            FileChange(path, from: .absent, to: after)
        ])
    }

    /// What a command would have left in its overlay, applied as its rehearsal would be; at times it is cut in the
    /// middle.
    private mutating func command() throws {
        let run = RunID(StepID(WorkflowID(3), 2), attempt: attempt)
        let rehearsal = try toolbox.rehearsal(of: run, in: lab.workspace)
        try rehearsal.folder.make(for: rehearsal.workspace)
        let started = try OverlayRun.moment(in: rehearsal.folder)
        for _ in 0..<Int.random(in: 1...3, using: &random) { try touch(name(), in: rehearsal.folder.upper) }
        guard let list = try? rehearsal.changes(since: started, own: lab.own), list.refusals.isEmpty, !list.isEmpty
        else {
            return rehearsal.folder.remove()
        }
        let recording = ChangeRecording(UndoRecords(lab.own), run, workspace: rehearsal.workspace)
        try recording.begin(
            RehearsedChanges(workspace: rehearsal.workspace, folder: rehearsal.folder).changes(list.steps),
            isLasting: true)
        try rehearsal.folder.write(RehearsalFolder.Plan(list))
        var application = Application(folder: rehearsal.folder, workspace: rehearsal.workspace)
        let stop = random.chance(20) ? Int.random(in: 0..<list.steps.count, using: &random) : nil
        application.beforeStep = { (place) throws(Failure) in if place == stop { throw Failure("stopped", "Stopped.") }
        }
        try? toolbox.apply(application, of: run)
    }

    /// Writes, deletes or replaces a name in an overlay.
    private mutating func touch(_ name: String, in upper: String) throws {
        let above = parent(of: name) == "." ? "" : parent(of: name)
        // The folders above it are there, as the kernel would have copied them.
        var folder = ""
        for part in above.split(separator: "/") {
            folder += "/\(part)"
            var status = stat()
            if lstat(lab.path(String(folder.dropFirst())), &status) == 0, status.kind != .folder { return }
            if lstat(upper + folder, &status) == 0, status.kind != .folder { return }
            if mkdir(upper + folder, 0o755) == 0, lstat(lab.path(String(folder.dropFirst())), &status) == 0 {
                chmod(upper + folder, status.st_mode & 0o7777)
            }
        }
        let path = "\(upper)/\(name)"
        var status = stat()
        guard lstat(path, &status) != 0 else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where lstat(lab.path(name), &status) == 0: mknod(path, S_IFCHR, 0)
        case 1: symlink(["a", "b"].randomElement(using: &random)!, path)
        case 2:
            mkdir(path, 0o755)
            if lstat(lab.path(name), &status) != 0 || status.kind != .folder {
                try Self.write(text(), to: "\(path)/in")
            } else {
                chmod(path, random.chance(50) ? 0o700 : status.st_mode & 0o7777)
            }
        default:
            if lstat(lab.path(name), &status) == 0, status.kind == .folder { return }
            try Self.write(text(), to: path)
            chmod(path, [0o644, 0o444, 0o600].randomElement(using: &random)!)
        }
    }

    private static func write(_ text: String, to path: String) throws {
        try #require(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    }

    /// Somebody changes something.
    ///
    /// - Returns: the paths that were changed, and the texts that may not be lost.
    mutating func meddle() throws -> (paths: Set<String>, texts: Set<String>) {
        var (paths, kept) = (Set<String>(), Set<String>())
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let there = picture().keys.sorted()
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                guard let path = files().randomElement(using: &random) else { continue }
                paths.insert(path)
                #expect(unlink(lab.path(path)) == 0)
            case 1:
                guard let path = files().randomElement(using: &random) else { continue }
                paths.insert(path)
                chmod(lab.path(path), 0o611)
            default:
                let path = random.chance(70) ? there.randomElement(using: &random) ?? "new" : name()
                var status = stat()
                if lstat(lab.path(path), &status) == 0, status.kind != .file { continue }
                // Not through a link: that would be another path.
                guard realPath(parent(of: lab.path(path))) == parent(of: lab.path(path)) else { continue }
                let text = text()
                unlink(lab.path(path))
                guard FileManager.default.createFile(atPath: lab.path(path), contents: Data(text.utf8)) else {
                    continue
                }
                paths.insert(path)
                kept.insert(text)
            }
        }
        let now = Set(files().compactMap { lab.read($0) })
        return (paths, kept.intersection(now))
    }

    /// Adds the paths that files had before their folders were moved: what is undone brings them back there.
    func withFormer(_ paths: Set<String>) -> Set<String> {
        let records = (try? UndoRecords(lab.own).records(of: WorkflowID(3))) ?? []
        var all = paths
        for change in records.flatMap({ $0.changes.reversed() }) {
            guard let source = change.source else { continue }
            for path in all {
                guard let below = lab.path(path).path(below: change.path) else { continue }
                all.insert(below.isEmpty ? source : "\(source)/\(below)")
            }
            all = Set(all.map { $0.path(below: lab.workspace) ?? $0 })
        }
        return all
    }

    var contents: Set<String> { Set(files().compactMap { lab.read($0) }) }

    /// The records and the folder, for a failure.
    var told: String { told(of: 3) }

    func told(of workflow: Int64) -> String {
        let records = UndoRecords(lab.own)
        let changes = ((try? records.records(of: WorkflowID(workflow))) ?? []).reversed().map { record in
            "\n\(record.run)\(records.isDone(record.run) ? "" : " cut"):"
                + record.changes.map { "\n  \($0.json.text)" }.joined()
        }
        let files = picture().sorted { $0.key < $1.key }.map { "\n\($0.key): \($0.value)" }
        return (changes.joined() + files.joined()).replacing(lab.workspace, with: "")
    }

    // MARK: Undo

    /// Undoes all of it, cut at random places and done again until it ends.
    mutating func undo(by workflow: Int, of undone: Int = 3, isPartial: Bool = false) throws -> Failure? {
        let request = UndoRequest(workflow: WorkflowID(Int64(undone)), isPartial: isPartial)
        var attempt = 0
        while true {
            attempt += 1
            let assignment = try lab.undoAssignment(request, by: workflow, attempt: attempt)
            let isCut = attempt < 4 && random.chance(40)
            guard isCut else { return toolbox.run(assignment, call: nil, cancel: Cancellation()).failure }
            let records = UndoRecords(lab.own)
            guard let selected = try? records.selected(request, besides: WorkflowID(Int64(workflow))) else { continue }
            let plan = try records.plan(selected, workspace: lab.workspace, by: WorkflowID(Int64(workflow)))
            guard !plan.work.isEmpty, isPartial || plan.left.isEmpty else { continue }
            var work = UndoWork(
                run: assignment.run, workspace: lab.workspace, undoes: request.workflow, records: records,
                runFolder: RunFolder(assignment.runFolder))
            let stop = Int.random(in: 0..<plan.work.count, using: &random)
            work.isPartial = isPartial
            work.beforeChange = { (place) throws(Failure) in if place == stop { throw Failure("stopped", "Stopped.") } }
            try makeFolders(parent(of: assignment.runFolder))
            let changes = plan.items.map(\.change)
            if changes.contains(where: { $0.source != nil && $0.after.isFolder }) {
                mark.set()
            }
            _ = try? work.carryOut(plan, at: nowNanoseconds())
        }
    }
}
