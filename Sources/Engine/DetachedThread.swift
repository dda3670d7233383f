import Glibc
import Vocabulary

extension Limits {
    /// How long to retry when the system refuses to create a thread, in milliseconds.
    fileprivate static let refusedThreadMilliseconds = 10_000
}

/// A thread that nobody waits for.
package enum DetachedThread {
    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts it. A machine on which much begins at once may refuse one for a moment: it is asked again until
    /// `Limits.refusedThreadMilliseconds` are over.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        start(Unmanaged.passRetained(Box(body)).toOpaque(), by: create)
    }

    /// - Parameter create: an error of `pthread_create`, or 0.
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
