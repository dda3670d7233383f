package import JSON

/// The steps that a retry, a rerun, a pin or a cancel would run, computed without running anything (`semantics.md` 25).
package struct Forecast: Hashable, Sendable {
    /// The attempts that would start, in a possible order. Attempts that start in any case are not listed.
    package var runs: [Run]
    /// The steps that would be stale afterwards if content changes, and that the command does not run.
    package var stale: [Int]

    package init(runs: [Run] = [], stale: [Int] = []) {
        self.runs = runs
        self.stale = stale
    }

    package var isEmpty: Bool { runs.isEmpty && stale.isEmpty }

    /// An attempt that would start if those before it succeed.
    package struct Run: Hashable, Sendable {
        package var run: RunID
        package var node: String
        package var kind: String
        /// The inputs in the order of the node's ports. Optional ports that no edge feeds are left out.
        package var inputs: [Input]
        package var params: JSON.Object
        /// The attempt whose inputs and parameters a retry uses again, or `nil` for other runs.
        package var repeats: Int?
        /// Whether the attempt starts whatever the results before it are. Otherwise it starts only if one of them is
        /// new.
        package var isCertain: Bool
        /// Whether a person does the step, or the template requires a question before it.
        package var needsPerson: Bool
        /// The error that would end the attempt before it starts, if there is one (`semantics.md` 26).
        package var fault: Failure?

        package init(
            run: RunID, node: String, kind: String, inputs: [Input], params: JSON.Object, repeats: Int? = nil,
            isCertain: Bool = true,
            needsPerson: Bool = false, fault: Failure? = nil
        ) {
            self.run = run
            self.node = node
            self.kind = kind
            self.inputs = inputs
            self.params = params
            self.repeats = repeats
            self.isCertain = isCertain
            self.needsPerson = needsPerson
            self.fault = fault
        }
    }

    package struct Input: Hashable, Sendable {
        package var port: String
        package var source: Source

        package init(_ port: String, _ source: Source) {
            self.port = port
            self.source = source
        }
    }

    package enum Source: Hashable, Sendable {
        /// An asset that exists already.
        case asset(Asset)
        /// The output of a run that is yet to start. If that run is not needed, the present asset of the step is used.
        case coming(RunID, port: String)
    }
}
