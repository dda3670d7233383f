import Files
import Sandbox
package import Vocabulary

extension Limits {
    /// The seconds after which git is ended. A model waits for it.
    fileprivate static let gitStateSeconds = 6.0

    /// The most bytes of git's list of changed files. Further ones are not counted.
    fileprivate static let gitStateBytes = 256 << 10

    /// The most characters of the name of a branch.
    fileprivate static let branchCharacters = 200
}

extension ToolManifest {
    /// The look at the state of the repository of the workspace, for the words of a model. Only Assent itself uses it,
    /// so it stands in no catalogue.
    package static let repositoryState = ToolManifest(
        kind: "RepositoryState", title: "Repository", icon: "·", summary: "Gives the branch and counts changed files.",
        outputs: [Port("text", .text)], effects: [], action: .builtin(Builtin.repositoryState.rawValue))
}

/// The branch of the workspace's repository and the number of its changed files, by git in the sandbox. It sees the
/// workspace read-only, without the private files and without a network, so a program in the repository's own settings
/// can do no harm.
struct RepositoryState {
    static func state(_ context: Builtin.Context, on bench: Workbench) throws(Failure) -> [Asset] {
        // The sandbox shows other owners than the index has, by which git would read every file again.
        let words = [
            "git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.checkStat=minimal", "-c",
            "core.quotePath=true", "status", "--porcelain=v1", "--branch", "--untracked-files=normal",
            "--ignore-submodules=all",
        ]
        let (traces, failure, ending) = try ReadOnlyView(context, bench).run(
            words, bytes: Limits.gitStateBytes, seconds: Limits.gitStateSeconds)
        guard case .exited(0) = ending else {
            throw failure ?? Failure(.processFailed, "git does not read this repository.")
        }
        let (output, _) = try traces.beginnings(limit: Limits.gitStateBytes)
        return try context.text(Self.words(of: String(decoding: output, as: UTF8.self)))
    }

    /// Returns the state in words, from git's lines: `## main...origin/main [ahead 1]`, then one for each file.
    static func words(of status: String) -> String {
        var lines = status.split(separator: "\n")
        guard let first = lines.first, first.hasPrefix("## ") else { return "a repository" }
        lines.removeFirst()
        let branch = String(first.dropFirst(3).prefix(Limits.branchCharacters)).withSignsForControls
        // A private file is hidden from git, so it looks as if it were deleted or changed.
        let new = lines.count { $0.hasPrefix("??") }
        let changed = lines.count - new
        guard !lines.isEmpty else { return "branch \(branch), nothing changed" }
        return "branch \(branch), \(count(changed, "changed file")), \(count(new, "untracked one"))"
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
