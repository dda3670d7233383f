import Glibc
import Services
import Vocabulary

/// The places where a key can be stored (`architecture.md`, "Folders and keys"). `Secrets` finds it there.
struct KeyStore {
    let secrets: Secrets

    /// Stores a key under a name. Blocks while a program runs.
    ///
    /// - Parameter name: letters, digits and `_`.
    /// - Throws: `badUsage`, `keyNotKept`, `keyExists` if the file holds another key that may not be replaced, and the
    ///   failures of the disk.
    func keep(_ key: String, called name: String, _ place: KeyStorage) throws(Failure) {
        guard Secrets.isName(name) else { throw Failure(.badUsage, "\"\(name.prefix(80))\" is no name of a key.") }
        guard place == .none || Folders.environment(name) == nil else {
            throw Failure(
                .keyNotKept, "\(name) is set in the environment, which comes before all other places.",
                remedy: "Take it out there, or set it to this key.")
        }
        switch place {
        case .none: return
        case .file, .replacingFile:
            let folder = secrets.config + "/keys"
            let (path, bytes) = ("\(folder)/\(name)", Array((key + "\n").utf8))
            // The name of an address belongs to that address alone, so its new key replaces the old one.
            guard place == .replacingFile || KeyNames.isOfAnAddress(name) || !Self.holdsAnother(than: bytes, path)
            else {
                throw Failure(
                    .keyExists, "\(path) is there already, with another key.",
                    remedy:
                        "If it is not wanted any more, take the file away; else put the new key into the environment, as \(name)."
                )
            }
            try Folders.make(folder)
            try FileSystem.replace(path, with: bytes)
        case .secretService:
            let words = ["secret-tool", "store", "--label=Assent: \(name)", "service", "assent", "name", name]
            guard secrets.run(words, input: Array((key + "\n").utf8)) != nil else {
                throw Failure(
                    .keyNotKept, "The Secret Service did not take the key.",
                    remedy:
                        "It needs secret-tool (Debian: libsecret-tools) and a desktop session; a file works everywhere."
                )
            }
        }
    }

    private static func holdsAnother(than bytes: [UInt8], _ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return (try? FileSystem.bytes(path, limit: Limits.keyBytes)) != bytes
    }
}
