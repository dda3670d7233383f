import Files
import Pictures
import Services
import Storage
import Tools
package import Vocabulary

/// The use cases of stored assets: the space that they use, the files that may be removed, pins and previews.
package struct AssetRetention: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of a process.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    var folders: Folders { shared.folders }
    var archive: Archive { get throws(Failure) { try shared.archive.get() } }
    var toolbox: Toolbox { get throws(Failure) { try shared.toolbox.get() } }
    var store: AssetStore { get throws(Failure) { try toolbox.store } }
    var pictures: PictureCache { get throws(Failure) { PictureCache(folder: folders.cache, store: try store) } }
    var runs: RunFolders { RunFolders(folder: folders.runs) }

    /// Returns the contents that rows name, and those in results that lie beside run folders and are not committed yet.
    func references() throws(Failure) -> Archive.References {
        let archive = try archive
        var references = try archive.references()
        for workflow in runs.workflows where try !archive.isOver(workflow) {
            references.contents.formUnion(runs.contentsNoted(by: workflow))
        }
        return references
    }

    /// Makes a picture of an asset in the cache, or returns the one that is there. An asset of another type is its own
    /// preview, unless a small picture is wanted.
    ///
    /// - Throws: `unknownAsset`, or `badUsage` if the name may mean several contents.
    package func preview(_ name: AssetName, isSmall: Bool) async throws(Failure) -> PreviewFile {
        try await shared.blocking { () throws(Failure) in
            let asset = try one(name)
            guard isSmall || asset.type == .image || asset.type == .mask else {
                return PreviewFile(asset: asset, path: try store.path(of: asset))
            }
            try Folders.make(folders.cache)
            let pictures = try pictures
            let path = try pictures.picture(isSmall ? .thumbnails : .previews, of: asset)
            if isSmall { for file in pictures.thumbnailsTooMany() where file.path != path { file.remove() } }
            return PreviewFile(asset: asset, path: path)
        }
    }

    /// Returns the path of the small picture of a content, or nil if none was made.
    package func thumbnail(_ hash: ContentHash) -> String? { try? pictures.made(.thumbnails, of: hash) }

    /// Returns the asset of a name. If several assets have one content, the first of them is returned.
    func one(_ name: AssetName) throws(Failure) -> Asset {
        let found = try archive.assets(named: name)
        guard let first = found.first else { throw Self.unknown(name) }
        guard Set(found.map(\.hash)).count == 1 else {
            let choices = found.prefix(5).map { "\($0.run).\($0.port)" }.joined(separator: ", ")
            throw Failure(.badUsage, "\(name) may be several assets.", remedy: "Say which: \(choices).")
        }
        return first
    }

    static func unknown(_ name: AssetName) -> Failure {
        Failure(
            .unknownAsset, "There is no asset \(name).", remedy: "See 'assent show' with the workflow, and --json.")
    }
}
