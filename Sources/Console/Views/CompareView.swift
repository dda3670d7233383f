import Actions
package import JSON
import Progress
package import Terminal
package import Vocabulary

/// Two runs of a step, and their differences.
package struct RunComparison: Hashable, Sendable {
    package let runs: [RunRecord]
    package let params: [Difference<JSON>]
    package let inputs: [Difference<Asset>]
    package let outputs: [Difference<Asset>]
    /// The duration of each run in seconds, until now if it has not ended. Of a command it is the time that it ran.
    package let seconds: [Double]
    /// The exit code of each run's command, or nil for other runs.
    package let exits: [Int?]

    /// The values of one name on both sides. A missing value is nil.
    package struct Difference<Value: Hashable & Sendable>: Hashable, Sendable {
        package let name: String
        package let values: [Value?]
        package let isSame: Bool
    }

    /// Compares two runs.
    ///
    /// - Parameters:
    ///   - assets: the assets of this step, of all runs.
    ///   - tool: the tool, which names the secret parameters.
    package init(_ one: RunRecord, _ other: RunRecord, assets: [Asset], tool: ToolManifest?, now: Moment) {
        runs = [one, other]
        params = Self.differences(
            [one, other].map { run in
                Dictionary(run.params.withoutSecrets(tool).members.map { ($0.key, $0.value) }) { first, _ in first }
            }
        ) { $0 == $1 }
        // Assets are compared by content. The same bytes under the same name, from another run, are equal.
        func isSame(_ one: Asset, _ other: Asset) -> Bool { one.hash == other.hash && one.name == other.name }
        inputs = Self.differences([one.inputs, other.inputs], isSame)
        outputs = Self.differences(
            [one, other].map { run in
                Dictionary(assets.filter { $0.run == run.id }.map { ($0.port, $0) }) { first, _ in first }
            }, isSame)
        let made = [one, other].map { run in assets.filter { $0.run == run.id } }
        exits = made.map { $0.lazy.compactMap(\.exitCode).first }
        seconds = zip([one, other], made).map { run, made in
            made.lazy.compactMap(\.commandSeconds).first ?? (run.finishedAt ?? now).seconds(since: run.startedAt)
        }
    }

    private static func differences<Value>(
        _ sides: [[String: Value]], _ isSame: (Value, Value) -> Bool
    ) -> [Difference<Value>] {
        Set(sides.flatMap(\.keys)).sorted().map { name in
            let values = sides.map { $0[name] }
            let same = if let one = values[0], let other = values[1] { isSame(one, other) } else { false }
            return Difference(name: name, values: values, isSame: same)
        }
    }

    package var hasSameTool: Bool { runs[0].toolVersion == runs[1].toolVersion }
}

package enum CompareView {
    package static func lines(_ comparison: RunComparison, of step: StepRecord, columns: Int) -> [StyledText] {
        let runs = comparison.runs
        let head =
            StyledText("step \(step.id.index) (\(step.node))", .bold)
            + StyledText("  run \(runs[0].id.attempt) and run \(runs[1].id.attempt)", .dim)
        var rows: [[StyledText]] = [
            [
                StyledText("ended", .dim), StateSign(ending: runs[0].ending, exit: comparison.exits[0]).text,
                StateSign(ending: runs[1].ending, exit: comparison.exits[1]).text,
            ],
            [StyledText("time", .dim)] + comparison.seconds.map { StyledText(Amounts.duration($0)) },
            [StyledText("tool", .dim)] + runs.map { StyledText($0.toolVersion.map(Values.short) ?? "not noted") } + [
                mark(comparison.hasSameTool)
            ],
        ]
        rows += comparison.params.map { row("param", $0) { value in VisibleText.cut(Values.text(value), to: 40) } }
        rows += comparison.inputs.flatMap { assets("in", $0) }
        rows += comparison.outputs.flatMap { assets("out", $0) }
        let failures = runs.compactMap { run in run.failure.map { (run, $0) } }.flatMap { run, failure in
            Layout.wrapped(
                StyledText("run \(run.id.attempt)  ", .dim) + FailureLine.text(failure), columns: columns, indent: 3,
                hanging: 5)
        }
        return Layout.wrapped("  " + head, columns: columns, hanging: 4)
            + Layout.table(rows, columns: columns, indent: 3) + failures
    }

    private static func row<Value>(
        _ label: String, _ difference: RunComparison.Difference<Value>, _ words: (Value) -> String
    ) -> [StyledText] {
        [StyledText("\(label) \(difference.name)", .dim)]
            + difference.values.map { value in value.map { StyledText(words($0)) } ?? StyledText("—", .dim) } + [
                mark(difference.isSame)
            ]
    }

    /// Returns a row with names and sizes, and one with hashes below it. On one line, the differing parts of the hashes
    /// would be cut first.
    private static func assets(_ label: String, _ difference: RunComparison.Difference<Asset>) -> [[StyledText]] {
        var second = row("", difference) { "sha256 \(Values.short($0.hash))" }
        (second[0], second[second.count - 1]) = (StyledText(), StyledText())
        return [row(label, difference) { "\($0.name) \(Amounts.size($0.bytes))" }, second]
    }

    /// Returns a mark with a word, so that colour alone never tells the difference.
    private static func mark(_ isSame: Bool) -> StyledText {
        isSame ? StyledText("same", .dim) : StyledText("≠ differs", .warning)
    }
}

extension RunComparison {
    package var json: JSON {
        .of([
            "runs": .array(runs.map { .string($0.id.description) }),
            "endings": .array(runs.map { $0.ending.map { .string($0) } ?? .null }),
            "milliseconds": .array(seconds.map { .int(Int(($0 * 1000).rounded())) }),
            "toolVersions": .array(runs.map { $0.toolVersion.map { .string($0.hex) } ?? .null }),
            "sameTool": .bool(hasSameTool),
            "params": .array(params.map { $0.json { $0 } }), "inputs": .array(inputs.map { $0.json(\.json) }),
            "outputs": .array(outputs.map { $0.json(\.json) }),
            "failures": .array(runs.map { $0.failure?.json ?? .null }),
        ])
    }
}

extension RunComparison.Difference {
    fileprivate func json(_ shown: (Value) -> JSON) -> JSON {
        ["name": .string(name), "same": .bool(isSame), "values": .array(values.map { $0.map(shown) ?? .null })]
    }
}
