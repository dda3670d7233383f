import Files
import JSON
import Vocabulary

/// The text of a page, made of the lines that were found.
extension LinePage {
    /// Returns the text of the page.
    ///
    /// - Parameters:
    ///   - isWhole: whether all lines of the text were counted.
    ///   - encoding: the encoding of the bytes of the lines.
    ///   - shown: the encoding of the file, for the header.
    /// - Throws: `badParam` for a line or an offset behind the end.
    func page(_ scan: LineScan, isWhole: Bool, _ encoding: TextEncoding, shown: TextEncoding) throws(Failure) -> String
    {
        let total = scan.count
        guard let first = scan.lines.first else {
            let words = isWhole ? "\(total) line\(total == 1 ? "" : "s")" : "\(total) lines that are counted"
            throw Failure(
                .badParam, "\(name) has \(words), so it has no line \(from).",
                remedy: total == 1 ? "Read from=1." : "Read from a line between 1 and \(total).")
        }
        guard offset <= first.length else {
            throw Failure(
                .badParam, "Line \(from) of \(name) has \(first.length) bytes, so none is behind offset=\(offset).",
                remedy: "Read from=\(from) with a smaller offset, or from=\(from + 1).")
        }
        let (body, count, remark) = body(scan, encoding)
        let hasPairs = scan.firstEndsWithPair || scan.lines.prefix(count).contains(where: \.endsWithPair)
        let ends = hasPairs ? "CRLF" : scan.ends > 0 && scan.endsWithReturns ? "CR" : nil
        let header = [
            name, place(count, of: isWhole ? "\(total)" : "more than \(total)"),
            offset > 0 ? "from byte \(offset) of line \(from)" : nil, shown == .utf8 ? nil : shown.name, ends,
        ]
        return header.compactMap(\.self).joined(separator: " · ") + "\n" + body + remark
    }

    /// Returns the lines that fit, their number, and a last line about those that do not.
    private func body(_ scan: LineScan, _ encoding: TextEncoding) -> (text: String, count: Int, remark: String) {
        var body = ""
        for (index, line) in scan.lines.enumerated() {
            let number = from + index
            let part = Part(of: line, from: index == 0 ? offset : 0, encoding)
            let front = Self.front(number)
            let room = Limits.pageBytes - body.utf8.count - front.utf8.count - 1
            if part.isWhole, part.text.utf8.count <= room {
                body += front + part.text + "\n"
                continue
            }
            guard index == 0 else { return (body, index, remark(from: number, total: scan.count)) }
            let cut = part.prefix(room)
            let remark =
                "… line \(number) goes on, it has \(line.length) bytes: read from=\(number) offset=\(cut.end)\n"
            return (front + cut.text + "\n", 1, remark)
        }
        return (body, scan.lines.count, "")
    }

    /// Returns the last line of a page on which not all wanted lines fit.
    private func remark(from number: Int, total: Int) -> String {
        let (end, isTooMuch) = from.addingReportingOverflow(lines - 1)
        let last = isTooMuch ? total : min(total, end)
        let words = number == last ? "line \(number) does" : "lines \(number) to \(last) do"
        return "… \(words) not fit: read from=\(number)\n"
    }

    private func place(_ count: Int, of total: String) -> String {
        count == 1 ? "line \(from) of \(total)" : "lines \(from) to \(from + count - 1) of \(total)"
    }

    /// Returns the number of a line, at least four characters wide, with the tab behind it.
    private static func front(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(0, 4 - digits.utf8.count)) + digits + "\t"
    }

    /// The text of a line, or of its part from an offset on.
    private struct Part {
        var text: String
        /// The bytes of the line before the text.
        var start: Int
        /// Whether the text goes to the end of the line.
        var isWhole: Bool
        let encoding: TextEncoding

        init(of line: LineScan.Line, from offset: Int, _ encoding: TextEncoding) {
            self.encoding = encoding
            var skipped = max(0, offset - line.start)
            if encoding == .utf8 {
                // An offset within a sign is that of its first byte.
                while skipped > 0, skipped < line.bytes.count, line.bytes[skipped] & 0xC0 == 0x80 { skipped -= 1 }
            }
            start = line.start + skipped
            let bytes = line.bytes[min(skipped, line.bytes.count)...]
            isWhole = line.start + line.bytes.count >= line.length
            if encoding == .utf8 {
                // The end may lie within a sign, since only a beginning is held.
                let whole = isWhole ? bytes : bytes.dropLast(Self.half(bytes))
                text = String(decoding: whole, as: UTF8.self)
            } else {
                text = EncodedText.text(ofLatin: bytes) ?? String(decoding: bytes, as: UTF8.self)
            }
        }

        private static func half(_ bytes: ArraySlice<UInt8>) -> Int {
            let back = bytes.reversed().prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
            return back < bytes.count && bytes[bytes.endIndex - 1 - back] >= 0xC0 ? back + 1 : 0
        }

        /// Returns the beginning of the text with at most so many bytes, and the bytes of the line up to its end. It
        /// ends between two characters, or between two signs of a character that is longer than a short line.
        func prefix(_ room: Int) -> (text: String, end: Int) {
            let utf8 = text.utf8
            guard utf8.count > room else { return (text, end(of: text)) }
            var cut = utf8.index(utf8.startIndex, offsetBy: max(0, room))
            while cut > utf8.startIndex, utf8[cut] & 0xC0 == 0x80 { cut = utf8.index(before: cut) }
            // Only the characters around the cut are looked at, since one can be as long as the line.
            var window = utf8.index(cut, offsetBy: -Self.window, limitedBy: utf8.startIndex) ?? utf8.startIndex
            while window > utf8.startIndex, utf8[window] & 0xC0 == 0x80 { window = utf8.index(before: window) }
            let around = text[window...].unicodeScalars.prefix(Self.window)
            let boundary = String(around).indicesOfCharacters.last {
                utf8.index(window, offsetBy: $0) <= cut
            }
            if let boundary, boundary > 0 { cut = utf8.index(window, offsetBy: boundary) }
            let shown = String(text[..<cut])
            return (shown, end(of: shown))
        }

        private static let window = 256

        private func end(of shown: String) -> Int {
            start + (encoding == .utf8 ? shown.utf8.count : shown.unicodeScalars.count)
        }
    }
}

extension String {
    /// The places of the beginnings of its characters, in bytes.
    fileprivate var indicesOfCharacters: [Int] { indices.map { utf8.distance(from: startIndex, to: $0) } }
}
