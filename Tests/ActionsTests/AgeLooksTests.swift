import Glibc
import Harness
import Services
import Testing
import Vocabulary

@testable import Actions

/// Deletion by age, under a wall clock that is ahead or set back (`semantics.md` 231).
@Suite struct AgeLooksTests {
    private let opened: OpenedWorkspace
    private var retention: AssetRetention { AssetRetention(opened.shared) }

    init() throws { opened = try OpenedWorkspace() }

    private static let day = 24.0

    /// A preview, which goes after 7 days, and an earlier state for undo, which goes after 30.
    private func make(_ path: String, ageInDays: Double, at now: Moment) throws -> String {
        let name = path.split(separator: "/").dropLast().joined(separator: "/")
        try Folders.make("/\(name)")
        try ScratchFolder.write("old", to: path)
        let time = timespec(tv_sec: Int(now.milliseconds / 1000) - Int(ageInDays * 86_400), tv_nsec: 0)
        #expect([time, time].withUnsafeBufferPointer { utimensat(AT_FDCWD, path, $0.baseAddress, 0) } == 0)
        return path
    }

    @Test(
        arguments: [
            // The first look only marks, and the second comes a day later.
            (31, [0], true), (31, [0, 23], true), (31, [0, 25], false), (31, [0, 2, 23, 25], false),
            // A clock that was once ahead, and is set back: its look is dropped.
            (1, [40 * day, 0], true), (1, [40 * day, 0, 25], true), (1, [40 * day, 40 * day + 2, 0, 25], true),
            (31, [40 * day, 0, 23], true), (31, [40 * day, 0, 25], false),
            // A clock that goes ahead once: the first look had found the file young.
            (1, [0, 40 * day], true), (1, [0, 40 * day, 0, 25], true),
            // A clock that was behind finds nothing old.
            (31, [-40 * day, 0], true), (31, [-40 * day, 0, 25], false),
        ] as [(Double, [Double], Bool)])
    func whatIsOldGoesAfterTwoLooks(ageInDays: Double, looksAfterHours: [Double], stays: Bool) throws {
        let (now, folders) = (OpenWorkspace.now(), opened.shared.folders)
        let hash = String(repeating: "ab", count: 32)
        let paths = try ["\(folders.cache)/previews/\(hash).png", "\(folders.data)/undo/w7/1-1.json"].map {
            try make($0, ageInDays: ageInDays, at: now)
        }
        for hours in looksAfterHours {
            unlink("\(folders.cache)/purged")
            try retention.purge(now: now + hours * 3600)
        }
        #expect(paths.map(ScratchFolder.exists) == [stays, stays])
    }

    /// `cache free` is an order, and still removes no earlier state for its age after one look.
    @Test func anOrderDoesNotReplaceALook() async throws {
        let folders = opened.shared.folders
        let path = try make("\(folders.data)/undo/w7/1-1.json", ageInDays: 32, at: OpenWorkspace.now())
        _ = try await retention.free(isDryRun: false)
        #expect(ScratchFolder.exists(path))
        try Folders.make(folders.cache)
        let yesterday = OpenWorkspace.now() + -90_000
        try ScratchFolder.write("\(yesterday.milliseconds)", to: "\(folders.cache)/looked")
        _ = try await retention.free(isDryRun: false)
        #expect(!ScratchFolder.exists(path))
    }
}
