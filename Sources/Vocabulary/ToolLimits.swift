/// Bounds of single tools.
extension Limits {
    /// The lines of a text that a tool sorts, filters or numbers.
    package static let textLines = 5_000_000
    /// The longest side of a picture that is made, in pixels, and the most pixels of one that is scaled.
    package static let pictureSide = 65_535
    package static let resizedPixels = 500_000_000
    /// The bounds of an archive that is unpacked: entries, how deep folders may lie in folders, and bytes. An archive may unpack to
    /// `unpackedRatio` times its own size, and a small one to `unpackedFreeBytes`.
    package static let unpackedFiles = 20_000
    package static let unpackedDepth = 32
    package static let unpackedBytes = 4 << 30
    package static let unpackedRatio = 200
    package static let unpackedFreeBytes = 64 << 20
    /// The bounds of the list of an archive: its bytes, the seconds it may take, the entries that a question names one by one, and the lists
    /// that are remembered.
    package static let unpackedListBytes = 16 << 20
    package static let unpackedListSeconds = 60.0
    package static let unpackedTargets = 500
    package static let rememberedListings = 4
    /// The bounds of a search in files: how deep folders may lie in folders, names that are looked at, files and bytes that are read,
    /// matches, and the characters of a line that are told.
    package static let searchedDepth = 64
    package static let searchedNames = 200_000
    package static let searchedFiles = 20_000
    package static let searchedFileBytes = 16 << 20
    package static let searchedBytes = 512 << 20
    package static let foundLines = 5_000
    package static let foundLineCharacters = 500
}
