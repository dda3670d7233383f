package import Vocabulary

/// The settings of the user one by one, in their file.
package protocol SettingsTable: Sendable {
    /// The path of the file, which need not be there.
    var path: String { get }
    /// Returns all settings, each with where its value comes from.
    ///
    /// - Throws: `badSettings`.
    func entries() throws(Failure) -> [SettingEntry]
    /// Changes one setting.
    ///
    /// - Parameter value: as it was typed; `nil` puts the setting back to what it is by itself.
    /// - Throws: `badUsage` for a name or value that is none, `badSettings` if the file cannot be read or changed.
    func set(_ name: String, to value: String?) throws(Failure)
    /// Returns what is wrong with the variables that the file sets for providers of jobs.
    func providerProblems() -> [Problem]
    /// Returns the text of the file; empty if there is none.
    ///
    /// - Throws: `badSettings` if it cannot be read.
    func text() throws(Failure) -> String
    /// Returns what is wrong with a text that is to be stored.
    func problems(of text: String) -> [Problem]
    /// Stores a text in place of the one that was edited.
    ///
    /// - Throws: `badSettings` if the text has problems, or if the file is no longer what was edited.
    func store(_ text: String, over edited: String) throws(Failure)
    /// Opens the user's editor on a text. Blocks until the editor is closed.
    ///
    /// - Parameter terminal: the user's terminal, which nobody else reads or draws on meanwhile.
    /// - Returns: what was written; `nil` if there is no editor, or it left no text.
    func edit(_ text: String, at terminal: Int32) -> String?
}

/// No settings: for a house that is no program.
struct NoSettingsTable: SettingsTable {
    var path: String { "" }
    func entries() throws(Failure) -> [SettingEntry] { [] }
    func set(_ name: String, to value: String?) throws(Failure) { throw Self.none }
    func providerProblems() -> [Problem] { [] }
    func text() throws(Failure) -> String { "" }
    func problems(of text: String) -> [Problem] { [] }
    func store(_ text: String, over edited: String) throws(Failure) { throw Self.none }
    func edit(_ text: String, at terminal: Int32) -> String? { nil }

    private static var none: Failure { Failure(.badSettings, "There are no settings here.") }
}
