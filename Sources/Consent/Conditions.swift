import JSON
package import Vocabulary

/// A description of calls for a rule or a grant. Conditions that are `nil` or empty are ignored.
///
/// The same conditions are read in two ways, so that a riskier call is never treated more loosely. A rule that asks or
/// denies states the *least* that it concerns (`touches`). A rule that allows states the *most* that it permits
/// (`contains`).
package struct Conditions: Hashable, Sendable {
    /// The names of tools, in which `*` stands for any characters.
    package var tools: [String]
    package var effects: Set<Effect>?
    package var reach: Reach?
    /// Whether irreversible calls are included. In a rule that allows, `false` excludes them. In a rule that asks or
    /// denies, `true` excludes all others. A grant covers them only if this is `true`.
    package var isIrreversible: Bool?
    /// The folders, absolute, `~/…` or relative to the workspace.
    package var folders: [String]
    /// The hosts, such as `example.org`, `example.org:8080` or `*.example.org`.
    package var hosts: [String]
    package var params: [String: ParamTest]
    /// The patterns for the ends of paths that are created or changed, such as `Makefile` or `.git/hooks/*`.
    /// `.claude/**` matches everything below, and `a/**/b` any number of folders between.
    package var names: [String]
    /// Further files that are created or changed, by their form. A file needs one of the names or one of the forms.
    /// Forms are for rules that ask or deny: conditions with forms contain no call.
    package var forms: [FileForm] = []

    package init(
        tools: [String] = [], effects: Set<Effect>? = nil, reach: Reach? = nil, isIrreversible: Bool? = nil,
        folders: [String] = [],
        hosts: [String] = [], params: [String: ParamTest] = [:], names: [String] = []
    ) {
        self.tools = tools
        self.effects = effects
        self.reach = reach
        self.isIrreversible = isIrreversible
        self.folders = folders
        self.hosts = hosts
        self.params = params
        self.names = names
    }
}

/// The result of a test. A value of the wrong kind cannot be compared, so it is unclear and counts against the call.
enum Match: Hashable {
    case yes, no, unclear

    init(_ holds: Bool) { self = holds ? .yes : .no }
}

extension Conditions {
    /// Returns whether a rule that asks or denies concerns a call. Each condition needs only one fitting effect, target
    /// or reach.
    func touches(_ call: Call, in surroundings: Surroundings) -> Bool {
        mayTouch(call)
            && (reach.map { least in reaches(of: call, in: surroundings).contains { $0 >= least } } ?? true)
            && (folders.isEmpty || call.targets.contains { isInFolder($0, surroundings) != .no })
            && (hosts.isEmpty || call.targets.contains { isAtHost($0) != .no })
            && params.allSatisfy { $0.value.match(call.params[$0.key], of: call, surroundings) != .no }
            && (!areFilesNamed || filesNamed(call, surroundings).contains { $0 != .no })
    }

    /// Returns whether a rule that asks or denies may concern a call wherever its targets are. What needs a target is
    /// not met by a call without one.
    func mayTouch(_ call: Call) -> Bool {
        let needsTarget = !folders.isEmpty || !hosts.isEmpty || areFilesNamed && call.comingByGit.isEmpty
        let needsReach = reach != nil && call.unplacedEffects.isEmpty
        return isAbout(call.tool)
            && (effects.map { !$0.isDisjoint(with: call.allEffects) } ?? true)
            && (isIrreversible != true || call.isIrreversible)
            && (!call.targets.isEmpty || !needsTarget && !needsReach)
    }

    /// Returns whether a rule that allows, or a grant, covers a call. Every effect and target of the call must match.
    func contains(_ call: Call, in surroundings: Surroundings) -> Bool {
        isAbout(call.tool)
            && (effects.map { call.allEffects.isSubset(of: $0) } ?? true)
            && (reach.map { most in reaches(of: call, in: surroundings).allSatisfy { $0 <= most } } ?? true)
            && (isIrreversible != false || !call.isIrreversible)
            && areTargetsNamed(call, surroundings)
            && params.allSatisfy {
                $0.value.match(call.params[$0.key], of: call, surroundings, isAllowing: true) == .yes
            }
            && forms.isEmpty
            && (names.isEmpty || filesNamed(call, surroundings, isAllowing: true).allSatisfy { $0 == .yes })
    }

    private func isAbout(_ tool: String) -> Bool {
        tools.isEmpty || tools.contains { Glob($0).matches(tool) }
    }

    private func reaches(of call: Call, in surroundings: Surroundings) -> [Reach] {
        call.targets.map { surroundings.reach(of: $0) } + (call.unplacedEffects.isEmpty ? [] : [.remote])
    }

    /// Returns whether every target is in one of the folders or at one of the hosts. A rule that names neither puts no
    /// condition on targets.
    private func areTargetsNamed(_ call: Call, _ surroundings: Surroundings) -> Bool {
        guard !folders.isEmpty || !hosts.isEmpty else { return true }
        return call.unplacedEffects.isEmpty
            && call.targets.allSatisfy {
                isInFolder($0, surroundings, isAllowing: true) == .yes || isAtHost($0, isAllowing: true) == .yes
            }
    }

