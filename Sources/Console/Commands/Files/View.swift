import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

extension Limits {
    /// The most bytes of a JSON file that is laid out. A larger one is shown as plain text.
    fileprivate static let viewedJSONBytes = 16 << 20

    /// The most bytes of a Markdown file that is drawn. A larger one is shown as plain text.
    fileprivate static let viewedMarkdownBytes = 1 << 20

    /// The most bytes of a table that is drawn. A larger one is shown as plain text.
    fileprivate static let viewedTableBytes = 8 << 20

    /// The most rows of a table that are drawn at once, without its head.
    fileprivate static let tableRows = 5_000

    /// The bytes at the beginning of a binary file that are shown.
    fileprivate static let dumpedBytes = 256

    /// The most bytes of a binary file that are shown if the user asks for a part of it.
    fileprivate static let dumpedPartBytes = 64 << 10
}

package struct View: Verb {
    package static let description = CommandDescription(
        "view", in: .files,
        summary: "Look at a result or a file: texts whole, JSON laid out, tables aligned, trees, pictures, pages.",
        details: """
            Without a target it shows the newest result of the conversation, or of this folder. What is longer than the screen opens in \
            your pager ($PAGER). In a pipe it gives the bytes as they are.
            """,
        examples: [
            "view w3",
            "view w3.2.1.image",
            "view data.json users[0].name",
            "view w3.2.1.text w3.2.2.text",
            "view notes.md --text --from 40",
            "view manual.pdf --page 2",
            .init("view photos.zip cats/small", note: "a folder in an archive"),
        ],
        takes: [[.result, .file], [.result, .file]],
        values: ["--path": [.free], "--from": [.free], "--lines": [.free], "--column": [.free], "--page": [.free]])

    @Argument(
        help: "w3, w3.2, w3.2.1.image, the first digits of a SHA-256, a file or folder, or $ for the newest result.")
    var target: String?

    @Argument(
        help:
            "Where in a JSON the value is, such as users[0].name or x.\"a.b\"; a folder in a zip file; or another result or file, to compare the two."
    )
    var place: String?

    @Option(help: "The same as the second argument.")
    var path: String?

    @Option(help: "The first line that is shown; row of a table, entry of a tree, or byte of what is no text.")
    var from = 1

    @Option(help: "How many of them are shown.")
    var lines: Int?

    @Option(help: "The first column of a table that is shown.")
    var column = 1

    @Option(help: "Which page of a PDF is shown.")
    var page: Int?

    @Flag(help: "Show a text as it is written: no table, nothing rendered.")
    var text = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func validate() throws {
        guard from >= 1, lines ?? 1 >= 1, page ?? 1 >= 1, column >= 1 else {
            throw ValidationError("--from, --lines, --column and --page are numbers from 1.")
        }
        guard place == nil || path == nil else { throw ValidationError("The place in a JSON was given twice.") }
    }

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let viewer = try viewer(of: target, in: context, output)
        if let other = try second(in: context, output) {
            try await ViewDiff(context: context, output: output, one: viewer, other: other).show()
        } else {
            try await viewer.show()
        }
        return .succeeded
    }

    private func viewer(of target: String?, in context: CommandContext, _ output: Output) throws(Failure) -> Viewer {
        try Viewer(
            context: context, output: output, found: ViewFinder(context: context).find(ViewTarget(target)), view: self)
    }

    /// Returns the second content, if the second word names a result or a file rather than a place in a JSON.
    private func second(in context: CommandContext, _ output: Output) throws(Failure) -> Viewer? {
        guard let place else { return nil }
        if ViewTarget(place).isResult { return try viewer(of: place, in: context, output) }
        do throws(Failure) { return try viewer(of: place, in: context, output) } catch {
            if error.code == .unknownFile { return nil }
            throw error
        }
    }

    /// The place of a value in JSON, by the option or by the second word.
    var valuePath: String? { path ?? place }
}

