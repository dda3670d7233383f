/// A folder with programs of the user, which commands see only after a yes (`consent.md`, "Programs of the user"). All
/// paths are real paths.
package struct ProgramFolder: Hashable, Sendable {
    /// The folder by which it is allowed: the root of a known layout, such as `~/.pyenv`, or the folder itself.
    package var path: String
    /// The name of the layout, such as `pyenv`, or `nil` if none is known.
    package var layout: String?
    /// The folders in it in which programs are looked up, in the user's order.
    package var searched: [String]
    /// Other folders that commands see of it, since its programs need them.
    package var others: [String]
    /// The name of the virtual environment of the workspace that it belongs to, or `nil` if the user's search path has
    /// it.
    package var environment: String?
    /// All folders that commands see of it.
    package var shown: [String]

    package init(
        path: String, layout: String? = nil, searched: [String] = [], others: [String] = [], shown: [String] = []
    ) {
        (self.path, self.layout, self.searched) = (path, layout, searched)
        (self.others, self.shown) = (others, shown)
    }

    /// Returns a command about a folder as the user types it, in single quotes.
    package static func command(_ verb: String, _ folder: String) -> String {
        let special = "\"'\\$`;&|<>()*?[]{}#!"
        let isSafe = folder.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !special.utf8.contains($0) }
        // A shell would run a part of such a name as a command.
        guard isSafe else { return "'assent programs'" }
        return "'assent programs \(verb) \(folder.contains(" ") ? "\"\(folder)\"" : folder)'"
    }
}

/// The answer of the user about a folder with programs.
package struct ProgramConsent: Hashable, Sendable {
    /// The path of the folder (`ProgramFolder.path`).
    package var folder: String
    package var isAllowed: Bool
    /// All folders that the user saw in the question. Commands see no other ones, whatever the environment names.
    package var shown: [String]
    /// The folders in it in which programs are looked up, in the user's order. A process with another search path uses
    /// them, too.
    package var searched: [String]
    package var at: Moment

    package init(folder: String, isAllowed: Bool, shown: [String], searched: [String], at: Moment) {
        (self.folder, self.isAllowed, self.shown) = (folder, isAllowed, shown)
        (self.searched, self.at) = (searched, at)
    }
}

/// The question which folders with programs commands may see. The list is never empty.
package struct ProgramQuestion: Hashable, Sendable {
    package var folders: [ProgramFolder]

    package init(_ folders: [ProgramFolder]) { self.folders = folders }
}

/// A program that the user has and a command does not see, since its folder is not allowed.
package struct UnseenProgram: Hashable, Sendable {
    /// The name, or the path as the command writes it.
    package var name: String
    /// The folder or the file of the user, with `~` for the home.
    package var place: String
    /// The program that the command sees under this name, or `nil` if it sees none.
    package var seen: String?
    /// The folder that the user would have to allow, with `~` for the home.
    package var folder: String

    package init(name: String, place: String, seen: String?, folder: String) {
        (self.name, self.place, self.seen, self.folder) = (name, place, seen, folder)
    }

    /// The words for the program, such as `crate is in ~/.cargo/bin: not allowed`.
    package var words: String {
        guard let seen else {
            return "\(name) \(name.contains("/") ? "leads to" : "is in") \(place): not allowed"
        }
        let whose = seen.path(below: "/usr") != nil || seen.path(below: "/bin") != nil ? "the system's" : seen
        return "\(name) is \(whose); yours is in \(place): not allowed"
    }

    /// The command by which the user allows the folder, in single quotes.
    package var command: String { ProgramFolder.command("allow", folder) }
}
