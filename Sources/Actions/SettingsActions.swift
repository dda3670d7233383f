import Services
package import Vocabulary

/// The use cases of the user's settings, which are stored in one file.
package struct SettingsActions: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of a process.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// The path of the file, which may be missing.
    package var path: String { shared.settings.path }

    /// The model as the banner shows it, such as `gpt-5 at 127.0.0.1:8080`, or nil for the built-in planner.
    package var modelName: String? { ModelActions(shared).name }

    /// Returns all settings, each with the source of its value. Keys are cut out of the values.
    ///
    /// - Throws: `badSettings`.
    package func entries() throws(Failure) -> [SettingEntry] {
        try shared.settings.entries(environment: Folders.environment).map { entry in
            var entry = entry
            entry.value = shared.keyRing.filter.cut(entry.value)
            return entry
        }
    }

    /// Returns the effect that a change of one setting would have on what Assent asks.
    ///
    /// - Parameter value: the value as it was typed, or nil for the default.
    /// - Throws: `badUsage` for an unknown name, or for an invalid value of a setting that decides what Assent asks.
    ///   `badSettings` if the file cannot be read.
    package func effect(of name: String, to value: String?) throws(Failure) -> SettingEffect {
        try shared.settings.effect(of: name, to: value)
    }

    /// Changes one setting.
    ///
    /// - Parameter value: the value as it was typed, or nil for the default.
    /// - Throws: `badUsage` for an unknown name or an invalid value, `badSettings` if the file cannot be read or
    ///   changed.
    package func set(_ name: String, to value: String?) throws(Failure) { try shared.settings.set(name, to: value) }

    /// Returns the mode with which sessions begin.
    ///
    /// - Throws: `badSettings`.
    package func mode() throws(Failure) -> ConfirmationMode { try shared.settings.mode() }

    /// Stores the mode with which later sessions begin.
    ///
    /// - Throws: `badSettings`.
    package func setMode(_ mode: ConfirmationMode) throws(Failure) { try shared.settings.setMode(mode) }

    /// Returns the problems of the variables that the file sets for providers of jobs.
    package func providerProblems() -> [Problem] {
        Shelves(folders: shared.folders, workspace: shared.workspace).providers().faults
    }

    /// Returns the text of the file. It is empty if there is no file.
    ///
    /// - Throws: `badSettings` if it cannot be read.
    package func text() throws(Failure) -> String { try shared.settings.text() }

    /// Returns the problems of a text that is to be stored.
    package func problems(of text: String) -> [Problem] { shared.settings.problems(of: text) }

    /// Stores a text in place of the one that was edited.
    ///
    /// - Throws: `badSettings` if the text has problems, or if the file has changed since.
    package func store(_ text: String, over edited: String) throws(Failure) {
        try shared.settings.store(text, over: edited)
    }

    /// Opens the user's editor on a text. Blocks until the editor is closed.
    ///
    /// - Parameter terminal: the user's terminal, which no other code may use meanwhile.
    /// - Returns: the edited text, or nil if there is no editor, or it left no text.
    package func edit(_ text: String, at terminal: Int32) -> String? {
        OwnEditor.ofThePerson?.write(text, named: "settings.yaml", at: terminal)
    }
}