/// Shows one content by its kind.
struct Viewer {
    let context: CommandContext
    let output: Output
    let found: ViewFinder.Found
    let view: View
    let source: (any ByteSource)?
    /// The text of a content that is not UTF-8.
    private let decoded: DecodedText?
    let kind: ContentKind

    var content: ViewedContent { found.content }

    init(context: CommandContext, output: Output, found: ViewFinder.Found, view: View) throws(Failure) {
        (self.context, self.output, self.found, self.view) = (context, output, found, view)
        source = found.content.isFolder ? nil : try context.viewing.open(found.content)
        let isOther = found.content.isFolder || found.content.picture != nil
        decoded =
            isOther
            ? nil
            : try source.flatMap { (source) throws(Failure) in
                try DecodedText(source, found.content.bytes)
            }
        let head = try source?.read(Limits.viewHeadBytes, at: 0) ?? []
        kind = ContentKind(
            of: found.content, head: decoded.map { Array($0.text.utf8.prefix(Limits.viewHeadBytes)) } ?? head)
    }

    /// The content as a text in UTF-8, or the bytes as they are.
    private var readable: (any ByteSource)? { decoded.map { MemorySource($0.text) } ?? source }

    /// Whether the output goes to a program.
    private var isPiped: Bool { !output.isJSON && !output.isChat && !output.screen.capabilities.isTerminal }

    func show() async throws(Failure) {
        var value: WrittenJSON?
        if kind != .zip, let path = view.valuePath { value = try self.value(at: path) }
        if output.isJSON {
            let json = try await described(value)
            return output.show([], json: [json])
        }
        if isPiped, let source { return try give(value, source) }
        output.screen.show(heading)
        if let value { return try await show(text: Self.laidOut(value)) }
        switch kind {
        case .folder, .zip: try await showTree()
        case .json where !view.text && content.bytes <= Limits.viewedJSONBytes:
            try await showJSON()
        case .markdown where !view.text && content.bytes <= Limits.viewedMarkdownBytes: try await showMarkdown()
        case .table(let separator) where !view.text && content.bytes <= Limits.viewedTableBytes:
            try await showTable(separator)
        case .json, .markdown, .table, .text: try await showText()
        case .picture: try await showPicture()
        case .pdf: try await showPage()
        case .binary where view.text: try await showText()
        case .binary: try await showBytes()
        }
    }

    // MARK: Texts

    private var paging: Paging {
        Paging(context: context, output: output, target: target + (view.text ? " --text" : ""))
    }

    /// The target as it is typed, with the place of a value in it.
    private var target: String {
        ViewTarget.typed(content.target) + (view.valuePath.map { " \(Words.quoted($0))" } ?? "")
    }

    private func showText() async throws(Failure) {
        guard let source = readable else { return }
        try await paging.show(stream(of: source), from: view.from, hasEnd: view.lines == nil)
    }

    /// Shows laid-out JSON. Content that has the name of JSON but cannot be laid out is shown as text.
    private func showJSON() async throws(Failure) {
        guard let source = readable else { return }
        if content.bytes <= Limits.viewedTreeBytes, let json = try? WrittenJSON.read(whole()), json.fits {
            return try await show(text: json.pretty)
        }
        guard let laidOut = try LaidOutJSON(source) else { return try await showText() }
        try await paging.show(stream(of: laidOut), from: view.from, hasEnd: view.lines == nil)
    }

    private func show(text: String) async throws(Failure) {
        try await paging.show(stream(of: MemorySource(text)), from: view.from, hasEnd: view.lines == nil)
    }

    private func stream(of source: any ByteSource) -> TextStream {
        TextStream(shown: source, from: view.from, lines: view.lines ?? .max) { [viewing = context.viewing] in
            viewing.withoutKeys($0)
        }
    }

    private func showMarkdown() async throws(Failure) {
        let text = context.viewing.withoutKeys(String(decoding: try whole(), as: UTF8.self))
        let lines = StreamingMarkdown.lines(text, width: max(8, output.columns - 2))
        await paging.show(Array(lines.dropFirst(view.from - 1).prefix(view.lines ?? .max)))
    }

