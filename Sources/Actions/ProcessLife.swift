import Services

/// A lock that is held for as long as the process lives.
final class ProcessLife: Sendable {
    private let lock: EngineLock

    init(_ lock: consuming EngineLock) {
        self.lock = lock
    }

    package var name: String { lock.name }
}
