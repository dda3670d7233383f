/// Bounds of what is kept of commands, and of what they do not see.
extension Limits {
    /// Files and folders of the rehearsals that wait for an answer, and of what was there before changes.
    package static let rehearsalsKeptEntries = 200_000
    package static let preImagesKeptEntries = 500_000
    /// The names of hidden files that are told, and bytes of each.
    package static let unseenNames = 5
    package static let unseenNameBytes = 256
    /// Bytes of an index of git that is read, and of a file of git that holds one path.
    package static let gitIndexBytes = 128 << 20
    package static let gitNoteBytes = 8192
    /// Files of keys whose lines are looked for in what a command printed, and bytes of each.
    package static let comparedKeyFiles = 50
    package static let comparedKeyBytes = 64 << 10
    /// Bytes of the name of a variable that may hold a key.
    package static let longestKeyNameBytes = 64
}
