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
    private(set) var problems: [Problem] = []

    init(template: Template, catalogue: Catalogue, index: [String: Int]) {
        (self.template, self.catalogue, self.index) = (template, catalogue, index)
    }

    /// Adds to the graph the nodes that come before each node, and the requirements on answers that conditions read.
    mutating func complete(_ nodes: inout [Graph.Node], _ consumers: inout [[Int]]) {
        for (place, node) in template.nodes.enumerated() {
            nodes[place].follows = numbers(node.follows, of: node, "follows")
            nodes[place].startsAfter = numbers(node.startsAfter, of: node, "startsAfter")
            guard !node.after.isEmpty || !node.skipsWith.isEmpty || node.when != nil else { continue }
            let named = numbers(node.after, of: node, "after")
            nodes[place].skipsWith = numbers(node.skipsWith, of: node, "skipsWith")
            for number in nodes[place].skipsWith where !nodes[number].isPerson {
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
            if known.insert(number).inserted { numbers.append(number) }
        }
        return numbers
    }

    private mutating func read(_ condition: Condition, of node: Template.Node, into graph: inout Graph.Node) {
        graph.when = condition
        for name in condition.names {
            if let place = place(of: name) { graph.answers[name] = place }
        }
        for fault in condition.faults(types: graph.answers.mapValues(\.type)) {
            report(fault.code, node, "when", fault.message)
        }
    }

    /// Returns the place of the answer of a node, or of one of its pictures: `corners.front-left`.
    private func place(of name: String) -> Graph.AnswerPlace? {
        if let number = index[name] { return type(of: number).map { Graph.AnswerPlace(node: number, type: $0) } }
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
        guard case .person(let type)? = catalogue[node.kind]?.action else { return nil }
        switch type {
        case .choose: return .choice(choices)
        case .text: return .text
        case .capture: return .media
        case .drawMask, .selectAsset, .confirmParams, .confirmCall, .connect, .submitUnknown: return nil
        }
    }

    private mutating func report(_ code: Code, _ node: Template.Node, _ key: String, _ words: String) {
        problems.append(Problem(code, at: "\(node.id).\(key)", words))
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
