import Vocabulary

/// The folders of an overlay over a workspace, on the workspace's file system. All are absolute paths.
package struct Overlay: Hashable, Sendable {
    /// The folder that gets the changes.
    let upper: String
    /// The folder that the kernel needs for its own files.
    let work: String

    package init(upper: String, work: String) {
        self.upper = upper
        self.work = work
    }
}
