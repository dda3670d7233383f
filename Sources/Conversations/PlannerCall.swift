package import JSON
package import Vocabulary

/// The requests that a model can make, after they were read and checked. The list is closed, and none of them
/// approves anything (`consent.md` guarantee 2).
package enum PlannerCall: Hashable, Sendable {
    /// A workflow of `app.workflow/v2` as JSON, which must still be read, checked and started.
    case workflow(JSON, WorkflowTerms = WorkflowTerms())
    /// A look at files, by a kind of `Config/tools/looks.yaml` and its parameters. It is no workflow unless the
    /// user is asked about it.
    case look(kind: String, params: JSON.Object)
    /// Lines of a result of a workflow.
    case readResult(AssetName, LineRange)
    /// A search for kinds by words.
    case findTools(String)
    case listWorkflows
    case showWorkflow(WorkflowID, WorkflowPart = WorkflowPart())
    /// Waits until a workflow has ended or needs the user, at most some seconds.
    case wait(WorkflowID, seconds: Int)
    /// A retry of one failed step, by its node id or number, or of all failed steps.
    case retry(WorkflowID, step: String?)
    case cancel(WorkflowID)
    case readInbox
    case readMode
}

/// The terms of a workflow that a call starts: which one it corrects, how long the call waits for it, and what its
/// result is.
package struct WorkflowTerms: Hashable, Sendable {
    /// The workflow of the session that it corrects, if its planner says so. The user is asked whether that is
    /// undone first.
    package var corrects: WorkflowID?
    /// The seconds for which the call waits for the workflow, or nil if it waits until the workflow rests.
    package var seconds: Int?
    /// Whether it is a single command, edit or look. Its result is a text, and it does not begin while another one
    /// of the conversation is under way.
    package var isCommand: Bool

    /// Whether it is a question to the person, whose answer is the result.
    package var isQuestion: Bool
    /// The name under which the workflow is kept as a template, if the person agrees.
    package var keepAs: String?
    /// The problems that the form of the steps has. The workflow does not start, and its other problems are added.
    package var problems: [Problem]
    /// The steps whose problems in the graph may follow from those of the form alone.
    package var doubtful: Set<String>

    package init(
        corrects: WorkflowID? = nil, seconds: Int? = nil, isCommand: Bool = false, isQuestion: Bool = false,
        keepAs: String? = nil, problems: [Problem] = [], doubtful: Set<String> = []
    ) {
        (self.corrects, self.seconds, self.isCommand) = (corrects, seconds, isCommand)
        (self.isQuestion, self.keepAs) = (isQuestion, keepAs)
        (self.problems, self.doubtful) = (problems, doubtful)
    }
}

/// The lines of a text that a model wants to read.
package struct LineRange: Hashable, Sendable {
    /// The first line, counted from 1.
    package var from: Int
    package var lines: Int
    /// A byte in the first line, for a line that is too long for one result.
    package var offset: Int
    /// The page of a PDF that is wanted in place of lines, or nil.
    package var page: Int?

    package init(from: Int, lines: Int, offset: Int = 0, page: Int? = nil) {
        (self.from, self.lines, self.offset, self.page) = (from, lines, offset, page)
    }
}

/// The part of a workflow that a model wants to read: a summary, one step, or one output of a step from a byte on.
package struct WorkflowPart: Hashable, Sendable {
    /// The node id or the number of a step, or nil.
    package var step: String?
    /// The name of a port, or `log`, or nil.
    package var output: String?
    package var offset: Int?

    package init(step: String? = nil, output: String? = nil, offset: Int? = nil) {
        (self.step, self.output, self.offset) = (step, output, offset)
    }
}
