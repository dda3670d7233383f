import Files
import Glibc
import Undo
import Vocabulary

/// The way back from the replacement or the deletion of a file, as a question promises it.
enum UndoPromise {
    /// Returns whether undo can bring a file or a link back, and how.
    ///
    /// - Parameters:
    ///   - status: the file as it is.
    ///   - user: the user of this process. Only root can give a file back to another user.
    ///   - copy: the words for the copy that undo keeps of a file.
    static func back(from status: stat, as user: uid_t = geteuid(), copy: String) -> Reversibility {
        if status.kind == .link { return .yes(how: "its target is kept") }
        guard status.st_size <= Limits.undoCopyBytes, user == 0 || status.st_uid == user else { return .no }
        guard status.hasOtherNames else { return .yes(how: copy) }
        return .yes(how: "\(copy); it has \(status.st_nlink) names, and undo makes one file of its own")
    }
}
