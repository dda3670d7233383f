package import JSON

/// What a retry, a re-run, a pin or a cancel would make a workflow run: worked out, not done (`semantics.md` 25).
package struct Forecast: Hashable, Sendable {
    /// In an order in which they may be made. What would run anyway is not among them.
    package var runs: [Run]
    /// Steps that would be stale afterwards if content changes, and that nobody has asked to run.
    package var stale: [Int]

    package init(runs: [Run] = [], stale: [Int] = []) {
        self.runs = runs
        self.stale = stale
    }

    package var isEmpty: Bool { runs.isEmpty && stale.isEmpty }

    /// One attempt that would be made if those before it succeed.
    package struct Run: Hashable, Sendable {
        package var run: RunID
        package var node: String
        package var kind: String
        /// In the order of the node's ports; optional ports that nothing feeds are left out.
        package var inputs: [Input]
        package var params: JSON.Object
        /// The attempt whose snapshot it repeats: a retry.
        package var repeats: Int?
        /// Whether it is made whatever comes out of those before it; else only if something new does.
        package var isCertain: Bool
        /// Whether a person does it, or is asked before it by the template.
        package var needsPerson: Bool
        /// Why it would end before it starts (`semantics.md` 26).
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
        /// It is there.
        case asset(Asset)
        /// It will come of a run that is to be made; if that one turns out not to be needed, it is what the step has.
        case coming(RunID, port: String)
    }
}
