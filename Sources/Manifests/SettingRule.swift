import Vocabulary

/// A setting of `settings.yaml`, with its purpose and its values. `readSettings` decides whether a value is valid.
package struct SettingRule: Hashable, Sendable {
    /// The keys that lead to the setting, joined by full stops.
    package let name: String
    /// The purpose, in a sentence.
    package let summary: String
    /// The values that it takes, in words.
    package let form: String
    /// The default value.
    package let usual: String
    /// The way in which a change of the setting can make Assent ask less, or nil if no change can.
    package let loosening: Loosening?

    /// A way in which a change of a setting can make Assent ask less.
    package enum Loosening: Hashable, Sendable {
        /// The mode of later sessions asks less.
        case mode
        /// Workflows may spend more before they ask.
        case budget
    }

    /// Whether the setting is read once when Assent starts, so that a change holds from the next start on.
    package var isReadAtStart: Bool { Self.namesReadAtStart.contains(name) || path.first == Self.providers }

    private static let namesReadAtStart: Set = [
        "budget.workflow", "slots.local", "slots.remote", "key_command", "model",
    ]

    /// The keys that lead to the setting.
    package var path: [String] { name.split(separator: ".").map(String.init) }

    /// The settings with one value each, in the order in which they are listed. Variables of providers of jobs are
    /// further ones.
    package static let all = [
        SettingRule(
            name: "mode", summary: "How much is asked.", form: "always-ask, adaptive or auto",
            usual: ConfirmationMode.adaptive.rawValue, loosening: .mode),
        SettingRule(
            name: "budget.workflow", summary: "The dollars that a workflow may spend before it asks.",
            form: "dollars, such as 0.5",
            usual: "\(Limits.workflowBudget.description.dropLast(2))", loosening: .budget),
        SettingRule(
            name: "slots.local", summary: "The steps that run at once on this machine.",
            form: "a number from 1 to \(Limits.mostSlots)",
            usual: "\(Limits.localSlots)"),
        SettingRule(
            name: "slots.remote", summary: "The jobs that run at once elsewhere.",
            form: "a number from 1 to \(Limits.mostSlots)",
            usual: "\(Limits.remoteSlots)"),
        SettingRule(
            name: "language", summary: "The language in which the built-in planner reads sentences.",
            form: "a code, such as en",
            usual: "en"),
        SettingRule(
            name: "pictures", summary: "How pictures are shown in the terminal.",
            form: PictureSetting.allCases.map(\.rawValue).joined(separator: ", "), usual: PictureSetting.auto.rawValue),
        SettingRule(
            name: "clipboard", summary: "Whether /copy may give texts to the clipboard of the terminal.",
            form: "true or false",
            usual: "false"),
        SettingRule(
            name: "notify.when", summary: "When you are notified that a workflow needs you, failed or ended.",
            form: NoticePreference.When.allCases.map(\.rawValue).joined(separator: ", "),
            usual: NoticePreference.When.unfocused.rawValue),
        SettingRule(
            name: "notify.by", summary: "How you are notified.",
            form: NoticePreference.Way.allCases.map(\.rawValue).joined(separator: ", "),
            usual: NoticePreference.Way.auto.rawValue),
        SettingRule(
            name: "notify.command", summary: "The program that is run for each notification, too.",
            form: "a program with its words, which reads JSON from its standard input", usual: "none"),
        SettingRule(
            name: "key_command", summary: "The program that is asked for keys.",
            form: "a program with its words, such as pass show {name}",
            usual: "none"),
        SettingRule(
            name: "camera.command", summary: "The program that takes a photograph with the camera.",
            form: "a program with its words, with {file} where it writes the photograph",
            usual: CameraCommand.usual.joined(separator: " ")),
    ]

    /// The key below which the variables of providers stand: `providers.ID.VARIABLE`.
    package static let providers = "providers"

    /// Creates the rule of a setting.
    init(name: String, summary: String, form: String, usual: String, loosening: Loosening? = nil) {
        self.name = name
        self.summary = summary
        self.form = form
        self.usual = usual
        self.loosening = loosening
    }

    /// Returns the rule of a name, or `nil` if there is no such setting.
    package static func named(_ name: String) -> SettingRule? {
        if let known = all.first(where: { $0.name == name }) { return known }
        let path = name.split(separator: ".", omittingEmptySubsequences: false)
        guard path.count == 3, path[0] == providers, path.allSatisfy({ !$0.isEmpty }) else { return nil }
        return SettingRule(
            name: name, summary: "A variable of the provider \(path[1]).", form: "as its provider says", usual: "none")
    }
}
