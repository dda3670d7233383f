package import Vocabulary

extension Limits {
    /// How long an approval is valid, in seconds: a day. Later, the call must be asked about again.
    package static let approvalSeconds = 86_400.0
}

/// The tolerance for differences between clocks, in seconds. An approval may seem to come from the near future if a
/// clock was set back a little.
private let clockSlackSeconds = 60.0

extension Approval {
    /// Returns the reason why this recorded yes does not authorise the call now, or `nil` if it does. The engine
    /// ensures that it is used only once: it marks await, step and digest in the transaction that starts the call.
    package func refusal(for call: Call, step: StepID, policyEpoch: String, at now: Moment) -> Reason? {
        guard self.step == step else { return Reason(.otherStep, "The approval is for another step.") }
        guard digest == Consent.digest(of: isPlanned ? call.planned : call) else {
            return Reason(.callChanged, "The call is not the one that was approved.")
        }
        guard !policyEpoch.isEmpty, self.policyEpoch == policyEpoch else {
            return Reason(.policyChanged, "The policy has changed since the yes.")
        }
        guard now < expiresAt, at.seconds(since: now) < clockSlackSeconds else {
            return Reason(.approvalExpired, "The approval has expired.")
        }
        return nil
    }

    package func authorises(_ call: Call, step: StepID, policyEpoch: String, at now: Moment) -> Bool {
        refusal(for: call, step: step, policyEpoch: policyEpoch, at: now) == nil
    }
}
