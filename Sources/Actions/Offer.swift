package import Vocabulary

/// The verb that helps after a workflow has ended otherwise than wanted, such as `retry w1`.
package enum Offer: Hashable, Sendable {
    case retry(WorkflowID)
    /// A retry without a file that holds up the others.
    case without(WorkflowID, file: String)
    /// The dialogue that connects a provider. Nil is that of a model.
    case connect(provider: String?)
    /// The entry of the inbox that waits.
    case open(Int64)
    case why(WorkflowID)

    /// The circumstances that decide between the offers beside the code.
    package struct Circumstances: Hashable, Sendable {
        /// Whether the same call may succeed without any change.
        package var isTransient = false
        /// The file that holds up a step which gathers the results of others, or nil.
        package var gatheredFile: String?
        /// The provider of the failed job, or nil for a step of this machine.
        package var provider: String?
        /// The number of an open entry of the workflow, or nil.
        package var waiting: Int64?

        /// Creates circumstances in which only the code decides.
        package init() {}
    }

    /// Chooses the offer for a workflow.
    ///
    /// - Parameter code: the code of the failure, or nil if no step failed.
    package init(_ code: FailureCode?, of workflow: WorkflowID, _ circumstances: Circumstances = Circumstances()) {
        let help = code?.ours?.help ?? .reason
        if let number = circumstances.waiting {
            self = .open(number)
        } else if help == .connection {
            self = .connect(provider: circumstances.provider)
        } else if circumstances.isTransient {
            self = .retry(workflow)
        } else if let file = circumstances.gatheredFile {
            self = .without(workflow, file: file)
        } else {
            self = help == .again ? .retry(workflow) : .why(workflow)
        }
    }

    /// The command without `assent` or `/` before it, one text for each word.
    package var command: [String] {
        switch self {
        case .retry(let id): ["retry", id.description]
        case .without(let id, let file): ["retry", id.description, "--without", file]
        case .connect(let provider): ["connect"] + [provider].compactMap(\.self)
        case .open(let number): ["open", "\(number)"]
        case .why(let id): ["why", id.description]
        }
    }
}

extension Code {
    /// The kinds of help after a failure.
    package enum Help: Hashable, Sendable {
        /// Another try can end otherwise, by itself or once its cause is removed.
        case again
        /// A key, an address or a server is missing.
        case connection
        /// Only the reason helps.
        case reason
    }

    /// The help after a failure of this code.
    package var help: Help {
        switch self {
        case .keyMissing, .keyNotKept, .keyRefused, .modelAddress, .modelMoved, .modelRefusedKey, .modelUnknown,
            .modelWrongDialect, .noProvider, .unauthorized, .unknownConnection, .unknownModel, .unknownProvider:
            .connection
        case .approvalExpired, .awaitExpired, .backoff, .cameraBusy, .cameraDenied, .cameraFailed, .cancelAsked,
            .cancelRequested, .cancelled, .cancelledByProvider, .changedSince, .cooldown, .engineEnding, .fileDamaged,
            .fileFailed, .fileNotFound, .halted, .httpStatus, .inputChanged, .interrupted, .jobFailed, .jobLost, .lost,
            .modelFailed, .modelNoCredit, .modelOverloaded, .modelRateLimited, .modelUnreachable, .networkFailed,
            .noCamera, .notBegun, .notFoundThere, .offline, .paymentRequired, .permissionDenied, .processKilled,
            .processLost, .providerBusy, .providerFailed, .queueFull, .queueTimeout, .rateLimited, .reconnecting,
            .resultExpired, .runTimeout, .saveFailed, .sessionBusy, .storageBusy, .storageFailed, .storageFull,
            .storageReadOnly, .stuck, .targetChanged, .terminalTaken, .timedOut, .tooLittleMemory, .toolChanged,
            .toolNotInstalled, .unreadableFile, .workspaceBusy:
            .again
        default: .reason
        }
    }
}
