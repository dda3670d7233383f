import Glibc
package import Vocabulary

/// What is kept of commands: rehearsals that wait for an answer, and what was there before those that were applied.
struct KeptRehearsals {
    private struct Kept {
        var folder: RehearsalFolder
        var workspace: String
        /// Whether it was applied, or as much of it as could be: what it holds then is what was there before.
        var isApplied: Bool
        /// Seconds since 1970.
        var since: Int
        var bytes: Int
    }

    /// Folders that hold rehearsals by workflow (`RehearsalFolder.state`).
    let states: [String]
    let data: String

    /// Takes away what is too old, and the oldest of what is too much. What is being applied stays, and what is younger than an hour.
    ///
    /// - Parameter now: seconds since 1970.
    func purge(now: Int) {
        var left: [Kept] = []
        for kept in all() {
            let age = Double(now - kept.since)
            if age > (kept.isApplied ? Limits.preImagesKeptSeconds : Limits.rehearsalsKeptSeconds) {
                remove(kept)
            } else {
                left.append(kept)
            }
        }
        for isApplied in [false, true] {
            let same = left.filter { $0.isApplied == isApplied }.sorted { $0.since < $1.since }
            var bytes = same.reduce(0) { $0 + $1.bytes }
            let most = isApplied ? Limits.preImagesKeptBytes : Limits.rehearsalsKeptBytes
            for kept in same where bytes > most && Double(now - kept.since) > Limits.contentGraceSeconds {
                bytes -= kept.bytes
                remove(kept)
            }
        }
    }

    private func all() -> [Kept] {
        states.flatMap { state in
            entries(state).filter { $0.hasPrefix("w") }.flatMap { workflow in
                entries("\(state)/\(workflow)").map { "\(state)/\(workflow)/\($0)" }
            }
        }.compactMap { path in
            let folder = RehearsalFolder(path: path)
            let isApplied = folder.isOver
            var status = stat()
            guard let workspace = folder.read()?.workspace, !folder.hasPlan || isApplied, stat(path, &status) == 0 else { return nil }
            return Kept(
                folder: folder, workspace: workspace, isApplied: isApplied, since: Int(status.st_mtim.tv_sec),
                bytes: Self.bytes(below: folder.upper) + Self.bytes(below: folder.kept))
        }
    }

    private func entries(_ folder: String) -> [String] { (try? namesIn(folder)) ?? [] }

    /// Whoever would apply it, or take it back, holds the workspace's turn.
    private func remove(_ kept: Kept) {
        guard let turn = WorkspaceTurn.takeIfFree(kept.workspace, in: data) else { return }
        defer { turn.end() }
        guard !kept.folder.hasPlan || kept.isApplied else { return }
        kept.folder.remove()
        rmdir(parent(of: kept.folder.path))
    }

    private static func bytes(below folder: String) -> Int {
        ((try? namesIn(folder)) ?? []).reduce(0) { sum, name in
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { return sum }
            return sum + (status.kind == .folder ? bytes(below: "\(folder)/\(name)") : Int(status.st_blocks) * 512)
        }
    }
}

extension Toolbox {
    /// Takes away what is kept of commands for too long, or is too much: rehearsals that nobody answered (`Limits.rehearsalsKept…`) are
    /// done anew when they are, and what was there before changes (`Limits.preImagesKept…`) cannot be put back any more.
    ///
    /// - Parameter workspaces: folders in which commands may have been rehearsed.
    package func purgeRehearsals(in workspaces: [String], now: Moment) {
        let states = RehearsalFolder.states(for: workspaces, data: own.data)
        KeptRehearsals(states: states, data: own.data).purge(now: Int(now.milliseconds / 1000))
    }
}
