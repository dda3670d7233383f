import Conversations
import Files
import Glibc
import JSON
import Services
package import Vocabulary

extension Limits {
    /// The most files that one line of the user attaches.
    package static let attachedFiles = 4

    /// The most bytes of the contents that one line of the user attaches.
    package static let attachedBytes = 24 << 10
}

/// The files that a line of the user attaches, as a model reads them.
struct Attachments {
    var files = AttachedFiles()
    /// A sentence for the user about each file that is not attached.
    var refusals: [String] = []

    /// Returns the names behind `@` in a line, in their order. Each stands at the beginning of a word, and has the form
    /// `@main.py` or `@"my notes.txt"`.
    static func names(in line: String) -> [String] {
        var names: [String] = []
        var rest = Substring(line)
        var before: Character = " "
        while let sign = rest.first {
            rest.removeFirst()
            defer { before = sign }
            guard sign == "@", before.isWhitespace || "([{\"'“".contains(before), let first = rest.first else {
                continue
            }
            let isQuoted = first == "\"" || first == "'"
            let word = isQuoted ? rest.dropFirst().prefix { $0 != first } : rest.prefix { !$0.isWhitespace }
            rest = rest[word.endIndex...]
            if !word.isEmpty { names.append(String(word)) }
        }
        return names
    }

    /// Returns the name of a file in the workspace that a word means, or nil if there is none. Signs at the end of the
    /// word may belong to the sentence.
    static func file(_ word: String, in workspace: String) -> String? {
        var name = Substring(word)
        while !name.isEmpty {
            let isInside = !name.hasPrefix("/") && !name.split(separator: "/").contains("..") && !name.utf8.contains(0)
            var status = stat()
            if isInside, stat(workspace.child(String(name)), &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                return String(name)
            }
            guard let last = name.last, ".,;:!?)]}\"'”".contains(last) else { return nil }
            name.removeLast()
        }
        return nil
    }
}

extension PlannerCalls {
    /// Reads the files that a line of the user attaches, each as the tool `read` does and by the same decision. Without
    /// a connected model, nothing is read.
    func attachments(to line: String, in turn: Int) async -> Attachments {
        var attachments = Attachments()
        guard line.contains("@"), shared.connectedChoice != nil else { return attachments }
        var files: [String] = []
        for word in Attachments.names(in: line) {
            guard let file = Attachments.file(word, in: shared.workspace), !files.contains(file) else { continue }
            files.append(file)
        }
        var (texts, room) = ([String](), Limits.attachedBytes)
        for (number, file) in files.enumerated() {
            let name = file.quotedIfOdd
            guard number < Limits.attachedFiles else {
                attachments.refusals.append("@\(name) is not attached: a line attaches \(Limits.attachedFiles) files.")
                continue
            }
            do throws(Failure) {
                guard let (text, picture) = try await attached(file, in: turn) else {
                    attachments.refusals.append("@\(name) is not attached: a look at it must be asked first.")
                    continue
                }
                let cut = TextCut(text).ends(head: room, tail: 0)
                attachments.files.pictures += picture.map { [$0] } ?? []
                texts.append(cut.map { "\($0.head)… [cut here: read \(name) for the rest]" } ?? text)
                room -= min(room, text.utf8.count)
            } catch {
                attachments.refusals.append("@\(name) is not attached: \(error.message)")
            }
        }
        guard !texts.isEmpty else { return attachments }
        attachments.files.text =
            "[Not the person's words. The files that the line above names:]\n"
            + texts.joined(separator: "\n").trimmedOfBlanks
        return attachments
    }

    /// Returns a file for a model, as a text or a picture with words about it, or nil if the user would have to be
    /// asked by a workflow.
    private func attached(_ file: String, in turn: Int) async throws(Failure) -> (String, ChatPicture?)? {
        let params = JSON.Object(members: [.init(key: "path", value: .string(file))])
        switch try await looks.perform("ReadLines", params, at: LookCalls.Place(session: session, turn: turn)) {
        case .asks: return nil
        case .result(.picture(let picture, let words)): return (words, picture)
        case .result(.report(let text, _)): return (text, nil)
        case .result(let other): return (other.text, nil)
        }
    }
}
