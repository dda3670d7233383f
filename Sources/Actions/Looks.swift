import Files
import JSON
import Services
import Storage
import Tools
package import Vocabulary

/// The use cases of contents that a user looks at: results, files and folders. Only `save` changes anything.
package struct Looks: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of a process.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    var toolbox: Toolbox { get throws(Failure) { try shared.toolbox.get() } }

    // MARK: Results

    /// Returns the workflow of a conversation that has the newest result. Without a conversation, or a result in it,
    /// this is the workflow with the newest result of this folder. Undo workflows have no results.
    package func newest(in session: SessionID?) throws(Failure) -> WorkflowID? {
        let archive = try shared.archive.get()
        // The last change decides, since an old workflow may have been run again.
        let records = try archive.summaries(limit: Limits.examinedWorkflows).map(\.record).sorted {
            $0.updatedAt > $1.updatedAt
        }
        func first(where isWanted: (WorkflowRecord) -> Bool) throws(Failure) -> WorkflowID? {
            for record in records where isWanted(record) {
                if try !archive.assets(of: record.id).isEmpty, try UndoActions(shared).requestName(of: record.id) == nil
                {
                    return record.id
                }
            }
            return nil
        }
        if let session, let own = try first(where: { $0.session == session }) { return own }
        return try first { $0.workspace.isSameName(as: shared.workspace) }
    }

    /// Returns all assets that a name may mean, the newest first.
    package func assets(named name: AssetName) throws(Failure) -> [Asset] {
        try shared.archive.get().assets(named: name)
    }

    /// Returns the content of an asset.
    ///
    /// - Throws: `pinnedInputMissing` if the content is missing.
    package func content(of asset: Asset) throws(Failure) -> ViewedContent {
        let store = try toolbox.store
        let path = try store.path(of: asset)
        let picture = try ViewedFile.open(typed: path).picture
        return ViewedContent(
            name: asset.name, target: "\(asset.run).\(asset.port)", path: path, bytes: asset.bytes,
            picture: picture?.format,
            meta: picture.map { picture in picture.meta.isEmpty ? asset.meta : picture.meta } ?? asset.meta,
            asset: asset,
            isPrivate: store.isPrivate(asset.hash))
    }

    /// Whether a content of the store may hold keys, or results from keys. It is true if the store cannot be opened.
    package func isPrivate(_ hash: ContentHash) -> Bool { WorkflowRecords(shared).isPrivate(hash) }

    /// Returns the beginning of a stored text without keys, or nil if it is no text.
    package func beginning(of hash: ContentHash, bytes: Int) -> String? {
        guard let text = WorkflowRecords(shared).preview(hash, bytes) else { return nil }
        return ContentKind.isText(Array(text.utf8)) ? text : nil
    }

    // MARK: Files and folders

    /// Returns the content of a file or a folder of the user's.
    ///
    /// - Parameter path: the path as it was typed: relative to the working folder, or with `~/`.
    /// - Throws: `unknownFile` if there is no such file, and `notAFile` for a device, a pipe or a socket.
    package func content(at path: String) throws(Failure) -> ViewedContent {
        let file = try ViewedFile.open(typed: path)
        let picture = file.picture
        // The folders are not taken from the toolbox. It tries the sandbox first, which would delay the first page.
        // The whole file is read only if the answer matters.
        let isPrivate =
            file.isPrivate(from: shared.workspace) || Ancestry.isOwnChild && file.cameOfKeys(shared.folders.own)
        return ViewedContent(
            name: path, target: path, path: file.path, bytes: file.bytes, isFolder: file.isFolder,
            picture: picture?.format,
            meta: picture?.meta ?? JSON.Object(), isPrivate: isPrivate)
    }

    /// Opens a content.
    package func open(_ content: ViewedContent) throws(Failure) -> any ByteSource {
        try ViewedFile.open(typed: content.path)
    }

    /// Lists a folder or a zip file. Of a folder, at most `Limits.treeCounted` entries are listed.
    package func tree(of content: ViewedContent) async throws(Failure) -> ViewedTree {
        try await shared.blocking { () throws(Failure) in
            let file = try ViewedFile.open(typed: content.path)
            let (entries, isWhole) =
                content.isFolder
                ? try file.entriesOfFolder(most: Limits.treeCounted) : (try file.entriesOfZip(content.name), true)
            return ViewedTree(
                entries: entries.map { .init(names: $0.names, isFolder: $0.isFolder, bytes: $0.bytes, note: $0.note) },
                isWhole: isWhole)
        }
    }

    // MARK: Texts

    /// Returns a text without the keys in it.
    package func withoutKeys(_ text: String) -> String { shared.keyRing.filter.cut(text) }

    /// Shows a text in the user's pager. Blocks until the pager is closed.
    ///
    /// - Parameter terminal: the user's terminal, which no other code may use meanwhile.
    /// - Returns: whether a pager could be started.
    package func page(_ text: any PagedText, at terminal: Int32) -> Bool {
        OwnPager().map { $0.show(text, at: terminal, on: shared.workers) } ?? false
    }

    /// Whether the settings let texts go to the clipboard of the terminal.
    package var hasClipboard: Bool { shared.settings.clipboard }
}
