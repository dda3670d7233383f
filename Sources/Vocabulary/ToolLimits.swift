/// Bounds of single tools.
extension Limits {
    /// The lines of a text that a tool sorts, filters or numbers.
    package static let textLines = 5_000_000
}
