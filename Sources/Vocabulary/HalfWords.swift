extension BidirectionalCollection<UInt8> {
    /// The end of a text without the line that it begins within, or without the word if there is only one line. A name
    /// that tells a key may stand in the part that is not there, so that nothing would cut its value. A single word is
    /// kept from a whole character on.
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
