import JSON
import Manifests
import Vocabulary

extension Limits {
    /// The most bytes of a file that lists what the user allowed.
    fileprivate static let consentBytes = 1 << 20
}

/// An answer of the user in a file of the config folder.
protocol ConsentEntry: Hashable, Sendable {
    /// The member of the file that has the list.
    static var list: String { get }
    /// The members of an entry. All are required.
    static var members: [String] { get }
    /// The code of a file that cannot be used.
    static var code: Code { get }
    /// A sentence that says what such a file means, and what the user can do.
    static var meaning: String { get }
    static var remedy: String { get }

    /// Reads an entry that has no other members.
    static func read(_ json: JSON) throws(ConsentEntryFault) -> Self

    var json: JSON { get }

    /// The texts by which the entries of a file are sorted, or none to keep their order.
    var sortingKey: [String] { get }
}

/// The reason why an entry cannot be read, as a sentence.
struct ConsentEntryFault: Error {
    let words: String

    init(_ words: String) { self.words = words }
}

/// A file of the config folder with answers of the user: `{"v":1,"hosts":[…]}`. It is read at each check, so that a
/// revoked answer counts at once in every process.
struct ConsentFile<Entry: ConsentEntry>: Sendable {
    private let path: String

    init(_ path: String) { self.path = path }

    private var file: ConfigFile { ConfigFile(path, limit: Limits.consentBytes) }

    /// Returns the entries, and the problems of the file. If there is a problem, there are no entries.
    func read() -> (entries: [Entry], problems: [Problem]) {
        do throws(Problem) {
            // An empty file is not the same as an absent one: an interrupted write may have left it.
            guard let text = try file.text() else { return ([], []) }
            return read(text)
        } catch {
            return ([], [error])
        }
    }

    /// Returns the entries.
    ///
    /// - Throws: the code of a file that cannot be used.
    func list() throws(Failure) -> [Entry] {
        let (entries, problems) = read()
        if let problem = problems.first { throw broken(problem) }
        return entries
    }

    /// Changes the list under a lock, so that no change of another process is lost.
    ///
    /// - Returns: false if nothing was changed.
    func change(_ edit: (inout [Entry]) -> Bool) throws(Failure) -> Bool {
        var isChanged = false
        try file.change("the \(Entry.list)") { text throws(Failure) in
            // The text of an absent file is empty.
            var (entries, problems) = text.isEmpty ? ([], []) : read(text)
            if let problem = problems.first { throw broken(problem) }
            isChanged = edit(&entries)
            guard isChanged else { return nil }
            let keys = entries.map(\.sortingKey)
            if !keys.contains([]) {
                entries.sort { $0.sortingKey.lexicographicallyPrecedes($1.sortingKey) }
            }
            let new = JSON.of(["v": 1, Entry.list: .array(entries.map(\.json))]).text + "\n"
            guard read(new) == (entries, []) else {
                throw Failure(Entry.code, "\(path) is not changed: it would not read as it was meant.")
            }
            return new
        }
        return isChanged
    }

    private func broken(_ problem: Problem) -> Failure {
        Failure(Entry.code, "\(problem.place): \(problem.message) \(Entry.meaning)", remedy: Entry.remedy)
    }

    /// Returns the entries of a text, and its problems.
    private func read(_ text: String) -> (entries: [Entry], problems: [Problem]) {
        let json: JSON
        do throws(JSONReader.Failure) {
            json = try JSONReader.read(text)
        } catch {
            return ([], [Problem(Entry.code, at: "\(path):\(error.line)", "\(error.message).")])
        }
        // JSON is YAML, and the YAML reader knows the line of each value. Most files have no problem.
        lazy var lines = (try? YAML.read(text, file: path))?.first
        func line(_ index: Int? = nil) -> Int {
            guard let index, case .list(let entries)? = lines?[Entry.list]?.value, entries.indices.contains(index)
            else {
                return lines?.line ?? 1
            }
            return entries[index].line
        }
        func problem(_ words: String, at index: Int? = nil) -> Problem {
            Problem(Entry.code, at: "\(path):\(line(index))", words)
        }
        guard let object = json.object else {
            return ([], [problem("The file must be an object with \"\(Entry.list)\".")])
        }
        var problems = unknown(object, ["v", Entry.list]).map { problem($0) }
        if json["v"]?.int != 1 { problems.append(problem("\"v\" must be 1; this version reads no other.")) }
        guard let entries = json[Entry.list]?.array else {
            return ([], problems + [problem("\"\(Entry.list)\" must be a list.")])
        }
        var read: [Entry] = []
        for (index, entry) in entries.enumerated() {
            guard let members = entry.object else {
                let names = Entry.members
                let words = names.dropLast().joined(separator: ", ") + " and \(names.last ?? "")"
                problems.append(problem("An entry must be an object with \(words).", at: index))
                continue
            }
            problems += unknown(members, Entry.members).map { problem($0, at: index) }
            do throws(ConsentEntryFault) { read.append(try Entry.read(entry)) } catch {
                problems.append(problem(error.words, at: index))
            }
        }
        return (problems.isEmpty ? read : [], problems)
    }

    private func unknown(_ object: JSON.Object, _ known: [String]) -> [String] {
        object.members.map(\.key).filter { !known.contains($0) }.map {
            "\"\($0)\" is not known here. \(NearestWord.hint(for: $0, among: known))"
        }
    }
}
