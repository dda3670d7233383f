import Glibc

/// Starts a thread. Whoever takes its name joins it; else `inBackground`.
func startThread(_ work: @escaping @Sendable () -> Void) -> pthread_t {
    let isGranted = ProcessPermit.isGranted
    let box = Unmanaged.passRetained(Work { ProcessPermit.$isGranted.withValue(isGranted) { work() } })
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { @Sendable box in
            if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run() }
            return nil
        }, box.toOpaque())
    return thread
}

/// Runs work on a new thread, which may block, unlike the threads of the pool of tasks.
package func inBackground(_ work: @escaping @Sendable () -> Void) { pthread_detach(startThread(work)) }

/// Runs a blocking function on a new thread, since the pool of tasks has few threads.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        inBackground { continuation.resume(with: Result { try body() }) }
    }
}

private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}
