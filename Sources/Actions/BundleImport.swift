import Files
import JSON
import Services
import Storage
import Tools
import Vocabulary
import Workflows

/// The reading of a bundle, which is hostile input.
struct BundleImport {
    let shared: OpenWorkspace

    /// Stores the workflow of a bundle, and blocks until it is stored.
    ///
    /// - Parameter path: the absolute path of the bundle.
    /// - Throws: `unknownFile`, `badBundle`.
    func read(_ path: String) throws(Failure) -> BundleSummary {
        guard FileSystem.exists(path) else {
            throw Failure(.unknownFile, "There is no file \(path).", remedy: "Look at its name.")
        }
        let zip = try ZipReader(path)
        let manifest = try json(zip, "manifest.json")
        guard manifest["form"]?.string == Bundles.form else {
            throw Self.bad("it is of another form than \(Bundles.form)")
        }
        let withheld = Set(
            (manifest["withheld"]?.array ?? []).compactMap { $0.string.flatMap(ContentHash.init(checking:)) })
        let template = try self.template(zip).withForeignSeals
        try Self.refuseUndo(template)
        var rows = BundleRows(
            workflow: try json(zip, "workflow.json").object ?? JSON.Object(), template: template.text,
            tables: try tables(zip))
        try rows.change("graph_revisions") { row throws(Failure) in
            guard let text = row["template"]?.string, let old = TemplateReader.read(Array(text.utf8), isStored: true).0
            else {
                throw Self.bad("an earlier template of it cannot be read")
            }
            try Self.refuseUndo(old)
            if !old.seals.isEmpty { row["template"] = .string(old.withForeignSeals.text) }
        }
        rows.change("steps") { row in
            guard let text = row["edits"]?.string, let edits = try? JSONReader.read(text), SealedValue.isIn(edits)
            else { return }
            row["edits"] = .string(SealedValue.foreign(edits).text)
        }
        let contents = rows.contents
        try check(contents, withheld, in: zip)
        let store = try shared.toolbox.get().store
        let archive = try shared.archive.get()
        let reception = Archive.Reception(
            workspace: shared.workspace, mode: .adaptive, at: OpenWorkspace.now(), bundle: zip.hash,
            nodes: template.nodes.map { ($0.id, $0.kind) }, path: { store.path($0) })
        // The whole bundle is checked before anything is stored. The contents are stored first, so that each row names
        // an existing content.
        _ = try archive.receive(rows, reception, isRehearsal: true)
        for content in contents where !withheld.contains(content.hash) {
            _ = try zip.add(Bundles.place(content.hash), to: store)
        }
        let (id, isHeld) = try archive.receive(rows, reception)
        return BundleSummary(
            workflow: id, title: rows.workflow["title"]?.string ?? "", path: path,
            contents: contents.count - withheld.count,
            withheld: withheld.count, bytes: zip.bytes, isHeld: isHeld)
    }

    /// Refuses a workflow that undoes. Its records are in another data folder, and a forged workflow could undo any
    /// change.
    private static func refuseUndo(_ template: Template) throws(Failure) {
        guard !template.nodes.contains(where: { $0.kind == Template.undoKind }) else {
            throw bad("it has a step of the kind \(Template.undoKind), which only 'assent undo' makes")
        }
    }

    /// Checks that the bundle has exactly the contents that the rows name and the manifest does not withhold, and that
    /// each content matches its hash.
    private func check(
        _ contents: [(hash: ContentHash, bytes: Int)], _ withheld: Set<ContentHash>, in zip: borrowing ZipReader
    ) throws(Failure) {
        guard withheld.isSubset(of: contents.map(\.hash)) else { throw Self.bad("it withholds what it does not name") }
        var expected = Set(
            ["manifest.json", "template.json", "workflow.json"] + BundleRows.carried.map { "\($0.name).jsonl" })
        for content in contents where !withheld.contains(content.hash) {
            let place = Bundles.place(content.hash)
            expected.insert(place)
            guard ContentHash(checking: content.hash.hex) != nil, zip.size(of: place) == content.bytes,
                try zip.holds(content.hash, as: place)
            else { throw Self.bad("a content is missing, or is not what its name says") }
        }
        guard Set(zip.names) == expected else { throw Self.bad("it has entries that belong to no bundle") }
    }

    private func template(_ zip: borrowing ZipReader) throws(Failure) -> Template {
        let (template, problems) = TemplateReader.read(
            try zip.read("template.json", limit: Limits.templateBytes), isStored: true)
        guard let template, problems.isEmpty else {
            throw Self.bad("its template has faults: \(problems.first?.description ?? "it is none")")
        }
        if let problem = nameProblems(in: template, cut: shared.keyRing.filter.cut).first {
            throw Self.bad("its template has faults: \(problem)")
        }
        return template
    }

    private func tables(_ zip: borrowing ZipReader) throws(Failure) -> [String: [JSON.Object]] {
        var tables: [String: [JSON.Object]] = [:]
        for (name, _) in BundleRows.carried {
            let lines = try zip.read("\(name).jsonl", limit: Limits.bundleTableBytes).split(
                separator: UInt8(ascii: "\n"))
            guard lines.count <= Limits.bundleRows else {
                throw Self.bad("it has more than \(Limits.bundleRows) \(name)")
            }
            var rows: [JSON.Object] = []
            for line in lines {
                guard let row = (try? JSONReader.read(Array(line)))?.object else {
                    throw Self.bad("a line of its \(name) cannot be read")
                }
                rows.append(row)
            }
            tables[name] = rows
        }
        return tables
    }

    private func json(_ zip: borrowing ZipReader, _ name: String) throws(Failure) -> JSON {
        guard let json = try? JSONReader.read(try zip.read(name, limit: Limits.bundleTextBytes)), json.object != nil
        else {
            throw Self.bad("its \(name) cannot be read")
        }
        return json
    }

    private static func bad(_ words: String) -> Failure {
        Failure(.badBundle, "The bundle cannot be taken in: \(words).")
    }
}

extension Template {
    fileprivate var withForeignSeals: Template {
        var template = self
        for index in nodes.indices {
            template.nodes[index].params = SealedValue.foreign(.object(nodes[index].params)).object ?? JSON.Object()
        }
        return template
    }
}
