import JSON
package import Vocabulary

/// Which calls a rule or a grant is about. What is `nil` or empty is not looked at.
///
/// One list of conditions reads in two ways, so that adding risk to a call can never loosen what happens to it: a rule
/// that asks or denies says the *least* from which it does (`touches`), a rule that allows says the *most* that it lets
/// through (`contains`).
package struct Conditions: Hashable, Sendable {
    /// Names of tools; `*` stands for any characters.
    package var tools: [String]
    package var effects: Set<Effect>?
    package var reach: Reach?
    /// `true`: about irreversible calls too (allowing) or only (asking, denying).
    package var isIrreversible: Bool?
    /// Folders: absolute, `~/…` or relative to the workspace.
    package var folders: [String]
    /// `example.org`, `example.org:8080`, `*.example.org`.
    package var hosts: [String]
    package var params: [String: ParamTest]
    /// Of files that are made or changed, as their path ends: `Makefile`, `.git/hooks/*`; `.claude/**` is
    /// everything below, `a/**/b` any number of folders between.
    package var names: [String]

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

/// Whether a test holds. A value of the wrong kind cannot be compared: that counts against the call.
enum Match: Hashable {
    case yes, no, unclear

    init(_ holds: Bool) { self = holds ? .yes : .no }
}

extension Conditions {
    /// For rules that ask or deny: one effect, one target, one reach is enough.
    func touches(_ call: Call, in surroundings: Surroundings) -> Bool {
        isAbout(call.tool)
            && (effects.map { !$0.isDisjoint(with: call.allEffects) } ?? true)
            && (reach.map { least in reaches(of: call, in: surroundings).contains { $0 >= least } } ?? true)
            && (isIrreversible != true || call.isIrreversible)
            && (folders.isEmpty || call.targets.contains { isInFolder($0, surroundings) != .no })
            && (hosts.isEmpty || call.targets.contains { isAtHost($0) != .no })
            && params.allSatisfy { $0.value.match(call.params[$0.key], of: call, surroundings) != .no }
            && (names.isEmpty || namesOf(call).contains { $0 != .no })
    }

    /// For rules that allow, and grants: everything the call does must be named.
    func contains(_ call: Call, in surroundings: Surroundings) -> Bool {
        isAbout(call.tool)
            && (effects.map { call.allEffects.isSubset(of: $0) } ?? true)
            && (reach.map { most in reaches(of: call, in: surroundings).allSatisfy { $0 <= most } } ?? true)
            && (isIrreversible != false || !call.isIrreversible)
            && areTargetsNamed(call, surroundings)
            && params.allSatisfy {
                $0.value.match(call.params[$0.key], of: call, surroundings, isAllowing: true) == .yes
            }
            && (names.isEmpty || namesOf(call, isAllowing: true).allSatisfy { $0 == .yes })
    }

    private func isAbout(_ tool: String) -> Bool {
        tools.isEmpty || tools.contains { Glob($0).matches(tool) }
    }

    private func reaches(of call: Call, in surroundings: Surroundings) -> [Reach] {
        call.targets.map { surroundings.reach(of: $0) } + (call.unplacedEffects.isEmpty ? [] : [.remote])
    }

    /// Once a rule that allows names folders or hosts, a target that is in none of them is not covered.
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

    /// All folders that are named, also those of parameters.
    var allFolders: [String] {
        folders + params.values.flatMap { test in if case .under(let folders) = test { folders } else { [String]() } }
    }

    /// Target by target. The patterns are read once for all of them: a rehearsed command may have thousands.
    private func namesOf(_ call: Call, isAllowing: Bool = false) -> [Match] {
        guard !call.targets.isEmpty else { return [] }
        let patterns = names.map { NamePattern($0) }
        return call.targets.map { isOfNames($0, patterns, isAllowing: isAllowing) }
    }

    /// Of a folder that comes as a whole nobody sees the names.
    private func isOfNames(_ target: Call.Target, _ patterns: [NamePattern], isAllowing: Bool) -> Match {
        // A file that goes by a command takes with it what held, such as a hook.
        guard [.creates, .overwrites].contains(target.effect) || (target.effect == .deletes && target.change != nil),
            target.place.path != nil
        else { return .no }
        if let change = target.change, change.kind == .folder, change.entries > 1, target.effect == .creates {
            return .unclear
        }
        // A link in place of a folder puts whatever it leads to there.
        let isLink = target.change?.kind == .link
        func isNamed(_ path: TouchedPath) -> Bool { path.isNamed(by: patterns, isLink: isLink, isAllowing: isAllowing) }
        let paths = target.paths(isAllowing: isAllowing)
        guard !isAllowing else { return Match(paths.allSatisfy(isNamed)) }
        let isOne = paths.contains(where: isNamed)
        // It may have a name that nobody has seen.
        let areAllKnown = target.otherPaths.count < Limits.otherPaths && !target.hasOtherNames
        return isOne || areAllKnown ? Match(isOne) : .unclear
    }

    private func isAtHost(_ target: Call.Target, isAllowing: Bool = false) -> Match {
        guard !hosts.isEmpty, let host = target.place.host else { return .no }
        return Match(hosts.contains { HostPattern($0).matches(host, isAllowing: isAllowing) })
    }
}

/// Whether one of the paths of a file is in one of the folders. A path that is not plain (`..`, relative) could be
/// anywhere.
///
/// A rule that allows takes its folders at their word: where one is a link, nothing is really in it. One that asks or
/// denies is about what the link leads to as well.
func folderMatch(_ paths: [TouchedPath], _ folders: [String], _ surroundings: Surroundings, isAllowing: Bool) -> Match {
    let known = folders.map { isAllowing ? surroundings.expanded($0).map { [$0] } : surroundings.paths(of: $0) }
    guard paths.allSatisfy(\.isPlain), known.allSatisfy({ $0 != nil }) else { return .unclear }
    let all = known.compactMap(\.self).flatMap(\.self)
    return Match(paths.contains { path in all.contains { path.isUnder($0, isAllowing: isAllowing) } })
}