    func whole() throws(Failure) -> [UInt8] {
        if let decoded { return Array(decoded.text.utf8) }
        return try source?.read(content.bytes, at: 0) ?? []
    }

    // MARK: Values

    /// Returns the value at a place.
    ///
    /// - Throws: `badUsage` if the content is not JSON, or has no such value.
    private func value(at path: String) throws(Failure) -> WrittenJSON {
        guard !content.isFolder, content.bytes <= Limits.viewedJSONBytes else {
            throw Failure(.badUsage, "\(content.name) is no JSON that can be looked into.")
        }
        let bytes = try whole()
        let json: WrittenJSON
        do throws(JSONReader.Failure) { json = try WrittenJSON.read(bytes) } catch {
            throw Failure(
                .badUsage, error.sentence(about: content.name), remedy: "Look at it as text, without a place.")
        }
        let place = ValuePath(path)
        guard !place.hasEmptyPart, let value = place.value(in: json), !value.isNull else {
            let remedy = ValuePath.withQuotes(path, in: json).map { "Write it as \($0)." } ?? "Look at all of it first."
            throw Failure(.badUsage, "\(content.name) has no value at \(path).", remedy: remedy)
        }
        return value
    }

    /// Returns a text without quotes, or laid-out JSON.
    private static func laidOut(_ json: WrittenJSON) -> String { json.string ?? json.pretty }

    // MARK: Tables and trees

    private func showTable(_ separator: UInt8) async throws(Failure) {
        let text = context.viewing.withoutKeys(String(decoding: try whole(), as: UTF8.self))
        let table = ViewedTable(Array(text.utf8), separator: separator)
        let count = min(view.lines ?? .max, Limits.tableRows)
        let first = min(view.from, table.count + 1)
        let end = table.bounded(first..<min(table.count + 1, first + count), from: view.column)
        var verb = "view \(target)"
        let rest =
            view.lines == nil
            ? Remainder(
                end..<table.count + 1, of: table.count, "more row",
                verb + (view.column > 1 ? " --column \(view.column)" : "")) : nil
        if view.from > 1 { verb += " --from \(view.from)" }
        if let lines = view.lines { verb += " --lines \(lines)" }
        let lines = table.lines(
            first..<end, from: view.column, verb: verb, columns: max(8, output.columns - 2))
        await paging.show(lines, rest: rest.lines(columns: output.columns))
    }

    private func showTree() async throws(Failure) {
        let tree = try await tree()
        let isPart = view.from > 1 || view.lines != nil
        let span = view.from..<view.from + min(view.lines ?? .max, .max - view.from)
        await paging.show(
            TreeView.lines(
                tree, target: target, path: content.isFolder ? content.target : nil, span: isPart ? span : nil,
                columns: max(8, output.columns - 2)))
    }

    /// Returns all entries, or those below a folder in an archive.
    private func tree() async throws(Failure) -> ViewedTree {
        let tree = try await context.viewing.tree(of: content)
        guard kind == .zip, let path = view.valuePath else { return tree }
        let way = path.split(separator: "/").map(String.init)
        let below = tree.entries.filter { $0.names.starts(with: way) && $0.names.count > way.count }
        guard !below.isEmpty else {
            throw Failure(.badUsage, "\(content.name) has no folder \(path).", remedy: "Look at all of it first.")
        }
        return ViewedTree(
            entries: below.map { entry in
                var entry = entry
                entry.names.removeFirst(way.count)
                return entry
            }, isWhole: tree.isWhole)
    }

    // MARK: Pictures

    private func showPicture(page: Int? = nil) async throws(Failure) {
        guard let form = context.viewing.pictureProtocol, let room = output.screen.pictureRoom else {
            let words =
                "Pictures are not shown on this screen: it draws no colours, or is small, or the setting \"pictures\" is none."
            return output.screen.show(Layout.wrapped(StyledText(words, .dim), columns: output.columns, indent: 4))
        }
        output.screen.show(try await context.viewing.picture(of: content, page: page, by: form, in: room))
    }

