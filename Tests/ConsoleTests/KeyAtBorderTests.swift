import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Console

/// A text is read in blocks. A key across the border of two is cut like any other.
@Suite struct KeyAtBorderTests {
    private static let key = "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0"

    private static func shown(_ text: String) throws -> String {
        let forms = [
            KeyForm(["name": "a key", "begins": ["sk-"], "of": "A-Za-z0-9_-", "least": 16]),
            KeyForm([
                "name": "a bearer token", "begins": ["bearer "], "of": "A-Za-z0-9_.~+/=-", "least": 16, "keeps": true,
            ]),
            KeyForm(["name": "a private key", "begins": ["-----BEGIN "], "holds": "PRIVATE KEY", "until": "-----END "]),
        ]
        let filter = KeyFilter(forms: forms.compactMap(\.self))
        var stream = TextStream(shown: MemorySource(text), withoutKeys: { filter.cut($0) })
        var shown: [UInt8] = []
        while let block = try stream.next() { shown += block }
        return String(decoding: shown, as: UTF8.self)
    }

    @Test func aKeyInOneLongLineIsCutWhereverABlockEnds() throws {
        let block = Limits.viewBlockBytes
        let pem = "-----BEGIN " + "PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQ\\n-----END PRIVATE KEY-----"
        for (secret, name) in [(Self.key, "a key"), ("Bearer " + Self.key, "bearer"), (pem, "a private key")] {
            for filler in ["x ", "é ", "x"] {
                // The border falls on each byte of the secret, and beside it.
                for before in stride(from: block - secret.utf8.count - 8, through: block + 4, by: 3) {
                    let count = before / filler.utf8.count
                    let text =
                        String(repeating: filler, count: count) + " " + secret + " "
                        + String(repeating: "y ", count: block)
                    let shown = try Self.shown(text)
                    #expect(
                        !shown.contains(Self.key.suffix(18)) && !shown.contains("MIIEvQIBADAN"),
                        "\(name) \(filler) \(before)")
                    #expect(shown.contains("⟨cut:") && !shown.contains("\u{FFFD}"), "\(name) \(filler) \(before)")
                    #expect(shown.hasSuffix("y y "))
                }
            }
        }
    }
}
