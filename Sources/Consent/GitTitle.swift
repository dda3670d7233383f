import JSON
import Vocabulary

extension Limits {
    /// The most changes of git in a title. What loses something is never left out.
    fileprivate static let gitChangesInTitle = 4
}

/// Returns the title of a rehearsed command that changes a repository: in git's words, and then in those for the other
/// changes.
func titleWithGit(of call: Call) -> String {
    // That git remembers other times says nothing beside other changes.
    let news = call.gitChanges.filter { !$0.isRefresh }
    let all = news.isEmpty && call.targets.allSatisfy(call.isTold) ? call.gitChanges : news
    var told: [GitChange] = []
    var left = max(0, Limits.gitChangesInTitle - all.count(where: \.loses))
    for change in all {
        if change.loses {
            told.append(change)
        } else if left > 0 {
            told.append(change)
            left -= 1
        }
    }
    let isHere = all.allSatisfy { call.nameBelow($0.folder).utf8.elementsEqual(".git".utf8) }
    var pieces = told.map { isHere ? $0.words : "\($0.words) in \($0.name(below: call))" }
    let more = all.count - told.count
    if more > 0 { pieces.append("\(more) more change\(more == 1 ? "" : "s") of git") }
    var rest = call
    rest.setGitChanges([])
    let state = call.targets.filter { $0.isGitState && !call.isTold($0) }
    if let first = state.first?.place.path {
        let more = state.count > 1 ? " and \(state.count - 1) more" : ""
        pieces.append("change what git obeys: \(call.nameBelow(first))\(more)")
    }
    rest.targets = call.targets.filter { !call.isTold($0) && !$0.isGitState }
    rest.effects = Set(rest.targets.map(\.effect))
    if !rest.targets.isEmpty {
        let others = title(of: rest)
        guard !pieces.isEmpty else { return others }
        return "\(pieces.joined(separator: "; ")) and \(others)"
    }
    return pieces.joined(separator: "; ")
}

extension GitChange {
    /// Returns the folder of the repository, as seen from the folder of the call.
    fileprivate func name(below call: Call) -> String { call.nameBelow(workTree ?? folder) }
}

extension Call {
    /// Returns the path of a file, as seen from the folder of the command.
    fileprivate func nameBelow(_ path: String) -> String {
        guard let workspace = environment["folder"]?.string else { return path }
        if path.isSameName(as: workspace) { return "this folder" }
        return path.path(below: workspace) ?? path
    }

    fileprivate mutating func setGitChanges(_ changes: [GitChange]) {
        guard case .done(var played) = rehearsal else { return }
        played.git = changes
        rehearsal = .done(played)
    }

    /// The reasons in words why a call asks because of git, in auto mode too. No grant covers it.
    var gitReasons: [String] {
        var reasons: [String] = []
        let isComing = gitChanges.contains { $0.paths?.named.contains(where: \.isGitState) ?? false }
        if targets.contains(where: \.isGitState) || isComing || gitChanges.contains(where: \.isReplacement) {
            reasons.append("git obeys it, or goes on with it later")
        }
        let isUnread = gitChanges.contains(where: \.isUnread)
        if isUnread || targets.contains(where: { $0.isRepository && !$0.setsTimeOnly && !isTold($0) }) {
            reasons.append("its changes of git are not known in detail")
        }
        return reasons
    }

    /// The reasons in words why adaptive mode asks because of git.
    var gitObjections: [String] { gitReasons + (gitChanges.allSatisfy(\.isRefresh) ? [] : ["changes git"]) }

    /// The files that new commits, stashes or an index bring, and that the working files do not have. They are judged
    /// as if they were made, since a checkout makes them.
    var comingByGit: [Target] {
        gitChanges.flatMap { change in
            (change.paths?.named ?? []).filter(\.isElsewhere).map { path in
                var target = Target(.creates, .path(change.place(of: path)), reach: .workspace)
                target.otherPaths = path.otherPaths
                if let mode = path.mode {
                    target.change = Change(kind: path.isLink ? .link : .file, mode: mode & 0o7777)
                }
                return target
            }
        }
    }
}
