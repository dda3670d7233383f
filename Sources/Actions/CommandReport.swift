import Conversations
import JSON
import Vocabulary

extension Limits {
    /// The bytes at the beginning and at the end of what a command printed that a model receives.
    fileprivate static let reportedHead = 4 << 10
    fileprivate static let reportedTail = 8 << 10

    /// The same for standard error.
    fileprivate static let reportedErrorsHead = 1 << 10
    fileprivate static let reportedErrorsTail = 3 << 10

    /// The most bytes of the changed lines of edits.
    fileprivate static let reportedChanges = 6 << 10
}

/// The result of a workflow of one command or edit as a text for a model: how it ended, its changes, the refused
/// ones, and its output. The first line is always of Assent, and each part of a command's own stands below a line
/// of its own.
struct CommandReport {
    let records: WorkflowRecords
    let id: WorkflowID
    let followed: Followed

    /// Returns the result of the call.
    func result() throws(Failure) -> CallResult {
        let assets = try records.assets(id).ofLastAttempts
        switch followed.outcome {
        case .succeeded:
            // A look about which the user was asked prints its result alone.
            if let look = assets.first, look.meta["exit"] == nil, look.meta["ended"] == nil {
                return try LookText(records: records).result(of: assets)?.result
                    ?? .report("What was found may hold keys.", failure: nil)
            }
            let report = CallResult.report(text(headed: heading(assets), assets), failure: nil)
            return try WholeWorkflow(records: records, id: id, followed: followed).isWhole ? .whole(report) : report
        case .waiting: return .report("\(id) waits for the person. Nothing of it is changed yet.", failure: nil)
        case .failed, .cancelled:
            if let refusal = followed.failures.first(where: { ExitStatus(of: $0) == .denied }) {
                return .declined("\(refusal.message) (\(id), nothing of it was changed)")
            }
            if followed.outcome == .cancelled, try records.isCancelledByPerson(id) {
                let words = "\(id) was cancelled by the person."
                return .report(text(headed: words, assets), failure: Failure(.cancelled, words))
            }
            let failure = followed.failures.first ?? Failure(.workflowFailed, "\(id) \(followed.outcome.rawValue).")
            let remedy = failure.remedy.map { " \($0)" } ?? ""
            return .report(text(headed: "\(id) failed: \(failure.message)\(remedy)", assets), failure: failure)
        }
    }

    /// Returns the result of a call whose command has not ended in time.
    static func stillRunning(_ id: WorkflowID, after seconds: Int, _ records: WorkflowRecords) -> CallResult {
        let tail = records.saidSoFar(StepID(id, 1)).map(HeardText.init)?.text ?? ""
        let shown = TextCut(tail).ends(head: 0, tail: Limits.reportedErrorsTail)?.tail ?? tail
        let last = shown.isEmpty ? "It has printed nothing yet." : "The last lines it printed:\n\(shown)"
        return .report(
            "\(id) is still running after \(seconds) s. It goes on, and ends at the latest after "
                + "\(Amounts.duration(Limits.commandSeconds)). Go on with wait {\"workflow\": \"\(id)\"}.\n\(last)",
            failure: nil)
    }

    private func isPrivate(_ asset: Asset) -> Bool { records.isPrivate(asset.hash) }

    /// Returns how the command ended.
    private func heading(_ assets: [Asset]) -> String {
        guard let output = assets.first(where: { $0.port == "text" }) else { return "\(id) done" }
        let exit = output.meta["exit"]?.int ?? 0
        let isEdit = assets.contains { $0.port == "changes" }
        let time = output.meta["ms"]?.int.map { " in \(Amounts.duration(Double($0) / 1000))" } ?? ""
        let code = isPrivate(output) && exit != 0 ? "not 0" : String(exit)
        guard isEdit else { return "\(id) exit \(code)\(time)" }
        return time.isEmpty ? "\(id) edited" : "\(id) edited, check: exit \(code)\(time)"
    }

    private func text(headed heading: String, _ assets: [Asset]) -> String {
        var rows = [heading]
        if let output = assets.first(where: { $0.port == "text" }) { rows += remarks(output) }
        if let changes = assets.first(where: { $0.port == "changes" }) {
            rows += part("changed lines:", changes, head: Limits.reportedChanges, tail: 0)
        }
        for asset in assets where asset.bytes > 0 {
            switch asset.port {
            case "text": rows += part("output:", asset, head: Limits.reportedHead, tail: Limits.reportedTail)
            case "errors":
                rows += part("errors:", asset, head: Limits.reportedErrorsHead, tail: Limits.reportedErrorsTail)
            default: break
            }
        }
        return rows.joined(separator: "\n")
    }

    /// Returns what the commands and edits of a workflow changed, and what of it the person refused, a line each.
    static func changes(of id: WorkflowID, _ records: WorkflowRecords) throws(Failure) -> [String] {
        let outputs = try records.assets(id).ofLastAttempts.filter { $0.port == "text" }
        return outputs.filter { !records.isPrivate($0.hash) }.flatMap(changes)
    }

    private static func changes(in output: Asset) -> [String] {
        lines(of: ChangedFiles(json: output.meta["changed"]), "changed")
            + lines(of: ChangedFiles(json: output.meta["refused"]), "refused by the person, not done")
    }

    /// Returns what the command changed and what it did not get, a line each.
    private func remarks(_ output: Asset) -> [String] {
        let meta = output.meta
        var rows = isPrivate(output) ? [] : Self.changes(in: output)
        for (key, words) in [
            ("notSeen", "not seen by the command"), ("programNotAllowed", "programs"), ("notReached", "not reached"),
            ("thrownAway", "thrown away"),
        ] {
            if let text = meta[key]?.string { rows.append("\(words): \(text)") }
        }
        return rows
    }

    private static func lines(of changes: ChangedFiles?, _ words: String) -> [String] {
        guard let changes, !changes.isEmpty else { return [] }
        let groups = ChangedFiles.Act.allCases.compactMap { act -> String? in
            let group = changes[act]
            guard group.count > 0 else { return nil }
            // A name of a file must not look like a line of Assent.
            let names = group.names.map { name in
                (name.source.map { "\($0.quotedIfOdd) to " } ?? "") + name.path.quotedIfOdd
            }
            let more = group.count - names.count
            guard !names.isEmpty else { return "\(act.rawValue) \(Amounts.count(more, "file"))" }
            return "\(act.rawValue) " + names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        }
        return ["\(words): \(groups.joined(separator: "; "))"]
    }

    private func part(_ name: String, _ asset: Asset, head: Int, tail: Int) -> [String] {
        guard !isPrivate(asset), let text = records.heardText(asset.hash)?.text else {
            return ["\(name) \(asset.bytes) bytes that may hold keys"]
        }
        let cut = TextCut(text)
        guard let ends = cut.ends(head: head, tail: tail) else { return [name, text] }
        let from = TextCut(ends.head).lineCount + 1
        let call = "read {\"path\": \"\(id).\(asset.run.step.index).\(asset.port)\", \"from\": \(from)}"
        return [
            name, ends.head + "[… \(ends.leftOutBytes) bytes, \(ends.leftOutLines) lines left out: \(call) …]",
            ends.tail,
        ]
    }
}
