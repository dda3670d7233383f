import Files
import Glibc
import Vocabulary

/// The name and mail address that git writes into the user's commits. A rehearsed command has no home folder in which
/// git could find them.
enum GitIdentity {
    /// Returns environment variables with the user's name and mail address for git. The list is empty if the user has
    /// configured neither. A name or an address in the settings of the folder's own repository counts more, so no
    /// variable may stand in its way.
    static func variables(in folder: String) -> [String] {
        let names = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"]
        let told = names.compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        guard told.isEmpty else { return told }
        guard let home = getenv("HOME").map({ String(cString: $0) }) else { return [] }
        let config = getenv("XDG_CONFIG_HOME").map { String(cString: $0) } ?? "\(home)/.config"
        var user: [String: String] = [:]
        // The later one wins, as it does for git.
        for path in ["\(config)/git/config", "\(home)/.gitconfig"] {
            user.merge(Self.user(ofFile: path) ?? [:]) { $1 }
        }
        let own = ofRepository(around: folder)
        return [("NAME", "name"), ("EMAIL", "email")].flatMap { suffix, key in
            guard let value = user[key], own[key] == nil else { return [String]() }
            return ["GIT_AUTHOR_\(suffix)=\(value)", "GIT_COMMITTER_\(suffix)=\(value)"]
        }
    }

    /// Returns the section `user` of the repository that holds a folder. It is empty for a repository whose settings
    /// stand elsewhere, such as those of a linked work tree.
    private static func ofRepository(around folder: String) -> [String: String] {
        var place = folder
        while place.utf8.count > 1 {
            if let user = user(ofFile: "\(place)/.git/config") { return user }
            place = parent(of: place)
        }
        return [:]
    }

    private static func user(ofFile path: String) -> [String: String]? {
        (try? readWhole(path, limit: Limits.noteBytes)).map { user(in: String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the values of the section `user` in a configuration file of git, by lower-case key. Values with escapes
    /// and values over several lines are left out.
    static func user(in text: String) -> [String: String] {
        var values: [String: String] = [:]
        var isUser = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingSpaces
            if line.hasPrefix("[") {
                isUser = line.lowercased().hasPrefix("[user]")
            } else if isUser, !line.hasPrefix("#"), !line.hasPrefix(";"), let sign = line.firstIndex(of: "=") {
                var value = line[line.index(after: sign)...].trimmingSpaces
                if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                    value = value.dropFirst().dropLast()
                }
                guard !value.contains("\\"), !value.isEmpty else { continue }
                values[line[..<sign].trimmingSpaces.lowercased()] = String(value)
            }
        }
        return values
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
