import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct SettingsCommand: Verb {
    package static let description = CommandDescription(
        "settings", in: .setup,
        summary: "Show each setting and where it comes from; set one, put it back, or edit the file.",
        details: """
            The file is settings.yaml in the config folder. A change of one setting leaves the other lines as you wrote them. With --edit \
            your editor opens ($VISUAL, $EDITOR), and what it leaves is checked before it is stored.
            """,
        examples: ["settings", "settings slots.local 4", "settings slots.local --reset", "settings --edit"],
        takes: [[.settingName], [.free]])

    @Argument(help: "The setting, such as slots.local.")
    var name: String?

    @Argument(help: "Its new value.")
    var value: String?

    @Flag(help: "Put the setting back to what it is by itself.")
    var reset = false

    @Flag(help: "Open the file in your editor.")
    var edit = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func validate() throws {
        if edit, name != nil || reset { throw ValidationError("--edit opens the whole file, and takes no setting.") }
        if reset, name == nil { throw ValidationError("Which setting? Such as: settings slots.local --reset") }
        if reset, value != nil { throw ValidationError("--reset takes no value.") }
    }

    package var role: CommandRole { isChange ? .decides : .looks }

    /// Whether the call needs valid settings. Invalid ones can still be listed and edited.
    package var needsSettings: Bool { isChange && !edit }

    private var isChange: Bool { value != nil || reset || edit }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        if edit { return try await SettingsEditor(context: context, output: output).run() }
        if let name, isChange {
            guard try await change(name, in: context, output) else { return .denied }
        }
        let entries = try shown(in: context)
        guard name == nil || !entries.isEmpty else {
            throw unknown(name ?? "", in: try context.settings.entries())
        }
        output.show(
            SettingsView.lines(
                entries, path: context.settings.path, isWhole: name == nil, columns: output.columns),
            json: entries.map(\.json))
        for notice in isChange ? notices(entries, context) : [] { output.tell(notice: notice) }
        return .succeeded
    }

    /// Returns from when on a change holds, if it does not at once, and the problems of variables of providers.
    private func notices(_ entries: [SettingEntry], _ context: CommandContext) -> [String] {
        let problems = context.settings.providerProblems().map { "\($0.place): \($0.message)" }
        guard entries.first?.isReadAtStart ?? true else { return problems }
        let others = context.chat == nil ? "Sessions that are open go on as before." : "This session goes on as before."
        return ["It holds from the next start of Assent on. \(others)"] + problems
    }

    /// Returns the settings, or the named one, with their present values.
    private func shown(in context: CommandContext) throws(Failure) -> [SettingEntry] {
        var entries = try context.settings.entries()
        // A conversation may have a mode of its own.
        if context.chat != nil, let place = entries.firstIndex(where: { $0.name == "mode" }) {
            let mode = try context.mode().rawValue
            if mode != entries[place].value {
                (entries[place].beaten, entries[place].value, entries[place].source) = (
                    entries[place].value, mode, .session
                )
            }
        }
        guard let name else { return entries }
        return entries.filter { $0.name == name || $0.name.hasPrefix(name + ".") }
    }

    /// Changes a setting.
    ///
    /// - Returns: false if the user would be asked less, and says no to that.
    private func change(_ name: String, in context: CommandContext, _ output: Output) async throws(Failure) -> Bool {
        let value = reset ? nil : value
        switch try context.settings.effect(of: name, to: value) {
        case .asksNoLess: break
        case .mode(let wanted):
            guard try await ModeChange(wanted: wanted, isForLater: true).carryOut(in: context, output) else {
                return false
            }
        case .moreSpending(let before, let after):
            let less = AskingLess(
                words: "workflows spend up to \(after) without a question", kept: "It stays at \(before).",
                refusal: "To be asked less (\(after) in place of \(before))")
            guard try await less.isConfirmed(in: context, output) else { return false }
        }
        try context.settings.set(name, to: value)
        return true
    }

    private func unknown(_ name: String, in entries: [SettingEntry]) -> Failure {
        let near = NearestWord.of(name, among: entries.map(\.name)).map { "Did you mean \($0)?" }
        return Failure(
            .badUsage, "There is no setting \"\(name.prefix(60))\".",
            remedy: near ?? "\(Voice.call("settings")) lists them.")
    }
}

extension SettingEntry {
    fileprivate var json: JSON {
        .of([
            "setting": .string(name), "value": .string(value), "source": .string(sourceName),
            "line": line.map { .int($0) },
            "beaten": beaten.map { .string($0) }, "takes": form.isEmpty ? nil : .string(form),
        ])
    }

    private var sourceName: String {
        switch source {
        case .usual: "default"
        case .file: "file"
        case .session: "session"
        case .environment(let name): name
        }
    }

    private var line: Int? { if case .file(let line) = source { line } else { nil } }
}
