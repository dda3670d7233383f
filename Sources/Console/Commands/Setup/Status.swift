import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

extension Limits {
    /// The most running workflows that `status` lists, and the days of usage among which it looks for today.
    fileprivate static let statusRows = 10
}

package struct Status: Verb {
    package static let description = CommandDescription(
        "status", in: .setup,
        summary: "Show where things stand: model, mode, tokens, what runs, and what waits for you.",
        examples: ["status"])

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let standing = try Standing(of: context)
        output.show(
            StatusView.lines(standing, now: context.now(), columns: output.columns), json: [StatusView.json(standing)])
        return .succeeded
    }
}

/// The facts that `status` shows.
struct Standing {
    let workspace: String
    /// The conversation, or nil outside of one.
    let session: SessionRecord?
    /// The model as the banner names it, or nil for the built-in planner.
    let model: String?
    /// The mode, which says how much is asked, or a failure if the settings cannot be used.
    let mode: Result<ConfirmationMode, Failure>
    /// The tokens that models used in the conversation, or nil if there were none. `today` has those of today.
    let sessionUsage: UsageTotal?
    let today: UsageTotal?
    /// The active workflows, the newest first. `runningCount` is the number of all.
    let running: [WorkflowSummary]
    let runningCount: Int
    /// The workflows that could move while no process runs them.
    let standing: [WorkflowID]
    /// The questions that wait for the person, by urgency and age.
    let waiting: [AwaitRecord]
    let workers: [BackgroundWorker]
    /// The words about the programs that commands see, or the failure of the list.
    let programs: Result<String, Failure>

    /// Reads all facts once.
    init(of context: CommandContext) throws(Failure) {
        let now = context.now()
        workspace = context.workspace
        session = if let id = context.session { try? context.sessions.find(id) } else { nil }
        model = context.settings.modelName
        do throws(Failure) { mode = .success(try context.mode()) } catch { mode = .failure(error) }
        sessionUsage =
            if let name = session?.id.description {
                try context.sessions.usage(.session, Int.max).first { $0.name == name }
            } else { nil }
        let day = Amounts.date(now)
        today = try context.sessions.usage(.day, Limits.statusRows).first { $0.name == day }
        (running, runningCount) = try context.again.list(
            WorkflowQuery(
                filter: .active, order: .number, words: nil, includesArchived: false, limit: Limits.statusRows))
        standing = try context.standing(running)
        waiting = try context.look.awaits(false).filter { [.pending, .claimed].contains($0.status(at: now)) }
        workers = try context.look.workers()
        do throws(Failure) {
            programs = .success(context.programs.words(try context.programs.list()))
        } catch {
            programs = .failure(error)
        }
    }
}
