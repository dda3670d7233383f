/// Bounds of single tools.
extension Limits {
    /// The lines of a text that a tool sorts, filters or numbers.
    package static let textLines = 5_000_000
    /// The rules of a manifest for standard error: how many rules or texts a list has, and the bytes of a text or a
    /// sentence.
    package static let errorRules = 64
    package static let leastErrorRuleBytes = 4
    package static let errorRuleBytes = 200
    /// The bytes of standard error that are looked through from its beginning, and kept as a log; the end is looked at
    /// as well.
    package static let heededErrorBytes = 64 << 10
    /// Different lines of warnings that are counted, and the characters of the line that is shown.
    package static let countedWarnings = 1_000
    package static let warningCharacters = 300
    /// The words of a manifest for what a tool drops: how many, and the bytes of each.
    package static let drops = 16
    package static let dropBytes = 200
    /// The bytes of a file that are in memory while its end is looked for.
    package static let pictureWindowBytes = 256 << 10
    /// The directories of a TIFF file that are looked at, and the strips or tiles of each.
    package static let tiffDirectories = 1_000
    package static let tiffStrips = 1_000_000
    /// The longest side of a picture that is made, in pixels, and the most pixels of one that is scaled.
    package static let pictureSide = 65_535
    package static let resizedPixels = 500_000_000
    /// A picture that is measured: its longest side after it was scaled, in pixels, the bytes of that, and the seconds
    /// for scaling it.
    package static let measuredSide = 512
    package static let measuredBytes = 512 << 10
    package static let measuringSeconds = 10.0
    /// A picture in which codes are looked for: its longest sides, tried one after the other, and the bytes of the
    /// larger one.
    package static let codeSides = [1600, 4096]
    package static let codePictureBytes = 20 << 20
    package static let codeSeconds = 20.0
    package static let codes = 50
    /// The seconds that a camera may take for one photograph, and the bytes of it.
    package static let cameraSeconds = 10.0
    package static let photographBytes = 64 << 20
    /// The bounds of an archive that is unpacked: entries, how deep folders may lie in folders, and bytes. An archive
    /// may unpack to `unpackedRatio` times its own size, and a small one to `unpackedFreeBytes`.
    package static let unpackedFiles = 20_000
    package static let unpackedDepth = 32
    package static let unpackedBytes = 4 << 30
    package static let unpackedRatio = 200
    package static let unpackedFreeBytes = 64 << 20
    /// The bounds of the list of an archive: its bytes, the seconds it may take, the entries that a question names one
    /// by one, and the lists that are remembered.
    package static let unpackedListBytes = 16 << 20
    package static let unpackedListSeconds = 60.0
    package static let unpackedTargets = 500
    package static let rememberedListings = 4
    /// The bounds of a search in files: how deep folders may lie in folders, names that are looked at, files and bytes
    /// that are read, matches, and the characters of a line that are told.
    package static let searchedDepth = 64
    package static let searchedNames = 200_000
    package static let searchedFiles = 20_000
    package static let searchedFileBytes = 16 << 20
    package static let searchedBytes = 512 << 20
    package static let foundLines = 5_000
    package static let foundLineCharacters = 500
}
