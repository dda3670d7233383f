/// The place where the person names a model.
package enum ModelWish: Hashable, Sendable {
    /// The option `--model` of a command.
    case option
    /// The command `/model` in a chat.
    case session
}
