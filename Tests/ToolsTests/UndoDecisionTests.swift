import CaseNames
@testable import Files
import Harness
import JSON
import Testing
@testable import Undo
import Vocabulary

/// What undo decides for each state of a path.
@Suite struct UndoDecisionTests {
    private static func file(_ text: String, mode: Int = 0o644, modified: Int64 = 1) -> FileState {
        .file(FileState.Content(hash: .of(text), bytes: Int64(text.utf8.count), mode: mode, modified: modified))
    }

    private static let folder = FileState.folder(mode: 0o755)

    @Test(
        arguments: [
            // Created.
            (.absent, file("a"), file("a"), .remove), (.absent, file("a"), .absent, .nothing),
            (.absent, file("a"), file("b"), .leave(.changed)),
            (.absent, file("a"), file("a", mode: 0o600), .leave(.changed)),
            (.absent, file("a"), file("a", modified: 2), .remove),
            (.absent, file("a"), .link(to: "b"), .leave(.changed)),
            (.absent, folder, folder, .remove), (.absent, folder, .folder(mode: 0o700), .remove),
            (.absent, folder, .absent, .nothing),
            (.absent, .link(to: "a"), .link(to: "a"), .remove),
            (.absent, .link(to: "a"), .link(to: "b"), .leave(.changed)),
            (.absent, file("a"), .special, .leave(.changed)),
            // Overwritten.
            (file("a"), file("b"), file("b"), .restore), (file("a"), file("b"), file("a"), .nothing),
            (file("a"), file("b"), file("c"), .leave(.changed)), (file("a"), file("b"), .absent, .leave(.gone)),
            (file("a"), .link(to: "b"), .link(to: "b"), .restore), (.link(to: "b"), file("a"), file("a"), .restore),
            // Written with the same content: only the time is another.
            (file("a"), file("a", modified: 2), file("a", modified: 2), .setBack),
            (file("a"), file("a", modified: 2), file("a"), .nothing),
            // A third time is somebody's.
            (file("a"), file("a", modified: 2), file("a", modified: 3), .leave(.touched)),
            (file("a"), file("a", mode: 0o444, modified: 2), file("a", mode: 0o444, modified: 3), .leave(.touched)),
            (file("a"), file("a", mode: 0o444, modified: 2), file("a", mode: 0o444, modified: 2), .setBack),
            (file("a"), file("a", modified: 2), file("b", modified: 2), .leave(.changed)),
            (.link(to: "a", modified: 1), .link(to: "a", modified: 2), .link(to: "a", modified: 2), .setBack),
            (.link(to: "a", modified: 1), .link(to: "a", modified: 2), .link(to: "a", modified: 1), .nothing),
            (.link(to: "a", modified: 1), .link(to: "a", modified: 2), .link(to: "a", modified: 3), .leave(.touched)),
            (.link(to: "a"), .link(to: "a"), .link(to: "a", modified: 3), .nothing),
            // Other permissions.
            (file("a"), file("a", mode: 0o444), file("a", mode: 0o444), .setBack),
            (file("a"), file("a", mode: 0o444), file("a"), .nothing),
            (file("a"), file("a", mode: 0o444), file("b"), .leave(.changed)),
            (folder, .folder(mode: 0o555), .folder(mode: 0o555), .setBack),
            (folder, .folder(mode: 0o555), .absent, .leave(.gone)),
            (folder, .folder(mode: 0o555), .folder(mode: 0o700), .leave(.changed)),
            // Deleted.
            (file("a"), .absent, .absent, .restore), (file("a"), .absent, file("a"), .nothing),
            (file("a"), .absent, file("b"), .leave(.inTheWay)), (folder, .absent, .absent, .restore),
            (.link(to: "a"), .absent, .absent, .restore), (.link(to: "a"), .absent, file("a"), .leave(.inTheWay)),
            (.special, .absent, .absent, .leave(.special)), (file("a"), .absent, folder, .leave(.folderInPlace)),
            (file("a"), file("b"), folder, .leave(.folderInPlace)),
        ] as [(FileState, FileState, FileState, UndoAction)])
    func eachStateHasItsAction(before: FileState, after: FileState, now: FileState, action: UndoAction) {
        var change = FileChange("/w/a", from: before, to: after, kept: "/kept")
        #expect(change.undoAction(now: now) == action)
        #expect(change.undoAction(now: nil) == .leave(.unreadable))
        // Nothing can be put back that was not kept.
        guard case .file = before, action == .restore else { return }
        change.kept = nil
        #expect(change.undoAction(now: now) == .leave(.notKept))
    }

    @Test(
        arguments: [
            (file("a"), .absent, .moveBack), (.absent, file("a"), .nothing), (file("a"), file("b"), .leave(.inTheWay)),
            (file("b"), .absent, .leave(.changed)), (.absent, .absent, .leave(.gone)),
            (.absent, file("b"), .leave(.gone)),
        ] as [(FileState, FileState, UndoAction)])
    func eachStateOfAMoveHasItsAction(now: FileState, source: FileState, action: UndoAction) {
        let change = FileChange("/w/b", from: .absent, to: Self.file("a"), source: "/w/a")
        #expect(change.undoAction(now: now, source: source) == action)
    }

    /// A world of a few paths.
    private struct Paths: FileReading {
        var states: [String: FileState]
        var hindrances: [String: UndoAction.Difference] = [:]
        var room = Int64.max

        func hindrance(to action: UndoAction, _ change: FileChange) -> UndoAction.Difference? {
            hindrances[change.path]
        }

        func state(of path: String) -> FileState? { states[path] ?? .absent }

