package import Files
import Glibc
import JSON
package import Vocabulary

/// The resources outside of the rehearsal that a call names for its command: hosts to contact, and files and folders to
/// read besides the workspace.
package struct OutsideAccess {
    package struct Reading: Hashable {
        /// A real path.
        package var path: String
        package var isFolder: Bool
        /// Whether it may hold keys.
        package var isPrivate: Bool

        package init(path: String, isFolder: Bool, isPrivate: Bool) {
            self.path = path
            self.isFolder = isFolder
            self.isPrivate = isPrivate
        }
    }

    package var hosts: [NamedHost] = []
    package var readings: [Reading] = []
    package var targets: [Call.Target] = []

    /// Whether a file that may hold keys is read. The results of the command stay on this machine then.
    package var isPrivate: Bool { readings.contains(where: \.isPrivate) }

    package init(hosts: [NamedHost] = [], readings: [Reading] = [], targets: [Call.Target] = []) {
        (self.hosts, self.readings, self.targets) = (hosts, readings, targets)
    }
}

extension String {
    fileprivate func isStrictly(below folder: String) -> Bool { path(below: folder).map { !$0.isEmpty } ?? false }
}

extension ProgramCommand {
    /// Gives a command access to the hosts, files and folders that its call names.
    package mutating func allow(_ outside: OutsideAccess, resolve: @escaping HostProxy.Resolve) {
        if !outside.hosts.isEmpty { network = .hosts(outside.hosts, resolve: resolve) }
        seesOthersFiles = outside.readings.contains { !$0.isPrivate || $0.path.path(below: folder) == nil }
        // The command sees the entries of its folder anyway.
        readable += outside.readings.filter { !$0.isPrivate && $0.path.path(below: folder) == nil }.map(\.path)
        unhidden += outside.readings.filter(\.isPrivate).map(\.path)
        guard let home = getenv("HOME").map({ realPath(String(cString: $0)) }) else { return }
        // Programs look for these paths below their home folder.
        for path in outside.readings.map(\.path)
        where !outside.readings.contains(where: { path.isStrictly(below: $0.path) }) {
            if path.isStrictly(below: home), let name = path.path(below: home) { homeLinks[name] = path }
        }
    }
}

extension PrivateFiles {
    /// Returns these files, and those that are hidden in the folders that a command reads. Files that the command names
    /// itself are left out.
    package func and(in outside: OutsideAccess, own: OwnFolders) throws(Failure) -> PrivateFiles {
        var all = self
        for reading in outside.readings where reading.isFolder {
            all = all.and(try Self.below(reading.path, own: own, isElsewhere: true, isGiven: reading.isPrivate))
            try all.check(reading.path)
        }
        return all
    }
}
