import Synchronization
package import Vocabulary

/// Something that is made when it is first wanted, once: the prompt must not wait for a database it does not show. What
/// could not be made is tried again when it is wanted again: a full disk does not stay full.
package final class Lazy<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () throws(Failure) -> Value

    /// Creates it without making the value.
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

    /// What was made, without making it.
    package var ifMade: Value? { made.withLock { $0 } }
}
