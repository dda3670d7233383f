package import Harness
import JSON
package import Testing

/// The only types a line of events may have (`architecture.md`, "Events").
package let knownTypes: Set<String> = [
    "session.started", "session.left", "message.delta", "message.completed", "call.pending", "call.running",
    "call.succeeded",
    "call.failed",
    "call.declined", "call.waiting", "look.done", "usage", "question.asked", "question.answered", "workflow.created",
    "step.changed",
    "step.late", "await.opened", "await.changed", "await.closed", "workflow.changed", "workflow.finished", "error",
    "end",
]

/// What holds for the events of every command that prints them.
package func expectEvents(_ ending: ProgramEnding, exit: Int32, _ location: SourceLocation = #_sourceLocation) {
    #expect(ending.exit == exit, "\(ending.output)\(ending.errors)", sourceLocation: location)
    #expect(ending.complaints.isEmpty, "\(ending.errors)", sourceLocation: location)
    for line in ending.lines {
        #expect(
            line["v"]?.int == 1 && knownTypes.contains(line["type"]?.string ?? ""), "\(line.text)",
            sourceLocation: location)
        #expect(
            line["at"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(line.text)",
            sourceLocation: location)
    }
    #expect(ending.types.last == "end", "\(ending.output)", sourceLocation: location)
    #expect(ending.types.count { $0 == "end" } == 1, sourceLocation: location)
    #expect(ending.lines.last?["exit"]?.int == Int(exit), sourceLocation: location)
}
