package import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The longest side of a picture that is made, in pixels.
    package static let pictureSide = 65_535

    /// The most pixels of a picture that is made by scaling, or of all its pages.
    package static let resizedPixels = 500_000_000

    /// The most bytes of a drawing of a picture.
    static let drawnBytes = 4 << 20

    /// How long making a thumbnail, a preview or a smaller copy may take, in seconds.
    static let pictureSeconds = 30.0

    /// The address space of a program that reads a picture, in bytes.
    static let pictureMemoryBytes = 1 << 30
}
