import Actions
package import Terminal
package import Vocabulary

extension Limits {
    /// The newest workflows, conversations and inbox entries that Tab offers, and the steps of one workflow.
    fileprivate static let completedNames = 50
}

/// The names of this process's workflows, conversations and other things, for completion.
package struct KnownNames: CompletionWorld {
    let context: CommandContext

    package init(_ context: CommandContext) { self.context = context }

    package var folders: any FolderReading { context.folders }

    package func workflows() -> [LineCandidate] {
        let found = try? context.again.list(WorkflowQuery(includesArchived: true, limit: Limits.completedNames))
        return (found?.shown ?? []).map { LineCandidate($0.record.id.description, about: $0.record.title) }
    }

    package func steps(of workflow: WorkflowID) -> [LineCandidate] {
        let (catalogue, rows) = (context.catalogue(), context.look.rows(of: workflow))
        return ((try? context.look.steps(workflow)) ?? []).prefix(Limits.completedNames).map { step in
            LineCandidate(rows.word(step.id.index), about: catalogue[step.kind]?.title ?? step.kind)
        }
    }

    package func entries() -> [LineCandidate] {
        ((try? context.look.awaits(false)) ?? []).suffix(Limits.completedNames).reversed().map {
            LineCandidate(String($0.number), about: $0.title)
        }
    }

    package func conversations() -> [LineCandidate] {
        ((try? context.sessions.here(Limits.completedNames)) ?? []).map {
            LineCandidate($0.id.description, about: $0.title)
        }
    }

    package func templates() -> [LineCandidate] {
        context.templates().prefix(Limits.completedNames).map { entry in
            let inputs = Find.inputs(of: entry, in: context).map(\.name)
            // The inputs come first, since long titles are cut.
            let needs = inputs.isEmpty ? "" : "(\(inputs.joined(separator: ", "))) "
            return LineCandidate(entry.name, about: needs + entry.title)
        }
    }

    package func inputs(ofTemplate name: String) -> [LineCandidate] {
        guard let entry = context.templates().first(where: { $0.name == name }) else { return [] }
        return Find.inputs(of: entry, in: context).map { LineCandidate($0.name) }
    }

    package func tools() -> [LineCandidate] {
        context.catalogue().sorted.map { LineCandidate($0.kind, about: $0.title) }
    }

    package func presets() -> [LineCandidate] {
        let all: [Preset]
        do throws(Failure) { all = try context.presets.list() } catch { return [] }
        // A name that several tools have is offered once.
        return Dictionary(grouping: all, by: \.name).sorted { $0.key < $1.key }.map { name, presets in
            LineCandidate(name, about: NameList.words(presets.map(\.kind)))
        }
    }

    package func connections() -> [LineCandidate] {
        ((try? context.models.list())?.connections ?? []).map {
            LineCandidate($0.name, about: "\($0.model) at \($0.place)")
        }
    }

    package func providers() -> [LineCandidate] {
        let profiles = ((try? context.models.list())?.profiles ?? []).map { LineCandidate($0.name, about: $0.title) }
        return profiles + ((try? context.providers.list()) ?? []).map { LineCandidate($0.id, about: $0.title) }
    }

    package func settings() -> [LineCandidate] {
        ((try? context.settings.entries()) ?? []).map { LineCandidate($0.name, about: $0.summary) }
    }

    package func hosts() -> [LineCandidate] {
        var seen: Set<String> = []
        return ((try? context.hosts.list()) ?? []).map(\.host.name).filter { seen.insert($0).inserted }.map {
            LineCandidate($0)
        }
    }
}
