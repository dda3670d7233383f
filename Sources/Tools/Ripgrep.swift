import Files
import Sandbox
import Vocabulary

extension Limits {
    /// The most bytes that ripgrep prints about all files.
    fileprivate static let ripgrepBytes = 64 << 20

    /// The seconds after which ripgrep is ended.
    fileprivate static let ripgrepSeconds = 120.0
}

/// ripgrep in the sandbox. It sees the workspace read-only, without the private files and without a network.
struct Ripgrep {
    /// The end of a run.
    struct Ending {
        var code: Int
        var output: [UInt8]
        var errors: [UInt8]
    }

    private let view: ReadOnlyView

    var bench: Workbench { view.bench }
    /// A real path.
    var workspace: String { view.workspace }
    var hidden: PrivateFiles { view.hidden }

    init(_ context: Builtin.Context, _ bench: Workbench) throws(Failure) {
        view = try ReadOnlyView(context, bench)
    }

    /// Runs ripgrep with options, in the workspace. The user's settings of ripgrep do not count, and a `.gitignore`
    /// counts outside of a repository, too.
    ///
    /// - Throws: a failure of the start, or `cancelled`, `timedOut` or `outputLimit`.
    func run(_ options: [String]) throws(Failure) -> Ending {
        let always = ["--no-config", "--no-require-git", "--no-ignore-dot", "--no-mmap", "--color=never", "--null"]
        let (traces, failure, ending) = try view.run(
            ["rg"] + always + options, bytes: Limits.ripgrepBytes, seconds: Limits.ripgrepSeconds)
        // It ends with 1 if it found nothing, and with 2 if a file could not be read.
        guard case .exited(let code) = ending, (0...2).contains(code) else {
            throw failure ?? Failure(.processLost, "ripgrep ended, and it is not known how.")
        }
        let (output, errors) = try traces.beginnings(limit: Limits.ripgrepBytes)
        return Ending(code: code, output: output, errors: errors)
    }

    /// Returns a path below the workspace as a word for ripgrep, which cannot be taken for an option.
    static func word(for path: String) -> String { path.isEmpty ? "./" : "./\(path)" }
}

extension Ripgrep.Ending {
    /// The number of files and folders that could not be read.
    var unreadable: Int {
        errors.split(separator: UInt8(ascii: "\n")).count { line in
            String(decoding: line, as: UTF8.self).contains("(os error ")
        }
    }

    /// ripgrep's reason for refusing a pattern, in one sentence, or `nil` if it refused none.
    var refusal: String? {
        guard code == 2, output.isEmpty else { return nil }
        let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n").map { line in
            line.hasPrefix("rg: ") ? line.dropFirst(4) : line
        }
        let reason =
            lines.last { $0.hasPrefix("error: ") }?.dropFirst(7)
            ?? lines.first { !$0.contains("(os error ") && !$0.hasPrefix(" ") }
        return reason.map { String($0.prefix(200)).withSignsForControls }
    }
}

/// A searched file and its number of matching lines.
struct FileCount {
    /// The path below the workspace.
    var path: String
    var matches: Int
}

/// The list of searched files that ripgrep prints with `--count --include-zero --null --stats`.
struct SearchedFiles {
    /// The text files whose paths are UTF-8, in no order.
    private(set) var files: [FileCount] = []
    /// The files whose paths are no text.
    private(set) var odd = 0
    /// The files that are no text, or that have matches in front of a NUL.
    private(set) var binary = 0

    init(_ output: [UInt8]) {
        var (place, all) = (output.startIndex, 0)
        // The figures stand behind an empty line. A path begins with "./".
        while place < output.endIndex, output[place] != UInt8(ascii: "\n") {
            guard let end = output[place...].firstIndex(of: 0),
                let feed = output[end...].firstIndex(of: UInt8(ascii: "\n"))
            else { return }
            all += 1
            if let path = String(validating: output[place..<end].dropFirst(2), as: UTF8.self) {
                let count = output[(end + 1)..<feed].reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
                files.append(FileCount(path: path, matches: count))
            } else {
                odd += 1
            }
            place = feed + 1
        }
        let figures = String(decoding: output[place...], as: UTF8.self).split(separator: "\n")
        let searched = figures.first { $0.hasSuffix(" files searched") }?.prefix { $0 != " " }
        binary = max(0, (searched.flatMap { Int($0) } ?? all) - all)
    }
}

/// The list of files that ripgrep prints with `--files --null`.
struct ListedFiles {
    /// The paths below the workspace that are UTF-8, in no order.
    private(set) var paths: [String] = []
    private(set) var odd = 0

    init(_ output: [UInt8]) {
        for path in output.split(separator: 0) {
            if let path = String(validating: path.dropFirst(2), as: UTF8.self) { paths.append(path) } else { odd += 1 }
        }
    }
}
