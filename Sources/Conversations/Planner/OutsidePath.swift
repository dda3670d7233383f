/// Paths outside a listing: absolute ones, `../other/cat.jpg`, `~/notes.txt`, and files deeper down. The planner does
/// not look them up, so they stay as they are written. The step that reads one finds out whether it exists.
struct OutsidePath {
    let listing: Listing
    private let folders: Set<String>

    init(listing: Listing) {
        self.listing = listing
        folders = Set(listing.files.filter { $0.isFolder && !$0.name.contains("/") }.map { $0.name.lowercased() })
    }

    /// The words after which a text is a path although only its place shows it: "list /tmp", "the words in
    /// /etc/passwd".
    private static let before: Set<String> = [
        "in", "of", "from", "inside", "under", "to", "into", "as", "with", "on", "onto", "list", "show", "open", "read",
        "file", "folder",
        "directory",
    ]
    private static let beforeQuoted: Set<String> = ["in", "of", "from", "inside", "file", "folder", "directory"]

    /// Returns the path in the working folder to which a path that begins with `~` leads, or nil if it leads elsewhere.
    func belowHome(_ path: String) -> String? {
        guard path.hasPrefix("~/"), path.count > 2, let home = listing.home else { return nil }
        let whole = home + path.dropFirst()
        let short = relative(whole)
        return short == whole ? nil : short
    }

    /// Returns whether a word is meant as a path. A quoted text that only looks like one ("replace "/a" with "/b"")
    /// stays a text.
    ///
    /// - Parameter previous: the word before it.
    func isMeant(_ path: String, isQuoted: Bool, after previous: String, hasKnownEnding: Bool) -> Bool {
        if path == "~" { return !isQuoted && Self.before.contains(previous) }
        guard path.contains("/"), !path.contains("//"), !path.contains(where: { "*?<>|\"".contains($0) }) else {
            return false
        }
        let parts = path.split(separator: "/")
        guard parts.contains(where: { $0.contains(where: \.isLetter) }), let first = parts.first else { return false }
        if Self.leadsOut(path) {
            if hasKnownEnding { return true }
            if isQuoted { return Self.beforeQuoted.contains(previous) }
            return parts.count > 1 || Self.before.contains(previous)
        }
        // The part before the first slash is a folder, not a host ("example.com/x.json").
        guard hasKnownEnding, first.hasPrefix(".") || !first.contains(".") else { return false }
        return !isListed(parts)
    }

    /// Returns whether a path is that of a folder, as far as its name shows.
    static func isFolder(_ path: String) -> Bool {
        path.hasSuffix("/") || (leadsOut(path) && FileName.suffix(of: path) == nil)
    }

    static func entry(_ path: String, isFolder: Bool) -> FileEntry {
        FileEntry(name: FileName.withoutSlash(path), isFolder: isFolder)
    }

    static func leadsOut(_ path: String) -> Bool {
        path == "~" || path.hasPrefix("/") || path.hasPrefix("../") || path.hasPrefix("~/")
    }

    /// Whether the listing would contain the file. It goes one folder down, and leaves out hidden names.
    private func isListed(_ parts: [Substring]) -> Bool {
        parts.count == 2 && folders.contains(parts[0].lowercased()) && !parts[1].hasPrefix(".")
    }

    /// Returns an absolute path into the working folder as the listing writes it. Any other path stays as it is.
    func relative(_ path: String) -> String {
        let folder = listing.workspace + "/"
        guard folder != "//", path.hasPrefix(folder), path.count > folder.count else { return path }
        return String(path.dropFirst(folder.count))
    }
}
