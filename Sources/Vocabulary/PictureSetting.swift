/// How pictures are shown in the terminal, as the user sets it (`pictures: auto` in `settings.yaml`).
package enum PictureSetting: String, Hashable, Sendable, CaseIterable {
    /// The method that fits the terminal, found from the environment.
    case auto
    case kitty, iterm, sixel
    /// Coloured characters.
    case symbols
    case none
}
