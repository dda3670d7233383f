package import Vocabulary

/// A part of a conversation, as a person reads it: a line, an answer, a look, or a workflow with its plan and its end.
package struct StoryPart: Hashable, Sendable {
    /// The content of a part.
    package enum Kind: Hashable, Sendable {
        /// The words of the person.
        case line(String)
        case system(String)
        case thought(String)
        /// The words of the model or of the planner. `isPartial`: whether they were cut off.
        case words(String, isPartial: Bool)
        /// A look of the model, such as `read a.txt`, with the text that the model has read.
        case look(String, read: String)
        /// A call that started nothing, with the reason.
        case refusal(String)
        case work(StoryWork)
    }

    /// The number of the turn.
    package var turn: Int
    package var kind: Kind

    /// Creates a part of a turn.
    package init(_ kind: Kind, turn: Int) { (self.kind, self.turn) = (kind, turn) }
}

/// A workflow that a conversation has started: its plan, the answers of persons, its results and its end.
package struct StoryWork: Hashable, Sendable {
    /// An answer to a question of a workflow.
    package struct Answer: Hashable, Sendable {
        /// The question, such as "delete a file".
        package var title: String
        /// The resolution as it is stored, such as `approved` or `rejected: too big`.
        package var resolution: String
        /// The answer itself, such as `blue`, or nil for a yes and a no.
        package var words: String?
        package var by: String?

        /// Creates an answer.
        package init(_ title: String, _ resolution: String, words: String? = nil, by: String? = nil) {
            (self.title, self.resolution, self.words, self.by) = (title, resolution, words, by)
        }
    }

    /// The workflow, or nil if none was started.
    package var id: WorkflowID?
    package var template: Template
    /// The questions that were answered, in their order.
    package var answers: [Answer] = []
    /// The results. The paths of those that were saved are set.
    package var outputs: [Event.Output] = []
    /// The texts of the short results that are texts.
    package var texts: [ContentHash: String] = [:]
    /// The end, or nil while the workflow is under way and if none was started.
    package var end: WorkflowEnd?

    /// Creates a workflow without answers and results.
    package init(_ id: WorkflowID?, _ template: Template) { (self.id, self.template) = (id, template) }
}
