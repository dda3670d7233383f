/// A setting of the user: its value now, and where that value comes from.
package struct SettingEntry: Hashable, Sendable {
    /// The source of the value of a setting.
    package enum Source: Hashable, Sendable {
        /// The default, since no other source sets a value.
        case usual
        /// A line of the settings file, from 1.
        case file(line: Int)
        /// A verb of the conversation, whose effect ends with it.
        case session
        /// A variable of the environment, such as `LANG`.
        case environment(String)
    }

    /// The keys that lead to the setting in the file, joined by full stops: `slots.local`.
    package let name: String
    package var value: String
    /// The keys that lead to the setting in the file, joined by full stops: `slots.local`.
    package let usual: String
    package var source: Source
    /// The value of the file if another source overrides it, or `nil` if none does.
    package var beaten: String?
    /// The purpose, in a sentence.
    package let summary: String
    /// The values that it takes.
    package let form: String
    /// Whether a change holds from the next start of Assent on, and not in sessions that are open.
    package var isReadAtStart = false

    /// Creates the entry of a setting.
    package init(
        name: String, value: String, usual: String, source: Source, beaten: String? = nil, summary: String, form: String
    ) {
        self.name = name
        self.value = value
        self.usual = usual
        self.source = source
        self.beaten = beaten
        self.summary = summary
        self.form = form
    }
}
