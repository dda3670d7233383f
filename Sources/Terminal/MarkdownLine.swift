/// The kind of a source line, as far as the division into blocks needs it (CommonMark 0.29, §4 and §5). cmark parses
/// the insides of blocks.
enum MarkdownLine {
    enum Shape: Equatable {
        case blank, text, heading, rule, list, quote, indented
        case fence(Fence)
    }

    struct Fence: Equatable {
        let mark: Character
        let length: Int
        let indent: Int
        let info: String

        func isClosed(by line: String) -> Bool {
            let (indent, rest) = MarkdownLine.indent(of: line)
            let marks = rest.prefix { $0 == mark }.count
            return indent < 4 && marks >= length && rest.dropFirst(marks).allSatisfy { $0 == " " }
        }

        /// Returns a line without the indentation of the fence.
        func content(of line: String) -> String { String(line.dropFirst(min(indent, MarkdownLine.indent(of: line).0))) }
    }

    static func shape(of line: String) -> Shape {
        let (indent, rest) = indent(of: line)
        guard let first = rest.first else { return .blank }
        if indent >= 4 { return .indented }
        switch first {
        case ">": return .quote
        case "#": return isHeading(rest) ? .heading : .text
        case "`", "~": return fence(rest, mark: first, indent: indent).map(Shape.fence) ?? .text
        case "-", "*", "_", "+":
            if isRule(rest) { return .rule }
            return first != "_" && isMarker(rest.dropFirst()) ? .list : .text
        case "0"..."9": return isOrdered(rest) ? .list : .text
        default: return .text
        }
    }

    /// Whether `line`, right below a block of `shape`, begins another one.
    static func interrupts(_ shape: Shape, _ line: String, _ kind: Shape) -> Bool {
        let indent = indent(of: line).0
        switch (shape, kind) {
        case (.text, .rule): return !isUnderline(line)
        case (.text, .list): return mayInterruptParagraph(line)
        case (.text, .heading), (.text, .quote), (.text, .fence): return true
        case (.list, .rule), (.list, .heading), (.list, .quote), (.list, .fence): return indent < 2
        case (.quote, .rule), (.quote, .heading), (.quote, .list), (.quote, .fence): return true
        case (.indented, .indented): return false
        case (.indented, _): return true
        default: return false
        }
    }

    /// Whether `line` still belongs to a block of `shape` after a blank line.
    static func continues(_ shape: Shape, afterBlank line: String, _ kind: Shape) -> Bool {
        switch shape {
        case .list: kind == .list || indent(of: line).0 >= 2
        case .indented: kind == .indented
        default: false
        }
    }

    /// Returns whether a line is `===` or `---`, which below a paragraph makes it a heading.
    static func isUnderline(_ line: String) -> Bool {
        let rest = line.drop { $0 == " " }
        guard let mark = rest.first, mark == "=" || mark == "-" else { return false }
        let tail = rest.drop { $0 == mark }
        return tail.allSatisfy { $0 == " " }
    }

    static func indent(of line: String) -> (Int, Substring) {
        let rest = line.drop { $0 == " " }
        return (line.utf8.count - rest.utf8.count, rest)
    }

    private static func isHeading(_ rest: Substring) -> Bool {
        let marks = rest.prefix { $0 == "#" }.count
        return marks <= 6 && isMarker(rest.dropFirst(marks))
    }

    private static func isMarker(_ tail: Substring) -> Bool { tail.isEmpty || tail.first == " " }

    private static func isOrdered(_ rest: Substring) -> Bool {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }.count
        let tail = rest.dropFirst(digits)
        return digits <= 9 && (tail.first == "." || tail.first == ")") && isMarker(tail.dropFirst())
    }

    /// Returns whether a list may follow a paragraph directly: only one that begins with 1 and whose first item is not
    /// empty.
    private static func mayInterruptParagraph(_ line: String) -> Bool {
        let rest = indent(of: line).1
        let marker = rest.prefix { $0 != " " }
        let isEmpty = rest.dropFirst(marker.count).allSatisfy { $0 == " " }
        return !isEmpty && (marker.count == 1 || marker.dropLast() == "1")
    }

    private static func isRule(_ rest: Substring) -> Bool {
        guard let mark = rest.first, mark != "+" else { return false }
        return rest.allSatisfy { $0 == mark || $0 == " " } && rest.count(where: { $0 == mark }) >= 3
    }

    private static func fence(_ rest: Substring, mark: Character, indent: Int) -> Fence? {
        let length = rest.prefix { $0 == mark }.count
        let info = rest.dropFirst(length)
        guard length >= 3, mark == "~" || !info.contains("`") else { return nil }
        let trimmed = info.drop { $0 == " " }
        let end = trimmed.lastIndex { $0 != " " }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
        return Fence(mark: mark, length: length, indent: indent, info: String(trimmed[..<end]))
    }
}
