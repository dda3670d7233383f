@testable import Conversations
import Testing

/// A sign of several parts is whole, however its parts come.
struct ClusterStreamTests {
    @Test(arguments: ["👩‍👩‍👧 ok", "a👍🏽b", "🇳🇴🇸🇪", "❤️‍🔥.", "plain words", "é世界", "1️⃣2", "👩"])
    func noPieceEndsWithinASign(text: String) {
        let scalars = Array(text.unicodeScalars)
        for cut in 0...scalars.count {
            var stream = ClusterStream()
            var pieces: [String] = []
            for part in [scalars[..<cut], scalars[cut...]] {
                var piece = String.UnicodeScalarView()
                piece.append(contentsOf: part)
                pieces.append(stream.feed(String(piece)))
            }
            pieces.append(stream.end())
            #expect(pieces.joined().unicodeScalars.elementsEqual(scalars), "cut at \(cut)")
            // Each piece begins and ends between signs, but for what is a letter by itself.
            #expect(
                pieces.filter { !$0.isEmpty }.allSatisfy { !$0.hasSuffix("\u{200D}") && !$0.hasPrefix("\u{200D}") },
                "cut at \(cut): \(pieces)")
        }
    }

    @Test func aSignThatNeverEndsIsLetGo() {
        var stream = ClusterStream()
        let shown = (0..<200).map { _ in stream.feed("👩\u{200D}") }.joined()
        #expect(!shown.isEmpty)
    }
}
