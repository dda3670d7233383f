import Synchronization
package import Vocabulary

/// A value that is made at its first use, once. For example, the prompt must not wait for a database that it does not
/// show. If making it fails, the next use tries again, since a full disk may have space by then.
package final class Lazy<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () throws(Failure) -> Value

    /// Creates the holder without making the value.
    package init(_ make: @escaping @Sendable () throws(Failure) -> Value) {
        self.make = make
    }

    /// Returns the value, and makes it if it was not made yet.
    package func get() throws(Failure) -> Value {
        try made.withLock { made throws(Failure) in
            if let made { return made }
            let value = try make()
            made = value
            return value
        }
    }

    /// The value if it was made already, otherwise nil.
    package var ifMade: Value? { made.withLock { $0 } }
}
