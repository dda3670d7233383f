package import JSON

/// What a person wants of a workflow, put down for the engine that carries it, in whatever process that is.
package struct Command: Hashable, Sendable {
    package enum Verb: Hashable, Sendable {
        case cancel
        /// With the inputs that failed: one step by its number, or all that failed (`semantics.md` 25).
        case retry(step: Int?)
        case rerun(Rerun)
        case answer(step: Int, await: Int64, Answer, by: String)
        case complete(step: Int, await: Int64, Completion, by: String)
        /// Whether the status of jobs is asked for.
        case poll(Bool)
        /// Which run of its producer an input takes; `nil`: the newest again (`semantics.md` 20).
        case pin(step: Int, port: String, attempt: Int?)
        /// A new graph, as the text of a template, and the graph revision that it was made from: it is refused if
        /// another holds by then. `nil`, as older programs put it down, takes the place of whichever holds.
        case revise(template: String, base: Int? = nil)
    }

    package var id: Int64
    package var workflow: WorkflowID
    package var verb: Verb
    /// Who wants it: `person`, `model`. Answers and completions name theirs themselves.
    package var by: String
    /// Of the session in which a model asked for it: what it sets going is decided under the stricter of both modes,
    /// and what would ask goes the way of that session, since a model may not borrow what another session was allowed.
    /// `nil` for a person's.
    package var terms: AskTerms?

    package init(id: Int64, workflow: WorkflowID, verb: Verb, by: String = "person", terms: AskTerms? = nil) {
        self.id = id
        self.workflow = workflow
        self.verb = verb
        self.by = by
        self.terms = terms
    }
}

/// Steps to run again with what their producers give now (`semantics.md` 25).
package struct Rerun: Hashable, Sendable {
    /// By its number; `nil`: everything that is stale.
    package var step: Int?
    /// Parameters to change, for that step.
    package var edits: JSON.Object?
    /// Whether what comes after it follows, as far as content changes.
    package var isBelow: Bool

    package init(step: Int? = nil, edits: JSON.Object? = nil, isBelow: Bool = false) {
        self.step = step
        self.edits = edits
        self.isBelow = isBelow
    }
}

/// What a person made of an await that is no question about a call (`semantics.md` 2, 40, 41).
package enum Completion: Hashable, Sendable {
    /// What comes out of a step that a person does. Their content is in the asset store already; the engine gives them
    /// their run.
    case outputs([Asset])
    /// A gate is passed; with other parameters, where the person changed some.
    case agreed(edits: JSON.Object?)
    /// - words: the person's own, by which the step is left out; empty for none.
    case skipped(words: String = "")
    case rejected(reason: String)
    /// Of a submission that may have been received: this is its id at the provider.
    case submittedAs(id: String)
    /// … look again whether the provider has it.
    case lookAgain
    /// … it is not there: submit it again.
    case submitAgain
}

extension Completion {
    /// Returns the skip of a step by a person.
    ///
    /// - Parameter words: the person's own, by which the step is left out; empty for none.
    /// - Throws: `badUsage` for more than `Limits.guideTextBytes`.
    package static func skip(_ words: String) throws(Failure) -> Completion {
        guard words.utf8.count <= Limits.guideTextBytes else {
            throw Failure(
                "badUsage", "The words of a skip have at most \(Limits.guideTextBytes) bytes.",
                remedy: "Write shorter ones.")
        }
        return .skipped(words: words)
    }
}
