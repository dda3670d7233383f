import Harness
import JSON

/// A request, understood.
struct Asked: Sendable {
    enum What: Sendable {
        /// - Parameter key: from the path of a PUT.
        case submit(key: String?)
        case list(limit: Int?, key: String?)
        case status(String), logs(String), cancel(String), result(String)
        case file(String)
        case chat, models
        case nothing
    }

    let request: ScriptRequest
    /// The parts of its path, without the query.
    let words: [String]
    let query: [String: String]
    let what: What

    init(_ request: ScriptRequest) {
        self.request = request
        let parts = request.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        query = Dictionary(
            (parts.dropFirst().first ?? "").split(separator: "&").map { pair in
                let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (Self.plain(words[0]), Self.plain(words.dropFirst().first ?? ""))
            }
        ) { $1 }
        words = parts[0].split(separator: "/").map { Self.plain($0) }
        switch (request.method, words.count, words.first, words.last) {
        case ("POST", 1, "jobs", _): what = .submit(key: nil)
        case ("PUT", 2, "jobs", let key?): what = .submit(key: key)
        case ("GET", 1, "jobs", _): what = .list(limit: query["limit"].flatMap { Int($0) }, key: query["key"])
        case ("GET", 2, "jobs", let id?): what = .status(id)
        case ("GET", 3, "jobs", "logs"): what = .logs(words[1])
        case ("POST", 3, "jobs", "cancel"): what = .cancel(words[1])
        case ("GET", 3, "jobs", "result"): what = .result(words[1])
        case ("GET", 2, "files", let name?): what = .file(name)
        case ("POST", 3, "v1", "completions") where words[1] == "chat": what = .chat
        case ("GET", 2, "v1", "models"): what = .models
        default: what = .nothing
        }
    }

    var verb: Verb? {
        switch what {
        case .submit: .submit
        case .list: .list
        case .status: .status
        case .logs: .logs
        case .cancel: .cancel
        case .result: .result
        case .file: .file
        case .chat, .models, .nothing: nil
        }
    }

    /// What is asked of the model.
    var modelVerb: String? {
        switch what {
        case .chat: "chat"
        case .models: "models"
        case .submit, .list, .status, .logs, .cancel, .result, .file, .nothing: nil
        }
    }

    /// With `%41` and `+` undone.
    private static func plain(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var bytes: [UInt8] = []
        var left = Array(text.utf8)[...]
        while let byte = left.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                if left.count >= 2, let value = UInt8(String(decoding: left.prefix(2), as: UTF8.self), radix: 16) {
                    bytes.append(value)
                    left = left.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
