import Glibc
import Synchronization
package import Vocabulary

/// Assent's own folders. Tools never write in them, wherever the workspace is. Reading in them counts as outside of the
/// workspace.
package struct OwnFolders: Hashable, Sendable {
    package var config: String
    package var data: String
    package var cache: String
    package var all: [String] { [config, data, cache] }

    package init(config: String, data: String, cache: String) {
        self.config = config
        self.data = data
        self.cache = cache
    }
}

/// The resolver of paths in parameters to real paths. It knows `~`, `..`, links, and paths relative to the workspace.
package struct Paths {
    /// The real path of the workspace.
    package let workspace: String
    private let realWorkspace: String
    /// Assent's own paths, which are searched when the first path is checked. Most calls name no path.
    private let lookedFor: Lazy
    package var own: OwnPaths { lookedFor.paths }

    package init(workspace: String, own: OwnFolders? = nil) throws(Failure) {
        guard let real = resolved(workspace) else {
            throw errno == ENOENT ? .folderGone(workspace) : fileFailure("open", workspace)
        }
        self.workspace = real
        realWorkspace = real
        lookedFor = Lazy(own, real)
    }

    private final class Lazy: Sendable {
        private let own: OwnFolders?
        private let workspace: String
        private let found = Mutex<OwnPaths?>(nil)

        init(_ own: OwnFolders?, _ workspace: String) { (self.own, self.workspace) = (own, workspace) }

        var paths: OwnPaths {
            found.withLock { found in
                let paths = found ?? own.map { OwnPaths($0, workspace: workspace) } ?? OwnPaths()
                found = paths
                return paths
            }
        }
    }

    package func reach(_ realPath: String) -> Reach {
        isOwn(realPath) || !isUnder(realWorkspace, realPath) ? .outside : .workspace
    }

    /// Whether a real path belongs to Assent.
    ///
    /// - Parameter isLink: whether a link is created at the path. The link would then also redirect Assent's paths
    ///   below it.
    package func isOwn(_ realPath: String, isLink: Bool = false) -> Bool {
        own.contains(realPath) || (isLink && own.isBelow(realPath))
    }

    /// Throws an error if a real path belongs to Assent.
    ///
    /// - Throws: `ownFolder`, or `tooManyFiles` if Assent's paths are not all known.
    package func refuseOwn(_ realPath: String, isLink: Bool = false) throws(Failure) {
        try own.checkAll()
        guard !isOwn(realPath, isLink: isLink) else {
            throw Failure(.ownFolder, "\(realPath) is in one of Assent's own folders; tools do not write there.")
        }
    }

    /// Returns the absolute paths of a file: as it is written, and after each link in the path.
    package func names(_ written: String) throws(Failure) -> [String] { LinkWay(try absolute(written)).names }

    /// Returns the absolute paths of an entry: as it is written, and after each link in the path to its folder. The
    /// entry itself is not followed.
    package func entryNames(_ written: String) throws(Failure) -> [String] {
        let path = try absolute(written)
        return LinkWay(parent(of: path)).names.map { $0.child(lastName(of: path)) }
    }

    /// Returns the real path of a file that exists.
    package func existing(_ written: String) throws(Failure) -> String {
        let path = try absolute(written)
        guard let real = resolved(path) else { throw fileFailure("open", written) }
        return real
    }

    /// Returns the real path of a file that need not exist.
    ///
    /// - Throws: `badPath` if the path is a link that leads nowhere, since the write would end up in another place.
    package func target(_ written: String) throws(Failure) -> String {
        let path = try absolute(written)
        if let real = resolved(path) { return real }
        guard errno == ENOENT || errno == ENOTDIR else { throw fileFailure("open", written) }
        let real = try entry(written)
        guard linkTarget(real) == nil else { throw Failure(.badPath, "\(written) is a link that leads nowhere.") }
        return real
    }

    /// Returns the real path of an entry, which is not followed if it is a link. The entry and its folder need not
    /// exist.
    package func entry(_ written: String) throws(Failure) -> String {
        var parts = try absolute(written).pathNames
        var missing: [String] = []
        while let part = parts.popLast() {
            guard part != ".", part != ".." else {
                throw Failure(.badPath, "\(written) has \"\(part)\" behind a folder that is not there.")
            }
            missing.insert(part, at: 0)
            let above = "/" + parts.joined(separator: "/")
            if let real = resolved(above) { return real.child(missing.joined(separator: "/")) }
            var status = stat()
            guard lstat(above, &status) != 0 else {
                throw Failure(.badPath, "\(written) goes through a link that leads nowhere.")
            }
        }
        throw Failure(.badPath, "\(written) is no file's path.")
    }

    private func absolute(_ written: String) throws(Failure) -> String {
        try refuseNUL(written)
        if let below = written.path(below: "~") {
            guard let home = getenv("HOME") else { throw Failure(.badPath, "There is no home folder for \(written).") }
            return "\(String(cString: home))/\(below)"
        }
        return written.utf8.first == UInt8(ascii: "/") ? written : "\(realWorkspace)/\(written)"
    }
}

private func isUnder(_ folder: String, _ path: String) -> Bool { path.path(below: folder) != nil }

private func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
}

extension Failure {
    /// Returns the failure of work in a workspace that was renamed or removed.
    package static func folderGone(_ workspace: String) -> Failure {
        Failure(
            .fileNotFound, "The folder \(workspace), in which this began, is not there any more.",
            remedy: "Change to where it is now ('cd'): there 'assent duplicate' begins the same workflow.")
    }
}
