/// What a call would make of a text file: both sides as they were hashed into the call, so that they can be compared on
/// the screen.
package struct TextChange: Hashable, Sendable {
    /// `nil` where nothing was there.
    package var before: String?
    /// `nil` where nothing will be there.
    package var after: String?

    package init(before: String?, after: String?) {
        self.before = before
        self.after = after
    }
}
