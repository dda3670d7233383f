package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct ShowTimeline: Verb {
    package static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Show what the time of a workflow, or of a step, was spent on.",
        discussion: """
            Example:

              assent timeline w3 2 --json
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "A step, by its number or node id.")
    var step: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (_, steps, number) = try Find.steps(of: workflow, step, in: house)
        let lines = try house.again.timelines(workflow)
        let chosen = lines.filter { number == nil || $0.step == number }
        output.show(
            TimelineView.lines(chosen, steps: steps, columns: output.columns),
            json: chosen.flatMap { line in line.segments.map { $0.json(of: workflow, step: line.step) } })
        return .succeeded
    }
}

package struct Compare: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Compare two runs of a step: parameters, inputs, outputs, times, tool.",
        discussion: """
            Examples:

              assent compare w3 2
              assent compare w3 2 1 4
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "A step, by its number or node id.")
    var step: String

    @Argument(help: "The numbers of two runs. Without them, the last two.")
    var runs: [Int] = []

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (_, steps, number) = try Find.steps(of: workflow, step, in: house)
        let record = steps[number! - 1]
        let all = try house.look.runs(record.id)
        guard runs.isEmpty || runs.count == 2 else {
            throw Failure("badUsage", "Two runs are compared, not \(runs.count).", remedy: "assent compare \(workflow) \(step) 1 2")
        }
        let wanted = runs.isEmpty ? all.suffix(2).map(\.id.attempt) : runs
        guard wanted.count == 2 else {
            throw Failure(
                "badUsage", "Step \(record.id.index) (\(record.node)) has \(Amounts.count(all.count, "run")): nothing to compare.")
        }
        var pair: [RunRecord] = []
        for attempt in wanted {
            guard let run = all.first(where: { $0.id.attempt == attempt }) else {
                let known = all.map { String($0.id.attempt) }.joined(separator: ", ")
                throw Failure("badUsage", "Step \(record.id.index) (\(record.node)) has no run \(attempt).", remedy: "It has \(known).")
            }
            pair.append(run)
        }
        let made = try house.look.assets(workflow).filter { $0.run.step == record.id }
        let comparison = RunComparison(pair[0], pair[1], assets: made, tool: house.catalogue()[record.kind], now: house.now())
        output.show(CompareView.lines(comparison, of: record, columns: output.columns), json: [comparison.json])
        return .succeeded
    }
}

package struct Logs: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Show the last lines that a run of a step wrote: of a command both streams, with its exit code.",
        discussion: """
            Examples:

              assent logs w3 2
              assent logs w3 2 --run 1
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "A step, by its number or node id.")
    var step: String

    @Option(name: .customLong("run"), help: "Its run; without it, the last.")
    var attempt: Int?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (_, steps, number) = try Find.steps(of: workflow, step, in: house)
        let record = steps[number! - 1]
        let runs = try house.look.runs(record.id)
        guard let run = runs.last(where: { attempt == nil || $0.id.attempt == attempt }) else {
            throw Failure(
                "badUsage", "Step \(record.id.index) (\(record.node)) has \(attempt.map { "no run \($0)" } ?? "not run yet").",
                remedy: "See 'assent show \(workflow) \(record.id.index)'.")
        }
        let printed = try house.look.assets(workflow).filter { $0.run == run.id && $0.isOfCommand }
        guard printed.isEmpty else {
            show(CommandOutputs(of: printed).assets, of: run, in: house, output)
            return .succeeded
        }
        let text = LogTail.text(of: run, in: house)
        let lines = LogTail.lines(text ?? "").suffix(Limits.logTailLines)
        output.show(
            lines.isEmpty
                ? [StyledText("Run \(run.id.attempt) of step \(record.id.index) has left no log.", .dim)] : lines.map { StyledText($0) },
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
    /// Shows what a command printed, of each stream the last lines.
    private func show(_ streams: [Asset], of run: RunRecord, in house: House, _ output: Output) {
        let read = streams.map { asset in
            let text = house.look.text(asset.hash) ?? ""
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return (asset: asset, lines: text.hasSuffix("\n") || text.isEmpty ? lines.dropLast() : lines[...])
        }
        let drawn = read.filter { !$0.asset.isEmptyErrors }.flatMap { asset, lines in
            let name = asset.port == "errors" ? "standard error" : "standard output"
            let size = "\(Amounts.count(lines.count, "line")), \(Amounts.size(asset.bytes))"
            let head = [StyledText("\(name)  \(size)", .dim) + (asset.port == "errors" ? StyledText() : ResultLine.exit(asset.meta))]
            let rest = lines.count - Limits.logTailLines
            let mark = rest > 0 ? [StyledText("… \(Amounts.count(rest, "earlier line")) …", .dim)] : []
            return head + mark + lines.suffix(Limits.logTailLines).flatMap { VisibleText.lines($0).map { Gutter.mark + StyledText($0) } }
        }
        output.show(
            drawn,
            json: [
                .of([
                    "run": .string(run.id.description), "ending": run.ending.map { .string($0) },
                    "lines": .array(read.flatMap { $0.lines.suffix(Limits.logTailLines).map { .string($0) } }),
                    "outputs": .array(
                        read.map { asset, lines in
                            .of([
                                "port": .string(asset.port), "exit": asset.meta["exit"], "ended": asset.meta["ended"],
                                "bytes": .int(asset.bytes), "lineCount": .int(lines.count),
                                "lines": .array(lines.suffix(Limits.logTailLines).map { .string($0) }),
                            ])
                        }),
                ])
            ])
    }
}

/// What is kept of a run's log: what its provider sent, or the end of what its program complained about.
enum LogTail {
    static func text(of run: RunRecord, in house: House) -> String? {
        if let tail = run.job?.logTail, !tail.isEmpty { return tail }
        return house.again.log(run)
    }

    /// What a progress bar drew over itself is one line.
    static func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n").map { line in
            String(line.split(separator: "\r").last.map { Substring($0) } ?? "")
        }.filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
