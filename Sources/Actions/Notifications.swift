import Engine
import Glibc
package import JSON
import Services
import Storage
package import Vocabulary

/// The use cases of notifications: the setting, the titles of workflows, the claims by which one process reports an
/// event, and the programs that notify the user.
package struct Notifications: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of a process.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// The setting, as the file says it now.
    package var setting: NoticePreference { shared.settings.notify }

    /// Whether a session bus of the desktop is at hand.
    package var hasBus: Bool {
        if let address = Folders.environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return true }
        guard let folder = Folders.environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return false }
        return access("\(folder)/bus", R_OK | W_OK) == 0
    }

    /// Returns the title of a workflow without keys, and its conversation. The title is empty if it is the words of a
    /// question, or if the storage cannot be read.
    package func subject(of id: WorkflowID) -> (title: String, session: SessionID?) {
        let records = WorkflowRecords(shared)
        do throws(Failure) {
            guard let record = try records.summary(id)?.record else { return ("", nil) }
            let isQuestion = try records.template(id)?.isQuestion ?? false
            return (isQuestion ? "" : shared.keyRing.filter.cut(record.title), record.session)
        } catch { return ("", nil) }
    }

    /// Returns the open entries of the inbox, and those of them that are neither snoozed nor being answered. Returns nil
    /// if nothing was stored since a version, or if the storage cannot be read.
    package func inbox(since version: Int?) -> (version: Int, open: [AwaitRecord], pending: [AwaitRecord])? {
        let records = WorkflowRecords(shared)
        do throws(Failure) {
            let newest = try records.version()
            guard newest != version else { return nil }
            let (open, now) = (try records.awaits(false), OpenWorkspace.now())
            return (newest, open, open.filter { $0.status(at: now) == .pending })
        } catch { return nil }
    }

    /// Claims the report of an event, so that one process makes it.
    ///
    /// - Parameter entry: the inbox entry that opened, or nil for the newest end of the workflow.
    /// - Returns: false if another process has claimed it, or if the claim cannot be stored.
    package func claims(_ id: WorkflowID, entry: Int64?) -> Bool {
        do throws(Failure) { return try shared.archive.get().tell(of: id, entry: entry) } catch { return false }
    }

    /// Shows a notification on the desktop with `notify-send`.
    ///
    /// - Parameters:
    ///   - isLast: whether the process ends now. Then it returns once the program has ended. Otherwise the program runs
    ///     on another thread.
    ///   - otherwise: called if that failed.
    package func showOnDesktop(_ text: String, isLast: Bool, otherwise: @escaping @Sendable () -> Void) {
        // The text is the summary, which has no markup. After "--" it is no option.
        let program = NoticeProgram(["notify-send", "--app-name=Assent", "--", text], secrets: shared.secrets)
        start(isLast) { if !program.run() { otherwise() } }
    }

    /// Runs the user's own program with JSON on its standard input, on another thread unless the process ends now.
    package func run(_ command: [String], _ json: JSON, isLast: Bool) {
        let program = NoticeProgram(command, secrets: shared.secrets)
        start(isLast) { _ = program.run(input: Array((json.text + "\n").utf8)) }
    }

    /// Runs work on another thread, or here if the process would end before it.
    private func start(_ isLast: Bool, _ work: @escaping @Sendable () -> Void) {
        if isLast { work() } else { shared.workers.run(work) }
    }
}
