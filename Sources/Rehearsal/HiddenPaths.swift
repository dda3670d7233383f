package import Files
import Glibc
import JSON
import Sandbox
package import Vocabulary

extension Limits {
    /// The most names of hidden files that are reported.
    fileprivate static let unseenNames = 5

    /// The most bytes of the name of a hidden file that is reported. A longer name is left out.
    fileprivate static let unseenNameBytes = 256
}

/// The paths that were hidden from a command: relative ones below the workspace, and absolute ones elsewhere.
package struct HiddenPaths: Hashable {
    var files: [String] = []
    var folders: [String] = []

    var isEmpty: Bool { files.isEmpty && folders.isEmpty }

    init() {}

    /// - Parameter given: the files of keys that the command was allowed to read.
    package init(_ hidden: PrivateFiles, given: [String], below workspace: String) {
        let folders = Set(hidden.folders.map { Array($0.utf8) })
        for path in hidden.keys where !given.contains(where: { $0.isSameName(as: path) }) {
            let told = path.path(below: workspace) ?? path
            if folders.contains(Array(path.utf8)) { self.folders.append(told) } else { files.append(told) }
        }
    }

    init(json: JSON?) {
        files = json?["files"]?.array?.compactMap(\.string) ?? []
        folders = json?["folders"]?.array?.compactMap(\.string) ?? []
    }

    var json: JSON {
        ["files": .array(files.map { .string($0) }), "folders": .array(folders.map { .string($0) })]
    }

    /// The hidden paths to show in the question and the result, the nearest first, with their number. It is `nil` if
    /// nothing was hidden.
    package var unseen: Call.Rehearsal.Unseen? {
        guard !isEmpty else { return nil }
        let all = (files + folders.map { "\($0)/" }).map { (depth: $0.pathNames.count, path: $0) }.sorted {
            one, other in
            one.depth == other.depth
                ? one.path.utf8.lexicographicallyPrecedes(other.path.utf8) : one.depth < other.depth
        }
        let names = all.prefix(Limits.unseenNames).map(\.path).filter { $0.utf8.count <= Limits.unseenNameBytes }
        return Call.Rehearsal.Unseen(names: names, count: all.count)
    }
}

extension Failure {
    /// Returns the failure of a command that changed the state of git.
    ///
    /// - Parameter names: paths below the workspace.
    static func hiddenTracked(_ names: [String], exitCode: Int) -> Failure {
        let unseen = Call.Rehearsal.Unseen(names: Array(names.prefix(Limits.unseenNames)), count: names.count)
        let told = unseen.safeWords
        let list = unseen.names.map { JSON.string($0).text }.joined(separator: ", ")
        return Failure(
            .hiddenTracked,
            "The command changed the state of git and ended with exit code \(exitCode), but git did not see what is in these tracked "
                + "files: \(told). To git they were empty, so nothing of the command is taken over.",
            remedy: "Nothing was changed. Name them in reads, which asks first: \"reads\": [\(list)].")
    }
}

extension Failure {
    /// Returns the failure of a command that changed a repository whose index cannot be read.
    ///
    /// - Parameter index: a path below the workspace.
    static func indexUnreadable(_ index: String, _ hidden: HiddenPaths, exitCode: Int) -> Failure {
        let unseen = hidden.unseen
        let list = (unseen?.names ?? []).map { JSON.string($0).text }.joined(separator: ", ")
        let name = Call.Rehearsal.Unseen(names: [index], count: 1).safeWords
        return Failure(
            .hiddenTracked,
            "The command changed the state of git and ended with exit code \(exitCode), and Assent cannot read the index of git \(name). "
                + "So it cannot tell whether git tracks files that the command did not see: \(unseen?.safeWords ?? "some").",
            remedy: "Nothing was changed. Name them in reads, which asks first: \"reads\": [\(list)].")
    }
}

extension Call.Rehearsal.Unseen {
    /// The names for a sentence. A name with other characters than letters, digits and a few signs stands in quotes.
    package var safeWords: String { words { $0.isPlainName ? $0 : JSON.string($0).text } }
}

extension String {
    /// Whether a name cannot be mistaken for words of the sentence around it.
    var isPlainName: Bool {
        unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789._-/@+".unicodeScalars.contains($0) }
    }
}

extension ChangeWalk {
    /// The hidden paths, by their bytes.
    struct Hidden {
        private let files: Set<[UInt8]>
        private let folders: Set<[UInt8]>
        private let fileNames: Set<[UInt8]>
        private let folderNames: Set<[UInt8]>
        let isEmpty: Bool

        init(_ paths: HiddenPaths) {
            func bytes(_ paths: [String]) -> Set<[UInt8]> { Set(paths.map { Array($0.utf8) }) }
            func names(_ paths: [String]) -> Set<[UInt8]> {
                Set(paths.compactMap { $0.pathNames.last.map { Array($0.utf8) } })
            }
            (files, folders) = (bytes(paths.files), bytes(paths.folders))
            (fileNames, folderNames) = (names(paths.files), names(paths.folders))
            isEmpty = paths.isEmpty
        }

        func holds(_ path: String) -> Bool {
            guard !isEmpty else { return false }
            let path = Array(path.utf8)
            return files.contains(path) || folders.contains(path)
        }

        /// Returns whether the entry in the overlay is an unchanged stand-in that was only opened for writing.
        ///
        /// - Parameter isEmptyFolder: whether the entry is a folder without content.
        func isUntouched(_ now: stat, isEmptyFolder: Bool) -> Bool {
            guard now.modifiedNanoseconds == StandIns.moment else { return false }
            switch now.kind {
            case .file: return now.st_size == 0 && now.permissions == Int(StandIns.modes.file)
            case .folder: return isEmptyFolder && now.permissions == Int(StandIns.modes.folder)
            case .link, .special: return false
            }
        }

        /// Returns whether a new entry is a copy of a stand-in: empty, and with the time or the name of one.
        func isCopy(_ now: stat, named name: String, isEmptyFolder: Bool) -> Bool {
            guard !isEmpty else { return false }
            let hasTime = now.modifiedNanoseconds == StandIns.moment
            switch now.kind {
            case .file: return now.st_size == 0 && (hasTime || fileNames.contains(Array(name.utf8)))
            case .folder: return isEmptyFolder && (hasTime || folderNames.contains(Array(name.utf8)))
            case .link, .special: return false
            }
        }
    }

    /// Refuses an entry of the overlay under a hidden name, unless it is an unchanged stand-in.
    mutating func refuseChange(
        _ upper: borrowing OpenFolder, _ name: String, _ now: stat, _ at: String
    ) throws(Failure) {
        if now.isWhiteout { return refuseLoss(at) }
        let isEmptyFolder = now.kind == .folder ? try upper.folder(name).names().isEmpty : false
        guard !hidden.isUntouched(now, isEmptyFolder: isEmptyFolder) else { return }
        list.touchesHidden = true
        refuse(at, "would be changed, and the command did not see what is in it")
    }

    mutating func refuseLoss(_ at: String) {
        list.touchesHidden = true
        refuse(at, "would be removed or renamed, and the command did not see what is in it")
    }

    mutating func refuseCopy(_ at: String) {
        list.touchesHidden = true
        refuse(at, "would be empty: what it was copied from was not shown to the command")
    }
}
