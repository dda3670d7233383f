import Console
import Glibc
import Tools
import Vocabulary

/// Keeps a key where the person wants it (`architecture.md`, "Folders and keys"); `Secrets` finds it there.
struct KeyStore {
    let secrets: Secrets

    /// Blocks while a program runs.
    ///
    /// - Parameter name: letters, digits and `_`.
    /// - Throws: `badUsage`, `keyNotKept`, `keyExists` where another key is kept by this name and nobody has said that it goes, and
    ///   what the disk refuses.
    func keep(_ key: String, called name: String, _ place: House.KeyPlace) throws(Failure) {
        guard Secrets.isName(name) else { throw Failure("badUsage", "\"\(name.prefix(80))\" is no name of a key.") }
        guard place == .none || Folders.environment(name) == nil else {
            throw Failure(
                "keyNotKept", "\(name) is set in the environment, which comes before all other places.",
                remedy: "Take it out there, or set it to this key.")
        }
        switch place {
        case .none: return
        case .file, .fileAnew:
            let folder = secrets.config + "/keys"
            let (path, bytes) = ("\(folder)/\(name)", Array((key + "\n").utf8))
            // A name of an address belongs to it alone: a new key for it takes the place of its old one.
            guard place == .fileAnew || Self.isOfAnAddress(name) || !Self.holdsAnother(than: bytes, path) else {
                throw Failure(
                    "keyExists", "\(path) is there already, with another key.",
                    remedy: "If it is not wanted any more, take the file away; else put the new key into the environment, as \(name).")
            }
            try Folders.make(folder)
            try Files.replace(path, with: bytes)
        case .secretService:
            let words = ["secret-tool", "store", "--label=Assent: \(name)", "service", "assent", "name", name]
            guard secrets.run(words, input: Array((key + "\n").utf8)) != nil else {
                throw Failure(
                    "keyNotKept", "The Secret Service did not take the key.",
                    remedy: "It needs secret-tool (Debian: libsecret-tools) and a desktop session; a file works everywhere.")
            }
        }
    }

    private static func holdsAnother(than bytes: [UInt8], _ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return (try? Files.bytes(path, limit: Limits.keyBytes)) != bytes
    }

    // MARK: Names

    private static let mark = "_KEY_"
    private static let digits = 16

    /// For a server that no profile gives a name for its key: readable, and of this address alone, such as
    /// `LLM_EXAMPLE_COM_443_KEY_0123456789ABCDEF`. What two addresses share in their letters, the digits tell apart.
    static func name(for choice: ModelChoice) -> String {
        let letters = choice.host.host.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }
        var path = choice.profile.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
        while path.last?.isEmpty == true { path.removeLast() }
        let hash = ContentHash.of("\(choice.host)/\(path.joined(separator: "/"))").hex.prefix(digits).uppercased()
        return letters.joined().prefix(80) + "_\(choice.host.port)\(mark)\(hash)"
    }

    /// Whether it is a name that `name(for:)` makes, for whatever address.
    static func isOfAnAddress(_ name: String) -> Bool {
        let end = name.suffix(digits)
        return name.dropLast(digits).hasSuffix(mark) && end.count == digits && end.allSatisfy { $0.isHexDigit && !$0.isLowercase }
    }

    /// Whether a key of this name may go to a server: one that was kept for another address stays at home, whatever the connection says.
    static func mayGo(_ name: String, to choice: ModelChoice) -> Bool { !isOfAnAddress(name) || name == self.name(for: choice) }
}
