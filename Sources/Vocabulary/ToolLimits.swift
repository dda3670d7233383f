/// Bounds of single tools.
extension Limits {
    /// The lines of a text that a tool sorts, filters or numbers.
    package static let textLines = 5_000_000
    /// The longest side of a picture that is made, in pixels, and the most pixels of one that is scaled.
    package static let pictureSide = 65_535
    package static let resizedPixels = 500_000_000
}
