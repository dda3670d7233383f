/// Words and their stems: "cropped", "crops" and "cropping" have the same stem. English only, and only as much as
/// manifests need.
enum Stem {
    static func of(_ word: String) -> String {
        var stem = word
        func drop(_ ending: String, leaving shortest: Int) -> Bool {
            guard stem.hasSuffix(ending), stem.count - ending.count >= shortest else { return false }
            stem.removeLast(ending.count)
            return true
        }
        if drop("ies", leaving: 2) { return stem + "y" }
        if !stem.hasSuffix("ss"), !stem.hasSuffix("us"), !stem.hasSuffix("is") { _ = drop("s", leaving: 3) }
        let isCut = drop("ing", leaving: 3) || drop("ed", leaving: 3)
        // "cropped" → "crop", but "compress" stays.
        if isCut, let last = stem.last, last != "s", last != "l", stem.dropLast().last == last { stem.removeLast() }
        _ = drop("e", leaving: 3)
        return stem
    }

    /// Returns the words of a text, which are runs of letters and digits, in lower case.
    static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
