import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct History: Verb {
    package static let description = CommandDescription(
        "history", in: .conversation,
        summary: "List past conversations, read or search them, copy, name, export or delete them.",
        details: """
            A search finds messages, and names and arguments of calls, that have all the words. The last word may be a beginning. \
            Signs, and words in scripts without spaces, are looked for letter by letter. A fork is a new conversation with all that \
            was said up to a turn and with it. The numbers of turns stand before what you said. Exported is Markdown (md), or a line \
            of JSON for each message (jsonl).
            """,
        examples: [
            "history s2",
            "history",
            "history search grayscale cat",
            "history resume s2",
            "history fork s2 3",
            "history rename s2 pictures for the site",
            "history export s2 md",
            "history delete s2",
        ],
        takes: [
            [.conversation, .choice(["search", "resume", "fork", "rename", "export", "delete"])], [.conversation],
            [.choice(of: ExportForm.self)],
        ],
        values: ["--limit": [.free], "--from": [.free]])

    @Argument(
        help: "A conversation, such as s2; or search, resume, fork, rename, export or delete, and what belongs to it.")
    var words: [String] = []

    @Option(help: ArgumentHelp("As 'history search'.", visibility: .hidden))
    var search: String?

    @Option(parsing: .unconditional, help: "How many at most: 20 unless said; all with --json.")
    var limit: Int?

    @Option(parsing: .unconditional, help: "The first entry of a list that is shown, from 1.")
    var from = 1

    @Flag(help: "All of it: what a model thought, and whole results.")
    var all = false

    @Flag(help: "Do not ask before deleting.")
    var yes = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { isChange ? .decides : .looks }

    var isChange: Bool { ["resume", "fork", "rename", "delete"].contains(words.first) }

    /// The meaning of the words of the command.
    enum Request: Equatable {
        case list
        case show(SessionID)
        case search(String)
        case resume(SessionID?)
        case fork(SessionID, turn: Int)
        case rename(SessionID, String)
        case export(SessionID, ExportForm)
        case delete(SessionID)
    }

    var request: Request? {
        if let search { return words.isEmpty ? .search(search) : nil }
        guard let first = words.first else { return .list }
        let session = words.count > 1 ? SessionID(parsing: words[1]) : nil
        switch (first, words.count) {
        case ("search", 2...): return .search(words.dropFirst().joined(separator: " "))
        case ("resume", 1): return .resume(nil)
        case ("resume", 2): return session.map { .resume($0) }
        case ("fork", 3): return session.flatMap { session in Int(words[2]).map { .fork(session, turn: $0) } }
        case ("rename", 3...): return session.map { .rename($0, words.dropFirst(2).joined(separator: " ")) }
        case ("export", 2): return session.map { .export($0, .md) }
        case ("export", 3):
            return session.flatMap { session in ExportForm(rawValue: words[2]).map { .export(session, $0) } }
        case ("delete", 2): return session.map { .delete($0) }
        case (_, 1): return SessionID(parsing: first).map { .show($0) }
        default: return nil
        }
    }

    package func validate() throws {
        guard request == nil else { return }
        throw ValidationError(
            "\"history \(words.joined(separator: " "))\" is not understood: see 'assent help history' for what there is."
        )
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        switch request {
        case .list, nil: try list(in: context, output)
        case .search(let words): try find(words, in: context, output)
        case .show(let id):
            let (record, messages) = (try context.sessions.find(id), try context.look.messages(id))
            let parts = try output.isJSON ? [] : ConversationStory(id, context.look).parts(messages)
            output.show(
                transcript(of: record, in: context, output.columns).lines(record, parts, now: context.now()),
                json: messages.map(\.json))
        case .resume(let id): return try await SessionResume.run(id, in: context, output)
        case .fork(let id, let turn):
            let made = try context.sessions.fork(id, turn)
            output.show(
                Layout.wrapped(
                    StyledText("\(made.id) \"\(made.title)\" has \(Amounts.count(made.messageCount, "message")) · ")
                        + StyledText(Voice.call("resume \(made.id)"), .dim), columns: output.columns), json: [made.json]
            )
        case .rename(let id, let title):
            let record = try context.sessions.rename(id, title)
            output.show([StyledText("\(id) is called \"\(record.title)\" now.")], json: [record.json])
        case .export(let id, let form):
            let (record, messages) = (try context.sessions.find(id), try context.look.messages(id))
            // Programs get JSON, and a file gets Markdown.
            let isJSON = output.isJSON || form == .jsonl
            let parts = try isJSON ? [] : ConversationStory(id, context.look).parts(messages)
            let transcript = transcript(of: record, in: context, Limits.exportColumns)
            output.inJSON(isJSON).show(
                SessionExport(transcript: transcript).markdown(record, parts), json: messages.map(\.json))
        case .delete(let id): return try await delete(id, in: context, output)
        }
        return .succeeded
    }

    private func transcript(of record: SessionRecord, in context: CommandContext, _ columns: Int) -> HistoryTranscript {
        HistoryTranscript(
            catalogue: context.shownTools(), workspace: record.workspace, isWhole: all, columns: columns)
    }

    private func list(in context: CommandContext, _ output: Output) throws(Failure) {
        let limit = try ListLimit.checked(limit, isForAll: output.isJSON)
        try ListLimit.checked(from: from)
        let (shown, rest) = ListLimit.page(
            try context.look.sessions(Int.max), from: from, limit: limit, "more conversation", "history")
        output.show(
            HistoryList.lines(shown, now: context.now(), columns: output.columns)
                + rest.lines(columns: output.columns), json: shown.map(\.json))
    }

    private func find(_ words: String, in context: CommandContext, _ output: Output) throws(Failure) {
        let limit = try ListLimit.checked(limit, isForAll: output.isJSON)
        // One more hit shows whether there are more.
        let hits = try context.sessions.search(words, limit == Int.max ? limit : limit + 1)
        let shown = Array(hits.prefix(limit))
        output.show(
            SearchView.lines(shown, hasMore: hits.count > limit, now: context.now(), columns: output.columns),
            json: shown.map(\.json))
    }

    private func delete(_ id: SessionID, in context: CommandContext, _ output: Output) async throws(Failure)
        -> ExitStatus
    {
        let record = try context.sessions.find(id)
        if !yes {
            guard output.canAsk else {
                throw Failure(
                    .badUsage, "This cannot be undone, and there is no terminal to ask at.", remedy: "Add --yes.")
            }
            let lines = Layout.wrapped(
                StyledText(
                    "Delete \(id) (\(record.title)) with its \(Amounts.count(record.messageCount, "message"))? This cannot be undone.",
                    .question), columns: output.columns)
            guard
                await QuestionDialogue(context: context, screen: output.screen).ask(
                    KeyQuestion(lines, .words([id.description])))
                    == .word(id.description)
            else {
                output.screen.show(StyledText("Nothing was deleted.", .dim))
                return .denied
            }
        }
        let staying = try context.sessions.delete(id).map(\.description)
        let words = staying.isEmpty ? "" : " What it started stays: \(NameList.words(staying))."
        output.show(
            Layout.wrapped(StyledText("\(id) is deleted.\(words)"), columns: output.columns),
            json: [
                ["session": .string(id.description), "deleted": true, "workflows": .array(staying.map { .string($0) })]
            ])
        return .succeeded
    }
}

/// The forms in which a conversation can be exported.
package enum ExportForm: String, Sendable, CaseIterable { case md, jsonl }
