import GRDB
import JSON
import Vocabulary

// The conversion between rows and nouns. Columns and values are named only here.

extension Failure {
    var stored: String {
        JSON.of([
            "code": .string(code.text), "message": .string(message), "remedy": remedy.map { .string($0) },
            "cause": cause.map { .string($0) },
        ]).text
    }

    init?(stored: String?) {
        guard let stored, let json = try? JSONReader.read(stored) else { return nil }
        self.init(
            FailureCode(json["code"]?.string ?? "unknown"), json["message"]?.string ?? "",
            remedy: json["remedy"]?.string)
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

    /// The assets of a run: its outputs, or those that it made before it failed.
    var assets: [Asset] {
        switch self {
        case .succeeded(let assets): assets
        case .failed(let failure): failure.left
        case .cancelled, .lost: []
        }
    }
}

extension RunRecord {
    /// The assets of the inputs as JSON, port → name, such as `3.1.image`: step, attempt and port of the producer. The
    /// asset itself has a row already.
    var storedInputs: String {
        JSON.object(
            JSON.Object(
                members: inputs.sorted { $0.key < $1.key }.map { port, asset in
                    JSON.Object.Member(key: port, value: .string(asset.inputName))
                })
        ).text
    }
}

extension Event {
    /// The body as JSON. Most events are plain changes of a step, whose text is made without building a value.
    var storedBody: String {
        if case .stepChanged(let state, nil, nil, nil, nil) = kind { return #"{"state":""# + state.rawValue + #""}"# }
        return body.text
    }
}

func json(_ row: Row, _ column: String) -> JSON {
    ((row[column] as String?).flatMap { try? JSONReader.read($0) }) ?? .null
}

func moment(_ row: Row, _ column: String) -> Moment? { (row[column] as Int64?).map { Moment(milliseconds: $0) } }

extension RunID {
    /// The stored name of a run, such as `w3.2.1`.
    var stored: String { description }

    init?(stored: String) {
        let parts = stored.split(separator: ".")
        guard parts.count == 3, let workflow = WorkflowID(parsing: String(parts[0])), let step = Int(parts[1]),
            let attempt = Int(parts[2])
        else { return nil }
        self.init(StepID(workflow, step), attempt: attempt)
    }
}

extension JobRecord {
    var stored: String {
        JSON.of([
            "provider": .string(provider), "phase": .string(phase.rawValue), "key": .string(key),
            "captured": .object(captured),
            "intendedAt": .int(Int(intendedAt.milliseconds)),
            "acceptedAt": acceptedAt.map { .int(Int($0.milliseconds)) },
            "runningAt": runningAt.map { .int(Int($0.milliseconds)) }, "progress": progress.map { .double($0) },
            "queuePosition": queuePosition.map { .int($0) }, "logTail": logTail.isEmpty ? nil : .string(logTail),
            "strikes": strikes == 0 ? nil : .int(strikes),
            "cancelRequestedAt": cancelRequestedAt.map { .int(Int($0.milliseconds)) },
            "boot": clock.map { .string($0.boot) }, "ahead": clock.map { .int(Int($0.ahead)) },
        ]).text
    }

    init?(stored json: JSON) {
        guard let provider = json["provider"]?.string, let key = json["key"]?.string,
            let intendedAt = json["intendedAt"]?.int,
            let phase = json["phase"]?.string.flatMap(JobPhase.init(rawValue:))
        else { return nil }
        func moment(_ name: String) -> Moment? { json[name]?.int.map { Moment(milliseconds: Int64($0)) } }
        self.init(
            provider: provider, phase: phase, key: key, captured: json["captured"]?.object ?? JSON.Object(),
            intendedAt: Moment(milliseconds: Int64(intendedAt)))
        acceptedAt = moment("acceptedAt")
        runningAt = moment("runningAt")
        if let boot = json["boot"]?.string, let ahead = json["ahead"]?.int {
            clock = ClockOrigin(boot: boot, ahead: Int64(ahead))
        }
        progress = json["progress"]?.number
        queuePosition = json["queuePosition"]?.int
        logTail = json["logTail"]?.string ?? ""
        strikes = json["strikes"]?.int ?? 0
        cancelRequestedAt = moment("cancelRequestedAt")
    }
}

extension WorkflowRecord {
    init(row: Row) {
        self.init(
            id: WorkflowID(row["id"]), title: row["title"], session: (row["session"] as Int64?).map { SessionID($0) },
            workspace: row["workspace"],
            mode: ConfirmationMode(rawValue: row["mode"]) ?? .alwaysAsk, onAsk: OnAsk(rawValue: row["on_ask"]) ?? .park,
            createdAt: Moment(milliseconds: row["created_at"]), updatedAt: Moment(milliseconds: row["updated_at"]),
            outcome: (row["outcome"] as String?).flatMap(Outcome.init(rawValue:)),
            isCancelRequested: row["cancel_requested"],
            pollingPausedAt: moment(row, "polling_paused_at"), archivedAt: moment(row, "archived_at"),
            graphRevision: row["graph_revision"])
    }
}

extension WorkflowSummary {
    /// Makes a summary from as much of a row as can be read, and notes the damage.
    init(lenient row: Row) {
        let (summary, damaged) = Damage.leniently { WorkflowSummary(row: row) }
        self = summary
        damage = damaged.map(Damage.words)
    }

