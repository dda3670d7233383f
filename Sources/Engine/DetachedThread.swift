import Glibc
import Vocabulary

extension Limits {
    /// How long to retry when the system refuses to create a thread, in milliseconds.
    fileprivate static let refusedThreadMilliseconds = 10_000
}

/// A thread whose end no other thread waits for.
package enum DetachedThread {
    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread that runs `body`. If the system refuses a thread because too many start at once, the call tries
    /// again until `Limits.refusedThreadMilliseconds` have passed. Then the program is stopped.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        start(Unmanaged.passRetained(Box(body)).toOpaque(), by: create)
    }

    /// Starts a thread, and tries again while the system refuses it.
    ///
    /// - Parameters:
    ///   - context: the argument for the new thread.
    ///   - create: creates the thread, and returns an error of `pthread_create`, or 0.
    static func start(_ context: UnsafeMutableRawPointer, by create: (UnsafeMutableRawPointer) -> Int32) {
        let end = ContinuousClock.now + .milliseconds(Limits.refusedThreadMilliseconds)
        var code = create(context)
        while code == EAGAIN, ContinuousClock.now < end {
            usleep(10_000)
            code = create(context)
        }
        precondition(code == 0, "no thread: \(String(cString: strerror(code)))")
    }

    private static func create(_ context: UnsafeMutableRawPointer) -> Int32 {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { @Sendable context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, context)
        if code == 0 { pthread_detach(thread) }
        return code
    }
}
