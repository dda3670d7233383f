import Glibc
import Vocabulary

extension Limits {
    /// The bytes of standard error that are looked through from its beginning, and kept as a log; the end is looked at
    /// as well.
    package static let heededErrorBytes = 64 << 10

    /// Different lines of warnings that are counted, and the characters of the line that is shown.
    package static let countedWarnings = 1_000
    fileprivate static let warningCharacters = 300
}

/// The standard error of the programs of one attempt. The rules of the manifest judge it, and it is kept as the log of
/// the step.
final class Complaints {
    private let rules: ErrorRules
    private let title: String
    private let folder: RunFolder
    /// The user's names of all inputs.
    private let inputs: [String]
    /// The user's names of the files in the work folder, by their names there.
    private var names: [String: String] = [:]
    /// Whether the attempt works on what may hold keys. Then no word of a program is kept.
    var isSecret: () -> Bool = { false }
    /// Whether standard error that came through pipes is kept beside the run folder.
    var keepsLog = true
    /// Whether something was kept there, which a later command must not overwrite.
    private(set) var hasLog = false
    private var first: String?
    private var lines: Set<String> = []

    init(_ assignment: Assignment) {
        rules = assignment.manifest.errors
        title = assignment.manifest.title
        folder = RunFolder(assignment.runFolder)
        inputs = assignment.inputs.compactMap(\.asset?.name)
    }

    /// Remembers which file of the user stands under a name in the work folder.
    func name(_ name: String, of asset: Asset) { names[name] = asset.name }

    /// Judges what one command wrote on standard error.
    ///
    /// - Parameters:
    ///   - words: the command.
    ///   - failure: `nil` if the command ended well.
    ///   - isKept: whether its standard error is a file already.
    /// - Returns: the failure of the step; `nil` if it goes on.
    func heed(_ traces: any Traces, of words: [String], _ failure: Failure?, isKept: Bool) -> Failure? {
        let errors = traces.heededErrors
        guard !errors.isEmpty else { return failure }
        if isKept { shorten(failure) } else { keep(errors) }
        guard failure == nil || failure?.code == "processFailed" else { return failure }
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

    /// The warning of a step that has succeeded, as a sentence; `nil` if no program gave one.
    var warning: String? {
        guard let first else { return nil }
        guard !isSecret() else { return "A program gave a warning. Its words are not kept, since they may hold keys." }
        let more = lines.count - 1
        return more > 0 ? "\(first) (and \(more) more \(more == 1 ? "line" : "lines") in the log)" : first
    }

    // MARK: - The log

    private func keep(_ errors: [UInt8]) {
        guard keepsLog, !isSecret() else { return }
        // Without a log the step ends as it would with one.
        guard
            let file = try? OpenFile(folder.errors, O_WRONLY | O_CREAT | O_APPEND | (hasLog ? 0 : O_TRUNC) | O_NOFOLLOW)
        else { return }
        try? file.write(errors)
        hasLog = true
    }

    /// Shortens the file of a program that was ended because it wrote too much, and empties one that may hold keys.
    private func shorten(_ failure: Failure?) {
        if isSecret() {
            truncate(folder.errors, 0)
        } else if failure?.code == "outputLimit" {
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

    /// Returns the lines that say something. Of what a progress bar drew over itself, the last state counts.
    private static func lines(of text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n").compactMap { line in
            let last = line.split(separator: "\r").last.map { String($0) } ?? ""
            let words = withoutLogHead(last)
            return words.allSatisfy(\.isWhitespace) ? nil : words
        }
    }

    /// Returns a line without what GLib puts before a message: `(vips:7): VIPS-WARNING **: 17:12:49.802: `.
    private static func withoutLogHead(_ line: String) -> String {
        guard line.hasPrefix("("), let mark = line.firstRange(of: " **: ") else { return line }
        let rest = line[mark.upperBound...]
        let time = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." }
        return String(time.hasSuffix(":") ? rest.dropFirst(time.count).drop(while: \.isWhitespace) : rest)
    }

    private static func cut(_ line: String) -> String {
        let start = line.unicodeScalars.prefix(Limits.warningCharacters)
        let isWhole = start.endIndex == line.endIndex
        // A half of an address or of a key is not shown.
        let end = isWhole ? start.endIndex : start.lastIndex { $0 == " " || $0 == "\t" } ?? start.endIndex
        return String(start[..<end]).withSignsForControls + (isWhole ? "" : " …")
    }
}

extension Traces {
    /// The beginning of standard error, and its end if there is more.
    var heededErrors: [UInt8] {
        let head = errorHead(limit: Limits.heededErrorBytes)
        return head.count < Limits.heededErrorBytes ? head : head + [UInt8(ascii: "\n")] + errorTail
    }
}

extension [Asset] {
    /// Returns the same outputs, of which the first says what warning a program gave.
    func warning(_ words: String?) -> [Asset] {
        guard let words, !isEmpty else { return self }
        var assets = self
        assets[0].warning = words
        return assets
    }
}
