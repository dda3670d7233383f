import CaseNames
import Testing

@testable import Actions

/// Parts of texts that a model hears (`semantics.md` 193, `consent.md` guarantee 14).
struct HeardTextTests {
    private static let value = "zqxjkvbwpmfhgyd7731"
    private static let forms = [
        "API_KEY=\(value)", "https://ana:\(value)@example.org", "\"password\": \"\(value)\"", "password = '\(value)'",
        "//u:\(value)@h",
        "https%3A%2F%2Fu%3A\(value)%40h", "https://h/?token=\(value)&a=1", "X-Api-Key: \(value)", "DB_PASS=\(value)",
        "client_secret=\(value)",
        "https:\\/\\/u:\(value)@h",
    ]

    /// Whether a part shows five letters of the value in a row.
    private static func shows(_ part: String) -> Bool {
        let (part, value) = (Array(part.utf8), Array(value.utf8))
        return (0...value.count - 5).contains { start in part.firstRange(of: value[start..<start + 5]) != nil }
    }

    /// Every page from every place, and both ends in every room.
    @Test func noPartShowsAValueWhereverItBegins() {
        expectNoFaults(in: Self.forms) { form in
            let raw = "line one\n\(form)\nthe last line"
            let whole = HeardText(raw).inJSON
            var faults: [String] = []
            for place in 0...raw.utf8.count {
                for room in [1, 7, 20, 1_000] where Self.shows(whole.page(from: place, room: room).text) {
                    faults.append("page \(place), \(room)")
                }
                if let ends = whole.ends(room: place), Self.shows(ends.head) || Self.shows(ends.tail) {
                    faults.append("ends \(place)")
                }
            }
            // The same check finds a value in parts of the text as it is.
            if !Self.shows(TextCut(raw).page(from: raw.utf8.count / 2 - 8, room: 1_000).text) {
                faults.append("the check finds nothing")
            }
            return faults.map { "\(form): \($0)" }
        }
    }

    @Test func placesAndCountsAreThoseOfTheTextWithoutKeys() {
        let whole = HeardText("API_KEY=\(Self.value)\nnext").inJSON
        let text = "API_KEY=⟨cut: the value of a key, 19 characters⟩\nnext"
        #expect(whole.byteCount == text.utf8.count && whole.lineCount == 2)
        #expect(whole.page(from: text.utf8.count - 4, room: 100).text == "next")
    }
}
