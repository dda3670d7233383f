package import Files
import Glibc
package import Sandbox
package import Vocabulary

extension Limits {
    /// The most folders of a search path that are looked at.
    fileprivate static let searchFolders = 256
}

/// The programs of the user beside the system's: what commands see of them, and which folders are still to be asked
/// about. It joins the search path, the layouts and the answers of the user. The answers are read at each use.
package struct UserPrograms: ProgramSource {
    private let consents: ProgramConsents
    private let layouts = ProgramLayouts.shipped
    private let home: ProgramHome?
    private let searchPath: String
    private let own: OwnFolders

    /// - Parameter variable: returns a variable of the user's environment.
    package init(consents: ProgramConsents, own: OwnFolders, variable: (String) -> String?) {
        self.consents = consents
        self.own = own
        searchPath = variable("PATH") ?? ""
        let named = layouts.variables.compactMap { name in variable(name).map { (name, $0) } }
        home = variable("HOME").flatMap { $0.hasPrefix("/") && isFolder($0) ? realPath($0) : nil }.map {
            ProgramHome(path: $0, variables: Dictionary(uniqueKeysWithValues: named))
        }
    }

    /// The home of the user, or `nil` if there is none.
    package var homePath: String? { home?.path }

    // MARK: What commands see

    /// Returns what a command in a workspace sees.
    ///
    /// - Parameter workspace: a real path.
    /// - Throws: `programsBroken`.
    package func seen(in workspace: String) throws(Failure) -> PersonalPrograms {
        var programs = PersonalPrograms()
        programs.home = home?.path
        programs.homeCaches = layouts.caches
        guard let home else { return programs }
        let answers = try consents.list()
        let allowed = answers.filter(\.isAllowed).map { ($0, layouts.place(of: $0.folder, in: home)) }
        let places = allowed.compactMap(\.1)
        for root in places.flatMap(\.roots)
        where isFolder(root.path) && root.path.path(below: workspace) == nil && !isOwn(root.path)
            && !programs.roots.contains(where: { $0.path.isSameName(as: root.path) })
        {
            programs.roots.append(root)
        }
        // A folder lies over the one around it.
        programs.roots.sort { $0.path.utf8.count < $1.path.utf8.count }
        programs.variables = places.flatMap(\.variables)
        programs.known = layouts.layouts.map { home.place(of: $0.root) }.filter { isFolder($0) }
        let path = folders(of: searchPath)
        let more = allowed.filter { $0.1 != nil }.flatMap(\.0.searched).filter { !path.contains($0) && isFolder($0) }
        programs.searchFolders = (more + path).compactMap { folder in
            if programs.shows(folder, in: workspace) {
                return PersonalPrograms.SearchFolder(path: folder, isShown: true)
            }
            guard let place = askable(folder) else { return nil }
            return PersonalPrograms.SearchFolder(path: folder, isShown: false, allowedBy: place.folder.path)
        }
        return programs
    }

    // MARK: What is asked

    /// Returns the folders that commands in a workspace do not see, and that the user has not answered about yet.
    ///
    /// - Parameter workspace: a real path.
    /// - Throws: `programsBroken`.
    package func unanswered(in workspace: String) throws(Failure) -> [ProgramFolder] {
        let seen = try seen(in: workspace)
        let answered = Set(try consents.list().map(\.folder))
        let hidden = seen.searchFolders.filter { !$0.isShown }.map { ($0.path, true) }
        let interpreters = VirtualEnvironments.homes(in: workspace).map(realPath).filter {
            !seen.shows($0, in: workspace)
        }.map { ($0, false) }
        var asked: [ProgramFolder] = []
        for (path, isSearched) in hidden + interpreters {
            guard let folder = askable(path)?.folder, !answered.contains(folder.path) else { continue }
            let index = asked.firstIndex { $0.path.isSameName(as: folder.path) } ?? asked.count
            if index == asked.count { asked.append(folder) }
            if isSearched { asked[index].searched.append(path) }
        }
        return asked
    }

    /// Returns the folder that the user means by a path.
    ///
    /// - Throws: `badPath` if commands see it without a yes, or never see it.
    package func folder(_ written: String) throws(Failure) -> ProgramFolder {
        guard let home else { throw Failure(.badPath, "There is no home folder.", remedy: "Set HOME.") }
        let expanded = home.expanded(written)
        guard expanded.hasPrefix("/") else {
            throw Failure(.badPath, "\(written) is no whole path.", remedy: "Such as ~/.cargo/bin.")
        }
        let path = realPath(expanded)
        guard isFolder(path) else { throw Failure(.badPath, "\(written) is no folder.", remedy: "Look at its name.") }
        guard !PersonalPrograms.isOfSystem(path) else {
            throw Failure(.badPath, "\(written) is one of the system's: commands see it anyway.")
        }
        guard let place = layouts.place(of: path, in: home), !isOwn(path) else {
            throw Failure(
                .badPath, "\(written) is never shown to commands, since more than programs lies there.",
                remedy: "Name a folder with programs, such as ~/.cargo/bin.")
        }
        var folder = place.folder
        folder.searched = folders(of: searchPath).filter { askable($0)?.folder.path == folder.path }
        // A folder that the user names is searched, also if the search path of this process does not have it.
        if folder.searched.isEmpty, place.isSearched { folder.searched = [path] }
        return folder
    }

    /// Returns the folder of an answer, with all that commands see of it.
    package func folder(of consent: ProgramConsent) -> ProgramFolder {
        let known = home.flatMap { layouts.place(of: consent.folder, in: $0)?.folder }
        var folder = known ?? ProgramFolder(path: consent.folder)
        folder.searched = consent.searched
        return folder
    }

    // MARK: Folders

    /// Returns the place of a folder that can be asked about: below the home, or where programs of others are put for
    /// all users.
    private func askable(_ path: String) -> ProgramPlace? {
        guard let home, !isOwn(path) else { return nil }
        guard ([home.path] + Self.shared).contains(where: { path.path(below: $0) != nil }) else { return nil }
        return layouts.place(of: path, in: home)
    }

    /// The folders outside of the home in which packages of others lie, each in a folder of its own.
    private static let shared = ["/opt", "/home/linuxbrew"]

    private func isOwn(_ path: String) -> Bool {
        own.all.map(realPath).contains { path.path(below: $0) != nil || $0.path(below: path) != nil }
    }

    /// Returns the real paths of the folders of a search path that exist, each once. Relative folders are left out.
    private func folders(of path: String) -> [String] {
        var found: [String] = []
        for written in path.split(separator: ":").prefix(Limits.searchFolders) where written.hasPrefix("/") {
            let real = realPath(String(written))
            if isFolder(real), !found.contains(real) { found.append(real) }
        }
        return found
    }
}

/// The virtual environments of Python in a workspace.
enum VirtualEnvironments {
    /// The names that they usually have.
    private static let names = [".venv", "venv", "env", ".env"]

    /// Returns the folders of the interpreters that they were made with (`home` in `pyvenv.cfg`, PEP 405).
    static func homes(in workspace: String) -> [String] {
        names.compactMap { name in
            let text: String
            do throws(Failure) { text = try FileSystem.strangersText("\(workspace)/\(name)/pyvenv.cfg") } catch {
                return nil
            }
            for line in text.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
                if parts.count == 2, parts[0] == "home", parts[1].hasPrefix("/") { return String(parts[1]) }
            }
            return nil
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start[..<(start.lastIndex { $0 != " " && $0 != "\t" }.map(start.index(after:)) ?? start.startIndex)]
    }
}
