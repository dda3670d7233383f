/// The exit codes of `architecture.md`, "Exit codes".
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    case succeeded = 0
    case failed = 1
    case badUsage = 2
    case waiting = 3
    case denied = 4
    case modelUnreachable = 5
    case storage = 6
    case interrupted = 130
    case terminated = 143

    /// The order of precedence if several codes apply (`semantics.md` 186). Bad usage comes late, since nothing was
    /// started.
    private static let precedence: [ExitStatus] = [
        .terminated, .interrupted, .storage, .denied, .modelUnreachable, .failed, .waiting, .badUsage, .succeeded,
    ]

    package static func gravest(_ statuses: some Sequence<ExitStatus>) -> ExitStatus {
        let present = Set(statuses)
        return precedence.first(where: present.contains) ?? .succeeded
    }

    /// Creates the exit status of a command that ends with a failure.
    package init(of failure: Failure) { self = failure.code.exit }

    package init(of outcome: Outcome, failures: [Failure]) {
        let base: ExitStatus =
            switch outcome {
            case .succeeded: .succeeded
            case .failed, .cancelled: .failed
            case .waiting: .waiting
            }
        let refusals = failures.map(ExitStatus.init(of:)).filter { $0 == .denied || $0 == .storage }
        self = .gravest([base] + (outcome == .succeeded ? [] : refusals))
    }
}
