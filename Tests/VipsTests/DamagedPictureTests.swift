import CaseNames
import Glibc
import Harness
import Sandbox
import Testing

@testable import Vips

/// Damaged and hostile pictures, one after another through the same process. `DAMAGED_PICTURES` says how many, and
/// `DAMAGED_FROM` from which seed.
@Suite(.process) struct DamagedPictureTests {
    @Test func noDamagedPictureHarmsAnotherOne() async throws {
        let count = number("DAMAGED_PICTURES") ?? 200
        let from = number("DAMAGED_FROM") ?? Int.random(in: 0..<1 << 40)
        print("damaged pictures: \(count) from \(from)")
        let lab = try VipsLab()
        try lab.makePictures()
        let originals = try VipsLab.suffixes.map { try lab.bytes("photo.\($0)") }
        let good = VipsJob(
            VipsImage.file("photo.jpg").thumbnail(width: 40, height: 40), .save(file: "good.png", options: ""))
        _ = try lab.run(good)
        let reference = try lab.bytes("good.png")
        var endings: [String: Int] = [:]
        for number in 0..<count {
            var random = Seeded(UInt64(from + number))
            let bytes = Self.damaged(originals, &random)
            try ScratchFolder.write(bytes, to: lab.path("bad"))
            var job = VipsJob(
                number % 2 == 0
                    ? VipsImage.file("bad").thumbnail(width: 64, height: 64) : .file("bad", hasAllPages: true),
                .save(file: "bad.png", options: ""))
            job.processorSeconds = 5
            job.memoryBytes = 1 << 30
            job.fileBytes = 64 << 20
            let run = try lab.run(job)
            endings["\(run.ending)", default: 0] += 1
            #expect(run.ending != .unknown, "seed \(from + number)")
            guard number % 10 == 9 else { continue }
            #expect(try lab.run(good).ending == .exited(0), "seed \(from + number)")
            #expect(try lab.bytes("good.png") == reference, "seed \(from + number)")
        }
        print("damaged pictures: \(endings.sorted { $0.key < $1.key })")
        #expect(try await Harness.eventually { Zygotes.children.isEmpty })
    }

    private func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    /// Returns one of the pictures with bytes that are changed, taken out, doubled, or cut off.
    private static func damaged(_ originals: [[UInt8]], _ random: inout Seeded) -> [UInt8] {
        var bytes = originals.randomElement(using: &random)!
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            // The head of a file says how large a picture is, so it is hit often.
            let spot = random.chance(80) ? place : place % min(bytes.count, 64)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[spot] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[spot] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.replaceSubrange(spot..<min(spot + 4, bytes.count), with: [0xFF, 0xFF, 0xFF, 0x7F])
            case 3: bytes.removeSubrange(spot..<min(spot + Int.random(in: 1...64, using: &random), bytes.count))
            case 4: bytes.insert(contentsOf: bytes[spot..<min(spot + 32, bytes.count)], at: spot)
            default: bytes.removeLast(min(bytes.count / 2, Int.random(in: 0...200, using: &random)))
            }
            if bytes.count < 16 { bytes += [UInt8](repeating: 0, count: 16) }
        }
        return bytes
    }
}
