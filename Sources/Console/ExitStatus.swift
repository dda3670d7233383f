import Conversations
package import Vocabulary

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

    package init(of failure: Failure) {
        switch failure.code {
        case "denied", "rejected", "declined", "notByChild", "hostNotAllowed", "insecureHost", "hiddenTracked",
            "changedSince":
            self = .denied
        case "storageFull", "storageReadOnly", "storageNewer", "storageBroken", "storageBusy", "indexDamaged":
            self = .storage
        // These can be tried again later: the server was not reached, was busy, or cut its reply.
        case "modelUnreachable", "modelRateLimited", "modelOverloaded", "modelTruncated", "truncated", "sessionBusy":
            self = .modelUnreachable
        case "badUsage", "badTemplate", "unknownWorkflow", "unknownAwait", "unknownSession", "unknownFile",
            "unknownTool",
            "unknownTemplate", "unknownAsset", "notHeld", "badBundle", "badAnswer", "badLink", "cannotSkip",
            "emptyMask", "fileNotFound",
            "notAFile", "lineTooLong", "badLine", "badHost", "otherWorkspace", "unknownTurn", "unknownConnection",
            "badAddress", "keyInLine", "unknownModel", "badSettings", "hostsBroken", "unknownGuide", "checkFailed",
            "badGuide",
            "badAnswers":
            self = .badUsage
        case "interrupted": self = .interrupted
        default: self = .failed
        }
    }

    /// Creates the status of a turn.
    ///
    /// - Parameter ending: the end of the turn, or nil if there was no turn.
    init(of ending: Turn.Ending?) {
        switch ending {
        case .completed, nil: self = .succeeded
        case .declined: self = .denied
        case .interrupted: self = .interrupted
        case .refused: self = .badUsage
        case .waiting: self = .waiting
        case .failed(let failure): self = ExitStatus(of: failure)
        }
    }

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
