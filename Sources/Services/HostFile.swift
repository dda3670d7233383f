import JSON
import Manifests
import Vocabulary

/// The form of `hosts.json`:
/// `{"v":1,"hosts":[{"host":"https://api.example.com:443","use":"model","at":1764000000000}]}`.
extension HostConsents {
    /// Returns the hosts of a text, and its problems.
    static func read(_ text: String, file: String) -> (hosts: [AllowedHost], problems: [Problem]) {
        let json: JSON
        do throws(JSONReader.Failure) {
            json = try JSONReader.read(text)
        } catch {
            return ([], [Problem(.hostsBroken, at: "\(file):\(error.line)", "\(error.message).")])
        }
        // JSON is YAML, and the YAML reader knows the line of each value. Most files have no problem.
        lazy var lines = (try? YAML.read(text, file: file))?.first
        func line(_ index: Int? = nil) -> Int {
            guard let index, case .list(let entries)? = lines?["hosts"]?.value, entries.indices.contains(index) else {
                return lines?.line ?? 1
            }
            return entries[index].line
        }
        func problem(_ words: String, at index: Int? = nil) -> Problem {
            Problem(.hostsBroken, at: "\(file):\(line(index))", words)
        }
        guard let object = json.object else { return ([], [problem("The file must be an object with \"hosts\".")]) }
        var problems = unknown(object, ["v", "hosts"]).map { problem($0) }
        if json["v"]?.int != 1 { problems.append(problem("\"v\" must be 1; this version reads no other.")) }
        guard let entries = json["hosts"]?.array else { return ([], problems + [problem("\"hosts\" must be a list.")]) }
        var hosts: [AllowedHost] = []
        for (index, entry) in entries.enumerated() {
            guard let members = entry.object else {
                problems.append(problem("An entry must be an object with host, use and at.", at: index))
                continue
            }
            problems += unknown(members, ["host", "use", "at"]).map { problem($0, at: index) }
            guard let use = entry["use"]?.string.flatMap(HostUse.init(rawValue:)) else {
                problems.append(
                    problem(
                        "\"use\" must be one of \(HostUse.allCases.map(\.rawValue).joined(separator: ", ")).", at: index
                    ))
                continue
            }
            guard let at = entry["at"]?.int, let host = entry["host"]?.string, let read = try? Self.read(host),
                read.description == host
            else {
                problems.append(
                    problem(
                        "\"host\" must be a host such as https://api.example.com:443, and \"at\" a time.", at: index))
                continue
            }
            hosts.append(AllowedHost(read, for: use, at: Moment(milliseconds: Int64(at))))
        }
        return (problems.isEmpty ? hosts : [], problems)
    }

    private static func unknown(_ object: JSON.Object, _ known: [String]) -> [String] {
        object.members.map(\.key).filter { !known.contains($0) }.map {
            "\"\($0)\" is not known here. \(NearestWord.hint(for: $0, among: known))"
        }
    }

    /// Returns the text of a list.
    static func text(of hosts: [AllowedHost]) -> String {
        let entries = hosts.map { entry -> JSON in
            [
                "host": .string(entry.host.description), "use": .string(entry.use.rawValue),
                "at": .int(Int(entry.at.milliseconds)),
            ]
        }
        let json: JSON = ["v": 1, "hosts": .array(entries)]
        return json.text + "\n"
    }
}
