import JSON

/// The numbers that users see for the steps of a stored workflow (`semantics.md` 80).
///
/// A step that a view folds into the row of another one, such as the loader of a file, has no number there. It comes
/// after all numbered steps of the stored graph, and it is named by its id.
package struct StepRows: Hashable, Sendable {
    private let ids: [String]
    /// The place of each step in the list of the file, by its number, if some steps are folded.
    private let places: [Int]
    /// The row of each folded step, by the number of the step.
    private let rows: [Int: Int]

    /// Reads the numbers of a stored graph. Without a graph, each step has its own number.
    package init(_ template: Template?) {
        let nodes = template?.nodes ?? []
        ids = nodes.map(\.id)
        guard let template, nodes.contains(where: { $0.folded != nil }) else {
            (places, rows) = ([], [:])
            return
        }
        var places = [Int](repeating: 0, count: nodes.count)
        for (place, index) in template.listed.enumerated() { places[index] = place + 1 }
        self.places = places
        rows = Self.rows(of: template)
    }

    /// Returns the row of each folded step: that of the step that it feeds, or that feeds it. A folded step of a guide
    /// has only itself.
    private static func rows(of template: Template) -> [Int: Int] {
        let numbers = Dictionary(template.nodes.enumerated().map { ($1.id, $0 + 1) }) { first, _ in first }
        let folded = Set(template.nodes.filter { $0.folded != nil }.map(\.id))
        var rows: [Int: Int] = [:]
        for edge in template.edges {
            for (id, other) in [(edge.from.node, edge.to.node), (edge.to.node, edge.from.node)] {
                guard folded.contains(id), !folded.contains(other), let number = numbers[id], let row = numbers[other],
                    row < rows[number] ?? .max
                else { continue }
                rows[number] = row
            }
        }
        for (index, node) in template.nodes.enumerated() where node.folded != nil && rows[index + 1] == nil {
            rows[index + 1] = index + 1
        }
        return rows
    }

    /// Returns whether a step has no number of its own.
    ///
    /// - Parameter number: the number of the step in the stored graph, from 1.
    package func isFolded(_ number: Int) -> Bool { rows[number] != nil }

    /// Returns the number of the row that shows a step: its own, or that of the step that it is folded into.
    package func row(_ number: Int) -> Int { rows[number] ?? number }

    /// Returns the place of a step in the list of the file, from 1.
    package func place(_ number: Int) -> Int { places.indices.contains(number - 1) ? places[number - 1] : number }

    /// Returns the word by which a verb takes a step: its number, or the id of a step without one.
    package func word(_ number: Int) -> String { isFolded(number) ? ids[number - 1] : String(number) }

    /// Returns the name of a step in a sentence, such as `2 (resize)`, or the id of a step without a number.
    package func label(of step: StepRecord) -> String {
        isFolded(step.id.index) ? step.node : "\(step.id.index) (\(step.node))"
    }
}

extension Template {
    /// The indices of the nodes in the order of the list of the file, from which the order of the steps follows.
    package var listed: [Int] {
        var list = [Int?](repeating: nil, count: nodes.count)
        var numbered: [Int] = []
        for index in nodes.indices {
            if let place = nodes[index].folded, list.indices.contains(place - 1), list[place - 1] == nil {
                list[place - 1] = index
            } else {
                numbered.append(index)
            }
        }
        var rest = numbered.makeIterator()
        return list.compactMap { $0 ?? rest.next() }
    }

    /// The template with its nodes in the order of the list of the file, as a person writes it.
    package var inListOrder: Template {
        var template = self
        template.nodes = listed.map { nodes[$0] }
        for index in template.nodes.indices { template.nodes[index].folded = nil }
        return template
    }

    /// Returns the indices of the nodes that a view folds into the row of another one: the loaders that feed a step,
    /// and the savers without a path of what another step made (`semantics.md` 79).
    package func foldable(in catalogue: Catalogue) -> Set<Int> {
        guard guide == nil else { return [] }
        let feeding = Set(edges.map(\.from.node))
        let loaders = Set(
            nodes.indices.filter { catalogue[nodes[$0].kind]?.isLoader == true && feeding.contains(nodes[$0].id) })
        let loading = Set(loaders.map { nodes[$0].id })
        var producers: [String: [String]] = [:]
        let savers = nodes.indices.filter {
            catalogue[nodes[$0].kind]?.isSaver == true && nodes[$0].params["path"] == nil
        }
        if !savers.isEmpty { producers = Dictionary(grouping: edges, by: \.to.node).mapValues { $0.map(\.from.node) } }
        // A saver is only left out if its input has a row, since a plan that copies a file must show that.
        let known = Set(nodes.map(\.id))
        return loaders.union(
            savers.filter { index in
                (producers[nodes[index].id] ?? []).contains { known.contains($0) && !loading.contains($0) }
            })
    }

    /// Returns the indices of the nodes in the order of a stored graph: those with a row first, so that their numbers
    /// count 1, 2, 3, then those that are folded.
    package func numbering(in catalogue: Catalogue) -> [Int] {
        let folded = foldable(in: catalogue)
        return folded.count < nodes.count ? order(folding: folded) : Array(nodes.indices)
    }

    private func order(folding folded: Set<Int>) -> [Int] {
        nodes.indices.filter { !folded.contains($0) } + nodes.indices.filter(folded.contains)
    }

    /// Returns the template with its nodes in the order of a stored graph.
    package func numbered(in catalogue: Catalogue) -> Template {
        let folded = foldable(in: catalogue)
        guard !folded.isEmpty, folded.count < nodes.count else { return self }
        var template = self
        for index in folded { template.nodes[index].folded = index + 1 }
        template.nodes = order(folding: folded).map { template.nodes[$0] }
        return template
    }
}
