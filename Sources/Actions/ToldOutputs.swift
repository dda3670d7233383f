import Conversations
package import JSON
package import Vocabulary

extension Limits {
    /// The most bytes of all texts in the result of a model's call, as JSON. The model reads the rest by its offset.
    fileprivate static let toldTextBytes = 20 << 10
}

/// The report of a workflow's outputs to a model: the place of each output, and the content of texts. A text that is
/// cut has a remark with its size and the call that reads the rest.
package struct ToldOutputs {
    let records: WorkflowRecords
    let workflow: WorkflowID

    /// Creates the report of one workflow.
    package init(records: WorkflowRecords, workflow: WorkflowID) {
        (self.records, self.workflow) = (records, workflow)
    }

    /// An output of a step.
    package struct Output {
        package var step: Int
        var port: String
        var type: PortType
        var hash: ContentHash
        var bytes: Int
        var meta: JSON.Object

        var isText: Bool { type == .text || type == .json }

        package init(_ asset: Asset) {
            (step, port, type, hash, bytes, meta) = (
                asset.run.step.index, asset.port, asset.type, asset.hash, asset.bytes, asset.meta
            )
        }

        package init(_ output: Event.Output) {
            (step, port, type, hash, bytes, meta) = (
                output.step, output.port, output.type, output.hash, output.bytes, output.meta
            )
        }
    }

    /// Returns the outputs of a workflow, and the other output of its commands, including failed ones.
    package func json(of results: [Event.Output]) -> [String: JSON] {
        var outputs = results.map(Output.init)
        let known = Set(outputs.map { "\($0.step) \($0.port)" })
        let printed = CommandOutputs(of: (try? records.assets(workflow)) ?? []).assets.map(Output.init)
        outputs += printed.filter { !known.contains("\($0.step) \($0.port)") && ($0.bytes > 0 || $0.port == "text") }
        return json(
            of: outputs.enumerated().sorted { ($0.element.step, $0.offset) < ($1.element.step, $1.offset) }.map(
                \.element))
    }

    /// Returns these outputs under the key `outputs`, and the number of the others under `more`.
    package func json(of outputs: [Output]) -> [String: JSON] {
        let told = Array(outputs.prefix(Limits.outputsTold))
        let texts = told.map(text)
        let rooms = Self.shares(of: texts.map { $0?.room(upTo: Limits.toldTextBytes) ?? 0 }, in: Limits.toldTextBytes)
        var json = ["outputs": JSON.array(told.indices.map { self.json(of: told[$0], texts[$0], room: rooms[$0]) })]
        if outputs.count > told.count {
            let call = Self.reading(workflow, step: outputs[told.count].step)
            json["more"] = .string(
                "\(outputs.count - told.count) of \(outputs.count) outputs are left out. Read on by step: \(call)")
        }
        return json
    }

    /// Returns the text of an output, or nil if the output is not text or a model may not read it.
    private func text(of output: Output) -> TextCut? {
        guard output.isText, !records.isPrivate(output.hash) else { return nil }
        return records.heardText(output.hash)?.inJSON
    }

    /// Divides a room between texts. Each text gets the room that it wants, or an equal share of the room that the
    /// smaller ones leave.
    static func shares(of wanted: [Int], in room: Int) -> [Int] {
        var (shares, left) = (wanted, room)
        for (rank, index) in wanted.indices.sorted(by: { (wanted[$0], $0) < (wanted[$1], $1) }).enumerated() {
            shares[index] = min(wanted[index], left / (wanted.count - rank))
            left -= shares[index]
        }
        return shares
    }

    private func json(of output: Output, _ text: TextCut?, room: Int) -> JSON {
        let isPrivate = records.isPrivate(output.hash)
        var (content, cut): (JSON?, String?) = (nil, nil)
        if let text { (content, cut) = told(text, of: output, room: room) }
        if output.isText, isPrivate { content = "left out: it comes of a file that may hold keys" }
        return .of([
            "step": .int(output.step), "port": .string(output.port), "type": .string(output.type.name),
            "exit": exit(of: output, isPrivate: isPrivate), "ended": output.meta["ended"],
            // A size would reveal whether a guess was right.
            "bytes": isPrivate ? nil : .int(text?.byteCount ?? output.bytes), "lines": text.map { .int($0.lineCount) },
            "path": output.meta["path"], "changed": changed(by: output, isPrivate: isPrivate),
            "notSeen": output.meta["notSeen"],
            "programNotAllowed": output.meta["programNotAllowed"], "thrownAway": output.meta["thrownAway"],
            "notReached": output.meta["notReached"],
            "content": content, "cut": cut.map { .string($0) },
        ])
    }

    /// Returns the changes of a command for a model. If the command read keys, the model gets no changes, since their
    /// number could reveal the content of a file.
    private func changed(by output: Output, isPrivate: Bool) -> JSON? {
        guard !isPrivate, let changed = ChangedFiles(json: output.meta["changed"]), changed.hasNames else { return nil }
        return changed.json
    }

    /// Returns the exit code for a model. If the command read keys, the model learns only whether the code was 0, since
    /// the code could reveal the content of a file.
    private func exit(of output: Output, isPrivate: Bool) -> JSON? {
        guard isPrivate, let code = output.meta["exit"]?.int, code != 0 else { return output.meta["exit"] }
        return "not 0"
    }

    private func told(_ whole: TextCut, of output: Output, room: Int) -> (JSON, String?) {
        guard let ends = whole.ends(room: room) else { return (.string(whole.page(from: 0, room: .max).text), nil) }
        let lines = ends.leftOutLines == 1 ? "1 line" : "\(ends.leftOutLines) lines"
        let mark = "[… \(ends.leftOutBytes) bytes, \(lines) left out …]"
        let head = ends.head.isEmpty || ends.head.hasSuffix("\n") ? ends.head : ends.head + "\n"
        let call = Self.reading(workflow, step: output.step, output: output.port, offset: ends.from)
        let words = "bytes \(ends.from) to \(ends.to) of \(whole.byteCount) are left out. Read on: \(call)"
        return (.string("\(head)\(mark)\n\(ends.tail)"), words)
    }

    /// Returns one output, starting at a byte.
    func page(of name: String, in text: HeardText, step: Int, from offset: Int) -> JSON {
        let whole = text.inJSON
        let (content, range) = whole.page(from: offset, room: Limits.toldTextBytes)
        let isAll = range.upperBound >= whole.byteCount
        let call = Self.reading(workflow, step: step, output: name, offset: range.upperBound)
        return .of([
            "step": .int(step), "output": .string(name), "bytes": .int(whole.byteCount), "lines": .int(whole.lineCount),
            "from": .int(range.lowerBound), "to": .int(range.upperBound), "content": .string(content),
            "cut": isAll
                ? nil
                : .string("\(whole.byteCount - range.upperBound) of \(whole.byteCount) bytes follow. Read on: \(call)"),
        ])
    }

    /// Returns the call that reads more of a workflow, as a model writes it.
    static func reading(_ workflow: WorkflowID, step: Int, output: String? = nil, offset: Int? = nil) -> String {
        let arguments = JSON.of([
            "workflow": .string(workflow.description), "step": .string(String(step)),
            "output": output.map { .string($0) },
            "offset": offset.map { .int($0) },
        ])
        return "show_workflow \(arguments.text)"
    }
}

/// The streams that the commands of a workflow printed. Each step gives those of its last attempt that printed
/// anything.
package struct CommandOutputs {
    package let assets: [Asset]

    /// - Parameter made: the assets of a workflow, of all its attempts.
    package init(of made: [Asset]) {
        assets = made.filter(\.isOfCommand).ofLastAttempts
    }
}

extension [Asset] {
    /// The assets of each step's last attempt among these, by step. Standard output stands before standard error.
    package var ofLastAttempts: [Asset] {
        var last: [Int: Int] = [:]
        for asset in self { last[asset.run.step.index] = Swift.max(last[asset.run.step.index] ?? 0, asset.run.attempt) }
        return filter { $0.run.attempt == last[$0.run.step.index] }.sorted {
            ($0.run.step.index, $1.port) < ($1.run.step.index, $0.port)
        }
    }
}
