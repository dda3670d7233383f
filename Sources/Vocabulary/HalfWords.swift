extension BidirectionalCollection<UInt8> {
    /// The end of a text without its first line, which may be incomplete, or without its first word if there is only
    /// one line. The name of a key may stand in the missing part, so that no filter would cut its value. A single word
    /// begins at a whole character.
    package var withoutHalfWord: SubSequence {
        if let newline = firstIndex(of: 0x0A), index(after: newline) < endIndex {
            return self[index(after: newline)...]
        }
        return self[(firstIndex { $0 <= 0x20 } ?? startIndex)...].drop { $0 & 0xC0 == 0x80 }
    }
}

extension String {
    /// Returns the last bytes of a text, from a whole line on, or from a whole word if there is only one line.
    package func lastLines(bytes limit: Int) -> String {
        utf8.count > limit ? String(decoding: utf8.suffix(limit).withoutHalfWord, as: UTF8.self) : self
    }
}
