import Synchronization

/// A value that several tasks share, behind a mutex.
final class Kept<Value: Sendable>: Sendable {
    private let kept: Mutex<Value>

    init(_ value: Value) { kept = Mutex(value) }

    var value: Value {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
