package import Files
import Glibc
package import Vocabulary

extension Limits {
    /// The most bytes of lines that one page has, with their numbers.
    package static let pageBytes = 16 << 10

    /// The most bytes of a file whose lines are counted. Lines behind them are not read.
    fileprivate static let countedBytes = 4 << 30

    /// The bytes that are read at a time.
    fileprivate static let pieceBytes = 1 << 20
}

/// Some lines of a text as a language model reads them: a header, the lines with their numbers, and a remark about
/// lines that do not fit.
///
/// ```
/// main.py · lines 40 to 41 of 212
///   40	def main():
///   41	    pass
/// ```
///
/// The text of the lines is that of the file. A view in a terminal must replace its control characters.
package struct LinePage {
    /// The name of the text, for the header and failures. It can be any text.
    package var name: String
    /// The number of the first line, from 1.
    package var from = 1
    /// The most lines of the page.
    package var lines = 400
    /// The bytes of the first line that are left out, or 0. It is counted in bytes of the file. In UTF-16 it is counted
    /// in bytes of the text in UTF-8.
    package var offset = 0
    /// Finds keys, whose lines are left out. Without it, the text holds none.
    package var keys: KeyFilter?
    /// The bytes that are read at a time. A test reads few, so that signs and line ends lie between two pieces.
    var pieceBytes = Limits.pieceBytes

    package init(of name: String, from: Int = 1, lines: Int = 400, offset: Int = 0) {
        self.name = name.quotedIfOdd
        (self.from, self.lines, self.offset) = (max(1, from), max(1, lines), max(0, offset))
    }

    /// Returns the page of an open file. Only the wanted lines are held.
    ///
    /// - Throws: `badParam` for a line or an offset behind the end, `notText` for a file that is no text, `tooLarge`
    ///   for a large text in UTF-16, or `cancelled`.
    package func text(of file: borrowing OpenFile, cancel: Cancellation = Cancellation()) throws(Failure) -> String {
        let size = Int(try file.status().st_size)
        // A file of /proc has no size, and is read to its end. A file that grows is read as far as it was.
        let end = min(size > 0 ? size : .max, Limits.countedBytes)
        return try text(of: Source(.file(file.descriptor, cancel), size: size, end: end, pieceBytes: pieceBytes))
    }

    /// Returns the page of bytes that are in memory.
    package func text(of bytes: [UInt8]) throws(Failure) -> String { try text(of: source(bytes)) }

    private func source(_ bytes: [UInt8]) -> Source {
        Source(.bytes(bytes), size: bytes.count, end: bytes.count, pieceBytes: pieceBytes)
    }

    /// The bytes of a text, and the way to read them.
    struct Source {
        enum Kind {
            /// A file by its descriptor, which is open as long as it is read.
            case file(Int32, Cancellation)
            case bytes([UInt8])
        }

        var kind: Kind
        var size: Int
        /// The place behind the last byte that is read.
        var end: Int
        var pieceBytes: Int

        init(_ kind: Kind, size: Int, end: Int, pieceBytes: Int) {
            (self.kind, self.size, self.end, self.pieceBytes) = (kind, size, end, pieceBytes)
        }

        /// Reads bytes from a place on into a buffer, and returns their number, or 0 at the end.
        private func read(_ place: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
            switch kind {
            case .file(let descriptor, let cancel):
                guard !cancel.isCancelled else { throw Failure(.cancelled, "Cancelled.") }
                let got = retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(place)) }
                guard got >= 0 else { throw fileFailure("read", "a file") }
                return got
            case .bytes(let bytes):
                let part = bytes[min(place, bytes.count)...].prefix(buffer.count)
                buffer.copyBytes(from: part)
                return part.count
            }
        }

        /// Reads up to `count` bytes from the beginning.
        func beginning(_ count: Int) throws(Failure) -> [UInt8] {
            var bytes: [UInt8] = []
            try eachPiece(from: 0, to: min(count, end)) { (piece) throws(Failure) in
                bytes.append(contentsOf: piece)
                return true
            }
            return bytes
        }

        /// Passes the bytes from a place on to `body`, piece by piece, as long as it returns true.
        ///
        /// - Returns: whether the end was reached.
        @discardableResult
        func eachPiece(
            from start: Int, to end: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Bool
        ) throws(Failure) -> Bool {
            let count = max(1, min(pieceBytes, end - start))
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
            defer { buffer.deallocate() }
            var place = start
            while place < end {
                let got = try read(place, UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(count, end - place)]))
                guard got > 0 else { return true }
                guard try body(UnsafeRawBufferPointer(rebasing: buffer[..<got])) else { return false }
                place += got
            }
            return end < Limits.countedBytes
        }
    }

    private func text(of source: Source) throws(Failure) -> String {
        let head = try source.beginning(FileKind.headBytes)
        if head.isEmpty { return "\(name) · empty\n" }
        if let shown = FileKind.words(of: head, size: source.size) { return "\(name) · \(shown)\n" }
        if let other = TextProbe.otherEncoding(ofBeginning: head) { throw notText(head, source, other) }
        let form = TextProbe.form(ofBeginning: head, of: source.size)
        switch form?.encoding {
        case .utf16LittleEndian, .utf16BigEndian: return try text(ofUTF16: source, form)
        default: return try text(ofBytes: source, hasMark: form != nil, head)
        }
    }

    /// Returns the page of a text in UTF-16, which is read as a whole.
    private func text(ofUTF16 source: Source, _ form: TextForm?) throws(Failure) -> String {
        guard source.size <= Limits.searchedFileBytes else {
            let (size, most) = (FileSize.words(source.size), FileSize.words(Limits.searchedFileBytes))
            throw Failure(
                .tooLarge, "\(name) is in UTF-16 and has \(size). Such a text is read up to \(most).",
                remedy: "Use run with iconv, which writes it in UTF-8.")
        }
        let bytes = try source.beginning(source.end)
        let decoded: EncodedText
        do throws(Failure) { decoded = try EncodedText(bytes, name, form: form) } catch {
            throw notText(bytes, source, "damaged \(form?.encoding.name ?? "UTF-16")")
        }
        let inUTF8 = decoded.utf8
        if inUTF8.isEmpty { return "\(name) · empty · \(decoded.form.encoding.name)\n" }
        let (found, isWhole) = try scanned(self.source(inUTF8), from: 0) { _ in true }
        let scan = try withoutKeys(found, of: self.source(inUTF8), from: 0, .utf8)
        return try page(scan, isWhole: isWhole, .utf8, shown: decoded.form.encoding)
    }

    /// Returns the page of a text in UTF-8, or in an encoding with one byte a sign.
    private func text(ofBytes source: Source, hasMark: Bool, _ head: [UInt8]) throws(Failure) -> String {
        var probe = TextProbe()
        var hasNUL = false
        let (scan, isWhole) = try scanned(source, from: hasMark ? 3 : 0) { piece in
            if let base = piece.baseAddress, memchr(base, 0, piece.count) != nil { hasNUL = true }
            probe.add(piece)
            return !hasNUL
        }
        if isWhole { probe.end() }
        if hasNUL { throw notText(head, source, nil) }
        if probe.isUTF8 {
            if scan.bytes == 0 { return "\(name) · empty\n" }
            let shown = try withoutKeys(scan, of: source, from: hasMark ? 3 : 0, .utf8)
            return try page(shown, isWhole: isWhole, .utf8, shown: .utf8)
        }
        if hasMark { throw notText(head, source, "it is not UTF-8, although it begins as such") }
        var latin = LatinProbe()
        try source.eachPiece(from: 0, to: source.end) { (piece) throws(Failure) in
            latin.add(piece)
            return true
        }
        guard let encoding = latin.end() else { throw notText(head, source, nil) }
        let lines = try withoutKeys(scan, of: source, from: 0, encoding)
        return try page(lines, isWhole: isWhole, encoding, shown: encoding)
    }

    /// Looks for the lines in a source. A text without LF is looked at again, for CR.
    ///
    /// - Parameter each: gets each piece, and returns whether to go on.
    /// - Returns: the lines, and whether the source was read to its end.
    private func scanned(
        _ source: Source, from start: Int, _ each: (UnsafeRawBufferPointer) -> Bool
    ) throws(Failure) -> (LineScan, Bool) {
        let (end, isTooMuch) = from.addingReportingOverflow(lines)
        let wanted = from..<(isTooMuch ? .max : end)
        func scan(isForReturns: Bool, _ each: (UnsafeRawBufferPointer) -> Bool) throws(Failure) -> (LineScan, Bool) {
            var scan = LineScan(
                wanted, offset: offset, limit: Limits.pageBytes, endsWithCarriageReturn: isForReturns)
            let isWhole = try source.eachPiece(from: start, to: source.end) { (piece) throws(Failure) in
                guard each(piece) else { return false }
                scan.add(piece)
                return true
            }
            return (scan, isWhole)
        }
        let found = try scan(isForReturns: false, each)
        return found.0.needsCarriageReturns && found.1 ? try scan(isForReturns: true) { _ in true } : found
    }

    private func notText(_ head: [UInt8], _ source: Source, _ why: String?) -> Failure {
        let kind = FileKind.name(of: head) ?? why ?? "no text in UTF-8, UTF-16 or Latin-1"
        return Failure(
            .notText, "\(name) · \(FileSize.words(source.size)) · \(kind): its content is not shown.",
            remedy: "Look into it with run, by a program such as file or strings.")
    }
}
