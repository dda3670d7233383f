import Glibc
import Vocabulary

/// In one workspace rehearsals and applications go one after the other, whichever process they are of. The kernel gives the turn back when
/// its holder ends.
struct WorkspaceTurn: ~Copyable {
    private let file: OpenFile

    /// Blocks until it is our turn.
    /// - Throws: `cancelled`.
    static func take(
        _ workspace: String, in data: String, cancel: Cancellation, hasTurn: (Bool) -> Void = { _ in }
    ) throws(Failure) -> WorkspaceTurn {
        try makeFolders("\(data)/rehearsals/turns")
        let name = ContentHash.of(workspace).hex
        let file = try OpenFile("\(data)/rehearsals/turns/\(name)", O_RDWR | O_CREAT)
        var hasWaited = false
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw fileFailure("lock", workspace) }
            if !hasWaited { hasTurn(false) }
            hasWaited = true
            guard !cancel.wait(milliseconds: 50) else { throw Failure("cancelled", "Cancelled.") }
        }
        if hasWaited { hasTurn(true) }
        return WorkspaceTurn(file: file)
    }

    /// - Returns: `nil` where somebody has it.
    static func takeIfFree(_ workspace: String, in data: String) -> WorkspaceTurn? {
        let name = ContentHash.of(workspace).hex
        guard let file = try? OpenFile("\(data)/rehearsals/turns/\(name)", O_RDWR | O_CREAT),
            flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
        else { return nil }
        return WorkspaceTurn(file: file)
    }

    func end() { flock(file.descriptor, LOCK_UN) }
}
