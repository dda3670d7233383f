/// A place where a key is stored (`architecture.md`, "Folders and keys").
package enum KeyStorage: String, Hashable, Sendable, CaseIterable {
    /// The file `keys/NAME` of the config folder, which only the person can read.
    case file
    /// The same file, which replaces another key of this name. The person has agreed to that.
    case replacingFile
    /// The Secret Service of the desktop.
    case secretService
    /// No place: the key is forgotten when this process ends.
    case none
}
