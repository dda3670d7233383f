import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

extension Limits {
    /// The lines at the end of a log that are shown if the user names no lines.
    fileprivate static let logTailLines = 200
}

package struct Logs: Verb {
    package static let description = CommandDescription(
        "logs", in: .workflow,
        summary: "Show the last lines that a run of a step wrote: of a command both streams, with its exit code.",
        examples: ["logs w3 2", "logs w3 2 --run 1", "logs w3 2 --from 1 --lines 40"],
        takes: [[.workflow], [.step]],
        values: ["--run": [.free], "--from": [.free], "--lines": [.free]])

    @Argument(help: "The workflow, such as w3, or one of its steps, such as w3.2. Without it, the newest.")
    var workflow: WorkflowWord?

    @Argument(
        help: "A step, by its number or node id. Without it, the one that failed last, else the one that ran last.")
    var step: String?

    @Option(name: .customLong("run"), help: "Its run; without it, the last.")
    var attempt: Int?

    @Flag(help: "Of a command, what was noted of its run rather than what it printed.")
    var log = false

    @OptionGroup var span: Span

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let (workflow, step) = try Chosen.newest(workflow, step, in: context, output).parts
        let record =
            if let step { try Find.step(step, of: workflow, in: context) } else {
                try last(of: workflow, in: context, output)
            }
        let runs = try context.look.runs(record.id)
        guard let run = runs.last(where: { attempt == nil || $0.id.attempt == attempt }) else {
            throw Failure(
                .badUsage,
                "Step \(record.id.index) (\(record.node)) has \(attempt.map { "no run \($0)" } ?? "not run yet").",
                remedy: "See 'assent show \(workflow) \(record.id.index)'.")
        }
        let printed = try context.look.assets(record.id).filter { $0.run == run.id && $0.isOfCommand }
        guard printed.isEmpty || log else {
            show(CommandOutputs(of: printed).assets, of: run, in: context, output)
            return .succeeded
        }
        let text = LogTail.text(of: run, in: context.again)
        let all = LogTail.lines(text ?? "")
        let lines = chosen(all)
        let rest = remainder(all.count, "logs \(workflow) \(record.id.index) --log --run \(run.id.attempt)")
        output.show(
            lines.isEmpty
                ? [StyledText("Run \(run.id.attempt) of step \(record.id.index) has left no log.", .dim)]
                : rest.lines(columns: output.columns, indent: 0) + lines.map { StyledText($0) },
            json: [
                .of([
                    "run": .string(run.id.description), "lines": .array(lines.map { .string($0) }),
                    "ending": run.ending.map { .string($0) },
                ])
            ])
        return .succeeded
    }
}

extension Logs {
    /// Returns the step that failed last, or else the step that ran last, and shows which one it is.
    private func last(of workflow: WorkflowID, in context: CommandContext, _ output: Output) throws(Failure)
        -> StepRecord
    {
        _ = try Find.workflow(workflow, in: context)
        let ran = try context.look.steps(workflow).filter { $0.attempt > 0 }.sorted { $0.updatedAt < $1.updatedAt }
        let failed = ran.last { $0.state == .failed }
        guard let found = failed ?? ran.last else {
            throw Failure(.badUsage, "No step of \(workflow) has run yet.", remedy: "See 'assent show \(workflow)'.")
        }
        let why = failed == nil ? "the last that ran" : "the last that failed"
        output.tell(
            notice: "of step \(VisibleText.cut(context.look.rows(of: workflow).label(of: found), to: 40)), \(why)")
        return found
    }

    /// Returns the requested lines, or else the last ones.
    private func chosen(_ lines: [String]) -> ArraySlice<String> {
        span.range(of: lines.count).map { lines.entries($0) } ?? lines.suffix(Limits.logTailLines)
    }

    private func remainder(_ count: Int, _ verb: String) -> Remainder? {
        span.isGiven ? nil : Remainder(1..<max(1, count - Limits.logTailLines + 1), of: count, "earlier line", verb)
    }

    /// Shows the last lines of each output stream of a command.
    private func show(_ streams: [Asset], of run: RunRecord, in context: CommandContext, _ output: Output) {
        let read = streams.map { asset in
            let text = (context.look.text(asset.hash) ?? "").unicodeScalars
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
            return (asset: asset, lines: text.isEmpty || text.last == "\n" ? Array(lines.dropLast()) : lines)
        }
        let drawn = read.filter { !$0.asset.isEmptyErrors }.flatMap { asset, lines in
            let name = asset.port == "errors" ? "standard error" : "standard output"
            let size = "\(Amounts.count(lines.count, "line")), \(Amounts.size(asset.bytes))"
            let head = [
                StyledText("\(name)  \(size)", .dim)
                    + (asset.port == "errors" ? StyledText() : ResultLine.exit(asset.meta))
            ]
            let form =
                ContentKind.isPlain(name: asset.name, type: asset.type, Array((lines.first ?? "").utf8))
                ? "" : " --text"
            let rest = remainder(lines.count, "view \(asset.label)\(form)")
            return head + rest.lines(columns: output.columns, indent: 0)
                + chosen(lines).flatMap { line in
                    // The CR at the end of a DOS line is not part of it.
                    VisibleText.lines(line.unicodeScalars.last == "\r" ? String(line.unicodeScalars.dropLast()) : line)
                        .map {
                            Gutter.mark + StyledText($0)
                        }
                }
        }
        output.show(
            drawn,
            json: [
                .of([
                    "run": .string(run.id.description), "ending": run.ending.map { .string($0) },
                    "lines": .array(read.flatMap { chosen($0.lines).map { .string($0) } }),
                    "outputs": .array(
                        read.map { asset, lines in
                            .of([
                                "port": .string(asset.port), "exit": asset.meta["exit"], "ended": asset.meta["ended"],
                                "bytes": .int(asset.bytes), "lineCount": .int(lines.count),
                                "lines": .array(chosen(lines).map { .string($0) }),
                            ])
                        }),
                ])
            ])
    }
}
