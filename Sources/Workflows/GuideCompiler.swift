import JSON
package import Vocabulary

extension Template {
    /// Creates the workflow that runs a guide. Each step of the guide becomes a node with the same id.
    ///
    /// - Parameter text: the guide as it was written. It stays with the workflow, so that a later version of the file
    ///   changes nothing.
    package init(_ guide: Guide, text: String) {
        var compiler = GuideCompiler(guide)
        _ = compiler.walk(guide.steps, after: [], when: nil)
        if guide.hasReview {
            let words = "Look everything over. Then the package can be written."
            compiler.nodes.append(
                Node(
                    id: Guide.reviewID, kind: "Note", params: GuideCompiler.params("question", words),
                    awaits: AwaitSpec(type: .text, title: "Review", accept: Acceptance(.note)),
                    // Of all: a step that is answered again is looked over again.
                    after: compiler.nodes.map(\.id)))
        }
        self.init(name: guide.title, nodes: guide.numbered(compiler.nodes), guide: text)
    }
}

extension Guide {
    /// Returns the nodes of the guide with those first whose number users see, so that the number of such a step of the
    /// workflow is that of the guide. Notes, the steps of `otherwise` and the review have none there.
    fileprivate func numbered(_ nodes: [Template.Node]) -> [Template.Node] {
        let numbers = numbers
        var (seen, first, others) = (Set<Int>(), [Template.Node](), [Template.Node]())
        for (index, node) in nodes.enumerated() {
            if let number = numbers[node.id], seen.insert(number).inserted {
                first.append(node)
            } else {
                var other = node
                other.folded = index + 1
                others.append(other)
            }
        }
        return first.sorted { (numbers[$0.id] ?? 0) < (numbers[$1.id] ?? 0) } + others
    }
}

/// The compiler of the steps of a guide to nodes. It is pure, and linear in the steps.
private struct GuideCompiler {
    let guide: Guide
    var nodes: [Template.Node] = []
    private let numbers: [String: Int]
    private let count: Int
    /// The names of groups, with the steps inside them.
    private let groups: [String: [String]]
    /// The steps that are skipped along with others, by those others.
    private let skips: [String: [String]]

    init(_ guide: Guide) {
        self.guide = guide
        (numbers, count) = (guide.numbers, guide.numberCount)
        let asked = guide.askedSteps
        let places = Dictionary(asked.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let groups = Dictionary(
            guide.allSteps.filter { !$0.inner.isEmpty }.map { ($0.id, $0.withInner.filter(\.inner.isEmpty).map(\.id)) }
        ) { first, _ in first }
        var skips: [String: [String]] = [:]
        for (place, step) in asked.enumerated() {
            guard let then = step.skip?.then, let first = places[then] ?? groups[then]?.first.flatMap({ places[$0] })
            else { continue }
            for between in asked[min(place + 1, first)..<first] { skips[between.id, default: []].append(step.id) }
        }
        (self.groups, self.skips) = (groups, skips)
    }

    /// Makes the nodes of steps, each after the one above it unless it says otherwise.
    ///
    /// - Returns: the nodes that have to be over before what follows.
    mutating func walk(_ steps: [GuideStep], after: [String], when: Condition?) -> [String] {
        var ends = after
        for step in steps {
            let own = step.after.map { $0.flatMap { groups[$0] ?? [$0] } } ?? ends
            let condition = Condition.both(when, step.when)
            if step.inner.isEmpty {
                nodes.append(node(step, after: own, when: condition))
                ends = [step.id]
            } else {
                ends = walk(step.inner, after: own, when: condition)
            }
            guard let opposite = step.when.map(Condition.not) else { continue }
            ends += walk(step.otherwise, after: own, when: Condition.both(when, opposite)).filter { !own.contains($0) }
        }
        return ends
    }

    private func node(_ step: GuideStep, after: [String], when: Condition?) -> Template.Node {
        var accept = Acceptance(form(of: step.kind))
        accept.attempts = step.attempts
        accept.demands = step.accept
        accept.initial = step.initial
        accept.example = step.example
        accept.isAnnotated = step.isAnnotated
        accept.skip = step.skip?.words ?? (step.isRequired && step.kind != .note ? nil : "")
        var params = Self.params("question", step.instruction)
        var (kind, type) = ("AskText", AwaitType.text)
        switch step.kind {
        case .capture(let capture):
            (kind, type, params) = ("Capture", .capture, Self.params("subject", step.instruction))
            accept.capture = GuideStep.Capture(count: capture.wanted, each: capture.each, source: capture.source)
        case .number(let unit): accept.unit = unit
        case .choose(let choices, _):
            (kind, type) = ("Choose", .choose)
            params["choices"] = .array(choices.map { .string($0) })
        case .code: (kind, type) = ("CodeCapture", .capture)
        case .note: kind = "Note"
        case .text, .date, .group: break
        }
        let number = numbers[step.id].map { "\($0)/\(count) " } ?? ""
        return Template.Node(
            id: step.id, kind: kind, params: params,
            awaits: Template.AwaitSpec(type: type, title: number + step.title, detail: step.hint, accept: accept),
            after: after, when: when,
            skipsWith: skips[step.id] ?? [])
    }

    static func params(_ name: String, _ text: String) -> JSON.Object {
        JSON.Object(members: [JSON.Object.Member(key: name, value: .string(text))])
    }

    private func form(of kind: GuideStep.Kind) -> Acceptance.Form {
        switch kind {
        case .capture: .media
        case .text, .group: .text
        case .number: .number
        case .date: .date
        case .choose(_, let isSeveral): isSeveral ? .choices : .choice
        case .code: .code
        case .note: .note
        }
    }
}
