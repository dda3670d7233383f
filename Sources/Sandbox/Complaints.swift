import Files
import Glibc
package import Vocabulary

extension Limits {
    /// The bytes at the beginning of standard error that are searched for complaints. The end is searched, too. If a
    /// program wrote too much, only these bytes are kept as its log.
    package static let heededErrorBytes = 64 << 10

    /// The most different lines of warnings that are counted.
    package static let countedWarnings = 1_000

    /// The characters of the first warning that are shown.
    fileprivate static let warningCharacters = 300
}

/// The standard error of one attempt's programs. It is checked by the rules of the manifest, and kept as the log of the
/// step.
package final class Complaints {
    private let rules: ErrorRules
    private let title: String
    private let folder: RunFolder
    /// The user's names of all inputs.
    private let inputs: [String]
    /// The user's names of the files in the work folder, by their names there.
    private var names: [String: String] = [:]
    /// Whether the attempt uses files that may hold keys. The words of its programs are not kept then.
    package var isSecret: () -> Bool = { false }
    /// Whether standard error that came through pipes is kept beside the run folder.
    package var keepsLog = true
    /// Whether the log has a part that a later command must not overwrite.
    private(set) var hasLog = false
    private var first: String?
    private var lines: Set<String> = []

    init(_ assignment: Assignment) {
        rules = assignment.manifest.errors
        title = assignment.manifest.title
        folder = RunFolder(assignment.runFolder)
        inputs = assignment.inputs.compactMap(\.asset?.name)
    }

    /// Records the user's name of a file in the work folder.
    package func name(_ name: String, of asset: Asset) { names[name] = asset.name }

    /// Removes the user's name of a file that was read without damage.
    package func unname(_ name: String) { names[name] = nil }

    /// Checks the standard error of one command.
    ///
    /// - Parameters:
    ///   - words: the command.
    ///   - failure: the failure of the command, or `nil` if it succeeded.
    ///   - isKept: whether its standard error is in a file already.
    /// - Returns: the failure of the step, or `nil` if it goes on.
    package func heed(_ traces: any Traces, of words: [String], _ failure: Failure?, isKept: Bool) -> Failure? {
        let errors = traces.heededErrors
        guard !errors.isEmpty else { return failure }
        if isKept { shorten(failure) } else { keep(errors) }
        guard failure == nil || failure?.code == .processFailed else { return failure }
        let text = String(decoding: errors, as: UTF8.self)
        if let sentence = rules.sentence(for: text) { return ErrorRules.failure(sentence, file: file(in: words)) }
        guard failure == nil else { return failure }
        let program = words.first.flatMap { $0 == "sh" ? nil : $0 } ?? title
        for line in Self.lines(of: text) where lines.count < Limits.countedWarnings && !rules.isHarmless(line) {
            if first == nil { first = "\(program) warned: \(Self.cut(line))" }
            lines.insert(line)
        }
        return nil
    }

    /// The warning of a successful step, as a sentence, or `nil` if no program gave one.
    package var warning: String? {
        guard let first else { return nil }
        guard !isSecret() else { return "A program gave a warning. Its words are not kept, since they may hold keys." }
        let more = lines.count - 1
        return more > 0 ? "\(first) (and \(more) more \(more == 1 ? "line" : "lines") in the log)" : first
    }

    // MARK: - The log

    private func keep(_ errors: [UInt8]) {
        guard keepsLog, !isSecret() else { return }
        // Without a log, the step ends in the same way.
        guard
            let file = try? OpenFile(folder.errors, O_WRONLY | O_CREAT | O_APPEND | (hasLog ? 0 : O_TRUNC) | O_NOFOLLOW)
        else { return }
        try? file.write(errors)
        hasLog = true
    }

    /// Shortens the log of a program that was stopped because it wrote too much, and empties a log that may hold keys.
    private func shorten(_ failure: Failure?) {
        if isSecret() {
            truncate(folder.errors, 0)
        } else if failure?.code == .outputLimit {
            truncate(folder.errors, off_t(Limits.heededErrorBytes))
        }
    }

    // MARK: - Words

    /// Returns the name of the user's file that a command reads, or the names if there are several.
    private func file(in words: [String]) -> String {
        let read = names.filter { name, _ in words.contains { $0.contains(name) } }.sorted { $0.key < $1.key }.map(
            \.value)
        var told: [String] = []
        for name in read.isEmpty ? inputs : read where !told.contains(name) { told.append(name) }
        guard !told.isEmpty else { return "The file" }
        return told.prefix(Self.mostNames).joined(separator: " or ")
            + (told.count > Self.mostNames ? " or another file" : "")
    }

    private static let mostNames = 3

    /// Returns the lines that are not empty. For a progress bar, only its last state counts.
    private static func lines(of text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n").compactMap { line in
            let last = line.split(separator: "\r").last.map { String($0) } ?? ""
            let words = withoutLogHead(last)
            return words.allSatisfy(\.isWhitespace) ? nil : words
        }
    }

    /// Returns a line without the prefix of GLib: `(vips:7): VIPS-WARNING **: 17:12:49.802: `.
    private static func withoutLogHead(_ line: String) -> String {
        guard line.hasPrefix("("), let mark = line.firstRange(of: " **: ") else { return line }
        let rest = line[mark.upperBound...]
        let time = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." }
        return String(time.hasSuffix(":") ? rest.dropFirst(time.count).drop(while: \.isWhitespace) : rest)
    }

    private static func cut(_ line: String) -> String {
        let start = line.unicodeScalars.prefix(Limits.warningCharacters)
        let isWhole = start.endIndex == line.endIndex
        // An address or a key must not be cut in the middle.
        let end = isWhole ? start.endIndex : start.lastIndex { $0 == " " || $0 == "\t" } ?? start.endIndex
        return String(start[..<end]).withSignsForControls + (isWhole ? "" : " …")
    }
}

extension Traces {
    /// The beginning of standard error, and its end if there is more.
    package var heededErrors: [UInt8] {
        let head = errorHead(limit: Limits.heededErrorBytes)
        return head.count < Limits.heededErrorBytes ? head : head + [UInt8(ascii: "\n")] + errorTail
    }
}

extension [Asset] {
    /// Returns the same outputs, of which the first has the warning of a program.
    package func warning(_ words: String?) -> [Asset] {
        guard let words, !isEmpty else { return self }
        var assets = self
        assets[0].warning = words
        return assets
    }
}
