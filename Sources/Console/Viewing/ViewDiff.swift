import Actions
import JSON
import Terminal
import Vocabulary

extension Limits {
    /// The most bytes of each of two texts that are compared line by line.
    fileprivate static let comparedViewBytes = 4 << 20
}

/// Two contents side by side: texts line by line, everything else by its figures.
struct ViewDiff {
    let context: CommandContext
    let output: Output
    let one: Viewer
    let other: Viewer

    func show() async throws(Failure) {
        let isSame = try isSame()
        if output.isJSON {
            return output.show([], json: [.of(["one": one.figures, "other": other.figures, "same": .bool(isSame)])])
        }
        output.screen.show(one.heading + other.heading)
        if isSame { return output.screen.show(StyledText("    They are the same, byte for byte.", .dim)) }
        let paging = Paging(context: context, output: output, target: one.content.target)
        guard let lines = try texts() else { return await paging.show(figures) }
        await paging.show(lines, hasGutter: true)
    }

    /// Compares the bytes, as far as both have the same number of them.
    private func isSame() throws(Failure) -> Bool {
        guard one.content.isFolder == other.content.isFolder, one.content.bytes == other.content.bytes else {
            return false
        }
        guard let (first, second) = sources else { return one.content.path == other.content.path }
        var offset = 0
        while offset < one.content.bytes {
            let piece = try first.read(Limits.viewBlockBytes, at: offset)
            guard try second.read(Limits.viewBlockBytes, at: offset) == piece, !piece.isEmpty else { return false }
            offset += piece.count
        }
        return true
    }

    private var sources: (any ByteSource, any ByteSource)? {
        guard let first = one.source, let second = other.source else { return nil }
        return (first, second)
    }

    /// Returns nil if one of them is no text, or too long to be compared.
    private func texts() throws(Failure) -> [StyledText]? {
        guard one.kind.isText, other.kind.isText,
            max(one.content.bytes, other.content.bytes) <= Limits.comparedViewBytes
        else {
            return nil
        }
        let change = TextChange(before: try one.comparable(), after: try other.comparable())
        return LineDiff(change, context: LineDiff.shownContext)?.drawn(columns: output.columns)
    }

    private var figures: [StyledText] {
        func row(_ name: String, _ value: (Viewer) -> String?) -> [StyledText]? {
            let (left, right) = (value(one), value(other))
            guard left != nil || right != nil else { return nil }
            let style: Style = left == right ? .dim : []
            return [StyledText(name, .dim), StyledText(left ?? "–", style), StyledText(right ?? "–", style)]
        }
        let rows = [
            row("kind") { $0.content.picture ?? $0.kind.words },
            row("size") { $0.content.isFolder ? nil : Amounts.size($0.content.bytes) },
            row("pixels") { ResultLine.dimensions($0.content.meta) },
            row("sha256") { $0.content.asset.map { String($0.hash.hex.prefix(12)) } },
        ].compactMap(\.self)
        return Layout.table(rows, columns: max(8, output.columns - 2), indent: 0)
    }
}

extension Viewer {
    /// Returns a text as it is compared: without keys, and JSON laid out, so that only values differ.
    fileprivate func comparable() throws(Failure) -> String {
        let bytes = try whole()
        if kind == .json, let json = try? WrittenJSON.read(bytes) {
            return context.viewing.withoutKeys(json.pretty + "\n")
        }
        return context.viewing.withoutKeys(String(decoding: bytes, as: UTF8.self))
    }

    fileprivate var figures: JSON {
        .of([
            "target": .string(content.target), "name": .string(content.name), "kind": .string(kind.words),
            "bytes": .int(content.bytes),
            "sha256": content.asset.map { .string($0.hash.hex) },
            "meta": content.meta.isEmpty ? nil : .object(content.meta),
        ])
    }
}
