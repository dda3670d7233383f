package import Vocabulary

/// The ways in which a content is drawn, told from its name and its first bytes.
package enum ContentKind: Hashable {
    case folder, zip, pdf, picture, json, markdown, text, binary
    /// Rows of cells. The separator is a comma, a semicolon or a tab.
    case table(separator: UInt8)

    /// Tells the kind of a content.
    ///
    /// - Parameter head: the first `Limits.viewHeadBytes` bytes, or all.
    package init(of content: ViewedContent, head: [UInt8]) {
        self =
            content.isFolder
            ? .folder
            : content.picture != nil
                ? .picture
                : head.starts(with: "PK\u{3}\u{4}".utf8) || head.starts(with: "PK\u{5}\u{6}".utf8)
                    ? .zip
                    : head.starts(with: "%PDF-".utf8)
                        ? .pdf
                        : !Self.isText(head) ? .binary : Self.text(named: content.name, type: content.asset?.type, head)
    }

    /// Whether a content is shown as plain text, line by line.
    package static func isPlain(name: String, type: PortType?, _ head: [UInt8]) -> Bool {
        let isForm = head.starts(with: "PK".utf8) || head.starts(with: "%PDF-".utf8)
        return !isForm && isText(head) && text(named: name, type: type, head) == .text
    }

    /// Whether it can be compared line by line.
    package var isText: Bool {
        switch self {
        case .json, .markdown, .text, .table: true
        case .folder, .zip, .pdf, .picture, .binary: false
        }
    }

    /// The word for the kind, as it is shown.
    package var words: String {
        if case .table = self { return "table" }
        return self == .picture ? "image" : self == .binary ? "file" : "\(self)"
    }

    /// The sign before the name of a content.
    package var sign: String {
        switch self {
        case .folder, .zip: "▤"
        case .picture: "▣"
        case .json, .markdown, .text, .table, .pdf: "▤"
        case .binary: "▢"
        }
    }

    private static func text(named name: String, type: PortType?, _ head: [UInt8]) -> ContentKind {
        if type == .json { return .json }
        switch name.split(separator: ".").last?.lowercased() {
        case "json": return .json
        case "md", "markdown": return .markdown
        case "tsv", "tab": return .table(separator: UInt8(ascii: "\t"))
        case "csv": return .table(separator: separator(in: head))
        default: return .text
        }
    }

    /// Returns the separator that the first line has most often: in half of Europe a table has semicolons.
    private static func separator(in head: [UInt8]) -> UInt8 {
        let line = head.prefix { $0 != 0x0A }
        let separators = [",", ";", "\t"].map { $0.utf8.first! }
        return separators.max { one, other in line.count { $0 == one } < line.count { $0 == other } } ?? separators[0]
    }

    /// Whether it can be read. A text may be of another encoding than UTF-8, but it has no NUL and few control
    /// characters.
    static func isText(_ head: [UInt8]) -> Bool {
        let controls = head.count { $0 < 0x20 && ![0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
        return !head.contains(0) && controls <= 1 + head.count / 20
    }
}
