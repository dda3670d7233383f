import Actions
import JSON
import Progress
package import Terminal
package import Vocabulary

/// The view of a forecast: the runs that would be made, their inputs, and the steps that would be stale afterwards.
package enum ForecastView {
    static let runsLimit = 40

    /// Returns the rows of a forecast.
    ///
    /// - Parameters:
    ///   - rows: the numbers that users see for the steps.
    ///   - call: the verb that asks for the forecast.
    ///   - span: the numbers of the runs that are drawn alone, or nil for the whole forecast.
    package static func lines(
        _ forecast: Forecast, of workflow: WorkflowID, catalogue: Catalogue, rows: StepRows = StepRows(nil),
        call: String = "rerun", span: Range<Int>? = nil, columns: Int
    ) -> [StyledText] {
        if let span { return forecast.runs.entries(span).flatMap { run($0, catalogue, rows, columns) } }
        guard !forecast.isEmpty else {
            return Layout.wrapped(
                StyledText("Nothing would run. Nothing was changed.", .dim), columns: columns, indent: 2)
        }
        let head =
            StyledText("dry run", .dim)
            + StyledText("  \(workflow) would make \(Amounts.count(forecast.runs.count, "run"))", .bold)
        let count = forecast.runs.count
        let marker = Remainder(min(runsLimit, count) + 1..<count + 1, of: count, "more run", call).lines(
            columns: columns, indent: 6)
        var lines = Layout.wrapped("  " + head, columns: columns, hanging: 4)
        lines += forecast.runs.prefix(runsLimit).flatMap { run($0, catalogue, rows, columns) } + marker
        if !forecast.stale.isEmpty {
            let steps = forecast.stale.prefix(runsLimit).map(rows.word).joined(separator: ", ")
            let words =
                "If content changes, stale afterwards: step\(forecast.stale.count == 1 ? "" : "s") \(steps). --below runs them, too."
            lines += Layout.wrapped(
                StateSign.stale.mark + StyledText(" \(words)"), columns: columns, indent: 2, hanging: 4)
        }
        return lines + Layout.wrapped(StyledText("Nothing was changed.", .dim), columns: columns, indent: 2)
    }

    private static func run(
        _ run: Forecast.Run, _ catalogue: Catalogue, _ rows: StepRows, _ columns: Int
    ) -> [StyledText] {
        let tool = catalogue[run.kind]
        let number = rows.isFolded(run.run.step.index) ? "" : "\(run.run.step.index)"
        var line = StyledText(DisplayWidth.pad(number, to: 2, .trailing), .dim) + "  "
        line += StyledText(tool?.title ?? run.kind, .bold) + StyledText("  \(run.node) · run \(run.run.attempt)", .dim)
        for input in run.inputs {
            line += StyledText("  \(input.port) ← ", .dim) + StyledText(words(for: input.source, rows))
        }
        let params = Values.digest(run.params, of: tool)
        if !params.isEmpty { line += "  " + params }
        var lines = Layout.wrapped(line, columns: columns, indent: 2, hanging: 6)
        func add(_ text: StyledText) { lines += Layout.wrapped(text, columns: columns, indent: 6, hanging: 8) }
        if let attempt = run.repeats { add(StyledText("repeats run \(attempt) as it was", .dim)) }
        if !run.isCertain { add(StyledText("only if what it consumes changes", .dim)) }
        if run.needsPerson { add(StateSign.needsYourInput.text) }
        if let fault = run.fault { add(StateSign.failed.mark + " " + FailureLine.text(fault)) }
        return lines
    }

    private static func words(for source: Forecast.Source, _ rows: StepRows) -> String {
        switch source {
        case .asset(let asset): "\(asset.name) of run \(rows.word(asset.run.step.index)).\(asset.run.attempt)"
        case .coming(let run, _): "what run \(rows.word(run.step.index)).\(run.attempt) will give"
        }
    }
}

extension Forecast {
    /// Returns a JSON object for each run, then one with the steps that would be stale.
    func lines(of workflow: WorkflowID, catalogue: Catalogue) -> [JSON] {
        runs.map { $0.json(catalogue[$0.kind]) } + [
            [
                "type": "forecast.end", "workflow": .string(workflow.description), "runs": .int(runs.count),
                "stale": .array(stale.map { .int($0) }),
            ]
        ]
    }
}

extension Forecast.Run {
    fileprivate func json(_ tool: ToolManifest?) -> JSON {
        .of([
            "type": "forecast.run", "run": .string(run.description), "step": .int(run.step.index),
            "node": .string(node),
            "kind": .string(kind), "attempt": .int(run.attempt), "certain": .bool(isCertain),
            "repeats": repeats.map { .int($0) },
            "inputs": .array(inputs.map(\.json)), "params": .object(params.withoutSecrets(tool)),
            "needsPerson": needsPerson ? true : nil, "failure": fault?.json,
        ])
    }
}

extension Forecast.Input {
    fileprivate var json: JSON {
        switch source {
        case .asset(let asset):
            [
                "port": .string(port), "run": .string(asset.run.description), "name": .string(asset.name),
                "sha256": .string(asset.hash.hex),
            ]
        case .coming(let run, let from):
            ["port": .string(port), "run": .string(run.description), "from": .string(from), "coming": true]
        }
    }
}

extension JSON.Object {
    func withoutSecrets(_ tool: ToolManifest?) -> JSON.Object {
        JSON.Object(
            members: members.map { .init(key: $0.key, value: tool?.param($0.key)?.isSecret == true ? "•••" : $0.value) }
        )
    }
}
