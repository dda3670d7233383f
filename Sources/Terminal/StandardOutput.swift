import Glibc
import Synchronization

/// Writes all bytes, even if the descriptor is non-blocking.
///
/// - Returns: the error number, or 0.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&waiting, 1, -1)
        } else if errno != EINTR {
            return count == 0 ? EIO : errno
        }
    }
    return 0
}

/// The standard output of this process, if it is not a terminal that is drawn on. Writing may fail: the disk is full,
/// it was closed, its reader has ended. After that nothing more is written, since a reader would take the text around a
/// gap for the whole. Running work goes on.
package enum StandardOutput {
    private struct State {
        var error: Int32 = 0
        var onFailure: (@Sendable (String) -> Void)?
    }

    private static let state = Mutex(State())

    /// Sets the function that is called once when writing fails, with the words of the system. A reader that has ended
    /// is not a failure, since it has read what it needed.
    package static func onFailure(_ body: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onFailure = body }
    }

    /// Whether writing failed although a reader may still have needed the text.
    package static var hasFailed: Bool { ![0, EPIPE].contains(state.withLock { $0.error }) }

    /// Whether output can still arrive: no write has failed, and the reader has not ended.
    package static var isOpen: Bool { state.withLock { $0.error } == 0 }

    package static func write(_ bytes: [UInt8]) {
        guard state.withLock({ $0.error }) == 0 else { return }
        let error = writeAll(bytes, to: STDOUT_FILENO)
        guard error != 0 else { return }
        let body = state.withLock { state in
            defer { if state.error == 0 { state.error = error } }
            return state.error == 0 && error != EPIPE ? state.onFailure : nil
        }
        body?(error == EBADF ? "it is closed" : String(cString: strerror(error)))
    }

    /// Opens a placeholder for each descriptor from 0 to 2 that was closed when the process began. Otherwise the next
    /// file that is opened would become its standard output. Call it before anything is opened.
    package static func holdStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // It gets the lowest free number, which is this one. It is opened for reading only, so that writing to it
            // fails with EBADF.
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// Standard error, for failures.
package enum StandardError {
    package static func write(_ bytes: [UInt8]) { _ = writeAll(bytes, to: STDERR_FILENO) }
}
