import JSON
import Vocabulary

extension Template.Node {
    /// The nodes that this node or its condition names, each once. They must be over before it.
    package var controls: [String] {
        var names: [String] = []
        for name in after + skipsWith + (`when`?.names ?? []) where !names.contains(name) { names.append(name) }
        return names
    }
}

/// The check of nodes that come before others without feeding them: `after`, `when` and `skipsWith` (`semantics.md`
/// 200–202).
struct OrderCheck {
    let template: Template
    let catalogue: Catalogue
    /// The indices of nodes, by their ids.
    let index: [String: Int]
    /// Whether the template was checked before it was stored.
    let isStored: Bool
    private(set) var problems: [Problem] = []

    init(template: Template, catalogue: Catalogue, index: [String: Int], isStored: Bool) {
        (self.template, self.catalogue, self.index, self.isStored) = (template, catalogue, index, isStored)
    }

    /// Adds to the graph the nodes that come before each node, and the requirements on answers that conditions read.
    mutating func complete(_ nodes: inout [Graph.Node], _ consumers: inout [[Int]]) {
        for (place, node) in template.nodes.enumerated() {
            nodes[place].follows = numbers(node.follows, of: node, "follows")
            nodes[place].startsAfter = numbers(node.startsAfter, of: node, "startsAfter")
            guard !node.after.isEmpty || !node.skipsWith.isEmpty || node.when != nil else { continue }
            let named = numbers(node.after, of: node, "after")
            nodes[place].skipsWith = numbers(node.skipsWith, of: node, "skipsWith")
            for number in nodes[place].skipsWith where !nodes[number].isPerson && !lacksTool(number) {
                report(
                    .unknownNode, node, "skipsWith",
                    "\(template.nodes[number].id) is not done by a person, so nobody skips it.")
            }
            if let condition = node.when { read(condition, of: node, into: &nodes[place]) }
            var control: Set<Int> = []
            for number in named + nodes[place].skipsWith + nodes[place].answers.values.map(\.node).sorted() {
                guard control.insert(number).inserted else { continue }
                nodes[place].control.append(number)
                consumers[number].append(place)
            }
            for answer in nodes[place].answers.values where nodes[answer.node].awaits?.accept == nil {
                nodes[answer.node].awaits?.accept = Acceptance(readAs: answer.type)
            }
            // Only a person skips or answers a step.
            for number in nodes[place].skipsWith + nodes[place].answers.values.map(\.node) where lacksTool(number) {
                nodes[number].isPerson = true
            }
        }
    }

    private mutating func numbers(_ names: [String], of node: Template.Node, _ key: String) -> [Int] {
        guard !names.isEmpty else { return [] }
        var (numbers, known) = ([Int](), Set<Int>())
        for name in names {
            guard let number = index[name] else {
                report(.unknownNode, node, key, "There is no node \"\(name)\".")
                continue
            }
            guard template.nodes[number].kind != Revision.removedKind else {
                // Assent once stored graphs with such an `after`. A removed step is never over, so it is left out.
                if !isStored || !["after", "follows", "startsAfter"].contains(key) {
                    report(.unknownNode, node, key, "\(name) was removed from the graph.")
                }
                continue
            }
            if known.insert(number).inserted { numbers.append(number) }
        }
        return numbers
    }

    private mutating func read(_ condition: Condition, of node: Template.Node, into graph: inout Graph.Node) {
        graph.when = condition
        for name in condition.names {
            if let place = place(of: name, in: condition) { graph.answers[name] = place }
        }
        // Without the tool of a step, the type of its answer is a guess.
        let isGuess = graph.answers.values.contains { lacksTool($0.node) }
        for fault in condition.faults(types: graph.answers.mapValues(\.type))
        where !isGuess || fault.code == .unknownStep {
            report(fault.code, node, "when", fault.message)
        }
    }

    /// Returns whether the tool of a node is not installed. A removed node has no tool.
    private func lacksTool(_ number: Int) -> Bool {
        let kind = template.nodes[number].kind
        return catalogue[kind] == nil && kind != Revision.removedKind
    }

    /// Returns the place of the answer of a node, or of one of its pictures: `corners.front-left`.
    private func place(of name: String, in condition: Condition) -> Graph.AnswerPlace? {
        if let number = index[name] {
            let type = type(of: number) ?? (lacksTool(number) ? condition.type(of: name) ?? .media : nil)
            return type.map { Graph.AnswerPlace(node: number, type: $0) }
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let number = index[parts.dropLast().joined(separator: ".")] else { return nil }
        let part = String(parts[parts.count - 1])
        let names = template.nodes[number].awaits?.accept?.capture.each.map(GuideStep.part) ?? []
        return names.contains(part) ? Graph.AnswerPlace(node: number, part: part, type: .media) : nil
    }

    private func type(of number: Int) -> AnswerType? {
        let node = template.nodes[number]
        let choices = (node.params["choices"]?.array ?? []).compactMap(\.string)
        if let accept = node.awaits?.accept { return accept.type(choices: choices) }
        switch personsAwait(of: number) {
        case .choose: return .choice(choices)
        case .text: return .text
        case .capture: return .media
        case .drawMask, .selectAsset, .confirmParams, .confirmCall, .connect, .submitUnknown, nil: return nil
        }
    }

    /// Returns the await of a step that a person does. Without its tool, the template may tell it.
    private func personsAwait(of number: Int) -> AwaitType? {
        let node = template.nodes[number]
        if lacksTool(number) { return node.awaits?.type ?? (node.params["choices"] == nil ? nil : .choose) }
        guard case .person(let type)? = catalogue[node.kind]?.action else { return nil }
        return type
    }

    private mutating func report(_ code: Code, _ node: Template.Node, _ key: String, _ words: String) {
        problems.append(Problem(code, at: "\(node.id).\(key)", words))
    }
}

extension Condition {
    /// Returns a type that an answer must have had for the condition to be accepted. `nil` if each type fits its uses.
    fileprivate func type(of name: String) -> AnswerType? {
        switch self {
        case .any(let parts), .all(let parts): parts.lazy.compactMap { $0.type(of: name) }.first
        case .not(let part): part.type(of: name)
        case .exists: nil
        case .selected(let named, let word): named.text == name ? .choice([word]) : nil
        case .matches(let named, _): named.text == name ? .text : nil
        case .compare(let one, _, let other): one.type(of: name, besides: other) ?? other.type(of: name, besides: one)
        case .isIn(let value, _, _): value.type(of: name, besides: nil)
        }
    }
}

extension Condition.Value {
    fileprivate func type(of name: String, besides other: Condition.Value?) -> AnswerType? {
        switch self {
        case .count(let named) where named.text == name: .media
        // Every answer can be compared with the empty text.
        case .name(let named) where named.text == name && other != .literal(.text("")): .text
        case .name, .count, .literal: nil
        }
    }
}

extension Acceptance {
    /// Creates a form that accepts any answer of a type, for a step without a form of its own whose answer a condition
    /// reads.
    fileprivate init(readAs type: AnswerType) {
        let form: Form =
            switch type {
            case .text: .text
            case .number: .number
            case .date: .date
            case .choice: .choice
            case .choices: .choices
            case .media: .media
            }
        self.init(form)
        skip = ""
    }
}
