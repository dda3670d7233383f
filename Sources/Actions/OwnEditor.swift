import Files
import Glibc
import Services
import Vocabulary

/// The user's own editor (`$VISUAL`, `$EDITOR`) on a text of ours, in a file that no other user can read.
package struct OwnEditor: Sendable {
    private let program: PersonsProgram

    /// `nil` where the person has none, or it cannot be found.
    package static var ofThePerson: OwnEditor? {
        PersonsProgram(line: Folders.environment("VISUAL") ?? Folders.environment("EDITOR")).map {
            OwnEditor(program: $0)
        }
    }

    /// Opens the editor with a text that belongs to no file, and returns the changed text.
    @Sendable package func write(_ text: String, at terminal: Int32) -> String? {
        write(text, named: "answer.txt", at: terminal)
    }

    /// Opens the editor with a text, and blocks until the user closes it.
    ///
    /// - Parameters:
    ///   - name: the name of the file, by which an editor may know its type.
    ///   - terminal: the terminal in its original state. Nothing else reads or draws on it meanwhile.
    /// - Returns: `nil` if the editor could not be run, failed, or left no text.
    package func write(_ text: String, named name: String, at terminal: Int32) -> String? {
        var template = Array("\(temporaryFolder)/assent-text-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = "\(folder)/\(name)"
        defer {
            for name in FileSystem.names(in: folder) { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        guard (try? FileSystem.replace(path, with: Array(text.utf8))) != nil, program.run([path], at: terminal) == 0,
            let bytes = try? FileSystem.bytes(path, limit: Limits.answerTextBytes + 1)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
