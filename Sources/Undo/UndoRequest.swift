import Files
import JSON
package import Vocabulary

/// A user's request to undo. It is stored under a random name, which is the parameter of the step of the undo workflow,
/// so that a workflow from a file or a model cannot use one.
package struct UndoRequest: Hashable, Sendable {
    package var workflow: WorkflowID
    /// The step to undo, or `nil` for all steps.
    package var step: Int?
    /// Whether the other changes are undone if a file was changed since.
    package var isPartial: Bool
    /// The attempts whose changes were listed to the user, or `nil` for all. No other attempt is undone.
    package var runs: [RunID]?
    /// The folder in which the workflow worked, if it was moved to where the undo works, or `nil`.
    package var movedFrom: String?

    package init(
        workflow: WorkflowID, step: Int? = nil, isPartial: Bool = false, runs: [RunID]? = nil, movedFrom: String? = nil
    ) {
        self.movedFrom = movedFrom
        self.workflow = workflow
        self.step = step
        self.isPartial = isPartial
        self.runs = runs
    }
}

extension UndoRecords {
    /// Stores a request.
    ///
    /// - Returns: its name.
    package func add(_ request: UndoRequest) throws(Failure) -> String {
        let name = (0..<4).map { _ in String(UInt32.random(in: 0 ... .max), radix: 36) }.joined()
        try makeFolders("\(folder)/requests")
        try write(request, named: name)
        return name
    }

    /// Stores a request in the place of the one with this name.
    package func write(_ request: UndoRequest, named name: String) throws(Failure) {
        let runs = request.runs.map { runs in JSON.array(runs.map { .string("\($0.step.index)-\($0.attempt)") }) }
        let json = JSON.of([
            "workflow": .string(request.workflow.description), "step": request.step.map { .int($0) },
            "partial": .bool(request.isPartial),
            "runs": runs, "movedFrom": request.movedFrom.map { .string($0) },
        ])
        try writeWhole(Array(json.text.utf8), to: "\(folder)/requests/\(name)")
    }

    /// Assigns a request to the first workflow that runs with it.
    ///
    /// - Returns: whether it is this workflow. It is `false` for a workflow that reuses the name of an old request.
    package func claim(_ name: String, for workflow: WorkflowID) -> Bool {
        let file = "\(folder)/requests/\(name).by"
        if let claimed = readJSON(file)?["workflow"]?.string { return claimed == workflow.description }
        return (try? writeWhole(Array(JSON.of(["workflow": .string(workflow.description)]).text.utf8), to: file)) != nil
    }

    package func request(named name: String) -> UndoRequest? {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }),
            let json = readJSON("\(folder)/requests/\(name)"),
            let workflow = json["workflow"]?.string.flatMap({ WorkflowID(parsing: $0) })
        else { return nil }
        let runs = json["runs"]?.array?.compactMap { text -> RunID? in
            let numbers = (text.string ?? "").split(separator: "-").compactMap { Int($0) }
            return numbers.count == 2 ? RunID(StepID(workflow, numbers[0]), attempt: numbers[1]) : nil
        }
        return UndoRequest(
            workflow: workflow, step: json["step"]?.int, isPartial: json["partial"]?.bool ?? false, runs: runs,
            movedFrom: json["movedFrom"]?.string)
    }

    /// Completes the records of the earlier attempts of an undo, which were interrupted.
    ///
    /// - Returns: the number of changes that these attempts have reversed.
    package func settled(before run: RunID) throws(Failure) -> Int {
        var count = 0
        for attempt in 1..<max(1, run.attempt) {
            let earlier = RunID(run.step, attempt: attempt)
            try trim(earlier)
            count += try record(of: earlier)?.changes.count ?? 0
        }
        return count
    }

    /// Returns the records that a request reverses, the newest first, each with its changes that stand.
    ///
    /// - Parameter workflow: the running undo. Its own reversals are ignored, so that it can go on after an
    ///   interruption.
    /// - Throws: `nothingToUndo`.
    package func selected(_ request: UndoRequest, besides workflow: WorkflowID? = nil) throws(Failure)
        -> [SelectedRecord]
    {
        let history = UndoHistory(self)
        let all = try records(of: request.workflow).filter { record in
            (request.step == nil || record.run.step.index == request.step) && request.runs?.contains(record.run) ?? true
        }
        let open = all.map { SelectedRecord(record: $0, open: history.open($0, besides: workflow)) }.filter {
            !$0.open.isEmpty
        }
        guard !open.isEmpty else {
            let what = (request.step.map { "step \($0) of " } ?? "") + request.workflow.description
            if let by = all.lazy.compactMap({ history.reversing($0).last }).first {
                throw undone(request.workflow, what, by, history)
            }
            throw Failure(
                .nothingToUndo, "No record of a change by \(what) is kept.",
                remedy: "See 'assent show \(request.workflow)'.")
        }
        return open
    }

    /// Returns the failure for changes that were undone or redone already.
    private func undone(_ workflow: WorkflowID, _ what: String, _ by: WorkflowID, _ history: UndoHistory) -> Failure {
        let isUndo = history.records(of: workflow).contains { $0.undoes != nil } && !history.isRedo(workflow)
        return isUndo
            ? Failure(
                .nothingToUndo, "\(what) was redone by \(by) already.", remedy: "To reverse that: 'assent undo \(by)'")
            : Failure(
                .nothingToUndo, "What \(what) changed was undone by \(by).", remedy: "To undo that: 'assent redo \(by)'"
            )
    }

    /// Plans the reversal of some records.
    ///
    /// - Parameters:
    ///   - records: the records, the newest first.
    ///   - workflow: the running undo, which may have been interrupted, or `nil` before it begins.
    package func plan(_ records: [SelectedRecord], workspace: String, by workflow: WorkflowID? = nil) throws(Failure)
        -> UndoPlan
    {
        var (changes, origins) = ([FileChange](), [ChangeOrigin]())
        for selected in records {
            for number in selected.record.changes.indices.reversed() where selected.open.contains(number) {
                changes.append(selected.record.changes[number])
                origins.append(ChangeOrigin(run: selected.record.run, number: number))
            }
        }
        let files = try PersonFiles(workspace: workspace)
        let reversed: Set<ChangeOrigin> = if let workflow { try surelyReversed(by: workflow, files) } else { [] }
        let count = origins.lastIndex(where: reversed.contains).map { $0 + 1 } ?? 0
        return UndoPlan(changes, origins: origins, reversedCount: count, files: files)
    }

    /// Returns the changes that the attempts of an undo have certainly reversed. If an attempt left changes out, the
    /// result is empty.
    private func surelyReversed(by workflow: WorkflowID, _ files: borrowing PersonFiles) throws(Failure) -> Set<
        ChangeOrigin
    > {
        let (history, attempts) = (UndoHistory(self), try records(of: workflow))
        guard !attempts.contains(where: \.isPartial) else { return [] }
        var reversed: Set<ChangeOrigin> = []
        for attempt in attempts {
            // A change that was undone again stands.
            let made = UndoProgress.surelyMade(attempt.changes, files: files).intersection(history.open(attempt))
            reversed.formUnion(made.compactMap { attempt.changes[$0].reverses })
        }
        return reversed
    }
}
