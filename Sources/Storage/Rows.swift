import GRDB
import JSON
import Vocabulary

// How nouns stand in rows: the one place where columns and values meet on the way back.

extension Failure {
    var stored: String {
        JSON.of([
            "code": .string(code), "message": .string(message), "remedy": remedy.map { .string($0) }, "cause": cause.map { .string($0) },
        ]).text
    }

    init?(stored: String?) {
        guard let stored, let json = try? JSONReader.read(stored) else { return nil }
        self.init(json["code"]?.string ?? "unknown", json["message"]?.string ?? "", remedy: json["remedy"]?.string)
        cause = json["cause"]?.string
    }
}

extension RunEnding {
    var stored: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .lost: "lost"
        }
    }

    var failure: Failure? { if case .failed(let failure) = self { failure } else { nil } }
}

extension RunRecord {
    /// Port → the asset's name, `3.1.image`: step, attempt and port of its producer. The asset itself is a row already.
    var storedInputs: String {
        JSON.object(
            JSON.Object(
                members: inputs.sorted { $0.key < $1.key }.map { port, asset in
                    JSON.Object.Member(key: port, value: .string("\(asset.run.step.index).\(asset.run.attempt).\(asset.port)"))
                })
        ).text
    }
}

extension Event {
    /// Most events are plain steps from one state to the next: their text is made without building a value.
    var storedBody: String {
        if case .stepChanged(let state, nil, nil, nil, nil) = kind { return #"{"state":""# + state.rawValue + #""}"# }
        return body.text
    }
}

func json(_ row: Row, _ column: String) -> JSON {
    ((row[column] as String?).flatMap { try? JSONReader.read($0) }) ?? .null
}

extension WorkflowRecord {
    init(row: Row) {
        self.init(
            id: WorkflowID(row["id"]), title: row["title"], session: (row["session"] as Int64?).map { SessionID($0) },
            workspace: row["workspace"],
            mode: ConfirmationMode(rawValue: row["mode"]) ?? .alwaysAsk, onAsk: OnAsk(rawValue: row["on_ask"]) ?? .park,
            createdAt: Moment(milliseconds: row["created_at"]), updatedAt: Moment(milliseconds: row["updated_at"]),
            outcome: (row["outcome"] as String?).flatMap(Outcome.init(rawValue:)), isCancelRequested: row["cancel_requested"])
    }
}

extension StepRecord {
    init(row: Row) {
        let code: String? = row["reason_code"]
        self.init(
            id: StepID(WorkflowID(row["workflow"]), row["step"]), node: row["node"], kind: row["kind"],
            state: StepState(rawValue: row["state"]) ?? .blocked, reason: code.map { Reason($0, row["reason_words"] ?? "") },
            attempt: row["attempt"], tries: row["tries"], failure: Failure(stored: row["failure"]),
            dueAt: (row["due_at"] as Int64?).map { Moment(milliseconds: $0) }, updatedAt: Moment(milliseconds: row["updated_at"]))
    }
}

extension Asset {
    init(row: Row) {
        self.init(
            run: RunID(StepID(WorkflowID(row["workflow"]), row["step"]), attempt: row["attempt"]), port: row["port"],
            type: PortType(row["type"]), hash: ContentHash(hex: row["sha256"]), bytes: row["bytes"], name: row["name"],
            meta: json(row, "meta").object ?? JSON.Object())
    }
}

extension RunRecord {
    /// - Parameter assets: of the workflow, by the names that `storedInputs` writes.
    init(row: Row, assets: [String: Asset]) {
        let id = RunID(StepID(WorkflowID(row["workflow"]), row["step"]), attempt: row["attempt"])
        var inputs: [String: Asset] = [:]
        for member in json(row, "inputs").object?.members ?? [] { inputs[member.key] = member.value.string.flatMap { assets[$0] } }
        self.init(
            id: id, kind: Kind(rawValue: row["kind"]) ?? .tool, startedAt: Moment(milliseconds: row["started_at"]),
            finishedAt: (row["finished_at"] as Int64?).map { Moment(milliseconds: $0) }, ending: row["ending"],
            failure: Failure(stored: row["failure"]), inputs: inputs, params: json(row, "params").object ?? JSON.Object(),
            callDigest: (row["digest"] as String?).map { ContentHash(hex: $0) })
    }
}

extension AwaitRecord {
    init(row: Row) {
        self.init(
            number: row["number"], step: StepID(WorkflowID(row["workflow"]), row["step"]),
            type: AwaitType(rawValue: row["type"]) ?? .confirmCall, status: AwaitStatus(rawValue: row["status"]) ?? .pending,
            title: row["title"], reason: row["reason"], urgency: Urgency(rawValue: row["urgency"]) ?? .normal,
            createdAt: Moment(milliseconds: row["created_at"]), expiresAt: (row["expires_at"] as Int64?).map { Moment(milliseconds: $0) },
            digest: (row["digest"] as String?).map { ContentHash(hex: $0) }, question: row["question"] == nil ? nil : json(row, "question"))
        resolution = row["resolution"]
        answeredBy = row["answered_by"]
        closedAt = (row["closed_at"] as Int64?).map { Moment(milliseconds: $0) }
    }
}

extension Approval {
    init(row: Row) {
        self.init(
            digest: ContentHash(hex: row["digest"]), isPlanned: row["is_planned"], step: StepID(WorkflowID(row["workflow"]), row["step"]),
            awaitNumber: row["await"], by: row["answered_by"], at: Moment(milliseconds: row["at"]),
            expiresAt: Moment(milliseconds: row["expires_at"]), policyEpoch: row["policy_epoch"])
    }
}
