package import Terminal
package import Vocabulary

extension Limits {
    /// The newest workflows, conversations and inbox entries that Tab offers, and the steps of one workflow.
    fileprivate static let completedNames = 50
}

/// The names of this process's workflows, conversations and other things, for completion.
package struct HouseNames: CompletionWorld {
    let house: House

    package init(_ house: House) { self.house = house }

    package var folders: any FolderReading { house.folders }

    package func workflows() -> [LineCandidate] {
        let found = try? house.again.list(WorkflowQuery(includesArchived: true, limit: Limits.completedNames))
        return (found?.shown ?? []).map { LineCandidate($0.record.id.description, about: $0.record.title) }
    }

    package func steps(of workflow: WorkflowID) -> [LineCandidate] {
        let catalogue = house.catalogue()
        return ((try? house.look.steps(workflow)) ?? []).prefix(Limits.completedNames).map { step in
            LineCandidate(String(step.id.index), about: catalogue[step.kind]?.title ?? step.kind)
        }
    }

    package func entries() -> [LineCandidate] {
        ((try? house.look.awaits(false)) ?? []).suffix(Limits.completedNames).reversed().map {
            LineCandidate(String($0.number), about: $0.title)
        }
    }

    package func conversations() -> [LineCandidate] {
        ((try? house.sessions.here(Limits.completedNames)) ?? []).map {
            LineCandidate($0.id.description, about: $0.title)
        }
    }

    package func templates() -> [LineCandidate] {
        house.templates().prefix(Limits.completedNames).map { entry in
            let inputs = Find.inputs(of: entry, in: house).map(\.name)
            // The inputs come first, since long titles are cut.
            let needs = inputs.isEmpty ? "" : "(\(inputs.joined(separator: ", "))) "
            return LineCandidate(entry.name, about: needs + entry.title)
        }
    }

    package func inputs(ofTemplate name: String) -> [LineCandidate] {
        guard let entry = house.templates().first(where: { $0.name == name }) else { return [] }
        return Find.inputs(of: entry, in: house).map { LineCandidate($0.name) }
    }

    package func tools() -> [LineCandidate] { house.catalogue().sorted.map { LineCandidate($0.kind, about: $0.title) } }

    package func connections() -> [LineCandidate] {
        ((try? house.models.list())?.connections ?? []).map {
            LineCandidate($0.name, about: "\($0.model) at \($0.place)")
        }
    }

    package func providers() -> [LineCandidate] {
        let profiles = ((try? house.models.list())?.profiles ?? []).map { LineCandidate($0.name, about: $0.title) }
        return profiles + ((try? house.providers.list()) ?? []).map { LineCandidate($0.id, about: $0.title) }
    }

    package func settings() -> [LineCandidate] {
        ((try? house.settings.table.entries()) ?? []).map { LineCandidate($0.name, about: $0.summary) }
    }

    package func hosts() -> [LineCandidate] {
        var seen: Set<String> = []
        return ((try? house.hosts.list()) ?? []).map(\.host.name).filter { seen.insert($0).inserted }.map {
            LineCandidate($0)
        }
    }
}
