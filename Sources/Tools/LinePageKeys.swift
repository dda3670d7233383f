import Files
import Vocabulary

/// The lines of a page that may hold keys. They are looked for in the page with all that stands around it, since a page
/// may begin in the middle of a key.
extension LinePage {
    /// Returns the lines of a scan, with a mark in the place of each that may hold a key.
    ///
    /// - Parameter start: the place in the source where the scan began.
    func withoutKeys(
        _ scan: LineScan, of source: Source, from start: Int, _ encoding: TextEncoding
    ) throws(Failure) -> LineScan {
        guard let keys, !scan.lines.isEmpty else { return scan }
        let page = start + scan.firstByte
        let begin = max(start, page + offset - Limits.keyContextBytes)
        let end = min(source.end, page + offset + Limits.pageBytes + Limits.keyContextBytes)
        var window: [UInt8] = []
        try source.eachPiece(from: begin, to: end) { (piece) throws(Failure) in
            window.append(contentsOf: piece)
            return true
        }
        let text =
            encoding == .utf8
            ? String(decoding: window, as: UTF8.self)
            : EncodedText.text(ofLatin: window[...]) ?? String(decoding: window, as: UTF8.self)
        let found = KeyLines(of: text, keys, endsWith: scan.lineEnd)
        guard !found.isEmpty else { return scan }
        let before = window.prefix(max(0, page - begin)).count { $0 == scan.lineEnd }
        var scan = scan
        for index in scan.lines.indices where found.holds(before + index) { scan.hide(index) }
        return scan
    }
}