        func names(in folder: String) -> [String]? {
            states.filter { !$0.value.isAbsent && parent(of: $0.key) == folder }.map { lastName(of: $0.key) }
        }
    }

    @Test func laterChangesAreReversedBeforeEarlierOnes() {
        let world = Paths(states: ["/w": Self.folder, "/w/d": Self.folder, "/w/d/a": Self.file("2")])
        let made = [
            FileChange("/w/d", from: .absent, to: Self.folder), FileChange("/w/d/a", from: .absent, to: Self.file("1")),
            FileChange("/w/d/a", from: Self.file("1"), to: Self.file("2"), kept: "/kept"),
        ]
        let plan = UndoPlan(made.reversed(), files: world)
        #expect(plan.items.map(\.action) == [.restore, .remove, .remove] && plan.left.isEmpty)
        // What somebody put into the folder keeps it.
        var used = world
        used.states["/w/d/mine"] = Self.file("mine")
        #expect(UndoPlan(made.reversed(), files: used).items.map(\.action) == [.restore, .remove, .leave(.notEmpty)])
        // What somebody changed is not what the earlier change made, either: it is named once.
        used.states["/w/d/a"] = Self.file("mine")
        let left = UndoPlan(made.reversed(), files: used)
        #expect(left.work.isEmpty && left.left.map(\.change.path) == ["/w/d/a", "/w/d"])
    }

    /// What is known to fail is named before anything is changed, and hinders nothing else.
    @Test func whatCannotBeRestoredIsLeftWithItsReason() {
        let deleted = (0..<4).map { FileChange("/w/\($0)", from: Self.file("text \($0)"), to: .absent, kept: "/kept") }
        var world = Paths(
            states: ["/w": Self.folder], hindrances: ["/w/1": .lockedFolder, "/w/2": .othersFile], room: 6)
        #expect(
            UndoPlan(deleted, files: world).items.map(\.action) == [
                .restore, .leave(.lockedFolder), .leave(.othersFile), .leave(.noRoom),
            ])
        world = Paths(states: ["/w": Self.folder], room: 24)
        #expect(UndoPlan(deleted, files: world).left.isEmpty)
    }

    /// Whether a change can be undone at all does not depend on what its path holds.
    @Test func whatIsNotKeptIsLost() {
        let large = Self.file("a")
        #expect(FileChange("/w/a", from: large, to: .absent).loss == .notKept)
        #expect(FileChange("/w/a", from: large, to: .absent, kept: "/kept").loss == nil)
        #expect(FileChange("/w/a", from: large, to: Self.file("a", mode: 0o600)).loss == nil)
        #expect(FileChange("/w/a", from: .special, to: .absent).loss == .special)
        #expect(FileChange("/w/a", from: .link(to: "b"), to: .absent).loss == nil)
        #expect(FileChange("/w/a", from: .absent, to: large).loss == nil)
        #expect(FileChange("/w/b", from: .absent, to: large, source: "/w/a").loss == nil)
    }

    @Test func whatHasNoFolderIsLeft() {
        let deleted = FileChange("/w/d/a", from: Self.file("1"), to: .absent, kept: "/kept")
        #expect(
            UndoPlan([deleted], files: Paths(states: ["/w": Self.folder])).items.map(\.action) == [.leave(.noFolder)])
        let folder = FileChange("/w/d", from: Self.folder, to: .absent)
        #expect(
            UndoPlan([folder, deleted], files: Paths(states: ["/w": Self.folder])).items.map(\.action) == [
                .restore, .restore,
            ])
    }

    @Test func recordsAreReadAsTheyWereWritten() throws {
        let changes = [
            FileChange("/w/a", from: Self.file("1", mode: 0o4755), to: .link(to: "é\n"), kept: "/k"),
            FileChange("/w/l", from: .link(to: "a", modified: -1), to: .link(to: "a", modified: 2)),
            FileChange("/w/b", from: .absent, to: .folder(mode: nil)),
            FileChange("/w/c", from: .special, to: Self.file("", modified: .max)),
            FileChange("/w/d", from: .absent, to: Self.file("2"), source: "/w/e"),
        ]
        for change in changes { #expect(FileChange(json: change.json) == change) }
        var inverse = changes[4]
        inverse.reverses = ChangeOrigin(run: RunID(StepID(WorkflowID(3), 2), attempt: 4), number: 7)
        #expect(FileChange(json: inverse.json) == inverse)
    }

    /// Numbers that follow one another are one range; what cannot be read is no reversal.
    @Test(arguments: [[], [0], [3], [0, 1, 2], [0, 2, 3, 9]])
    func reversalsAreReadAsTheyWereWritten(numbers: [Int]) throws {
        for numbers in [numbers, numbers + Array(100..<1_300)] {
            let reversal = Reversal(by: WorkflowID(5), changes: Set(numbers))
            #expect(Reversal(json: reversal.json) == reversal && reversal.json.text.utf8.count < 80)
        }
        #expect(Reversal(json: ["by": "w5", "left": 0]) == Reversal(by: WorkflowID(5), changes: nil))
        #expect(
            Reversal(json: ["by": "w5", "changes": ["0-99999999999"]]) == nil
                && Reversal(json: ["changes": ["1"]]) == nil)
    }
}

extension FileState: CustomTestStringConvertible {
    package var testDescription: String {
        guard case .file(let content) = self else { return "\(self)" }
        return
            "file \(content.hash.hex.prefix(4)) \(content.bytes) \(String(content.mode, radix: 8)) \(content.modified)"
    }
}
