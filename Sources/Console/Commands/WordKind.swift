/// The meaning of a word of a command, which determines its completion.
package enum WordKind: Hashable, Sendable {
    case workflow
    /// A step of the workflow in the word before.
    case step
    /// A parameter that is set: `STEP.PARAM=VALUE`.
    case setting
    /// A result, such as `w3.2`.
    case result
    /// An entry of the inbox, by its number.
    case entry
    case conversation
    case template
    /// An input of the template in the word before, as `NAME=FILE`.
    case input
    case tool
    /// A preset by its name.
    case preset
    case file
    /// A connection to a model.
    case connection
    /// A profile of models that can be connected, or a provider of jobs.
    case provider
    case host
    /// A setting of the user, such as `slots.local`.
    case settingName
    /// A choice of a few words.
    case choice([String])
    /// Free words, a number, or a new name. They have no completion.
    case free

    /// Returns the kind of a word that is a value of an enumeration.
    static func choice<Word: CaseIterable & RawRepresentable>(of type: Word.Type) -> WordKind
    where Word.RawValue == String {
        .choice(type.allCases.map(\.rawValue))
    }
}
