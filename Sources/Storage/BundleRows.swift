package import JSON
package import Vocabulary

/// The rows of one workflow as a bundle holds them: column → value. Values that belong to one database only are left
/// out, so a workflow gives the same rows in every database.
///
/// Left out are: the owner, fence and revision; the workspace and session; the mode and on-ask, for which the
/// importer's own are used; approvals, passed gates and commands, since a yes is valid on one machine only; claims of
/// people; jobs at providers. Inbox numbers count from 1.
package struct BundleRows: Hashable, Sendable {
    /// The row of the workflow, without its template.
    package var workflow: JSON.Object
    package var template: String
    package var tables: [String: [JSON.Object]]

    package init(workflow: JSON.Object, template: String, tables: [String: [JSON.Object]]) {
        self.workflow = workflow
        self.template = template
        self.tables = tables
    }

    /// The tables that a bundle contains, parents first, with the order of their rows.
    package static let carried: [(name: String, order: String)] = [
        ("graph_revisions", "revision"), ("steps", "step"), ("runs", "step, attempt"),
        ("assets", "step, attempt, port"),
        ("pins", "step, port"), ("awaits", "number"), ("decisions", "rowid"), ("events", "seq"),
    ]

    /// The tables with rows about a workflow that a bundle does not contain, or not as a table. A test holds that every
    /// table with a column `workflow` is in one of the two lists.
    static let leftBehind: Set<String> = [
        "approvals", "commands", "quarantine", "imports", "kept_assets", "heard", "told",
        "graphs",
    ]

    /// The columns that a bundle does not contain, by table.
    static let dropped: [String: Set<String>] = [
        "workflows": [
            "id", "session", "workspace", "mode", "on_ask", "owner", "fence", "revision",
            "polling_paused_at", "archived_at",
            "rests",
        ],
        "steps": ["workflow", "agreed"], "runs": ["workflow", "phase", "job"],
        "awaits": ["workflow", "number", "claim", "claimed_by", "until", "snoozes", "draft"],
        "events": ["workflow", "seq", "session", "turn"],
    ]

    /// Columns that bundles of earlier versions hold and an import ignores: the gates that were passed on the other
    /// machine.
    static let ignored: [String: Set<String>] = ["steps": ["agreed"]]

    static func dropped(from table: String) -> Set<String> { dropped[table] ?? ["workflow"] }

    /// The prefix of a content's hash where a bundle replaces a path of the store.
    static let contentScheme = "content:"

    /// The contents that the rows refer to, each once, in order, with their size.
    package var contents: [(hash: ContentHash, bytes: Int)] {
        var sizes: [String: Int] = [:]
        for asset in tables["assets"] ?? [] {
            if let hash = asset["sha256"]?.string, let bytes = asset["bytes"]?.int { sizes[hash] = bytes }
        }
        return sizes.sorted { $0.key < $1.key }.map { (ContentHash(hex: $0.key), $0.value) }
    }
}

/// The parts of an event's body that belong to one database, and their replacements for another one.
struct EventTravel {
    /// The inbox numbers, from this database to the other one. A number that is missing becomes 0, which no entry has.
    var awaits: [Int: Int]
    /// The path of a content in the database that the event comes from, or nil for a bundle.
    var from: ((ContentHash) -> String)?
    var to: ((ContentHash) -> String)?

    /// Returns an event's body with the values of the other database.
    ///
    /// - Parameter link: returns the link of an await by its number. It is nil if the event goes into a bundle, which
    ///   has no links.
    func body(_ body: JSON, type: String, link: ((Int) -> String)?) -> JSON {
        guard var object = body.object else { return body }
        if let number = object["await"]?.int {
            let there = awaits[number] ?? 0
            object["await"] = .int(there)
            if type == "await.opened" {
                object["number"] = .int(there)
                // The members keep their order, so that the text stays the same.
                object["link"] = .string(link?(there) ?? "")
            }
        }
        if type == "workflow.finished", let outputs = object["outputs"]?.array {
            object["outputs"] = .array(outputs.map(output))
        }
        return .object(object)
    }

    private func output(_ output: JSON) -> JSON {
        guard var object = output.object, let path = object["path"]?.string,
            let hash = object["sha256"]?.string.flatMap(ContentHash.init(checking:))
        else { return output }
        let here = from?(hash) ?? BundleRows.contentScheme + hash.hex
        guard path == here else { return output }
        object["path"] = .string(to?(hash) ?? BundleRows.contentScheme + hash.hex)
        return .object(object)
    }
}
