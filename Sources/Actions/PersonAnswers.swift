package import JSON
package import Vocabulary

extension Limits {
    /// The most bytes of a person's answer in the result of a model's call. A longer answer is cut.
    fileprivate static let answerToldBytes = 16_000
}

/// The answers of persons in a workflow, for a model.
package struct PersonAnswers: Sendable {
    let look: WorkflowRecords

    /// Creates a reader of stored answers.
    package init(look: WorkflowRecords) {
        self.look = look
    }

    /// Returns whether the workflow has open entries of the inbox that its template opened. Questions about calls do
    /// not count.
    package func waits(_ id: WorkflowID) -> Bool {
        ((try? look.awaits(false)) ?? []).contains { $0.step.workflow == id && $0.isWrittenByTemplate }
    }

    /// Returns whether the person was asked nothing in the workflow but for a yes.
    func isOnlyApproved(_ id: WorkflowID) throws(Failure) -> Bool {
        let asked = Set(try look.awaits(true).filter { $0.step.workflow == id && $0.isWrittenByTemplate }.map(\.step))
        return try look.steps(id).allSatisfy { !asked.contains($0.id) || $0.kind == "Approve" }
    }

    /// Returns a list of questions with their answers, such as `[{"await": 1, "step": 1, "asked": "Which one?",
    /// "answer": "blue"}]`.
    ///
    /// - Returns: nil if the workflow asked nothing.
    package func json(of id: WorkflowID) -> JSON? {
        let records = ((try? look.awaits(true)) ?? []).filter { $0.step.workflow == id && $0.isWrittenByTemplate }
        guard !records.isEmpty else { return nil }
        let assets = (try? look.assets(id)) ?? []
        return .array(
            records.sorted { $0.number < $1.number }.suffix(Limits.outputsTold).map { record in
                // The newest attempt of the step has the last answer of the person.
                let given = assets.filter { $0.run.step == record.step }.max { $0.run.attempt < $1.run.attempt }
                return .of([
                    "await": .int(Int(record.number)), "step": .int(record.step.index),
                    "asked": .string(record.question?["params"]?["question"]?.string ?? record.title),
                    "resolution": .string(
                        record.status == .done ? record.resolution ?? "done" : "not answered yet: it waits in the inbox"
                    ),
                    "answer": record.status == .done ? given.map(answer) : nil,
                ])
            })
    }

    /// Returns the answers to some entries in words, such as `the person answered “Which one?”: "blue"`.
    package func words(of id: WorkflowID, only numbers: [Int64]) -> [String] {
        let answers = json(of: id)?.array ?? []
        return answers.filter { answer in answer["await"]?.int.map { numbers.contains(Int64($0)) } ?? false }.map {
            let asked = ($0["asked"]?.string ?? "").withSignsForControls
            return "the person answered “\(asked)”: \($0["answer"]?.text ?? $0["resolution"]?.string ?? "")"
        }
    }

    /// Returns a text or values up to a bound, or the name of other content.
    private func answer(_ asset: Asset) -> JSON {
        guard !look.isPrivate(asset.hash) else { return "left out: it comes of a file that may hold keys" }
        guard asset.type == .text || asset.type == .json, let text = look.heardText(asset.hash)?.text else {
            return .of(["type": .string(asset.type.name), "name": .string(asset.name), "path": asset.meta["path"]])
        }
        let whole = TextCut(text)
        guard whole.byteCount <= Limits.answerToldBytes else {
            return .string(
                whole.page(from: 0, room: Limits.answerToldBytes).text + " … [\(whole.byteCount) bytes in all]")
        }
        return asset.type == .json ? (try? JSONReader.read(text)) ?? .string(text) : .string(text)
    }
}

extension WorkflowRecords {
    /// Returns the newest results of a workflow: the outputs of steps that no other step consumes.
    package func results(of id: WorkflowID) -> [Event.Output] {
        let template = try? template(id)
        let (consumed, rows) = (Set((template?.edges ?? []).map { $0.from.node }), StepRows(template))
        let nodes = Dictionary(uniqueKeysWithValues: ((try? steps(id)) ?? []).map { ($0.id.index, $0.node) })
        var newest: [String: Asset] = [:]
        for asset in (try? assets(id)) ?? [] {
            guard let node = nodes[asset.run.step.index], !consumed.contains(node) else { continue }
            let place = "\(asset.run.step.index) \(asset.port)"
            if newest[place].map({ $0.run.attempt <= asset.run.attempt }) ?? true { newest[place] = asset }
        }
        let sorted = newest.values.sorted {
            (rows.place($0.run.step.index), $0.port) < (rows.place($1.run.step.index), $1.port)
        }
        return sorted.map { asset in
            Event.Output(
                step: asset.run.step.index, port: asset.port, type: asset.type, path: asset.meta["path"]?.string,
                hash: asset.hash,
                bytes: asset.bytes, meta: asset.shownMeta)
        }
    }
}