    private init(row: Row) {
        self.init(
            record: WorkflowRecord(row: row), stepCount: row["step_count"], doneCount: row["done_count"],
            openAwaits: row["awaiting"],
            states: Set(
                (row["states"] as String? ?? "").split(separator: ",").compactMap { StepState(rawValue: String($0)) }),
            isStale: row["is_stale"], exit: (row["exited"] as String?).flatMap { Reason(.exited, $0).exitCode })
    }
}

extension EventRecord {
    init(row: Row) {
        self.init(
            at: Moment(milliseconds: row["at"]), step: row["step"], attempt: row["attempt"], type: row["type"],
            body: json(row, "body"))
    }
}

extension StepRecord {
    init(row: Row) {
        let code: String? = row["reason_code"]
        self.init(
            id: StepID(WorkflowID(row["workflow"]), row["step"]), node: row["node"], kind: row["kind"],
            state: StepState(rawValue: row["state"]) ?? .blocked,
            reason: code.map { Reason(FailureCode($0), row["reason_words"] ?? "") },
            attempt: row["attempt"], tries: row["tries"], failure: Failure(stored: row["failure"]),
            dueAt: moment(row, "due_at"), staleSince: (row["stale_since"] as String?).flatMap(RunID.init(stored:)),
            replays: row["replays"],
            edits: json(row, "edits").object, agreed: (row["agreed"] as String?).map { ContentHash(hex: $0) },
            updatedAt: Moment(milliseconds: row["updated_at"]))
        deadline = row["due_by"] == nil ? nil : dueAt.flatMap { Deadline(stored: json(row, "due_by"), wall: $0) }
    }
}

extension Deadline {
    /// Reads the column `due_by`, beside the wall time in `due_at`. `nil` if it has another form.
    init?(stored json: JSON, wall: Moment) {
        guard let boot = json["boot"]?.string, let at = json["at"]?.int, let full = json["full"]?.int, full >= 0
        else { return nil }
        self.init(wall: wall, boot: boot, sinceBoot: Int64(at), full: Int64(full))
    }

    var stored: String {
        JSON.of(["boot": .string(boot), "at": .int(Int(sinceBoot)), "full": .int(Int(full))]).text
    }
}

extension Asset {
    init(row: Row) {
        self.init(
            run: RunID(StepID(WorkflowID(row["workflow"]), row["step"]), attempt: row["attempt"]), port: row["port"],
            type: PortType(row["type"]), hash: ContentHash(hex: row["sha256"]), bytes: row["bytes"], name: row["name"],
            meta: json(row, "meta").object ?? JSON.Object())
    }

    /// The name of an asset in the stored inputs of a run of its workflow: step, attempt and port.
    var inputName: String { "\(run.step.index).\(run.attempt).\(port)" }
}

extension RunRecord {
    /// Returns the names of the assets that a stored run took, by port.
    static func inputNames(_ row: Row) -> [String: String] {
        (json(row, "inputs").object?.members ?? []).reduce(into: [:]) { names, member in
            names[member.key] = member.value.string
        }
    }

    /// Reads a run.
    ///
    /// - Parameter inputs: the assets that the run took, by port, as `inputNames` names them.
    init(row: Row, inputs: [String: Asset]) {
        let id = RunID(StepID(WorkflowID(row["workflow"]), row["step"]), attempt: row["attempt"])
        self.init(
            id: id, kind: Kind(rawValue: row["kind"]) ?? .tool, startedAt: Moment(milliseconds: row["started_at"]),
            finishedAt: (row["finished_at"] as Int64?).map { Moment(milliseconds: $0) }, ending: row["ending"],
            failure: Failure(stored: row["failure"]), inputs: inputs,
            params: json(row, "params").object ?? JSON.Object(),
            callDigest: (row["digest"] as String?).map { ContentHash(hex: $0) },
            toolVersion: (row["tool_version"] as String?).map { ContentHash(hex: $0) },
            job: JobRecord(stored: json(row, "job")))
    }
}

extension AwaitRecord {
    init(row: Row) {
        self.init(
            number: row["number"], step: StepID(WorkflowID(row["workflow"]), row["step"]),
            type: AwaitType(rawValue: row["type"]) ?? .confirmCall,
            status: AwaitStatus(rawValue: row["status"]) ?? .pending,
            title: row["title"], reason: row["reason"], urgency: Urgency(rawValue: row["urgency"]) ?? .normal,
            createdAt: Moment(milliseconds: row["created_at"]),
            expiresAt: (row["expires_at"] as Int64?).map { Moment(milliseconds: $0) },
            digest: (row["digest"] as String?).map { ContentHash(hex: $0) },
            question: row["question"] == nil ? nil : json(row, "question"))
        claim = row["claim"]
        let holder =
            (row["claimed_by"] as String?)?.split(separator: Self.claimMark, maxSplits: 1).map(String.init) ?? []
        (claimedBy, claimProcess) = (holder.first, holder.count == 2 ? holder[1] : nil)
        until = moment(row, "until")
        snoozes = row["snoozes"]
        draft = row["draft"] == nil ? nil : json(row, "draft")
        resolution = row["resolution"]
        answeredBy = row["answered_by"]
        closedAt = (row["closed_at"] as Int64?).map { Moment(milliseconds: $0) }
    }
}

extension Approval {
    init(row: Row) {
        self.init(
            digest: ContentHash(hex: row["digest"]), isPlanned: row["is_planned"],
            step: StepID(WorkflowID(row["workflow"]), row["step"]),
            awaitNumber: row["await"], by: row["answered_by"], at: Moment(milliseconds: row["at"]),
            expiresAt: Moment(milliseconds: row["expires_at"]), policyEpoch: row["policy_epoch"])
    }
}
