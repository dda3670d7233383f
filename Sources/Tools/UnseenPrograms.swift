import Rehearsal
import Sandbox
import Vocabulary

extension Limits {
    /// The most programs that a call names as not seen.
    fileprivate static let unseenPrograms = 8
    /// The most names on standard error that are looked up.
    fileprivate static let namesInErrors = 400
    /// The bytes at the beginning, and at the end, of standard error that are searched for names.
    fileprivate static let searchedErrorBytes = 256 << 10
}

/// The programs of the user that a command does not see, found by the words of the command and by what it complains
/// about. This is advice: what a command sees is decided by its sandbox.
struct UnseenPrograms {
    /// The name of the fact of a call (`Call.environment`) that names these programs.
    static let fact = "notAllowed"

    let programs: PersonalPrograms
    /// A real path.
    let workspace: String

    /// Returns those that a command names.
    func named(in command: String) -> [UnseenProgram] {
        limited(ShellWords.commands(in: command).flatMap(Self.names).compactMap(unseen))
    }

    /// Returns those that a command has missed, by the lines of its standard error.
    func missed(in errors: String) -> [UnseenProgram] {
        limited(Self.candidates(in: errors).compactMap(unseen).filter { $0.seen == nil })
    }

    /// Returns the words in lines about something that was not found. Of a long output, only the beginning and the end
    /// are searched.
    static func candidates(in errors: String) -> ArraySlice<String> {
        let (all, most) = (errors.utf8, Limits.searchedErrorBytes)
        let searched =
            all.count <= 2 * most
            ? errors
            : String(decoding: all.prefix(most), as: UTF8.self) + "\n"
                + String(decoding: all.suffix(most), as: UTF8.self)
        let lines = searched.split(whereSeparator: \.isNewline).filter { line in
            signs.contains { line.contains($0) }
                || line.contains("No such file or directory") && starting.contains { line.contains($0) }
        }
        return lines.flatMap { line in
            line.split { !$0.isLetter && !$0.isNumber && !"._+-/".contains($0) }.map { String($0) }
        }.prefix(Limits.namesInErrors)
    }

    /// The words of shells, Go and Node about a program that they do not find.
    private static let signs = ["not found", "ENOENT"]
    /// The words of programs that start others. Without them, it is a file that is missing.
    private static let starting = [
        "env: ", "make: ", "make[", "FileNotFoundError", "exec", "xargs: ", "nohup: ", "timeout: ",
    ]

    private func unseen(_ name: String) -> UnseenProgram? {
        name.contains("/") ? programs.unseen(at: name, in: workspace) : programs.unseen(name)
    }

    private func limited(_ found: [UnseenProgram]) -> [UnseenProgram] {
        var unique: [UnseenProgram] = []
        for program in found where !unique.contains(program) && unique.count < Limits.unseenPrograms {
            unique.append(program)
        }
        return unique
    }

    /// Returns the names of programs in a simple command: the first word, and the next one behind a program that starts
    /// another.
    private static func names(in words: [String]) -> [String] {
        var names: [String] = []
        for word in words {
            if names.isEmpty || starters.contains(names[names.count - 1]) {
                if isAssignment(word) || word.isLikeOption { continue }
                names.append(word)
            } else {
                break
            }
        }
        return names
    }

    /// Programs and words of the shell whose next word is a program.
    private static let starters: Set<String> = [
        "env", "exec", "command", "time", "nohup", "nice", "xargs", "if", "then", "else", "elif", "while", "until",
        "do", "!", "{",
    ]

    private static func isAssignment(_ word: String) -> Bool {
        guard let sign = word.firstIndex(of: "="), sign != word.startIndex else { return false }
        return word[..<sign].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
