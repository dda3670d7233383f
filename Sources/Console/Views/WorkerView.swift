import Terminal
package import Vocabulary

/// The notice about background processes that run workflows without a chat, and would not be noticed otherwise.
package enum WorkerView {
    /// Returns the notice, such as `Process 4711 works in the background, begun 3 m ago, on w3 and w5: 'kill 4711'
    /// stops it; what it carries goes on with the next.`
    package static func words(_ worker: House.Worker, now: Moment) -> String {
        let (age, names) = (Amounts.age(of: worker.since, now: now), Layout.names(worker.workflows.map(\.description)))
        return
            "Process \(worker.process) works in the background, begun \(age)\(names.isEmpty ? "" : ", on \(names)"): "
            + "'kill \(worker.process)' stops it; what it carries goes on with the next."
    }

    static func lines(_ workers: [House.Worker], now: Moment, columns: Int) -> [StyledText] {
        workers.prefix(shownLimit).flatMap {
            Layout.wrapped(StyledText(words($0, now: now), .dim), columns: columns, indent: 2)
        }
            + (workers.count > shownLimit
                ? Layout.wrapped(
                    StyledText("\(workers.count - shownLimit) more: \(Voice.call("doctor"))", .dim), columns: columns,
                    indent: 2) : [])
    }

    private static let shownLimit = 3
}
