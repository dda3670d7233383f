import Files
import JSON
import Vocabulary

/// The matching lines of files, and the lines around them, as ripgrep prints them with `--null --line-number`.
struct FoundLines {
    struct Line {
        var number: Int
        var isMatch: Bool
        var text: ArraySlice<UInt8>
    }

    /// The lines by the bytes of the paths below the workspace.
    private(set) var lines: [[UInt8]: [Line]] = [:]

    /// Reads the output. A path ends with a NUL, which no line of a text has, so that no name can look like a line.
    init(_ output: [UInt8]) {
        var place = output.startIndex
        while let end = output[place...].firstIndex(of: 0) {
            let path = Array(output[place..<end].dropFirst(2))
            guard let feed = output[end...].firstIndex(of: UInt8(ascii: "\n")) else { return }
            place = feed + 1
            let line = output[(end + 1)..<feed]
            guard let sign = line.firstIndex(where: { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(String(decoding: line[..<sign], as: UTF8.self))
            else { continue }
            var text = line[(sign + 1)...]
            if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
            lines[path, default: []].append(
                Line(number: number, isMatch: line[sign] == UInt8(ascii: ":"), text: text))
        }
    }

    /// Puts a mark in the place of each line of a file that may hold a key.
    mutating func hideKeys(of keys: KeyWindows, in path: String) {
        let key = Array(path.utf8)
        let holding = keys.holding(lines[key, default: []].map(\.number))
        guard !holding.isEmpty else { return }
        lines[key] = lines[key]?.map { line in
            var line = line
            if holding.contains(line.number) { line.text = Array(KeyLines.mark.utf8)[...] }
            return line
        }
    }

    /// Returns a line for a language model, such as `src/a.swift:12:let a = 1`, or `src/a.swift-13-` for a line
    /// around a match.
    static func text(_ line: Line, of path: String) -> String {
        let sign = line.isMatch ? ":" : "-"
        let written = EncodedText.text(ofPart: line.text)
        let plain =
            line.number == 1 && written.hasPrefix("\u{FEFF}") ? String(written.unicodeScalars.dropFirst()) : written
        // Most lines are shorter, in bytes too.
        let isCut = plain.utf8.count > Limits.foundLineCharacters && plain.count > Limits.foundLineCharacters
        let shown = isCut ? plain.prefix(Limits.foundLineCharacters) + "…" : plain
        return "\(quoted(path))\(sign)\(line.number)\(sign)\(shown)\n"
    }

    /// Returns a path as JSON writes it if it could look like another path with a number of a line.
    private static func quoted(_ path: String) -> String {
        let parts = path.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") }
        let hasNumber = parts.dropFirst().dropLast().contains { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        let isPlain = !hasNumber && !path.utf8.contains(UInt8(ascii: ":"))
        return isPlain ? path.quotedIfOdd : JSON.string(path).text
    }
}
