package import Vocabulary

/// The settings of the user, one by one, in their file.
package protocol SettingsTable: Sendable {
    /// The path of the file, which may be missing.
    var path: String { get }
    /// Returns all settings, each with the source of its value.
    ///
    /// - Throws: `badSettings`.
    func entries() throws(Failure) -> [SettingEntry]
    /// Changes one setting.
    ///
    /// - Parameter value: the value as it was typed, or nil for the default.
    /// - Throws: `badUsage` for an unknown name or a wrong value, `badSettings` if the file cannot be read or changed.
    func set(_ name: String, to value: String?) throws(Failure)
    /// Returns the problems of the variables that the file sets for providers of jobs.
    func providerProblems() -> [Problem]
    /// Returns the text of the file. It is empty if there is no file.
    ///
    /// - Throws: `badSettings` if it cannot be read.
    func text() throws(Failure) -> String
    /// Returns the problems of a text that is to be stored.
    func problems(of text: String) -> [Problem]
    /// Stores a text in place of the one that was edited.
    ///
    /// - Throws: `badSettings` if the text has problems, or if the file has changed since.
    func store(_ text: String, over edited: String) throws(Failure)
    /// Opens the user's editor on a text. Blocks until the editor is closed.
    ///
    /// - Parameter terminal: the user's terminal, which no other code may use meanwhile.
    /// - Returns: the edited text, or nil if there is no editor, or it left no text.
    func edit(_ text: String, at terminal: Int32) -> String?
}
