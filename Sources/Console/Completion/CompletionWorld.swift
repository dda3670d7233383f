package import Conversations
package import Terminal
package import Vocabulary

/// The names that completion can offer. Each list is bounded, and things with numbers come newest first. A list that
/// cannot be read is empty, since completion reports no failures.
package protocol CompletionWorld: Sendable {
    func workflows() -> [LineCandidate]
    func steps(of workflow: WorkflowID) -> [LineCandidate]
    func entries() -> [LineCandidate]
    func conversations() -> [LineCandidate]
    func templates() -> [LineCandidate]
    /// Returns the names of the inputs of a template.
    func inputs(ofTemplate name: String) -> [LineCandidate]
    func tools() -> [LineCandidate]
    func presets() -> [LineCandidate]
    func connections() -> [LineCandidate]
    func providers() -> [LineCandidate]
    func hosts() -> [LineCandidate]
    func settings() -> [LineCandidate]
    var folders: any FolderReading { get }
}

/// Names in the user's folders. Reading them is bounded, and changes nothing.
package protocol FolderReading: Sendable {
    /// Returns the names in a folder that begin with `stem`, sorted, and whether these are all.
    ///
    /// - Parameters:
    ///   - folder: a path, relative to the working folder or absolute.
    ///   - most: the most names that are returned.
    func names(in folder: String, startingWith stem: String, most: Int) -> (names: [FolderName], areAll: Bool)
    /// Lists the working folder and the folders in it, at most `Limits.knownFiles` entries.
    func listing() async -> [FileEntry]
    /// The folder that `~` means, or nil if there is none.
    var home: String? { get }
}

/// A reader of folders without any names.
package struct NoFolders: FolderReading {
    package init() {}
    package func names(in folder: String, startingWith stem: String, most: Int) -> (names: [FolderName], areAll: Bool) {
        ([], true)
    }
    package func listing() async -> [FileEntry] { [] }
    package var home: String? { nil }
}

/// A world without names, for a line that is typed before anything is open.
package struct NoNames: CompletionWorld {
    package let folders: any FolderReading

    package init(folders: any FolderReading) { self.folders = folders }

    package func workflows() -> [LineCandidate] { [] }
    package func steps(of workflow: WorkflowID) -> [LineCandidate] { [] }
    package func entries() -> [LineCandidate] { [] }
    package func conversations() -> [LineCandidate] { [] }
    package func templates() -> [LineCandidate] { [] }
    package func inputs(ofTemplate name: String) -> [LineCandidate] { [] }
    package func tools() -> [LineCandidate] { [] }
    package func presets() -> [LineCandidate] { [] }
    package func connections() -> [LineCandidate] { [] }
    package func providers() -> [LineCandidate] { [] }
    package func hosts() -> [LineCandidate] { [] }
    package func settings() -> [LineCandidate] { [] }
}

/// The name of an entry of a folder.
package struct FolderName: Hashable, Sendable {
    package var name: String
    package var isFolder: Bool

    package init(_ name: String, isFolder: Bool = false) {
        self.name = name
        self.isFolder = isFolder
    }
}
