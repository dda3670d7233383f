import JSON
import Vocabulary

/// The form of `hosts.json`:
/// `{"v":1,"hosts":[{"host":"https://api.example.com:443","use":"model","at":1764000000000}]}`.
extension AllowedHost: ConsentEntry {
    static let list = "hosts"
    static let members = ["host", "use", "at"]
    static let code = Code.hostsBroken
    static let meaning = "The file says which hosts are allowed, so none is."
    static let remedy = "Correct it, or remove it and allow your hosts again: 'assent hosts allow HOST --for model'"

    static func read(_ json: JSON) throws(ConsentEntryFault) -> AllowedHost {
        guard let use = json["use"]?.string.flatMap(HostUse.init(rawValue:)) else {
            throw ConsentEntryFault(
                "\"use\" must be one of \(HostUse.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        guard let at = json["at"]?.int, let host = json["host"]?.string, let read = try? HostConsents.read(host),
            read.description == host
        else {
            throw ConsentEntryFault("\"host\" must be a host such as https://api.example.com:443, and \"at\" a time.")
        }
        return AllowedHost(read, for: use, at: Moment(milliseconds: Int64(at)))
    }

    var json: JSON {
        ["host": .string(host.description), "use": .string(use.rawValue), "at": .int(Int(at.milliseconds))]
    }

    var sortingKey: [String] { [host.description, use.rawValue] }
}
