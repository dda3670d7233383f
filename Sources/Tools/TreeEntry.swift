import Files
import Glibc
import Vocabulary

/// An entry of a folder with all below it, and what a copy or an archive keeps of it.
struct TreeEntry: Hashable {
    /// The path below the folder.
    var path: String
    var kind: stat.Kind
    var bytes: Int
    /// Permissions, such as `0o644`.
    var mode: Int
    /// The time of the last change, in nanoseconds since 1970.
    var modified: Int64
    /// The target of a link, as it is written, or `nil`.
    var leadsTo: String?
}
