import Synchronization
import Vocabulary

/// Something that is made when it is first wanted, once: the prompt must not wait for a database it does not show.
final class Lazy<Value: Sendable>: Sendable {
    private let made = Mutex<Result<Value, Failure>?>(nil)
    private let make: @Sendable () throws(Failure) -> Value

    init(_ make: @escaping @Sendable () throws(Failure) -> Value) {
        self.make = make
    }

    func get() throws(Failure) -> Value {
        try made.withLock { made in
            if let made { return made }
            let result: Result<Value, Failure>
            do throws(Failure) { result = .success(try make()) } catch { result = .failure(error) }
            made = result
            return result
        }.get()
    }

    /// What was made, without making it.
    var ifMade: Value? { made.withLock { try? $0?.get() } }
}
