package import JSON

extension Limits {
    /// The most names of changed files that are kept for each kind of change of a command.
    fileprivate static let changedNames = 10
}

/// A summary of the changes that a command made in the user's files: a few names of each kind of change, and their
/// number.
package struct ChangedFiles: Hashable, Sendable {
    /// A kind of change, in the order in which kinds are named.
    package enum Act: String, Hashable, Sendable, CaseIterable {
        case created, overwritten, moved, deleted, permissions, times
    }

    /// A path relative to the folder of the workflow, with a slash at its end if it stands for a folder.
    package struct Name: Hashable, Sendable {
        package var path: String
        /// The old path of a file that was moved.
        package var source: String?

        package init(_ path: String, from source: String? = nil) { (self.path, self.source) = (path, source) }
    }

    /// The changes of one kind.
    package struct Group: Hashable, Sendable {
        /// The first names, at most `Limits.changedNames`.
        package var names: [Name] = []
        package var count = 0
    }

    private var groups: [Act: Group] = [:]

    package subscript(_ act: Act) -> Group { groups[act] ?? Group() }

    package var isEmpty: Bool { groups.isEmpty }
    package var hasNames: Bool { groups.values.contains { !$0.names.isEmpty } }

    package init() {}

    /// Sorts the changes of a rehearsed command by their kind.
    ///
    /// - Parameters:
    ///   - workspace: a real path. Paths below it are shown relative to it.
    ///   - hidesNames: whether only numbers are shown, since a name may reveal what the command read.
    package init(_ targets: [Call.Target], workspace: String, hidesNames: Bool = false) {
        func name(_ path: String) -> String { path.path(below: workspace) ?? path }
        var come: [Call.Change: [String]] = [:]
        for target in targets where target.effect == .creates {
            guard let path = target.path, let moved = target.change?.asMovedFile else { continue }
            come[moved, default: []].append(path)
        }
        // By their bytes: two names that are one to Unicode are two files.
        var movedTo: Set<[UInt8]> = []
        for target in targets where target.effect == .deletes {
            guard let path = target.path, let moved = target.change?.asMovedFile, let to = come[moved]?.first else {
                continue
            }
            come[moved]?.removeFirst()
            movedTo.formUnion([Array(to.utf8), Array(path.utf8)])
            add(.moved, Name(name(to), from: name(path)), hidesNames: hidesNames)
        }
        let told = Self.foldersAbove(targets)
        for target in targets {
            guard let path = target.path, let act = target.act, !movedTo.contains(Array(path.utf8)) else { continue }
            let entries = target.change?.entries ?? 1
            // A folder is not listed if an entry in it is listed.
            if target.change?.kind == .folder, entries == 1, act != .permissions, told.contains(Array(path.utf8)) {
                continue
            }
            let isFolder = target.change?.kind == .folder
            let count = entries > 1 && act != .overwritten ? entries - 1 : entries
            add(act, Name(name(path) + (isFolder ? "/" : "")), count: count, hidesNames: hidesNames)
        }
    }

    private mutating func add(_ act: Act, _ name: Name, count: Int = 1, hidesNames: Bool) {
        var group = self[act]
        group.count += count
        if !hidesNames, group.names.count < Limits.changedNames { group.names.append(name) }
        groups[act] = group
    }

    /// Returns the folders above the entries that are created or deleted.
    private static func foldersAbove(_ targets: [Call.Target]) -> Set<[UInt8]> {
        var folders: Set<[UInt8]> = []
        for target in targets where target.effect == .creates || target.effect == .deletes {
            var path = Array((target.path ?? "").utf8)
            while let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 {
                path.removeLast(path.count - slash)
                guard folders.insert(path).inserted else { break }
            }
        }
        return folders
    }
}

