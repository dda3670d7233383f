import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Save: Verb {
    package static let description = CommandDescription(
        "save", in: .files,
        summary: "Save a result as a file, outside of any workflow.",
        details: """
            A file that is there stays, unless --overwrite is said. What was saved can be undone with 'undo'.
            """,
        examples: [
            "save w3.2 cat-small.jpg",
            .init("save pictures/", note: "the newest result, under its own name"),
        ],
        takes: [[.result, .file], [.file]])

    @Argument(help: "What to save, as 'view' takes it, and where to. Without the first, the newest result.")
    var words: [String]

    @Flag(help: "Replace a file that is there.")
    var overwrite = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func validate() throws {
        guard (1...2).contains(words.count) else {
            throw ValidationError("What to save and where to are one word each.")
        }
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let content = try ViewFinder(context: context).find(ViewTarget(words.count == 2 ? words[0] : nil)).content
        guard !content.isFolder else {
            throw Failure(.badUsage, "\(content.name) is a folder.", remedy: "Copy it with a program.")
        }
        return try await SavedResult(context: context, output: output).save(
            content, to: words[words.count - 1], replaces: overwrite)
    }
}

/// The saving of a content as a file of the user, by a workflow of one step that can be undone.
struct SavedResult {
    let context: CommandContext
    let output: Output

    func save(_ content: ViewedContent, to path: String, replaces: Bool) async throws(Failure) -> ExitStatus {
        let events = context.events()
        if !output.isChat { try context.act.startEngine() }
        let (real, id) = try await context.viewing.save(
            content, to: path, replaces: replaces,
            WorkflowStart(session: context.session, mode: try context.mode(), onAsk: .park))
        output.followed.insert(id)
        let followed = await WorkflowFollower(
            workflow: id, records: context.look, asker: nil, isTakenUp: true
        )
        .untilItRests(events)
        guard followed.outcome == .succeeded else {
            throw followed.failures.first
                ?? Failure(.saveFailed, "\(id) has not ended well.", remedy: "See 'assent show \(id)'.")
        }
        output.show(
            [
                StyledText("Saved as ") + StyledText(Values.path(real, in: context.workspace), .accent)
                    + StyledText(" · \(Voice.call("undo \(id)"))", .dim)
            ],
            json: [
                .of([
                    "target": .string(content.target), "path": .string(real), "bytes": .int(content.bytes),
                    "workflow": .string(id.description),
                ])
            ])
        return .succeeded
    }
}
