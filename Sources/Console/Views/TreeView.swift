import Actions
import Terminal
import Vocabulary

extension Limits {
    /// The most entries of a tree that are drawn at once.
    package static let treeEntries = 2_000

    /// The most levels of a tree that are drawn. A deeper folder is shown as the command that lists it.
    package static let treeDepth = 12
}

/// The view of a folder or an archive as a tree.
enum TreeView {
    /// A name with the entries below it.
    private final class Node {
        var children: [String: Node] = [:]
        var entry: ViewedTree.Entry?
        /// The number of names below it, on all levels.
        var count = 0
    }

    /// The state of a tree that is being drawn.
    private struct Drawing {
        /// The numbers of the entries that are drawn, from 1.
        let wanted: Range<Int>
        /// The number of entries so far, drawn or not.
        var count = 0
        var lines: [StyledText] = []
    }

    /// Draws the entries under their folders.
    ///
    /// - Parameters:
    ///   - target: the typed word of the whole tree.
    ///   - path: the path of the whole tree, to which names of folders are added, or nil for an archive, whose folders
    ///     are named behind the target.
    ///   - span: the numbers of the entries that are drawn, or nil for the first ones and the command that prints the
    ///     others.
    static func lines(_ tree: ViewedTree, target: String, path: String?, span: Range<Int>? = nil, columns: Int)
        -> [StyledText]
    {
        let root = Node()
        for entry in tree.entries {
            var (node, way) = (root, [root])
            for name in entry.names {
                let next = node.children[name] ?? Node()
                if node.children.updateValue(next, forKey: name) == nil { for above in way { above.count += 1 } }
                node = next
                way.append(next)
            }
            node.entry = entry
        }
        let first = span?.lowerBound ?? 1
        var drawing = Drawing(wanted: first..<first + min(span?.count ?? .max, Limits.treeEntries))
        draw(root, "", target: target, path: path, within: "", 0, columns, &drawing)
        let isCut = span.map { $0.count > Limits.treeEntries } ?? true
        let end = min(drawing.wanted.upperBound, drawing.count + 1)
        let rest = isCut ? Remainder(end..<drawing.count + 1, of: drawing.count, "more entry", "view \(target)") : nil
        let files = tree.entries.count { !$0.isFolder }
        let bytes = tree.entries.reduce(0) { $0.addingReportingOverflow($1.bytes ?? 0).partialValue }
        let most = tree.isWhole ? "" : "more than "
        let sum = StyledText("\(most)\(Amounts.count(files, "file")), \(Amounts.size(max(0, bytes)))", .dim)
        return drawing.lines + rest.lines(columns: columns, indent: 0)
            + (span == nil ? [sum.truncated(to: columns)] : [])
    }

    /// Draws the entries below a node.
    ///
    /// - Parameter within: the path in an archive.
    private static func draw(
        _ node: Node, _ indent: String, target: String, path: String?, within: String, _ depth: Int, _ columns: Int,
        _ drawing: inout Drawing
    ) {
        let names = node.children.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard depth < Limits.treeDepth else {
            // The entries of a folder that is too deep belong to the tree that the command shows, so they are not
            // counted here.
            guard drawing.wanted.contains(drawing.count) else { return }
            let verb = "view " + (path.map { ViewTarget.typed($0) } ?? "\(target) \(Words.quoted(within))")
            let rest = Remainder(1..<node.count + 1, of: node.count, "more entry", verb)
            drawing.lines += rest.lines(columns: columns, indent: DisplayWidth.of(indent))
            return
        }
        for (index, name) in names.enumerated() {
            let (child, isLast) = (node.children[name]!, index == names.count - 1)
            drawing.count += 1
            let isFolder = child.entry?.isFolder ?? true
            if drawing.wanted.contains(drawing.count) {
                var line =
                    StyledText(indent + (isLast ? "└ " : "├ "), .dim)
                    + StyledText(name + (isFolder ? "/" : ""), isFolder ? .bold : [])
                if let bytes = child.entry?.bytes { line.append("  \(Amounts.size(bytes))", .dim) }
                if let note = child.entry?.note { line.append("  \(note)", .dim) }
                drawing.lines.append(line.truncated(to: columns))
            }
            guard !child.children.isEmpty else { continue }
            draw(
                child, indent + (isLast ? "  " : "│ "), target: target, path: path.map { "\($0)/\(name)" },
                within: within.isEmpty ? name : "\(within)/\(name)", depth + 1, columns, &drawing)
        }
    }
}
