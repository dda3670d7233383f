package import Vocabulary

/// A process that carries workflows without a chat.
package struct BackgroundWorker: Hashable, Sendable {
    package var process: Int
    package var since: Moment
    package var workflows: [WorkflowID]

    package init(process: Int, since: Moment, workflows: [WorkflowID]) {
        self.process = process
        self.since = since
        self.workflows = workflows
    }
}

extension BackgroundWorker {
    /// Returns the notice, such as `Process 4711 works in the background, begun 3 m ago, on w3 and w5: 'kill 4711'
    /// stops it; what it carries goes on with the next.`
    package func words(now: Moment) -> String {
        let (age, names) = (Amounts.age(of: since, now: now), NameList.words(workflows.map(\.description)))
        return
            "Process \(process) works in the background, begun \(age)\(names.isEmpty ? "" : ", on \(names)"): "
            + "'kill \(process)' stops it; what it carries goes on with the next."
    }
}
