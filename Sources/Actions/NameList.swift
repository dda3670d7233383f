/// Names in a sentence.
package enum NameList {
    /// Returns names as a list: `w1`, `w1 and w2`, `w1, w2 and w3`. Of more than five names, it has the first five and
    /// the number of the others.
    package static func words(_ names: [String]) -> String {
        let shown = names.prefix(5)
        let rest = names.count - shown.count
        if rest > 0 { return shown.joined(separator: ", ") + " and \(rest) more" }
        return shown.count < 2
            ? shown.first ?? "" : shown.dropLast().joined(separator: ", ") + " and " + shown[shown.count - 1]
    }
}
