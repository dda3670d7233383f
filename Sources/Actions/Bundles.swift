import Glibc
import JSON
import Services
import Storage
import Tools
import Vocabulary
import Workflows

extension Limits {
    /// The most bytes of one table of a workflow in a bundle.
    fileprivate static let bundleTableBytes = 256 << 20
}

/// Workflows as files: `assent export` and `assent import`.
///
/// A bundle is a zip of stored entries: `manifest.json`, `template.json`, `workflow.json`, a file of JSON lines for
/// each table, and `contents/<sha256>`. It has no time and no name of the machine in it, so what was imported exports
/// to the same bytes. Secrets, contents that came of files with keys, also their hashes and sizes (`BundlePrivacy`),
/// and contents with a key in them stay here; a seal that comes or goes opens nothing.
struct Bundles: Sendable {
    let wiring: OpenWorkspace

    private static let form = "assent.bundle/v1"
    private static func place(_ hash: ContentHash) -> String { "contents/\(hash.hex)" }

    // MARK: Out

    func write(_ id: WorkflowID, to file: String) throws(Failure) -> BundleSummary {
        let store = try wiring.toolbox.get().store
        var rows = try wiring.archive.get().bundleRows(of: id) { store.path($0) }
        guard let template = withoutSecrets(rows.template) else {
            throw Failure(.workflowDamaged, "The template of \(id) cannot be read.", remedy: "Run 'assent doctor'.")
        }
        rows.template = template
        try withholdFromRevisions(in: &rows, of: id)
        withholdFromEdits(in: &rows)
        withhold(in: &rows)
        BundlePrivacy(PrivateContents(store.isPrivate), leftOutOf: &rows)
        let contents = rows.contents
        let here = contents.filter { content in
            store.size(of: content.hash) == content.bytes && !store.isPrivate(content.hash)
                && !holdsKey(store.path(content.hash))
        }.map(\.hash)
        let there = Set(here)
        let manifest: JSON = [
            "form": .string(Self.form), "title": rows.workflow["title"] ?? "",
            "withheld": .array(contents.filter { !there.contains($0.hash) }.map { .string($0.hash.hex) }),
        ]
        let path = file.hasPrefix("/") ? file : "\(wiring.workspace)/\(file)"
        var zip = try ZipWriter(in: path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/")
        try zip.add("manifest.json", Array((manifest.text + "\n").utf8))
        try zip.add("template.json", Array((rows.template + "\n").utf8))
        try zip.add("workflow.json", Array((JSON.object(rows.workflow).text + "\n").utf8))
        for (name, _) in BundleRows.carried {
            let lines = (rows.tables[name] ?? []).map { JSON.object($0).text + "\n" }.joined()
            guard lines.utf8.count <= Limits.bundleTableBytes else {
                throw Failure(.tooLarge, "The workflow has more \(name) than fit into a bundle.")
            }
            try zip.add("\(name).jsonl", Array(lines.utf8))
        }
        for hash in here { try zip.add(Self.place(hash), hash, of: store) }
        let bytes = try zip.finish(as: path)
        return BundleSummary(
            workflow: id, title: rows.workflow["title"]?.string ?? "", path: path, contents: here.count,
            withheld: contents.count - here.count, bytes: bytes)
    }

    /// Whether a key would be cut out of it. What is longer than any text of ours is taken for none.
    private func holdsKey(_ path: String) -> Bool {
        guard let bytes = try? Files.bytes(path, limit: Limits.readFileBytes) else { return false }
        return !wiring.keyRing.filter.keys(in: String(decoding: bytes, as: UTF8.self)).isEmpty
    }

    /// A secret is only in a template, of now or of an earlier revision, and in what a person changed of it; whoever
    /// takes the workflow up elsewhere gives theirs. `nil` for a text that is no template.
    private func withoutSecrets(_ text: String) -> String? {
        guard var open = TemplateReader.read(Array(text.utf8)).0 else { return nil }
        for index in open.nodes.indices {
            open.nodes[index].params = withoutSecrets(open.nodes[index].params, of: open.nodes[index].kind)
        }
        return open.json.text
    }

    /// As the tool's manifest says; by their names where there is none, or it says nothing of them.
    private func withoutSecrets(_ params: JSON.Object, of kind: String) -> JSON.Object {
        let manifest = (try? wiring.catalogue.get())?[kind]
        let open = params.members.filter { !(manifest?.param($0.key).map(\.isSecret) ?? Withholding.isSecret($0.key)) }
        return SealedValue.foreign(Withholding.applied(to: .object(JSON.Object(members: open)))).object ?? JSON.Object()
    }

    private func withholdFromRevisions(in rows: inout BundleRows, of id: WorkflowID) throws(Failure) {
        for index in (rows.tables["graph_revisions"] ?? []).indices {
            guard let template = withoutSecrets(rows.tables["graph_revisions"]![index]["template"]?.string ?? "") else {
                throw Failure(
                    .workflowDamaged,
                    "An earlier template of \(id) cannot be read, so nobody knows what is secret in it.",
                    remedy: "Duplicate it and export that.")
            }
            rows.tables["graph_revisions"]![index]["template"] = .string(template)
        }
    }

    private func withholdFromEdits(in rows: inout BundleRows) {
        for index in (rows.tables["steps"] ?? []).indices {
            let row = rows.tables["steps"]![index]
            guard let text = row["edits"]?.string else { continue }
            let edits = (try? JSONReader.read(text))?.object ?? JSON.Object()
            let open = withoutSecrets(edits, of: row["kind"]?.string ?? "")
            if open != edits {
                rows.tables["steps"]![index]["edits"] = open.isEmpty ? nil : .string(JSON.object(open).text)
            }
        }
    }

    private func withhold(in rows: inout BundleRows) {
        for (table, column) in [
            ("runs", "params"), ("decisions", "call"), ("awaits", "question"), ("assets", "meta"), ("events", "body"),
        ] {
            for index in (rows.tables[table] ?? []).indices {
                guard let text = rows.tables[table]![index][column]?.string else { continue }
                rows.tables[table]![index][column] = .string(Withholding.applied(toText: text))
            }
        }
    }

    // MARK: In

    /// Refuses a workflow that undoes: its records are in another data folder, and a forged one would undo what nobody
    /// asked for.
    private static func refuseUndo(_ template: Template) throws(Failure) {
        guard !template.nodes.contains(where: { $0.kind == Template.undoKind }) else {
            throw bad("it has a step of the kind \(Template.undoKind), which only 'assent undo' makes")
        }
    }

    func read(_ file: String) throws(Failure) -> BundleSummary {
        let path = file.hasPrefix("/") ? file : "\(wiring.workspace)/\(file)"
        guard Files.exists(path) else {
            throw Failure(.unknownFile, "There is no file \(path).", remedy: "Look at its name.")
        }
        let zip = try ZipReader(path)
        let manifest = try json(zip, "manifest.json")
        guard manifest["form"]?.string == Self.form else { throw Self.bad("it is of another form than \(Self.form)") }
        let withheld = Set(
            (manifest["withheld"]?.array ?? []).compactMap { $0.string.flatMap(ContentHash.init(checking:)) })
        let template = try self.template(zip).withForeignSeals
        try Self.refuseUndo(template)
        var rows = BundleRows(
            workflow: try json(zip, "workflow.json").object ?? JSON.Object(), template: template.json.text,
            tables: try tables(zip))
        for index in (rows.tables["graph_revisions"] ?? []).indices {
            guard let text = rows.tables["graph_revisions"]![index]["template"]?.string,
                let old = TemplateReader.read(Array(text.utf8)).0
            else { throw Self.bad("an earlier template of it cannot be read") }
            try Self.refuseUndo(old)
            if !old.seals.isEmpty {
                rows.tables["graph_revisions"]![index]["template"] = .string(old.withForeignSeals.json.text)
            }
        }
        for index in (rows.tables["steps"] ?? []).indices {
            guard let text = rows.tables["steps"]![index]["edits"]?.string, let edits = try? JSONReader.read(text),
                SealedValue.isIn(edits)
            else { continue }
            rows.tables["steps"]![index]["edits"] = .string(SealedValue.foreign(edits).text)
        }
        let contents = rows.contents
        try look(at: contents, withheld, in: zip)
        let store = try wiring.toolbox.get().store
        let archive = try wiring.archive.get()
        let reception = Archive.Reception(
            workspace: wiring.workspace, mode: .adaptive, at: OpenWorkspace.now(), bundle: zip.hash,
            nodes: template.nodes.map { ($0.id, $0.kind) }, path: { store.path($0) })
        // All of it is looked at before any of it stays; the contents come first, so that no row names what is not
        // there.
        _ = try archive.receive(rows, reception, isRehearsal: true)
        for content in contents where !withheld.contains(content.hash) {
            _ = try zip.add(Self.place(content.hash), to: store)
        }
        let (id, isHeld) = try archive.receive(rows, reception)
        return BundleSummary(
            workflow: id, title: rows.workflow["title"]?.string ?? "", path: path,
            contents: contents.count - withheld.count,
            withheld: withheld.count, bytes: zip.bytes, isHeld: isHeld)
    }

    /// Every content is there that is not said to be missing, is what its name says, and nothing else is there.
    private func look(
        at contents: [(hash: ContentHash, bytes: Int)], _ withheld: Set<ContentHash>, in zip: borrowing ZipReader
    ) throws(Failure) {
        guard withheld.isSubset(of: contents.map(\.hash)) else { throw Self.bad("it withholds what it does not name") }
        var expected = Set(
            ["manifest.json", "template.json", "workflow.json"] + BundleRows.carried.map { "\($0.name).jsonl" })
        for content in contents where !withheld.contains(content.hash) {
            let place = Self.place(content.hash)
            expected.insert(place)
            guard ContentHash(checking: content.hash.hex) != nil, zip.size(of: place) == content.bytes,
                try zip.holds(content.hash, as: place)
            else { throw Self.bad("a content is missing, or is not what its name says") }
        }
        guard Set(zip.names) == expected else { throw Self.bad("it has entries that belong to no bundle") }
    }

    private func template(_ zip: borrowing ZipReader) throws(Failure) -> Template {
        let (template, problems) = TemplateReader.read(try zip.read("template.json", limit: Limits.templateBytes))
        guard let template, problems.isEmpty else {
            throw Self.bad("its template has faults: \(problems.first?.description ?? "it is none")")
        }
        if let problem = nameProblems(in: template).first { throw Self.bad("its template has faults: \(problem)") }
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
