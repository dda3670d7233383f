/// A reason why the metadata of a picture cannot be removed, in words that end a sentence.
struct PictureFault: Error, Hashable {
    let words: String

    init(_ words: String) { self.words = words }
}

extension [UInt8] {
    /// Returns the number of two or four bytes at a place, the highest byte first, or `nil` if the bytes end before.
    func bigNumber(_ count: Int, at place: Int) -> Int? {
        guard place >= 0, place <= self.count - count else { return nil }
        return self[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether the bytes of a word are at a place.
    func has(_ word: String, at place: Int) -> Bool {
        let word = Array(word.utf8)
        guard place >= 0, place <= count - word.count else { return false }
        return self[place..<place + word.count].elementsEqual(word)
    }
}
