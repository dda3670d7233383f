import JSON
package import Vocabulary
import Workflows

extension Limits {
    /// The most steps that a blocked step is shown to wait for.
    fileprivate static let namedWaits = 3

    /// The most signs of a path that stands for a step.
    fileprivate static let namedPath = 80
}

/// The names by which users know the steps of a stored workflow: the number and the title of the tool, such as
/// `2 Resize`. A step without a number has the path of the file that it loads, or else only the title.
package struct StepNames: Sendable {
    private let names: [String: String]
    /// The nodes that each node comes after, by id.
    private let producers: [String: [String]]
    /// The nodes whose step has not succeeded.
    private let open: Set<String>

    /// Creates the names of the steps of a graph. Without a graph, no step has a name.
    ///
    /// - Parameter steps: all steps of the workflow.
    package init(_ template: Template?, _ catalogue: Catalogue, _ steps: [StepRecord]) {
        let (rows, nodes) = (StepRows(template), template?.nodes ?? [])
        names = Dictionary(
            nodes.enumerated().map { index, node in
                let tool = catalogue[node.kind]
                let title = tool?.title ?? node.kind
                guard rows.isFolded(index + 1) else { return (node.id, "\(index + 1) \(title)") }
                let path = tool?.isLoader == true ? node.params["path"]?.string : nil
                return (node.id, path.map { String($0.prefix(Limits.namedPath)) } ?? title)
            }
        ) { first, _ in first }
        var producers: [String: [String]] = [:]
        for edge in template?.edges ?? [] { producers[edge.to.node, default: []].append(edge.from.node) }
        for node in nodes { producers[node.id, default: []] += node.controls + node.follows + node.startsAfter }
        self.producers = producers
        open = Set(steps.lazy.filter { $0.state != .succeeded }.map(\.node))
    }

    /// Returns the steps that a blocked step waits for, such as `waits for 2 Resize`. Returns nil for a step that is
    /// not blocked, or that has a reason of its own.
    package func waits(of step: StepRecord) -> String? {
        guard step.state == .blocked, step.reason == nil else { return nil }
        var named: [String] = []
        for node in producers[step.node] ?? [] where open.contains(node) {
            if let name = names[node], !named.contains(name) { named.append(name) }
        }
        let rest = named.count - Limits.namedWaits
        let shown = rest > 0 ? named.prefix(Limits.namedWaits) + ["\(rest) more"] : named[...]
        return shown.isEmpty ? nil : "waits for " + NameList.words(Array(shown))
    }

    /// Returns a step whose reason names other steps as users know them, for the screen.
    package func worded(_ step: StepRecord) -> StepRecord {
        var step = step
        step.reason = step.reason.map { Reason($0.code, worded($0.words)) }
        return step
    }

    /// Returns a cause with such names.
    package func worded(_ cause: Cause) -> Cause {
        var cause = cause
        cause.words = worded(cause.words)
        return cause
    }

    /// Returns an event with such names.
    package func worded(_ event: EventRecord) -> EventRecord {
        guard let words = event.body["words"]?.string, var body = event.body.object else { return event }
        var event = event
        body["words"] = .string(worded(words))
        event.body = .object(body)
        return event
    }

    /// Replaces the id of the node in the words of a stale step (`FlowAgain`).
    private func worded(_ words: String) -> String {
        guard let start = words.firstRange(of: "Input from '"),
            let end = words[start.upperBound...].firstRange(of: "' has changed."),
            let name = names[String(words[start.upperBound..<end.lowerBound])]
        else { return words }
        return words[..<start.lowerBound] + "Input from \(name) has changed." + words[end.upperBound...]
    }
}
