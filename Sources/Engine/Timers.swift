import Vocabulary

/// The times at which steps are looked at again, in a heap, so that ten thousand polls cost no more each than ten.
///
/// A step has one time. Its older times stay in the heap and are ignored when they come up.
struct Timers {
    private struct Entry {
        var moment: Moment
        var step: StepID
    }

    private var heap: [Entry] = []
    private var times: [WorkflowID: [Int: Moment]] = [:]

    /// The earliest time. It can be a little too early, if that timer was changed. `nil` if no timer is set.
    var next: Moment? { times.isEmpty ? nil : heap.first?.moment }

    func isSet(_ step: StepID) -> Bool { times[step.workflow]?[step.index] != nil }

    mutating func set(_ step: StepID, to moment: Moment) {
        guard times[step.workflow, default: [:]].updateValue(moment, forKey: step.index) != moment else { return }
        heap.append(Entry(moment: moment, step: step))
        var child = heap.count - 1
        while child > 0, heap[child].moment < heap[(child - 1) / 2].moment {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the timers whose time has come, and returns their steps in the order of the times.
    mutating func takeDue(_ now: Moment) -> [StepID] {
        var due: [StepID] = []
        while let first = heap.first, first.moment <= now {
            popFirst()
            guard times[first.step.workflow]?[first.step.index] == first.moment else { continue }
            forget(first.step)
            due.append(first.step)
        }
        return due
    }

    private mutating func forget(_ step: StepID) {
        times[step.workflow]?[step.index] = nil
        if times[step.workflow]?.isEmpty ?? false { times[step.workflow] = nil }
    }

    mutating func forget(_ workflow: WorkflowID) { times[workflow] = nil }

    private mutating func popFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let smaller = left + 1 < heap.count && heap[left + 1].moment < heap[left].moment ? left + 1 : left
            guard heap[smaller].moment < heap[parent].moment else { return }
            heap.swapAt(parent, smaller)
            parent = smaller
        }
    }
}
