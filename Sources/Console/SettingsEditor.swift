import Actions
import JSON
import Terminal
import Vocabulary

extension Limits {
    /// The most problems of an edited file that are shown at once.
    fileprivate static let shownProblems = 8
}

/// The editing of the settings file in the user's editor. The file is checked before it is stored, and a problem in it
/// does not lose the written text.
struct SettingsEditor {
    let context: CommandContext
    let output: Output

    private var stored: SettingsActions { context.settings }

    func run() async throws(Failure) -> ExitStatus {
        let old = try stored.text()
        var text = old
        while true {
            guard let edited = try await edited(text) else {
                throw Failure(
                    .editorFailed, "The editor left no text; the settings are as they were.",
                    remedy: "Set EDITOR, or set one setting: \(Voice.call("settings slots.local 4"))")
            }
            if edited == old { return end("The settings are as they were.", isChanged: false) }
            let problems = stored.problems(of: edited)
            if problems.isEmpty {
                try stored.store(edited, over: old)
                return end("Stored in \(stored.path).", isChanged: true)
            }
            guard await wantsToGoOn(problems) else {
                return end("The settings are as they were.", isChanged: false, .badUsage)
            }
            text = edited
        }
    }

    private func edited(_ text: String) async throws(Failure) -> String? {
        let written = Kept<String?>(nil)
        let isLent = await output.screen.lend { [stored] terminal in written.value = stored.edit(text, at: terminal) }
        guard isLent else {
            throw Failure(
                .noTerminal, "There is no terminal here for your editor.",
                remedy: "Set one setting: \(Voice.call("settings slots.local 4"))")
        }
        return written.value
    }

    private func wantsToGoOn(_ problems: [Problem]) async -> Bool {
        let head = [StyledText("✗ ", .failure) + StyledText("This is not stored:", .bold)]
        let faults = problems.prefix(Limits.shownProblems).flatMap { problem in
            Layout.wrapped(
                StyledText("\(problem.place): \(problem.message)"), columns: output.columns, indent: 2, hanging: 4)
        }
        let rest = problems.count - Limits.shownProblems
        let more = rest > 0 ? [StyledText("  and \(rest) more", .dim)] : []
        let keys = [Talk.keys(["e": "edit it again", "d": "drop what you wrote"])]
        let talk = Talk(asking: QuestionDialogue(context: context, screen: output.screen))
        return await talk.key(head + faults + more + keys, of: ["e", "d"], atOnce: []) == "e"
    }

    private func end(_ words: String, isChanged: Bool, _ status: ExitStatus = .succeeded) -> ExitStatus {
        output.show(
            [StyledText(words, .dim)], json: [.of(["path": .string(stored.path), "changed": .bool(isChanged)])])
        return status
    }
}
