package import Actions
package import JSON
package import Terminal
package import Vocabulary

/// The contents that can be looked at, as `view` and its kin need them: where they lie, their bytes, and the user's
/// programs. `save` alone leads to a change. What takes longer than a look blocks no thread of the caller's.
package protocol Viewing: Sendable {
    /// Returns the workflow of a conversation that has the newest result. Without a conversation, or a result in it,
    /// the newest of this folder.
    func newest(in session: SessionID?) throws(Failure) -> WorkflowID?
    /// Returns all assets that a name may mean, the newest first.
    func assets(named name: AssetName) throws(Failure) -> [Asset]
    /// Returns the content of an asset.
    ///
    /// - Throws: `pinnedInputMissing` if the content is gone.
    func content(of asset: Asset) throws(Failure) -> ViewedContent
    /// Looks at a file or a folder of the user's.
    ///
    /// - Parameter path: as it was typed: relative to the working folder, or with `~/`.
    /// - Throws: `unknownFile` if nothing is there, and `notAFile` for a device, a pipe or a socket.
    func content(at path: String) throws(Failure) -> ViewedContent
    func open(_ content: ViewedContent) throws(Failure) -> any ByteSource
    /// Lists a folder or a zip file, at most `Limits.treeCounted` entries of it.
    func tree(of content: ViewedContent) async throws(Failure) -> ViewedTree
    /// The way in which this terminal shows pictures; `nil` if it is to show none.
    var pictureProtocol: PictureProtocol? { get }
    /// Makes a picture, or a page of a PDF, small enough for a room.
    ///
    /// - Parameter page: the number of a page, from 1; `nil` for a picture.
    /// - Throws: `toolNotInstalled`, or the failure of a program.
    func picture(of content: ViewedContent, page: Int?, by form: PictureProtocol, in room: PictureRoom)
        async throws(Failure)
        -> TerminalPicture
    /// The way in which pictures are shown without being asked for; `nil` for none. Coloured characters only if the
    /// user chose them, on a terminal with enough colours.
    var thumbnailProtocol: PictureProtocol? { get }
    /// Makes a small picture of a content of the store. A failure is told in the log.
    ///
    /// - Returns: `nil` if it is no picture, is private, or could not be made in time.
    func thumbnail(of hash: ContentHash, by form: PictureProtocol, in room: PictureRoom) async -> TerminalPicture?
    /// Makes a picture of a mask as a tint over the picture that it is for.
    func picture(of mask: MaskDrawing, over hash: ContentHash, by form: PictureProtocol, in room: PictureRoom)
        async throws(Failure)
        -> TerminalPicture
    /// Whether a content of the store may hold keys, or came of what does.
    func isPrivate(_ hash: ContentHash) -> Bool
    /// Returns how many pages a PDF has.
    func pages(of content: ViewedContent) async throws(Failure) -> Int
    /// Returns a text without the keys in it.
    func withoutKeys(_ text: String) -> String
    /// Shows a text in the user's pager. Blocks until the pager is closed.
    ///
    /// - Parameter terminal: the user's terminal, which nobody else reads or draws on meanwhile.
    /// - Returns: whether a pager could be started.
    func page(_ text: any PagedText, at terminal: Int32) -> Bool
    /// Creates the workflow of one step that copies a content into a file of the user's, so that this can be undone as
    /// other changes of files.
    ///
    /// - Parameter path: as it was typed. In a folder that is there the file has the name of the content.
    /// - Returns: also the real path of the file.
    /// - Throws: `targetExists` if something is there.
    func save(
        _ content: ViewedContent, to path: String, replaces: Bool, _ start: WorkflowStart
    ) async throws(Failure) -> (path: String, workflow: WorkflowID)
    /// Finds a program of the user's by a line of words, which no shell reads.
    ///
    /// - Returns: what runs the program on a file, at the user's terminal, to its end: its exit code, or `nil` if it
    ///   could not be run.
    func program(_ line: String) -> (@Sendable (_ path: String, _ terminal: Int32) -> Int32?)?
    /// Whether the settings let texts go to the clipboard of the terminal.
    var hasClipboard: Bool { get }
}

/// An open file: its bytes stay the same file's, whatever others put in its place.
package protocol ByteSource: Sendable {
    /// Reads up to `count` bytes from `offset` on, fewer only at the end.
    func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8]
}

/// A text on its way to a pager, piece by piece: nothing is read before it is wanted.
package protocol PagedText: Sendable {
    /// Returns the next piece, which ends with a line; `nil` at the end.
    ///
    /// - Parameter hasColour: whether the pager draws the sequences for styles.
    func next(hasColour: Bool) -> [UInt8]?
}

/// An asset, a file or a folder that is looked at.
package struct ViewedContent: Hashable, Sendable {
    /// The name of the asset, or the path as it was typed. As hostile as every name.
    package var name: String
    /// The word by which a verb takes it: `w3.2.1.image`, or a path.
    package var target: String
    /// The real path of the file or folder.
    package var path: String
    package var bytes: Int
    package var isFolder = false
    /// The format of a picture, such as `png`; `nil` for everything else.
    package var picture: String?
    /// The facts that are known of it, such as the size of a picture in pixels.
    package var meta: JSON.Object
    package var asset: Asset?
    /// Whether it may hold keys, or came of what does.
    package var isPrivate: Bool

    package init(
        name: String, target: String, path: String, bytes: Int, isFolder: Bool = false, picture: String? = nil,
        meta: JSON.Object = JSON.Object(), asset: Asset? = nil, isPrivate: Bool
    ) {
        self.name = name
        self.target = target
        self.path = path
        self.bytes = bytes
        self.isFolder = isFolder
        self.picture = picture
        self.meta = meta
        self.asset = asset
        self.isPrivate = isPrivate
    }
}

/// The entries of a folder or an archive.
package struct ViewedTree: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The names from the top to this entry. They are what others wrote, and may be no text in UTF-8: what is none
        /// is replaced by `�`.
        package var names: [String]
        package var isFolder: Bool
        /// `nil` for a folder, and for what is no file.
        package var bytes: Int?
        /// A remark behind the name, such as `link` or `not readable`.
        package var note: String?

        package init(names: [String], isFolder: Bool, bytes: Int? = nil, note: String? = nil) {
            self.names = names
            self.isFolder = isFolder
            self.bytes = bytes
            self.note = note
        }
    }

    package var entries: [Entry]
    /// Whether the entries are all that there are.
    package var isWhole: Bool

    package init(entries: [Entry], isWhole: Bool) {
        self.entries = entries
        self.isWhole = isWhole
    }
}
