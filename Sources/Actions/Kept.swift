import Synchronization

/// A value that several tasks share, behind a mutex.
package final class Kept<Value: Sendable>: Sendable {
    private let kept: Mutex<Value>

    package init(_ value: Value) { kept = Mutex(value) }

    package var value: Value {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
