import Foundation
import Harness
import Testing
import Vocabulary

@testable import Storage

/// Slots that several processes share: each opens the file for itself.
struct SlotFileTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test func asManyAreTakenAsThereAreByAllTogether() throws {
        let folder = scratch.path
        let (one, other) = (try SlotFile(folder: folder), try SlotFile(folder: folder))
        let first = try #require(one.take(.local, of: 2))
        let second = try #require(other.take(.local, of: 2))
        #expect(first != second && one.take(.local, of: 2) == nil && other.take(.local, of: 2) == nil)
        // Others are counted for themselves.
        #expect(
            one.take(.remote, of: 1) != nil && one.take(.provider("a"), of: 1) != nil
                && one.take(.provider("b"), of: 1) != nil)
        #expect(other.take(.remote, of: 1) == nil && other.take(.provider("a"), of: 1) == nil)
        // Whoever is set to more may have more.
        #expect(other.take(.local, of: 3) != nil && one.take(.local, of: 3) == nil)
        _ = other.give(second, of: .local)
        #expect(one.take(.local, of: 2) == second)
    }

    /// As when its process dies: the kernel closes what it had open.
    @Test func whatIsClosedGivesEverythingBack() throws {
        let folder = scratch.path
        let (one, other) = (try SlotFile(folder: folder), try SlotFile(folder: folder))
        #expect(one.take(.local, of: 1) != nil && other.take(.local, of: 1) == nil)
        one.close()
        #expect(other.take(.local, of: 1) != nil && one.take(.local, of: 1) == nil)
    }

    /// A child between fork and exec has the same open file, and with it the locks.
    @Test func whatIsClosedIsFreeWhereACopyOfTheProcessStillHasTheFile() throws {
        let folder = scratch.path
        let one = try SlotFile(folder: folder)
        let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
            .filter { descriptor in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) == folder
                    + "/slots"
            }.map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        let other = try SlotFile(folder: folder)
        #expect(one.take(.local, of: 1) != nil && other.take(.local, of: 1) == nil)
        one.close()
        #expect(other.take(.local, of: 1) != nil)
    }

    @Test func whoGivesBackHearsWhetherSomebodyWaits() throws {
        let folder = scratch.path
        let (one, other) = (try SlotFile(folder: folder), try SlotFile(folder: folder))
        func round() throws -> Bool { one.give(try #require(one.take(.local, of: 1)), of: .local) }
        #expect(try !round())
        var slot = try #require(one.take(.local, of: 1))
        #expect(other.take(.local, of: 1) == nil)
        #expect(other.take(.provider("a"), of: 1) != nil)
        #expect(one.give(slot, of: .local), "it waits until it has one")
        slot = try #require(other.take(.local, of: 1))
        #expect(!other.give(slot, of: .local), "oneself does not count")
        #expect(try !round(), "it has got one")
        slot = try #require(one.take(.local, of: 1))
        #expect(other.take(.local, of: 1) == nil)
        other.stopWaiting(for: .local)
        #expect(!one.give(slot, of: .local), "it does not want one any more")
    }

    /// The numbers must be the same in every version: an older process counts beside a newer one.
    @Test func placesDoNotMeet() throws {
        let file = try SlotFile(folder: scratch.path)
        let places: [SlotPlace] = [.local, .remote] + (0..<500).map { .provider("p\($0)") }
        var slots: Set<Int64> = []
        for place in places { for _ in 0..<8 { slots.insert(try #require(file.take(place, of: 8))) } }
        #expect(slots.count == places.count * 8)
        #expect(slots.isSuperset(of: [0, 7, 2048, 2055]))
    }
}
