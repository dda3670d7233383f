import Files
import Glibc
import Vocabulary

/// The rule by which a file of the configuration is believed: only the user or root can have written it.
///
/// The file and the folder that holds it belong to the user or root. Others cannot write them. A group may only if it
/// is the private group of the owner: a group of the same name without other members. A folder that others may write is
/// refused though it is sticky, since they can put a file there under a name that is free.
enum OwnerRule {
    /// The most bytes of an entry of the databases of users and groups.
    private static let entryBytes = 1 << 16

    /// Returns why a file is not believed, with its owner and mode, or nil if it is.
    ///
    /// - Parameters:
    ///   - path: the file, which may be a link. Then the rule also holds for the folder of the link's end.
    ///   - root: a folder above the file. The rule holds for all folders from the file up to it.
    static func fault(of path: String, _ status: stat, below root: String?) -> String? {
        if let fault = fault(of: status, path, named: "It") { return fault }
        let real = Folders.real(path) ?? path
        if real != path, let fault = faultOfFolder(of: real) { return fault }
        return faultOfFolder(of: path, below: root)
    }

    /// Returns why a folder cannot hold a file that is believed, or nil if it can.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - root: a folder above the file, up to which the rule holds.
    static func faultOfFolder(of path: String, below root: String? = nil) -> String? {
        for folder in folders(of: path, below: root) {
            var status = stat()
            guard stat(folder, &status) == 0 else { return "Its folder \(folder) cannot be looked at." }
            if let fault = fault(of: status, folder, named: "Its folder \(folder)") { return fault }
        }
        return nil
    }

    private static func folders(of path: String, below root: String?) -> [String] {
        var folders = [folder(of: path)]
        guard let root, folders[0].hasPrefix(root + "/") else { return folders }
        while let last = folders.last, last != root { folders.append(folder(of: last)) }
        return folders
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func fault(of status: stat, _ path: String, named name: String) -> String? {
        let mode = String(status.st_mode & 0o7777, radix: 8)
        let owner = userName(status.st_uid)
        let facts = "\(name) belongs to \(owner ?? "user \(status.st_uid)") and has the mode \(mode)"
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            return
                "\(facts): others can change it, and it decides what Assent asks and runs. Look at it, then make it yours."
        }
        let isSharedWithGroup =
            status.st_mode & 0o020 != 0 && (!isPrivate(group: status.st_gid, of: owner) || AccessList.isSet(on: path))
        guard status.st_mode & 0o002 != 0 || isSharedWithGroup else { return nil }
        return
            "\(facts): others can write it, and it decides what Assent asks and runs. Look at it, then: chmod go-w \(path)"
    }

    private static func userName(_ user: uid_t) -> String? {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: entryBytes)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return String(cString: entry.pw_name)
    }

    /// Whether a group has the name of a user, and no other member.
    private static func isPrivate(group: gid_t, of user: String?) -> Bool {
        guard let user else { return false }
        var (entry, found) = (Glibc.group(), UnsafeMutablePointer<Glibc.group>?.none)
        var buffer = [CChar](repeating: 0, count: entryBytes)
        guard getgrgid_r(group, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            String(cString: entry.gr_name) == user
        else { return false }
        var member = entry.gr_mem
        while let name = member?.pointee {
            if String(cString: name) != user { return false }
            member = member?.successor()
        }
        return true
    }
}
