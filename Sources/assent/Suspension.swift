import Actions
import Console
import Glibc
import Services
import Storage
import Synchronization
import Terminal
import Vocabulary

/// The stop of this process by Ctrl-Z. The process keeps the workflows that it runs: they pause, and no other process
/// takes them over.
enum Suspension {
    /// Stops this process until SIGCONT comes. Where no shell could let it go on, the kernel ignores this.
    static func stop() { pthread_kill(pthread_self(), SIGTSTP) }
}

extension OpenWorkspace {
    /// Shows which workflows pause, and stops this process. Other processes may write to the database meanwhile.
    func suspend() {
        guard let archive = archive.ifMade else { return Suspension.stop() }
        if let words = pausing() { StandardOutput.write(Array("\(words)\n".utf8)) }
        archive.whileNotWriting { Suspension.stop() }
    }

    /// Returns a sentence on the workflows that this process runs. `nil` if none moves.
    private func pausing() -> String? {
        guard let name = living.withLock({ $0.life })?.name,
            !EngineLock.anyEngineLives(in: folders.engines, besides: name)
        else {
            return nil
        }
        let moving = StandingWorkflows(self).moving
        guard !moving.isEmpty else { return nil }
        return
            "\(moving.map(\.description).joined(separator: ", ")) \(moving.count == 1 ? "pauses" : "pause") until fg."
    }
}
