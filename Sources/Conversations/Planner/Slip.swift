/// The recognition of typing errors.
enum Slip {
    /// Whether two words differ by one typing error: two swapped letters, or, in words of five letters and more, one
    /// letter too many or too few.
    static func isSlip(_ word: String, of other: String) -> Bool {
        let (a, b) = (Array(word), Array(other))
        guard abs(a.count - b.count) <= 1, a.count >= 3, b.count >= 3, a != b else { return false }
        var start = 0
        while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
        var end = 0
        while end < min(a.count, b.count) - start, a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
        let (left, right) = (a.count - start - end, b.count - start - end)
        if left == 2, right == 2 { return a[start] == b[start + 1] && a[start + 1] == b[start] }
        // Two words that differ by one replaced letter may both be meant.
        guard left + right == 1 else { return false }
        return min(a.count, b.count) >= 5
    }

    /// Whether a word is probably a slip of another. The first letter must be right, unless two letters are swapped. An
    /// extra letter must repeat its neighbour, so "bright" is not a slip of "right", nor "palace" of "place".
    static func isTypo(_ word: String, of other: String) -> Bool {
        guard isSlip(word, of: other) else { return false }
        guard word.count != other.count else { return true }
        guard word.first == other.first else { return false }
        return word.count < other.count || zip(word, word.dropFirst()).contains { $0 == $1 }
    }
}
