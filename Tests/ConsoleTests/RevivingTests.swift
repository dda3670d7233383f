import Actions
import CaseNames
import Testing
import Vocabulary

@testable import Console

struct RevivingTests {
    private static let full = Failure("storageFull", "The disk is full.")

    @Test func itIsTriedLessAndLessOftenAndToldOnce() {
        var reviving = Reviving()
        var tries: [Int] = []
        var told = reviving.ended(Self.full) ? 1 : 0
        for second in 1...200 where reviving.tick() == .start {
            tries.append(second)
            if reviving.ended(Self.full) { told += 1 }
        }
        #expect(tries == [1, 3, 7, 15, 31, 63, 123, 183] && told == 1)
    }

    @Test func whatWorksForAWhileIsBackAndWhatFailsLaterIsNews() {
        var reviving = Reviving()
        func ended(_ failure: Failure) -> Bool { reviving.ended(failure) }
        func ticks(_ count: Int) -> [Reviving.Step] { (0..<count).map { _ in reviving.tick() } }
        #expect(ticks(1) == [.nothing])
        #expect(ended(Self.full))
        #expect(ticks(6) == [.start, .nothing, .nothing, .isBack, .nothing, .nothing])
        #expect(ended(Self.full) && ticks(1) == [.start])
        #expect(!ended(Failure("engineEnding", "Not yet.")), "that is no other reason")
        #expect(!ended(Self.full) && ended(Failure("storageReadOnly", "It is.")))
    }
}
