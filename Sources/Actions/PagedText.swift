/// A text on its way to a pager, piece by piece. Nothing is read before it is wanted.
package protocol PagedText: Sendable {
    /// Returns the next piece, which ends with a line, or nil at the end.
    ///
    /// - Parameter hasColour: whether the pager draws the sequences for styles.
    func next(hasColour: Bool) -> [UInt8]?
}
