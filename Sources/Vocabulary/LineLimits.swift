/// The limits of what helps with a line: completion, the start, and pastes.
extension Limits {
    /// The newest workflows, conversations and entries that Tab knows, and the steps of one workflow.
    package static let completedNames = 50
    /// The names of files that Tab offers at once, and the entries of a folder that are read for that.
    package static let completedFiles = 100
    package static let completedEntries = 200_000
    /// The workflows, or entries of the inbox, that are named where a command could be meant for several.
    package static let namedChoices = 5
    /// The sentences that the start suggests, and the bytes of a file's name in one.
    package static let startSuggestions = 3
    package static let suggestedNameBytes = 40
    /// The lines of a paste that are orders of their own. A paste of more lines is one text.
    package static let pastedOrders = 20
}
