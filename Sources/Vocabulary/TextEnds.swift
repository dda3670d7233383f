/// The ends of a text by bytes, cut between characters of Unicode scalars.
extension String {
    /// Returns the longest beginning that has at most so many bytes.
    package func beginning(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: max(0, bytes))
        while end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// Returns the longest end that has at most so many bytes.
    package func ending(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var start = utf8.index(utf8.endIndex, offsetBy: -max(0, bytes))
        while start.samePosition(in: self) == nil { start = utf8.index(after: start) }
        return String(self[start...])
    }
}
