/// The lines of a text that hold a part of what may be a key. A part of the text can then be shown without them: a key
/// is often recognised only by the lines before it.
package struct KeyLines {
    /// The text that stands in the place of such a line.
    package static let mark = "[may hold a key: left out]"

    /// The places of the lines, counted from 0.
    private let places: Set<Int>

    package init(of text: String, _ filter: KeyFilter, endsWith end: UInt8 = UInt8(ascii: "\n")) {
        let cut = WeakKeys.cut(filter.cut(text))
        guard cut != text else {
            places = []
            return
        }
        func lines(_ text: String) -> [[UInt8]] {
            text.utf8.split(separator: end, omittingEmptySubsequences: false).map { Array($0) }
        }
        var places: Set<Int> = []
        for case .remove(let place, _, _) in lines(cut).difference(from: lines(text)) { places.insert(place) }
        self.places = places
    }

    /// Whether no line holds a key.
    package var isEmpty: Bool { places.isEmpty }

    /// Returns whether a line, counted from 0, may hold a key.
    package func holds(_ place: Int) -> Bool { places.contains(place) }
}
