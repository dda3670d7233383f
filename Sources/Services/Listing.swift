package import Conversations
package import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most files of the working folder that are opened to see whether they have several frames or pages.
    fileprivate static let lookedIntoFiles = 200
}

extension Listing {
    /// Returns the files and folders of the working folder, and those one level below. Hidden files are left out, and
    /// the number is bounded.
    ///
    /// - Parameter own: the folders of Assent that know which files are results. Without them, no file counts as a
    ///   result.
    package static func ofFolder(_ workspace: String, own: OwnFolders? = nil) -> Listing {
        var listing = files(in: workspace)
        guard let own else { return listing }
        let paths = listing.files.filter { !$0.isFolder }.map { "\(workspace)/\($0.name)" }
        let results = Set(own.results(among: paths).map { Array($0.utf8.dropFirst(workspace.utf8.count + 1)) })
        guard !results.isEmpty else { return listing }
        for index in listing.files.indices {
            listing.files[index].isResult = results.contains(Array(listing.files[index].name.utf8))
        }
        return listing
    }

    private static func files(in workspace: String) -> Listing {
        func listed(_ entries: [FileEntry], isWhole: Bool) -> Listing {
            var listing = Listing(workspace: workspace, files: entries, isWhole: isWhole)
            listing.home = Folders.environment("HOME")
            return listing
        }
        var entries: [FileEntry] = []
        var folders = [""]
        var notText: [String] = []
        var lookedInto = 0
        while !folders.isEmpty {
            let folder = folders.removeFirst()
            let names = namesInFolder(folder.isEmpty ? workspace : "\(workspace)/\(folder)")
            notText += names.notText.prefix(Limits.knownFiles - notText.count).map {
                folder.isEmpty ? $0 : "\(folder)/\($0)"
            }
            for name in names.text where !name.hasPrefix(".") {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                var status = stat()
                guard lstat("\(workspace)/\(path)", &status) == 0 else { continue }
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                // A link to a file counts as a file under the link's name. A link to a folder is left out, since it may
                // lead in a circle.
                let isLink = status.st_mode & S_IFMT == S_IFLNK
                if isLink, stat("\(workspace)/\(path)", &status) != 0 { continue }
                guard isFolder || status.st_mode & S_IFMT == S_IFREG else { continue }
                guard entries.count < Limits.knownFiles else { return listed(entries, isWhole: false) }
                let isNamedSo = isLink ? SecretFiles.areReached : SecretFiles.holds
                let mayHoldKeys = !isFolder && (status.st_nlink > 1 || isNamedSo("\(workspace)/\(path)"))
                var entry = FileEntry(
                    name: path, bytes: Int(status.st_size), isFolder: isFolder, mayHoldKeys: mayHoldKeys)
                if !isFolder, !isLink, lookedInto < Limits.lookedIntoFiles, mayHavePages(name) {
                    lookedInto += 1
                    entry.hasPages = hasSeveralPages("\(workspace)/\(path)")
                }
                entries.append(entry)
                // Users mean files one level down, too, when they say "here".
                if isFolder, folder.isEmpty { folders.append(path) }
            }
        }
        var listing = listed(entries, isWhole: true)
        listing.notText = notText
        return listing
    }
}
