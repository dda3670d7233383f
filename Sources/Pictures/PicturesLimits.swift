package import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The longest side of a picture that is made, in pixels.
    package static let pictureSide = 65_535

    /// The most pixels of a picture that is made by scaling, or of all its pages.
    package static let resizedPixels = 500_000_000

    /// The most bytes of a drawing of a picture.
    static let drawnBytes = 4 << 20

    /// The processor time for making a thumbnail, a preview or a smaller copy, or what a model sees, in seconds.
    static let pictureProcessorSeconds = 30

    /// How long each of them may take, in seconds. On a busy machine it takes many times its processor time.
    static let pictureSeconds = 120.0

    /// The address space of a program that reads a picture, in bytes.
    static let pictureMemoryBytes = 1 << 30
}
