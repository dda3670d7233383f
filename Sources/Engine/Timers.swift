import Vocabulary

/// When which step is to be looked at again. The earliest is known at once; the rest is looked through only when that has come.
struct Timers {
    private var times: [StepID: Moment] = [:]
    private(set) var next: Moment?

    mutating func set(_ step: StepID, to moment: Moment) {
        times[step] = moment
        next = next.map { min($0, moment) } ?? moment
    }

    mutating func takeDue(_ now: Moment) -> [StepID] {
        guard let next, next <= now else { return [] }
        let due = times.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
        for step in due { times[step] = nil }
        self.next = times.values.min()
        return due
    }

    mutating func forget(_ workflow: WorkflowID) {
        guard !times.isEmpty else { return }
        times = times.filter { $0.key.workflow != workflow }
        next = times.values.min()
    }
}
