package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct History: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "List past conversations, or show one.",
        discussion: """
            Examples:

              assent history
              assent history s2
              assent history --search notes
            """)

    @Argument(help: "A conversation, such as s2.")
    var session: SessionID?

    @Option(help: "Only conversations in which these words occur.")
    var search: String?

    @Option(parsing: .unconditional, help: "How many at most: 20 unless said; all with --json.")
    var limit: Int?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let limit = try ListLimit.checked(limit, isForAll: output.isJSON)
        guard let session else {
            let all = try house.look.sessions(Int.max, search)
            let shown = Array(all.prefix(limit))
            output.show(
                HistoryList.lines(shown, now: house.now(), columns: output.columns)
                    + Layout.rest(shown: shown.count, of: all.count, columns: output.columns), json: shown.map(\.json))
            return .succeeded
        }
        let messages = try house.look.messages(session)
        guard let record = try house.look.sessions(Int.max, nil).first(where: { $0.id == session }) else {
            throw Failure("unknownSession", "There is no conversation \(session).", remedy: "See 'assent history'.")
        }
        output.show(
            HistoryTranscript.lines(record, messages: messages, now: house.now(), columns: output.columns), json: messages.map(\.json))
        return .succeeded
    }
}
