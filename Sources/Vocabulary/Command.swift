package import JSON

/// A request of a user or a model about a workflow. It is stored for the engine that runs the workflow, in whatever
/// process that is.
package struct Command: Hashable, Sendable {
    package enum Verb: Hashable, Sendable {
        case cancel
        /// Runs failed steps again with the inputs of their last attempt: one step by its number, or all that failed if
        /// `step` is `nil` (`semantics.md` 25).
        case retry(step: Int?)
        case rerun(Rerun)
        case answer(step: Int, await: Int64, Answer, by: String)
        case complete(step: Int, await: Int64, Completion, by: String)
        /// Whether the status of jobs is asked for.
        case poll(Bool)
        /// Pins an input to a run of its producer. `nil` releases it to the newest run (`semantics.md` 20).
        case pin(step: Int, port: String, attempt: Int?)
        /// Replaces the graph by the text of a template. The command is refused if the workflow's graph revision is not
        /// `base` any more. `nil`, as older programs store it, replaces any revision.
        case revise(template: String, base: Int? = nil)
    }

    package var id: Int64
    package var workflow: WorkflowID
    package var verb: Verb
    /// The wall time until which the command is held back, since its words are still being typed, or `nil`.
    package var heldUntil: Moment? = nil
    /// The origin of the request: `person` or `model`. Answers and completions name theirs themselves.
    package var by: String
    /// The terms of the session in which a model made the request, or `nil` for a request of a person. Calls that
    /// result from it are decided under the stricter of both modes, and their questions follow the terms of that
    /// session. So a model cannot use the permissions of another session.
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
    /// The number of the step, or `nil` for all stale steps.
    package var step: Int?
    /// The new values of parameters of that step.
    package var edits: JSON.Object?
    /// Whether the steps below run again too, if the content of their inputs changes.
    package var isBelow: Bool

    package init(step: Int? = nil, edits: JSON.Object? = nil, isBelow: Bool = false) {
        self.step = step
        self.edits = edits
        self.isBelow = isBelow
    }
}

/// A person's response to an await that is not a question about a call (`semantics.md` 2, 40, 41).
package enum Completion: Hashable, Sendable {
    /// The outputs of a step that a person does. Their content is in the asset store already, and the engine sets their
    /// run.
    case outputs([Asset])
    /// The gate is passed. `edits` holds the parameters that the person changed, if any.
    case agreed(edits: JSON.Object?)
    /// The step is skipped.
    ///
    /// - words: the person's reason for the skip, or empty for none.
    case skipped(words: String = "")
    case rejected(reason: String)
    /// The provider did receive the submission that was in doubt, and this is the job's id there.
    case submittedAs(id: String)
    /// Look again whether the provider has the job of the submission in doubt.
    case lookAgain
    /// The provider does not have the job, so submit it again.
    case submitAgain
}

extension Completion {
    /// Returns the completion that skips a step.
    ///
    /// - Parameter words: the person's reason, or empty for none.
    /// - Throws: `badUsage` for more than `Limits.guideTextBytes`.
    package static func skip(_ words: String) throws(Failure) -> Completion {
        guard words.utf8.count <= Limits.guideTextBytes else {
            throw Failure(
                .badUsage, "The words of a skip have at most \(Limits.guideTextBytes) bytes.",
                remedy: "Write shorter ones.")
        }
        return .skipped(words: words)
    }
}