    private func isInFolder(_ target: Call.Target, _ surroundings: Surroundings, isAllowing: Bool = false) -> Match {
        guard !folders.isEmpty, target.place.path != nil else { return .no }
        return folderMatch(target.paths(isAllowing: isAllowing), folders, surroundings, isAllowing: isAllowing)
    }

    /// All folders of the conditions, including those of parameters.
    var allFolders: [String] {
        folders + params.values.flatMap { test in if case .under(let folders) = test { folders } else { [String]() } }
    }

    private var areFilesNamed: Bool { !names.isEmpty || !forms.isEmpty }

    /// Returns how each target fits the patterns for names and the forms. The patterns are read once for all targets,
    /// since a rehearsed command may have thousands.
    private func filesNamed(_ call: Call, _ surroundings: Surroundings, isAllowing: Bool = false) -> [Match] {
        let all = call.targets + call.comingByGit
        // Reading the patterns takes longer than all else here, and most calls only read files.
        guard all.contains(where: \.hasNameThatCounts) else { return all.map { _ in .no } }
        let patterns = names.map { NamePattern($0) }
        return all.map {
            isNamed($0, patterns, surroundings, isTold: call.isTold($0), isAllowing: isAllowing)
        }
    }

    /// Returns the first target whose names are not all known since it lies on another mount, if no target has a name
    /// of the patterns. Returns `nil` otherwise.
    func mountOfUnclearNames(in call: Call, _ surroundings: Surroundings) -> Call.Target? {
        guard areFilesNamed else { return nil }
        let matches = filesNamed(call, surroundings)
        guard !matches.contains(.yes) else { return nil }
        let unclear = zip(call.targets, matches).filter { $0.1 == .unclear }.map(\.0)
        return unclear.allSatisfy { $0.mount != nil } ? unclear.first : nil
    }

    /// Returns whether the file of a target fits the patterns or has one of the forms. It is unclear for a new folder
    /// that is reported as a whole, since the names in it are not known, unless it is the history of a repository that
    /// is described in git's words.
    private func isNamed(
        _ target: Call.Target, _ patterns: [NamePattern], _ surroundings: Surroundings, isTold: Bool, isAllowing: Bool
    ) -> Match {
        guard target.hasNameThatCounts else { return .no }
        if let change = target.change, change.kind == .folder, change.entries > 1, target.effect == .creates, !isTold {
            return .unclear
        }
        // A link in place of a folder makes everything below its destination appear there.
        let isLink = target.change?.kind == .link
        func isNamed(_ path: TouchedPath) -> Bool {
            path.isNamed(by: patterns, isLink: isLink, isAllowing: isAllowing)
                || path.hasForm(of: forms, target.change, surroundings)
        }
        // The history of a repository has no role by its place, apart from its own name.
        let own = isTold ? target.place.path?.pathNames.last : nil
        let paths = own.map { [.one("/\($0)")] } ?? target.paths(isAllowing: isAllowing)
        guard !isAllowing else { return Match(paths.allSatisfy(isNamed)) }
        let isOne = paths.contains(where: isNamed)
        // The file may have a further name that is not known.
        let areAllKnown = target.otherPaths.count < Limits.otherPaths && !target.hasOtherNames
        return isOne || areAllKnown ? Match(isOne) : .unclear
    }

    private func isAtHost(_ target: Call.Target, isAllowing: Bool = false) -> Match {
        guard !hosts.isEmpty, let host = target.place.host else { return .no }
        return Match(hosts.contains { HostPattern($0).matches(host, isAllowing: isAllowing) })
    }
}

extension Call.Target {
    /// Whether rules for the names of files are about the target. A file that a command deletes no longer has its
    /// effect, such as that of a hook.
    fileprivate var hasNameThatCounts: Bool {
        ([.creates, .overwrites].contains(effect) || effect == .deletes && change != nil) && place.path != nil
    }
}

/// Returns whether one of the paths of a file is in one of the folders. It is unclear for a path that is not plain
/// (`..`, relative), which could be anywhere.
///
/// If a rule allows, its folders are compared as they are written, and a folder that is a link holds nothing. If a rule
/// asks or denies, the destination of the link counts as well.
func folderMatch(_ paths: [TouchedPath], _ folders: [String], _ surroundings: Surroundings, isAllowing: Bool) -> Match {
    let known = folders.map { isAllowing ? surroundings.expanded($0).map { [$0] } : surroundings.paths(of: $0) }
    guard paths.allSatisfy(\.isPlain), known.allSatisfy({ $0 != nil }) else { return .unclear }
    let all = known.compactMap(\.self).flatMap(\.self)
    return Match(paths.contains { path in all.contains { path.isUnder($0, isAllowing: isAllowing) } })
}
