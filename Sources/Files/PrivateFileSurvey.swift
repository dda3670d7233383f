import Glibc
import Synchronization
package import Vocabulary

extension Limits {
    /// The most folders whose hidden files a process remembers.
    fileprivate static let surveyedFolders = 64

    /// The most bytes of the file in which a survey is kept.
    fileprivate static let surveyBytes = 64 << 20
}

/// A list of the private files below a folder, with the stamps by which a change is noticed. It is kept in the cache
/// folder, so that the next process need not look through the folder again.
private struct PrivateFileSurvey: Sendable {
    var stamps = PrivateFileStamps()
    var found = PrivateFiles()
    /// The other mounts below the folder.
    var mounts = PrivateFiles()

    /// A record of a kept survey: a letter, and the path. Records end with a NUL, which no path has.
    private static let lists: [(letter: String, path: any WritableKeyPath<PrivateFileSurvey, [String]> & Sendable)] = [
        ("f", \.found.files), ("d", \.found.folders), ("k", \.found.keys), ("m", \.mounts.files),
        ("n", \.mounts.folders),
    ]

    var bytes: [UInt8] {
        var text = ""
        for stamp in stamps.stamps { text += "s \(stamp.inode) \(stamp.changed) \(stamp.path)\0" }
        for (letter, path) in Self.lists {
            for entry in self[keyPath: path] { text += "\(letter) \(entry)\0" }
        }
        // A file that was cut has no end.
        return Array((text + "end\0").utf8)
    }

    /// Reads a kept survey. Fails if it is not whole.
    ///
    /// - Parameter folder: the folder that it must be about.
    init?(_ bytes: [UInt8], of folder: String) {
        let records = bytes.split(separator: 0)
        guard bytes.last == 0, records.last?.elementsEqual("end".utf8) == true else { return nil }
        for record in records.dropLast() {
            guard let text = String(validating: record, as: UTF8.self) else { return nil }
            let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            if parts[0] == "s" {
                let numbers = parts[1].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
                guard numbers.count == 3, let inode = UInt64(numbers[0]), let changed = Int64(numbers[1]) else {
                    return nil
                }
                stamps.stamps.append(.init(path: String(numbers[2]), inode: inode, changed: changed))
            } else if let list = Self.lists.first(where: { $0.letter == parts[0] }) {
                self[keyPath: list.path].append(String(parts[1]))
            } else {
                return nil
            }
        }
        guard stamps.stamps.contains(where: { $0.path == folder }) else { return nil }
    }

    init() {}

    /// Reads the survey of a folder in a file. Fails if there is none, if it cannot be read, or if another user
    /// may have written it.
    init?(kept file: String, of folder: String) {
        do throws(Failure) {
            let kept = try OpenFile(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
            let status = try kept.status()
            guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { return nil }
            self.init(try readWhole(kept, file, limit: Limits.surveyBytes), of: folder)
        } catch {
            return nil
        }
    }

    /// Keeps the survey in a file.
    func keep(in file: String) {
        do throws(Failure) {
            try makeFolders(parent(of: file))
            try writeWhole(bytes, to: file)
        } catch {
            // The next process looks through the folder again.
        }
    }

    // MARK: Places

    /// Returns the file in which the survey of a folder is kept. Another version of the program has other rules, so its
    /// file has another name.
    static func file(for folder: String, own: OwnFolders) -> String {
        var program = stat()
        stat("/proc/self/exe", &program)
        let mark = "\(program.inode) \(program.modifiedNanoseconds) \(program.st_size)"
        let words = [mark, folder] + own.all
        return "\(own.cache)/programs/\(ContentHash.of(words.joined(separator: "\0")).hex)"
    }
}

extension PrivateFiles {
    /// The surveys of this process, by their files.
    private static let surveyed = Mutex<[String: PrivateFileSurvey]>([:])

    /// Finds the files and folders that are hidden below a folder outside of the workspace. The folder is looked
    /// through once, and again after something in it has changed.
    ///
    /// Results of key files that only a record tells from others (`PrivateNotes`) are not looked for. A folder in which
    /// an entry has a name that is not UTF-8, and could hold keys, is hidden.
    ///
    /// - Parameter folder: a real path.
    /// - Throws: `tooManyFiles` if not all private files could be found.
    package static func surveyed(below folder: String, own: OwnFolders) throws(Failure) -> PrivateFiles {
        let file = PrivateFileSurvey.file(for: folder, own: own)
        let mounts = try MountPoints.below(folder)
        let known =
            surveyed.withLock { $0[file] }
            ?? PrivateFileSurvey(kept: file, of: folder)
        if let known, known.mounts == mounts, known.stamps.holds {
            remember(known, file)
            return known.found
        }
        var stamps: PrivateFileStamps? = PrivateFileStamps()
        let found = try below(
            folder, own: own, isElsewhere: true, isGiven: true, skipsOddNames: false, &stamps)
        if let stamps, stamps.isSettled {
            var survey = PrivateFileSurvey()
            (survey.stamps, survey.found, survey.mounts) = (stamps, found, mounts)
            remember(survey, file)
            survey.keep(in: file)
        }
        return found
    }

    private static func remember(_ survey: PrivateFileSurvey, _ file: String) {
        surveyed.withLock { all in
            if all.count >= Limits.surveyedFolders, all[file] == nil { all = [:] }
            all[file] = survey
        }
    }
}
