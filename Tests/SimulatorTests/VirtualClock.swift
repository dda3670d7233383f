import Vocabulary

/// Time that passes only when there is something to do, and the clock on the wall, which somebody may set. What happens
/// at the same time happens in the order in which it was planned.
struct VirtualClock {
    private struct Entry {
        var at: Int
        var number: Int
        var event: () -> Void
    }

    /// Milliseconds since the simulation began; never goes back.
    private(set) var elapsed = 0
    /// What the wall's clock is ahead.
    private var offset = 1_700_000_000_000
    private var heap: [Entry] = []
    private var planned = 0

    var wall: Moment { Moment(milliseconds: Int64(offset + elapsed)) }
    var next: Int? { heap.first?.at }

    mutating func set(aheadBy milliseconds: Int) { offset += milliseconds }

    /// - Returns: milliseconds from now until the wall shows that moment; 0 if it has.
    func milliseconds(until moment: Moment) -> Int { max(0, Int(moment.milliseconds - wall.milliseconds)) }

    mutating func after(_ milliseconds: Int, _ event: @escaping () -> Void) {
        planned += 1
        heap.append(Entry(at: elapsed + max(0, milliseconds), number: planned, event: event))
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The next thing that happens, with the clock at its time.
    mutating func take() -> (() -> Void)? {
        guard let first = heap.first else { return nil }
        elapsed = max(elapsed, first.at)
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first.event
    }

    mutating func clear() { heap = [] }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (heap[one].at, heap[one].number) < (heap[other].at, heap[other].number)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let smaller = left + 1 < heap.count && isBefore(left + 1, left) ? left + 1 : left
            guard isBefore(smaller, parent) else { return }
            heap.swapAt(parent, smaller)
            parent = smaller
        }
    }
}
