import Glibc
package import Vocabulary

/// A lock on a workspace, so that its rehearsals and applications run one after another, in all processes. The kernel
/// unlocks it when the process ends.
package struct WorkspaceTurn: ~Copyable {
    private let file: OpenFile

    /// Waits for the lock and takes it.
    ///
    /// - Parameter hasTurn: called with `false` if the caller has to wait, and with `true` when the wait is over.
    /// - Throws: `cancelled`.
    package static func take(
        _ workspace: String, in data: String, cancel: Cancellation, hasTurn: (Bool) -> Void = { _ in }
    ) throws(Failure) -> WorkspaceTurn {
        try makeFolders("\(data)/rehearsals/turns")
        let file = try lock(of: workspace, in: data)
        var hasWaited = false
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw fileFailure("lock", workspace) }
            if !hasWaited { hasTurn(false) }
            hasWaited = true
            guard !cancel.wait(milliseconds: 50) else { throw Failure(.cancelled, "Cancelled.") }
        }
        if hasWaited { hasTurn(true) }
        return WorkspaceTurn(file: file)
    }

    /// Takes the lock without waiting.
    ///
    /// - Returns: `nil` if another process or thread has the lock, or on an error.
    package static func takeIfFree(_ workspace: String, in data: String) -> WorkspaceTurn? {
        guard let file = try? lock(of: workspace, in: data),
            flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
        else { return nil }
        return WorkspaceTurn(file: file)
    }

    private static func lock(of workspace: String, in data: String) throws(Failure) -> OpenFile {
        try OpenFile("\(data)/rehearsals/turns/\(ContentHash.of(workspace).hex)", O_RDWR | O_CREAT)
    }

    package func end() { flock(file.descriptor, LOCK_UN) }
}
