import JSON
import Vocabulary

/// The fields of a manifest about the files that its tool reads and changes.
extension Fields {
    /// Reads `reads: [path]` and `changes: [from, to]`, lists of parameters of the type `path`, or
    /// `changes: workspace`. What is read may also be named by a parameter of the type `list`, each entry a path.
    ///
    /// A tool that says neither touches nothing if all its effects are elsewhere: it has none, only sends or spends, or
    /// is a job or a person's work. Otherwise it may touch the whole workspace.
    mutating func touches(of tool: ToolManifest) -> ToolManifest.Touches {
        let reads = take("reads")
        let changes = take("changes")
        guard reads != nil || changes != nil else {
            return tool.worksElsewhere ? .nothing : .workspace
        }
        if changes?.json.string == "workspace" {
            if let reads { report(.badField, line: reads.line, "\"changes: workspace\" includes all that is read.") }
            return .workspace
        }
        return .paths(
            reads: paths(reads, "reads", of: tool), changes: paths(changes, "changes", of: tool))
    }

    private mutating func paths(_ yaml: YAML?, _ key: String, of tool: ToolManifest) -> [String] {
        guard let yaml else { return [] }
        let names = (yaml.json.array ?? []).compactMap(\.string)
        let isList = yaml.json.array.map { $0.count == names.count } ?? false
        let kinds: [ToolManifest.Param.Kind] = key == "reads" ? [.path, .list] : [.path]
        if !isList || names.contains(where: { name in !kinds.contains { $0 == tool.param(name)?.kind } }) {
            report(
                .badField, line: yaml.line,
                "\"\(key)\" is a list of parameters of the type path\(key == "changes" ? ", or workspace" : "").")
        }
        return names
    }
}

extension ToolManifest {
    /// Whether no call of the tool touches files of this machine, by its effects and the way in which it is run.
    fileprivate var worksElsewhere: Bool {
        switch action {
        case .job, .person: true
        case .builtin, .program: effects.isSubset(of: [.sends, .spends])
        }
    }
}
