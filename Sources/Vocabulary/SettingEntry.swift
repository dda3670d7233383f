/// A setting of the user: its value now, and where that value comes from.
package struct SettingEntry: Hashable, Sendable {
    /// The source of the value of a setting.
    package enum Source: Hashable, Sendable {
        /// The setting itself: nothing else says its value.
        case usual
        /// A line of the settings file, from 1.
        case file(line: Int)
        /// A verb of the conversation, for as long as that lasts.
        case session
        /// A variable of the environment, such as `LANG`.
        case environment(String)
    }

    /// The keys that lead to it in the file, with full stops between them: `slots.local`.
    package let name: String
    package var value: String
    /// The value that it has if nothing is said.
    package let usual: String
    package var source: Source
    /// The value that the file gives, and that something else beats; `nil` where nothing does.
    package var beaten: String?
    /// The purpose, in a sentence.
    package let summary: String
    /// The values that it takes.
    package let form: String

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
