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
    /// Bytes of the settings of a repository, and the links that are followed to it.
    package static let gitSettingsBytes = 1 << 20
    package static let gitLinks = 40
    /// Notes of files that came of keys, those of one new folder, bytes of all, and bytes of a file that is looked at.
    package static let privateNotes = 20_000
    package static let privateNotesInFolder = 500
    package static let privateNoteBytes = 128 << 20
    package static let privateNoteFileBytes = 64 << 20
    /// Files of keys whose lines are looked for in what a command printed, and bytes of each.
    package static let comparedKeyFiles = 50
    package static let comparedKeyBytes = 64 << 10
    /// Bytes of the name of a variable that may hold a key.
    package static let longestKeyNameBytes = 64
}
