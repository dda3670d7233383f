import Synchronization
import Vocabulary

/// A queue that delays requests so that a provider's rate limits are kept. Requests keep their order, and none is
/// dropped.
final class JobPacing: Sendable {
    private struct Lane: Hashable {
        var provider: String
        var isSubmit: Bool
    }

    private let lanes = Mutex<[Lane: [ContinuousClock.Instant]]>([:])

    /// Uses a place in the provider's rate if one is free now, and returns whether it did. Otherwise nothing is
    /// reserved.
    func takeNow(_ provider: ProviderManifest, isSubmit: Bool, now: ContinuousClock.Instant = .now) -> Bool {
        guard let rate = isSubmit ? provider.pace.submit : provider.pace.other else { return true }
        let span = Duration.seconds(rate.seconds)
        return lanes.withLock { lanes in
            let lane = Lane(provider: provider.id, isSubmit: isSubmit)
            lanes[lane, default: []].removeAll { $0 + span <= now }
            guard lanes[lane, default: []].count < rate.requests else { return false }
            lanes[lane, default: []].append(now)
            return true
        }
    }

    /// Reserves the next place in the provider's rate.
    ///
    /// - Returns: the time of the place, or `nil` for now.
    func reserve(_ provider: ProviderManifest, isSubmit: Bool, now: ContinuousClock.Instant = .now) -> ContinuousClock
        .Instant?
    {
        guard let rate = isSubmit ? provider.pace.submit : provider.pace.other else { return nil }
        let span = Duration.seconds(rate.seconds)
        return lanes.withLock { lanes in
            let lane = Lane(provider: provider.id, isSubmit: isSubmit)
            var times = lanes[lane] ?? []
            times.removeAll { $0 + span <= now }
            // The request that must have left the window before this one may be sent.
            let earliest = times.count >= rate.requests ? times[times.count - rate.requests] + span : now
            times.append(max(earliest, now))
            lanes[lane] = times
            return earliest > now ? earliest : nil
        }
    }
}
