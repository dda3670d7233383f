package import Conversations
package import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most files and folders that are listed with those in all folders below. If there are more, only those at the
    /// top and one level below are.
    fileprivate static let deepListing = 20_000

    /// The lowest level of folders that are listed.
    fileprivate static let listedDepth = 32

    /// The most files of the working folder that are opened to see whether they have several frames or pages.
    fileprivate static let lookedIntoFiles = 200
}

extension Listing {
    /// Returns the files and folders of the working folder, and those one level below. Hidden ones stand apart, and the
    /// number is bounded.
    ///
    /// - Parameters:
    ///   - own: the folders of Assent that know which files are results. Without them, no file counts as a result.
    ///   - isDeep: whether the files in all folders below are listed, too.
    package static func ofFolder(_ workspace: String, own: OwnFolders? = nil, isDeep: Bool = false) -> Listing {
        let deep = isDeep ? files(in: workspace, depth: Limits.listedDepth, atMost: Limits.deepListing) : nil
        var listing =
            deep.flatMap { $0.isWhole ? $0 : nil } ?? files(in: workspace, depth: 1, atMost: Limits.knownFiles)
        guard let own else { return listing }
        let paths = listing.files.filter { !$0.isFolder }.map { "\(workspace)/\($0.name)" }
        let results = Set(own.results(among: paths).map { Array($0.utf8.dropFirst(workspace.utf8.count + 1)) })
        guard !results.isEmpty else { return listing }
        for index in listing.files.indices {
            listing.files[index].isResult = results.contains(Array(listing.files[index].name.utf8))
        }
        return listing
    }

    private static func files(in workspace: String, depth: Int, atMost most: Int) -> Listing {
        func listed(_ entries: [FileEntry], isWhole: Bool) -> Listing {
            var listing = Listing(workspace: workspace, files: entries, isWhole: isWhole)
            listing.home = Folders.environment("HOME")
            return listing
        }
        var (entries, hidden): ([FileEntry], [FileEntry]) = ([], [])
        var folders = [""]
        var notText: [String] = []
        var lookedInto = 0
        while !folders.isEmpty {
            let folder = folders.removeFirst()
            let names = namesInFolder(folder.isEmpty ? workspace : "\(workspace)/\(folder)")
            notText += names.notText.prefix(Limits.knownFiles - notText.count).map {
                folder.isEmpty ? $0 : "\(folder)/\($0)"
            }
            for name in names.text {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                var status = stat()
                guard lstat("\(workspace)/\(path)", &status) == 0 else { continue }
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                // A link to a file counts as a file under the link's name. A link to a folder is left out, since it may
                // lead in a circle.
                let isLink = status.st_mode & S_IFMT == S_IFLNK
                if isLink, stat("\(workspace)/\(path)", &status) != 0 { continue }
                guard isFolder || status.st_mode & S_IFMT == S_IFREG else { continue }
                guard entries.count + hidden.count < most else { return listed(entries, isWhole: false) }
                let isNamedSo = isLink ? SecretFiles.areReached : SecretFiles.holds
                let mayHoldKeys = !isFolder && (status.st_nlink > 1 || isNamedSo("\(workspace)/\(path)"))
                var entry = FileEntry(
                    name: path, bytes: Int(status.st_size), isFolder: isFolder, mayHoldKeys: mayHoldKeys)
                guard !name.hasPrefix(".") else {
                    hidden.append(entry)
                    continue
                }
                if !isFolder, !isLink, lookedInto < Limits.lookedIntoFiles, mayHavePages(name) {
                    lookedInto += 1
                    entry.hasPages = hasSeveralPages("\(workspace)/\(path)")
                }
                entries.append(entry)
                // Users mean files one level down, too, when they say "here".
                if isFolder, path.utf8.count(where: { $0 == UInt8(ascii: "/") }) < depth { folders.append(path) }
            }
        }
        var listing = listed(entries, isWhole: true)
        (listing.notText, listing.hidden) = (notText, hidden)
        return listing
    }
}
