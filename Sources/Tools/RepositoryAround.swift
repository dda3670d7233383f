import Files
import Glibc
import Rehearsal
import Sandbox
import Vocabulary

/// The repository around the workspace of a command (`consent.md`, "Rehearsal").
extension Preparation {
    /// Returns the repository that the command's calls of git use, if it lies outside of the workspace. A command that
    /// makes a repository of its own, and one on the bare machine, need none.
    borrowing func repository() -> EnclosingRepository? {
        guard !assignment.flag("bare") else { return nil }
        let calls = gitCalls()
        guard !calls.contains(where: { ["init", "clone"].contains($0.verb) }) else { return nil }
        for call in calls where !call.needsNoRepository {
            if let found = repository(of: call) { return found }
        }
        return nil
    }

    /// Returns the verb of the command that would write to the repository, or `nil` if no verb is known to.
    borrowing func writingVerb(in repository: EnclosingRepository) -> String? {
        for call in gitCalls() where call.folder != nil && !call.onlyReads {
            if self.repository(of: call) == repository { return call.verb }
        }
        return nil
    }

    private borrowing func gitCalls() -> [GitCommand] {
        guard let command = try? ShellTool.text(assignment), command.contains("git") else { return [] }
        return GitCommand.all(in: command)
    }

    private borrowing func repository(of call: GitCommand) -> EnclosingRepository? {
        let (workspace, named) = (paths.workspace, call.folder ?? "")
        let folder = named.isEmpty ? workspace : realPath(named.hasPrefix("/") ? named : "\(workspace)/\(named)")
        let home = getenv("HOME").map { realPath(String(cString: $0)) }
        guard let found = EnclosingRepository.around(folder, in: workspace, home: home),
            workspace.path(below: found.workTree) != nil || folder.path(below: workspace) != nil
        else { return nil }
        return found
    }
}
