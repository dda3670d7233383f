/// The change of a text file by a call. Both texts are the ones that were hashed into the call, so that they can be
/// compared on the screen.
package struct TextChange: Hashable, Sendable {
    /// The old text, or `nil` if there was no file.
    package var before: String?
    /// The new text, or `nil` if there will be no file.
    package var after: String?

    package init(before: String?, after: String?) {
        self.before = before
        self.after = after
    }
}
