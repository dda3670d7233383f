import Console
import Glibc
import Vocabulary

/// Keeps a key where the person wants it (`design.md` §5); `Secrets` finds it there.
struct KeyStore {
    let config: String

    /// Blocks while a program runs.
    ///
    /// - Parameter name: letters, digits and `_`.
    /// - Throws: `badUsage`, `keyNotKept`, and what the disk refuses.
    func keep(_ key: String, called name: String, _ place: House.KeyPlace) throws(Failure) {
        guard Secrets.isName(name) else { throw Failure("badUsage", "\"\(name.prefix(80))\" is no name of a key.") }
        guard place == .none || Folders.environment(name) == nil else {
            throw Failure(
                "keyNotKept", "\(name) is set in the environment, which comes before all other places.",
                remedy: "Take it out there, or set it to this key.")
        }
        switch place {
        case .none: return
        case .file:
            let folder = config + "/keys"
            try Folders.make(folder)
            try Files.replace("\(folder)/\(name)", with: Array((key + "\n").utf8))
        case .secretService:
            let words = ["secret-tool", "store", "--label=Assent: \(name)", "service", "assent", "name", name]
            guard Secrets.run(words, input: Array((key + "\n").utf8)) != nil else {
                throw Failure(
                    "keyNotKept", "The Secret Service did not take the key.",
                    remedy: "It needs secret-tool (Debian: libsecret-tools) and a desktop session; a file works everywhere.")
            }
        }
    }

    /// For a server without a profile: its host in capitals and its port, such as `LLM_EXAMPLE_COM_443_KEY`.
    static func name(for host: RemoteHost) -> String {
        let letters = host.host.uppercased().map { letter in
            letter == "-" ? "__" : letter.isASCII && (letter.isLetter || letter.isNumber) ? String(letter) : "_"
        }
        return letters.joined().prefix(100) + "_\(host.port)_KEY"
    }
}