extension ChangedFiles {
    /// Returns the changes in one line: `made sorted.txt; changed 3 files: a, b, c; deleted old/`.
    ///
    /// - Parameter shown: returns a name in a form that is safe to show.
    package func words(_ shown: (String) -> String) -> String {
        Act.allCases.compactMap { act in
            let group = self[act]
            guard group.count > 0 else { return nil }
            let names = group.names.prefix(Limits.changedNamesSaid).map { name in
                name.source.map { "\(shown($0)) to \(shown(name.path))" } ?? shown(name.path)
            }
            // A folder stands for all that is in it.
            let isOne = group.count == 1 || group.names.count == 1 && group.names[0].path.hasSuffix("/")
            let number = group.count == 1 ? "1 file" : "\(group.count) files"
            guard !names.isEmpty else { return "\(act.verb) \(act.isOfThing ? "of " : "")\(number)" }
            if isOne {
                let inside = group.count > 1 ? " with \(number)" : ""
                return "\(act.verb) \(act.isOfThing ? "of " : "")\(names[0])\(inside)"
            }
            let more = group.count - names.count
            let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return "\(act.verb) \(act.isOfThing ? "of " : "")\(number): \(list)"
        }.joined(separator: "; ")
    }

    package var json: JSON {
        func list(_ group: Group) -> JSON {
            .array(
                group.names.map { name in
                    name.source.map { ["from": .string($0), "to": .string(name.path)] } ?? .string(name.path)
                })
        }
        let acts = Act.allCases.filter { self[$0].count > 0 }
        var object = JSON.Object(members: acts.map { JSON.Object.Member(key: $0.rawValue, value: list(self[$0])) })
        object["counts"] = .object(
            JSON.Object(members: acts.map { JSON.Object.Member(key: $0.rawValue, value: .int(self[$0].count)) }))
        return .object(object)
    }

    /// Reads the changes from JSON. Returns `nil` if the value is missing or has another form.
    package init?(json: JSON?) {
        guard let json, let counts = json["counts"]?.object else { return nil }
        for act in Act.allCases {
            guard let count = counts[act.rawValue]?.int, count > 0 else { continue }
            let names = (json[act.rawValue]?.array ?? []).prefix(Limits.changedNames).compactMap { name -> Name? in
                if let path = name.string { return Name(path) }
                guard let from = name["from"]?.string, let to = name["to"]?.string else { return nil }
                return Name(to, from: from)
            }
            groups[act] = Group(names: names, count: count)
        }
    }
}

extension ChangedFiles.Act {
    fileprivate var verb: String {
        switch self {
        case .created: "made"
        case .overwritten: "changed"
        case .moved: "moved"
        case .deleted: "deleted"
        case .permissions: "changed the permissions"
        case .times: "set the time"
        }
    }

    /// Whether the verb is about something of a file.
    fileprivate var isOfThing: Bool { self == .permissions || self == .times }
}

extension Asset {
    /// The changes of the command that printed this asset. It is `nil` for other assets, and if the command changed no
    /// file.
    package var changed: ChangedFiles? {
        get { ChangedFiles(json: meta["changed"]) }
        set { meta["changed"] = newValue.map(\.json) }
    }
}

extension Event.Output {
    /// The changes of the command that printed this output. It is `nil` for other outputs, and if the command changed
    /// no file.
    package var changed: ChangedFiles? { ChangedFiles(json: meta["changed"]) }
}

extension Call.Target {
    /// Whether the content of a file or folder stays as it is, and its permissions change.
    package var changesPermissionsOnly: Bool {
        guard effect == .overwrites, let change, change.entries == 1, change.attributes == nil,
            change.modeBefore != change.mode,
            case .file(_, _, _, _, let hash) = before
        else { return false }
        return change.hash == hash
    }

    fileprivate var act: ChangedFiles.Act? {
        guard change != nil else { return nil }
        return switch effect {
        case .creates: .created
        case .deletes: .deleted
        case .overwrites: setsTimeOnly ? .times : changesPermissionsOnly ? .permissions : .overwritten
        case .reads, .sends, .spends, .executes: nil
        }
    }
}

extension Call.Change {
    /// The properties that stay the same if a file is renamed. It is `nil` for entries other than files, and for empty
    /// files, which are all alike.
    fileprivate var asMovedFile: Call.Change? {
        guard kind == .file, entries == 1, bytes > 0, hash != nil else { return nil }
        return Call.Change(kind: kind, mode: mode ?? modeBefore, bytes: bytes, hash: hash, attributes: attributes)
    }
}
