import JSON
package import Vocabulary

extension Limits {
    /// The most folders with programs that the user has answered about.
    fileprivate static let programFolders = 256
}

/// The answers of the user about folders with programs: `programs.json` in the config folder.
package struct ProgramConsents: Sendable {
    private let file: ConsentFile<ProgramConsent>

    /// Creates the list of a config folder. The file is not read yet.
    package init(folder: String) { file = ConsentFile(folder + "/programs.json") }

    /// Returns all answers, in the order in which their folders are searched.
    ///
    /// - Throws: `programsBroken` if the file cannot be read or trusted. No command runs then.
    package func list() throws(Failure) -> [ProgramConsent] { try file.list() }

    /// Returns the answers in the file, and its problems.
    package func read() -> (folders: [ProgramConsent], problems: [Problem]) {
        let (entries, problems) = file.read()
        return (entries, problems)
    }

    /// Stores answers. An earlier answer about a folder is replaced. A yes also shows what an earlier yes showed.
    ///
    /// - Throws: `programsBroken`, or `tooLarge` if there are too many.
    package func store(_ answers: [ProgramConsent]) throws(Failure) {
        var isFull = false
        _ = try file.change { all in
            for answer in answers {
                var answer = answer
                for old in all where answer.isAllowed && old.isAllowed && old.folder == answer.folder {
                    answer.shown += old.shown.filter { !answer.shown.contains($0) }
                }
                all.removeAll { $0.folder == answer.folder }
                all.append(answer)
            }
            isFull = all.count > Limits.programFolders
            return !isFull && !answers.isEmpty
        }
        guard !isFull else {
            throw Failure(
                .tooLarge, "There are answers about more than \(Limits.programFolders) folders.",
                remedy: "Take some out of programs.json in the config folder.")
        }
    }
}

/// The form of `programs.json`:
/// `{"v":1,"folders":[{"folder":"/a/b","allowed":true,"shown":["/a/b"],"searched":["/a/b"],"at":1764000000000}]}`.
extension ProgramConsent: ConsentEntry {
    static let list = "folders"
    static let members = ["folder", "allowed", "shown", "searched", "at"]
    static let code = Code.programsBroken
    static let meaning = "The file says which of your programs commands see, so no command runs."
    static let remedy = "Correct it, or remove it and allow your folders again: 'assent programs allow FOLDER'"

    static func read(_ json: JSON) throws(ConsentEntryFault) -> ProgramConsent {
        guard let folder = json["folder"]?.string, isPlace(folder), let isAllowed = json["allowed"]?.bool,
            let shown = json["shown"]?.array?.map(\.string), let searched = json["searched"]?.array?.map(\.string),
            let at = json["at"]?.int
        else {
            throw ConsentEntryFault(
                "\"folder\" must be a whole path, \"allowed\" true or false, "
                    + "\"shown\" and \"searched\" lists, \"at\" a time."
            )
        }
        let paths = (shown + searched).compactMap(\.self)
        guard paths.count == shown.count + searched.count, paths.allSatisfy(isPlace) else {
            throw ConsentEntryFault("\"shown\" and \"searched\" must be lists of whole paths.")
        }
        return ProgramConsent(
            folder: folder, isAllowed: isAllowed, shown: Array(paths.prefix(shown.count)),
            searched: Array(paths.dropFirst(shown.count)), at: Moment(milliseconds: Int64(at)))
    }

    /// Whether a text is a whole path with one notation.
    private static func isPlace(_ path: String) -> Bool {
        path.hasPrefix("/") && !path.utf8.contains(0) && !path.contains(":")
            && path == "/" + path.pathNames.joined(separator: "/") && !path.pathNames.contains("..")
            && !path.pathNames.contains(".")
    }

    var json: JSON {
        [
            "folder": .string(folder), "allowed": .bool(isAllowed), "shown": .array(shown.map { .string($0) }),
            "searched": .array(searched.map { .string($0) }), "at": .int(Int(at.milliseconds)),
        ]
    }

    /// The order in which programs are looked up is that of the answers.
    var sortingKey: [String] { [] }
}
