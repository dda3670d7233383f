import Synchronization
import Vocabulary

/// A cache of keys in memory, each for `Limits.keySeconds`.
final class JobKeys: Sendable {
    private struct Key {
        var text: String
        var until: ContinuousClock.Instant
    }

    private let known = Mutex<[String: Key]>([:])

    func known(_ name: String, at now: ContinuousClock.Instant = .now) -> String? {
        known.withLock { $0[name] }.flatMap { $0.until > now ? $0.text : nil }
    }

    func key(_ name: String, _ client: JobClient) async throws(JobSilence) -> String? {
        let now = ContinuousClock.now
        if let key = known(name, at: now) { return key }
        let found = try await client.blocking { () throws(Failure) in client.surroundings.secret(name) }
        guard let found, !found.isEmpty else { return nil }
        known.withLock { $0[name] = Key(text: found, until: now + .seconds(Limits.keySeconds)) }
        return found
    }

    /// Removes a key that was refused, so that it is looked up again. The user may have replaced it.
    func forget(_ name: String?) {
        guard let name else { return }
        known.withLock { _ = $0.removeValue(forKey: name) }
    }
}
