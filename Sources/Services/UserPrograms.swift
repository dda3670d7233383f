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
    /// The roots of all layouts, for words about programs that no search path has.
    private let known: [String]

    /// - Parameter variable: returns a variable of the user's environment.
    package init(consents: ProgramConsents, own: OwnFolders, variable: (String) -> String?) {
        self.consents = consents
        self.own = own
        searchPath = variable("PATH") ?? ""
        let named = layouts.variables.compactMap { name in variable(name).map { (name, $0) } }
        home = variable("HOME").flatMap { $0.hasPrefix("/") && isFolder($0) ? realPath($0) : nil }.map {
            ProgramHome(path: $0, variables: Dictionary(uniqueKeysWithValues: named))
        }
        let (layouts, home) = (layouts, home)
        known = layouts.layouts.compactMap { home?.place(of: $0.root) }
    }

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
        let allowed = try consents.list().filter(\.isAllowed).map { ($0, layouts.place(of: $0.folder, in: home)) }
        for (consent, place) in allowed {
            guard let place else { continue }
            let roots = place.roots.filter { isThere($0.path) && consent.shown.contains($0.path) }
            programs.roots += roots.filter { root in
                root.path.path(below: workspace) == nil && !programs.roots.contains { $0.path == root.path }
            }
            programs.variables += roots.compactMap(\.variable) + (roots.isEmpty ? [] : place.variables)
        }
        // A folder lies over the one around it.
        programs.roots.sort { $0.path.utf8.count < $1.path.utf8.count }
        programs.known = known
        let path = folders(of: searchPath)
        let more = allowed.flatMap(\.0.searched).filter { folder in
            !path.contains(folder) && isFolder(folder) && programs.roots.contains { folder.path(below: $0.path) != nil }
        }
        programs.searchFolders = (more + path).compactMap { folder in
            if programs.shows(folder, in: workspace) {
                return PersonalPrograms.SearchFolder(path: folder, isShown: true)
            }
            guard let place = place(of: folder) else { return nil }
            return PersonalPrograms.SearchFolder(path: folder, isShown: false, allowedBy: place.folder.path)
        }
        return programs
    }

    /// Returns whether commands see a folder that is allowed. It may have moved, or have become a link or one of
    /// Assent's own folders.
    package func isSeen(_ consent: ProgramConsent) -> Bool {
        guard let home, let place = layouts.place(of: consent.folder, in: home) else { return false }
        return place.roots.contains { isThere($0.path) && consent.shown.contains($0.path) }
    }

    private func isThere(_ root: String) -> Bool { isFolder(root) && realPath(root) == root && !isOwn(root) }

    // MARK: What is asked

    /// Returns the folders that commands in a workspace do not see, and that the user has not answered about yet.
    ///
    /// - Parameter workspace: a real path.
    /// - Throws: `programsBroken`.
    package func unanswered(in workspace: String) throws(Failure) -> [ProgramFolder] {
        guard let home else { return [] }
        let (seen, answers) = (try seen(in: workspace), try consents.list())
        var asked: [ProgramFolder] = []
        func add(_ path: String, _ environment: String?) {
            guard let folder = askable(path)?.folder, !answers.contains(where: { $0.folder == folder.path }) else {
                return
            }
            let index = asked.firstIndex { $0.path == folder.path } ?? asked.count
            if index == asked.count {
                asked.append(folder)
                asked[index].environment = environment
            }
            if environment == nil { asked[index].searched.append(path) }
        }
        for folder in seen.searchFolders where !folder.isShown { add(folder.path, nil) }
        for (name, folder) in VirtualEnvironments.homes(in: workspace) where !seen.shows(folder, in: workspace) {
            add(folder, name)
        }
        // The environment names another folder now, or a folder was made since.
        for answer in answers where answer.isAllowed {
            guard let place = layouts.place(of: answer.folder, in: home),
                place.roots.contains(where: { isThere($0.path) && !answer.shown.contains($0.path) })
            else { continue }
            asked.append(folder(of: answer))
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
        guard let place = place(of: path) else {
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
        guard let home, ([home.path] + Self.shared).contains(where: { path.path(below: $0) != nil }) else { return nil }
        return place(of: path)
    }

    /// Returns the place of a folder that can be allowed.
    private func place(of path: String) -> ProgramPlace? {
        guard let home, let place = layouts.place(of: path, in: home), !place.roots.contains(where: { isOwn($0.path) })
        else { return nil }
        return place
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
