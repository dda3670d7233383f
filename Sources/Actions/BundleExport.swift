import Files
import JSON
import Services
import Storage
import Tools
import Vocabulary
import Workflows

/// The writing of a bundle, without secrets and without contents that may hold keys.
struct BundleExport {
    let shared: OpenWorkspace

    /// Writes the bundle, and blocks until it is written.
    ///
    /// - Parameter path: the absolute path of the file.
    /// - Throws: `targetExists` if the file exists.
    func write(_ id: WorkflowID, to path: String) throws(Failure) -> BundleSummary {
        let store = try shared.toolbox.get().store
        var rows = try shared.archive.get().bundleRows(of: id) { store.path($0) }
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
            "form": .string(Bundles.form), "title": rows.workflow["title"] ?? "",
            "withheld": .array(contents.filter { !there.contains($0.hash) }.map { .string($0.hash.hex) }),
        ]
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
        for hash in here { try zip.add(Bundles.place(hash), hash, of: store) }
        let bytes = try zip.finish(as: path)
        return BundleSummary(
            workflow: id, title: rows.workflow["title"]?.string ?? "", path: path, contents: here.count,
            withheld: contents.count - here.count, bytes: bytes)
    }

    /// Whether a content holds a key that would be cut out of a text. A content that is longer than any text of ours
    /// holds none.
    private func holdsKey(_ path: String) -> Bool {
        guard let bytes = try? FileSystem.bytes(path, limit: Limits.readFileBytes) else { return false }
        return !shared.keyRing.filter.keys(in: String(decoding: bytes, as: UTF8.self)).isEmpty
    }

    /// Returns the text of a template without secrets, or nil if it is no template. Secrets are only in templates of all
    /// revisions and in edits. A user who imports the workflow enters their own.
    private func withoutSecrets(_ text: String) -> String? {
        guard var open = TemplateReader.read(Array(text.utf8), isStored: true).0 else { return nil }
        for index in open.nodes.indices {
            open.nodes[index].params = withoutSecrets(open.nodes[index].params, of: open.nodes[index].kind)
        }
        return open.json.text
    }

    /// Returns parameters without secrets. The tool's manifest says which parameters are secret. Without a manifest,
    /// or for a parameter that it does not have, the name of the parameter decides.
    private func withoutSecrets(_ params: JSON.Object, of kind: String) -> JSON.Object {
        let manifest = (try? shared.catalogue.get())?[kind]
        let open = params.members.filter { !(manifest?.param($0.key).map(\.isSecret) ?? Withholding.isSecret($0.key)) }
        return SealedValue.foreign(Withholding.applied(to: .object(JSON.Object(members: open)))).object ?? JSON.Object()
    }

    /// Removes secrets from the templates of all revisions.
    private func withholdFromRevisions(in rows: inout BundleRows, of id: WorkflowID) throws(Failure) {
        try rows.change("graph_revisions") { row throws(Failure) in
            guard let template = withoutSecrets(row["template"]?.string ?? "") else {
                throw Failure(
                    .workflowDamaged,
                    "An earlier template of \(id) cannot be read, so nobody knows what is secret in it.",
                    remedy: "Duplicate it and export that.")
            }
            row["template"] = .string(template)
        }
    }

    /// Removes secrets from the edits of steps.
    private func withholdFromEdits(in rows: inout BundleRows) {
        rows.change("steps") { row in
            guard let text = row["edits"]?.string else { return }
            let edits = (try? JSONReader.read(text))?.object ?? JSON.Object()
            let open = withoutSecrets(edits, of: row["kind"]?.string ?? "")
            if open != edits { row["edits"] = open.isEmpty ? nil : .string(JSON.object(open).text) }
        }
    }

    /// Removes secrets from all other columns that may hold them, and what the files of this machine were.
    private func withhold(in rows: inout BundleRows) {
        rows.change("assets") { row in
            guard let text = row["meta"]?.string, let meta = (try? JSONReader.read(text))?.object,
                meta[Asset.traitsKey] != nil
            else { return }
            row["meta"] = .string(
                JSON.object(JSON.Object(members: meta.members.filter { $0.key != Asset.traitsKey })).text)
        }
        for (table, column) in [
            ("runs", "params"), ("decisions", "call"), ("awaits", "question"), ("assets", "meta"), ("events", "body"),
        ] {
            rows.change(table) { row in
                guard let text = row[column]?.string else { return }
                row[column] = .string(Withholding.applied(toText: text))
            }
        }
    }
}
