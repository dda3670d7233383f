import Files
import Sandbox
import Vocabulary

extension Toolbox {
    /// Whether a call uses a file that may hold keys, or content that results from one.
    func worksOnSecrets(_ assignment: Assignment, _ call: Call?) -> Bool {
        if store.holdsPrivate(assignment.assets) { return true }
        return call.map { call in
            call.targets.contains(where: \.isPrivate) || touchesSecretFile(call, in: assignment.workspace)
        } ?? false
    }

    /// Whether a call touches a file that may hold keys, by its name or another name in the workspace. If this cannot
    /// be found out, the result is true.
    func touchesSecretFile(_ call: Call, in workspace: String) -> Bool {
        if call.targets.contains(where: { $0.effect == .reads && $0.isPrivate }) { return true }
        let names = call.targets.flatMap { target in [target.path].compactMap(\.self) + target.otherPaths }
        if names.contains(where: SecretFiles.holds) { return true }
        let linked = call.targets.filter { $0.hasOtherNames && $0.effect != .creates }.compactMap(\.path)
        guard !linked.isEmpty else { return false }
        guard let root = try? Paths(workspace: workspace).workspace, let found = try? PrivateFiles.below(root, own: own)
        else {
            return true
        }
        return found.files.contains { file in linked.contains { $0.isSameName(as: file) } }
    }

    /// Marks the contents of files that may hold keys as private, by the hashes in the call. Copies of them are then
    /// recognized under any name.
    func noteSecretFiles(_ call: Call) throws(Failure) {
        for target in call.targets {
            guard case .file(_, _, let size, _, let hash?) = target.before, size > 0,
                ([target.path].compactMap(\.self) + target.otherPaths).contains(where: SecretFiles.holds)
            else { continue }
            try store.markPrivate(hash)
        }
    }
}