    private func showPage() async throws(Failure) {
        let (page, count) = (view.page ?? 1, try await context.viewing.pages(of: content))
        guard page <= count else {
            throw Failure(.badUsage, "\(content.name) has \(Amounts.count(count, "page")), and no page \(page).")
        }
        let next =
            page < count ? " · next: \(Voice.call("view \(ViewTarget.typed(content.target)) --page \(page + 1)"))" : ""
        output.screen.show(
            Layout.wrapped(StyledText("page \(page) of \(count)\(next)", .dim), columns: output.columns, indent: 4))
        try await showPicture(page: page)
    }

    // MARK: Bytes

    private func showBytes() async throws(Failure) {
        let isPart = view.from > 1 || view.lines != nil
        let most = isPart ? Limits.dumpedPartBytes : Limits.dumpedBytes
        let head = try source?.read(min(view.lines ?? most, most), at: view.from - 1) ?? []
        let end = min(view.from - 1, content.bytes) + head.count
        let isAsked = head.count == view.lines
        let rest =
            isAsked
            ? nil : Remainder(end + 1..<max(end, content.bytes) + 1, of: content.bytes, "more byte", "view \(target)")
        await paging.show(
            ByteView.lines(head, from: view.from - 1, columns: max(8, output.columns - 2)),
            rest: rest.lines(columns: output.columns))
    }

    /// Writes the value or the bytes to standard output, until it is closed.
    private func give(_ value: WrittenJSON?, _ source: any ByteSource) throws(Failure) {
        if let value { return StandardOutput.write(Array((Self.laidOut(value) + "\n").utf8)) }
        var stream = TextStream(raw: source, from: view.from, lines: view.lines ?? .max)
        while StandardOutput.isOpen, let block = try stream.next() { StandardOutput.write(block) }
    }

    // MARK: What it is

    /// The heading, such as `▤ text  notes.txt  12 KB`, and the results that have this content.
    var heading: [StyledText] {
        var line =
            "  " + StyledText("\(kind.sign) ", .success) + StyledText(kind.words)
            + StyledText("  \(content.name)", .bold)
        if !content.isFolder { line.append("  \(Amounts.size(content.bytes))") }
        if let size = ResultLine.dimensions(content.meta) { line.append("  \(size)") }
        if let decoded { line.append("  \(decoded.encoding)") }
        if let asset = content.asset { line.append("  \(asset.label)", .dim) }
        let others = found.others.map { Voice.call("view \($0.label)") }
        let also =
            others.isEmpty
            ? []
            : Layout.wrapped(StyledText("also: " + NameList.words(others), .dim), columns: output.columns, indent: 4)
        return Layout.wrapped(line, columns: output.columns, hanging: 4) + also
    }

    private func described(_ value: WrittenJSON?) async throws(Failure) -> JSON {
        let entries = kind == .folder || kind == .zip ? try await tree() : nil
        return .of([
            "target": .string(content.target), "name": .string(content.name), "kind": .string(kind.words),
            "bytes": content.isFolder ? nil : .int(content.bytes), "path": .string(content.path),
            "type": content.asset.map { .string($0.type.name) }, "sha256": content.asset.map { .string($0.hash.hex) },
            "encoding": decoded.map { .string($0.encoding) },
            "meta": content.meta.isEmpty ? nil : .object(content.meta),
            "value": value.map { (try? $0.value) ?? .string($0.text) },
            "entries": entries.map { tree in
                .array(
                    tree.entries.map { entry in
                        .of([
                            "path": .string(entry.names.joined(separator: "/")), "folder": .bool(entry.isFolder),
                            "bytes": entry.bytes.map { .int($0) }, "note": entry.note.map { .string($0) },
                        ])
                    })
            },
            "whole": entries.map { .bool($0.isWhole) },
        ])
    }
}
