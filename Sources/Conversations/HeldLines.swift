import Synchronization

/// The lines of the user that were entered during a turn and are not on the screen yet. Each is shown where its turn
/// begins.
package final class HeldLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// Creates an empty list.
    package init() {}

    package func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Removes the oldest line with a text.
    ///
    /// - Returns: whether there was one.
    package func take(_ line: String) -> Bool {
        lines.withLock { lines in
            guard let index = lines.firstIndex(of: line) else { return false }
            lines.remove(at: index)
            return true
        }
    }
}
