import CMarkdown
import Synchronization

/// The interface to cmark-gfm, all of it in this file: text in, nodes out.
///
/// The text must be visible already. Link reference definitions are kept as text: they would vanish, and each block is
/// parsed by itself, so a definition could not reach its uses anyway. An invisible tag between `]` and `:`, which
/// visible text cannot contain, hides them from cmark. It is removed from every literal.
struct MarkdownTree: ~Copyable {
    private static let separator = "\u{E0001}"
    /// Held while one parser works, since registering extensions and parsing with them writes global tables of
    /// cmark-gfm (`SPECIAL_CHARS` of inlines.c).
    private static let parsing = Mutex(())

    private let document: OpaquePointer?

    init(_ text: String) {
        var source = Self.hidingDefinitions(text)
        document =
            Self.parsing.withLock { _ in
                cmark_gfm_core_extensions_ensure_registered()
                guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT) else { return Document(pointer: nil) }
                defer { cmark_parser_free(parser) }
                for name in ["table", "strikethrough", "autolink", "tasklist"] { _ = cmarkdown_attach(parser, name) }
                source.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
                }
                return Document(pointer: cmark_parser_finish(parser))
            }.pointer
    }

    /// A document that only its tree refers to.
    private struct Document: @unchecked Sendable { let pointer: OpaquePointer? }

    deinit { if let document { cmark_node_free(document) } }

    /// Calls `body` with the root node, or returns nil without one. Nodes must not outlive the tree.
    borrowing func read<Result>(_ body: (Node) -> Result) -> Result? { document.map { body(Node(pointer: $0)) } }

    private static func hidingDefinitions(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "]")) else { return text }
        var out = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == ":", previous == "]" { out.append("\u{E0001}") }
            out.append(scalar)
            previous = scalar
        }
        return String(out)
    }

    struct Node {
        fileprivate let pointer: OpaquePointer

        var kind: String { String(cString: cmark_node_get_type_string(pointer)) }
        var literal: String { Self.text(cmark_node_get_literal(pointer)) }
        var url: String { Self.text(cmark_node_get_url(pointer)) }
        var fenceInfo: String { Self.text(cmark_node_get_fence_info(pointer)) }
        var headingLevel: Int { Int(cmark_node_get_heading_level(pointer)) }
        var isOrdered: Bool { cmark_node_get_list_type(pointer) == CMARK_ORDERED_LIST }
        var listStart: Int { Int(cmark_node_get_list_start(pointer)) }
        var isChecked: Bool { cmark_gfm_extensions_get_tasklist_item_checked(pointer) }

        var children: [Node] {
            var nodes: [Node] = []
            var next = cmark_node_first_child(pointer)
            while let node = next {
                nodes.append(Node(pointer: node))
                next = cmark_node_next(node)
            }
            return nodes
        }

        /// The alignment of each column of a table.
        var columnAlignments: [DisplayWidth.Alignment] {
            let count = Int(cmark_gfm_extensions_get_table_columns(pointer))
            guard let letters = cmark_gfm_extensions_get_table_alignments(pointer) else { return [] }
            return (0..<count).map { index in
                switch letters[index] {
                case UInt8(ascii: "c"): .centre
                case UInt8(ascii: "r"): .trailing
                default: .leading
                }
            }
        }

        /// The node as Markdown again, for a node that is nested too deeply to be drawn.
        var source: String {
            guard let text = cmark_render_commonmark(pointer, CMARK_OPT_DEFAULT, 0) else { return "" }
            defer { free(text) }
            return Self.text(text)
        }

        private static func text(_ bytes: UnsafePointer<CChar>?) -> String {
            guard let bytes else { return "" }
            let text = String(cString: bytes)
            return text.unicodeScalars.contains("\u{E0001}") ? text.replacing(separator, with: "") : text
        }
    }
}
