import Files
import Glibc
import JSON
import Vocabulary

extension Limits {
    /// The most names of files that are reported as thrown away.
    fileprivate static let thrownAwayNames = 3

    /// The most files and folders that are looked at for such a report.
    fileprivate static let thrownAwayEntries = 20_000
}

/// The files that a command wrote where its writes are thrown away: to its home, and beside the caches of its programs.
/// A command that installs or sets something there seems to have done it.
package struct ThrownAway {
    private var names: [String] = []
    private var count = 0
    private var left = Limits.thrownAwayEntries

    package init() {}

    /// Adds the files of a folder. A folder that cannot be read adds none.
    ///
    /// - Parameters:
    ///   - folder: an absolute path.
    ///   - shown: the path of the folder as the command knows it.
    ///   - caches: patterns of relative paths that are no loss, with all below them.
    ///   - links: the relative paths of links that the sandbox made.
    package mutating func add(_ folder: String, as shown: String, but caches: [String], links: Set<String> = []) {
        let patterns = caches.map { $0.pathNames.map(GlobPattern.init) }
        do throws(Failure) { try look(OpenFolder(folder), [], shown, patterns, links) } catch {
            // Advice only: the command has ended, and what it did is judged elsewhere.
        }
    }

    private mutating func look(
        _ folder: borrowing OpenFolder, _ path: [String], _ shown: String, _ caches: [[GlobPattern]],
        _ links: Set<String>
    ) throws(Failure) {
        var folders: [String] = []
        for name in try folder.namesInText() {
            left -= 1
            guard left > 0 else { return }
            let inner = path + [name]
            guard !caches.contains(where: { Self.fits(inner, $0) }) else { continue }
            switch try folder.status(of: name)?.kind {
            case .folder: folders.append(name)
            case .file, .link:
                let relative = inner.joined(separator: "/")
                if links.contains(relative) { continue }
                count += 1
                if names.count < Limits.thrownAwayNames {
                    let whole = "\(shown)/\(relative)"
                    names.append(relative.isPlainName ? whole : JSON.string(whole).text)
                }
            case .special, nil: break
            }
        }
        guard path.count < Limits.rehearsedDepth else { return }
        for name in folders { try look(folder.folder(name), path + [name], shown, caches, links) }
    }

    private static func fits(_ path: [String], _ pattern: [GlobPattern]) -> Bool {
        path.count == pattern.count && zip(path, pattern).allSatisfy { $1.matches($0) }
    }

    /// The words for them, such as `~/.gitconfig and 2 more`, or `nil` if there are none.
    package var words: String? {
        guard count > 0 else { return nil }
        return names.joined(separator: ", ") + (count > names.count ? " and \(count - names.count) more" : "")
    }
}
