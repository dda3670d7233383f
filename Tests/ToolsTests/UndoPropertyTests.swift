import CaseNames
import Glibc
import Harness
import Testing
import Vocabulary

/// After undo a folder is as it was, or the refusal names what differs; whatever was cut, and whatever others did.
@Suite struct UndoPropertyTests {
    private static let runs = 1000

    @Test func theFolderIsAsItWasOrTheRefusalNamesWhatDiffers() async throws {
        let first = UInt64.random(in: 0 ... .max)
        print("Undo: \(Self.runs) runs from seed \(first)")
        let counts = try await onThread { Result { try Self.play(first) } }.get()
        print("Undo: \(counts)")
        // On average 21 % are undone and 13 % refused.
        #expect(counts["undone", default: 0] > Self.runs / 10 && counts["refused", default: 0] > Self.runs / 20)
    }

    /// Seeds that once found a fault.
    @Test(arguments: [
        4_872_703_941_481_362_258, 16_606_301_908_278_762_518, 16_606_301_908_278_762_474, 9_066_135_206_755_929_056,
        16_606_301_908_278_761_980, 570_946_795_123_631_483, 18_105_565_499_088_263_063, 879_017_271_346_405_633,
        11_572_560_671_823_575_706,
        11_572_560_671_823_576_145,
        4_421_046_355_028_389_988,
        10_160_775_863_425_933_207,
        3_239_611_943_711_815_306,
    ]) func aSeedThatFailedHolds(seed: UInt64) async throws {
        let ending = try await onThread { Result { try Self.play(seed: seed) } }.get()
        #expect(["undone", "undone beside others", "refused", "redone", "nothing"].contains(ending))
    }

    private static func play(_ first: UInt64) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for number in 0..<UInt64(runs) {
            let ending = try play(seed: first &+ number)
            counts[ending, default: 0] += 1
        }
        return counts
    }

    private static func play(seed: UInt64) throws -> String {
        let mark = UndoProperty.CutMark()
        var ending = ""
        // About one of 7,000 runs: a folder that was moved and then deleted is taken for one that others changed.
        try withKnownIssue("an undo that moves folders back, cut in the middle", isIntermittent: true) {
            ending = try play(seed: seed, mark)
        } matching: { _ in
            mark.isSet
        }
        return ending
    }

    private static func play(seed: UInt64, _ mark: UndoProperty.CutMark) throws -> String {
        var random = Seeded(seed &* 7 &+ 1)
        var world = try UndoProperty(seed: seed, isInMemory: true, mark: mark)
        let before = world.picture()
        for _ in 0..<Int.random(in: 1...5, using: &random) { try world.step() }
        if random.chance(20) { try world.cutStep() }
        let after = world.picture()
        guard random.chance(50) else {
            if let failure = try world.undo(by: 9) {
                // Steps that all failed have changed nothing.
                #expect(failure.code == "nothingToUndo" && after == before, "seed \(seed): \(failure)\(world.told)")
                return "nothing"
            }
            #expect(world.picture() == before, "seed \(seed)")
            guard random.chance(50) else { return "undone" }
            // An undo is undone in turn, and that once more.
            let failure = try world.undo(by: 10, of: 9)
            #expect(
                failure == nil || failure?.code == "nothingToUndo",
                "seed \(seed): \(String(describing: failure))\(world.told)")
            #expect(world.picture() == after, "seed \(seed): redone\(world.told)")
            if failure == nil {
                let failure = try world.undo(by: 11, of: 10)
                let words =
                    "\(String(describing: failure))\(world.told)\nredone:\(world.told(of: 10))\nbefore: \(before)"
                #expect(failure == nil && world.picture() == before, "seed \(seed): undone again \(words)")
            }
            return "redone"
        }
        let (paths, texts) = try world.meddle()
        let changed = world.picture()
        guard let failure = try world.undo(by: 9) else {
            #expect(texts.isSubset(of: world.contents), "seed \(seed): lost")
            // What nobody has touched is as it was.
            let now = world.picture()
            let paths = world.withFormer(paths)
            for path in Set(before.keys).union(now.keys)
            where !paths.contains(where: { $0 == path || $0.hasPrefix(path + "/") }) {
                #expect(now[path] == before[path], "seed \(seed): \(path), changed \(paths)\(world.told)")
            }
            return "undone beside others"
        }
        guard failure.code != "nothingToUndo" else { return "nothing" }
        #expect(failure.code == "changedSince" && world.picture() == changed, "seed \(seed): \(failure)")
        let isNamed = paths.contains { path in
            failure.message.contains("/\(path)")
                || failure.message.contains("/\(path.split(separator: "/").first ?? "") ")
        }
        #expect(isNamed, "seed \(seed): \(failure.message), changed \(paths)\(world.told)")
        // An undo in part that can do nothing says so.
        if let failure = try world.undo(by: 10, isPartial: true) {
            #expect(failure.code.isOne(of: .changedSince, .undoLost), "seed \(seed): \(failure)")
            #expect(world.picture() == changed, "seed \(seed)")
        }
        #expect(texts.isSubset(of: world.contents), "seed \(seed): lost in part")
        return "refused"
    }
}
