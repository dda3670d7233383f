package import JSON

/// One use of a tool with everything that decides what it will do (`consent.md`, "Words"). An approval is for the
/// digest of one call.
///
/// The canonical bytes are `canonical`; the question on the screen is drawn from this same value, so nothing that is
/// hashed is hidden and nothing is shown that was not hashed.
package struct Call: Sendable {
    package var tool: String
    /// The hash of the tool's manifest: another version of the tool is another call.
    package var toolVersion: ContentHash
    package var params: JSON.Object
    package var inputs: [Input]
    package var targets: [Target]
    package var effects: Set<Effect>
    package var reversibility: Reversibility
    /// What else decides what a command does, by name: the folder in which it starts, and, outside of the sandbox,
    /// where its programs are looked for; why there is no sandbox for what would be in one. Texts only; empty for calls
    /// that nothing else decides.
    package var environment: JSON.Object
    /// Of a command that is run over an overlay of the workspace before anything is asked; `nil` for every other call.
    package var rehearsal: Rehearsal?
    /// What it costs, as the person's manifests say; `nil` where none does, and for calls that spend nothing.
    package var price: Dollars?

    package init(
        tool: String, toolVersion: ContentHash, params: JSON.Object = JSON.Object(), inputs: [Input] = [],
        targets: [Target] = [],
        effects: Set<Effect> = [], reversibility: Reversibility = .yes(how: "nothing outside the asset store changes"),
        environment: JSON.Object = JSON.Object(), rehearsal: Rehearsal? = nil, price: Dollars? = nil
    ) {
        self.tool = tool
        self.toolVersion = toolVersion
        self.params = params
        self.inputs = inputs
        self.targets = targets
        self.effects = effects
        self.reversibility = reversibility
        self.environment = environment
        self.rehearsal = rehearsal
        self.price = price
    }

    /// How far a command is that is judged by what it does. It changes nothing before a yes, and is not run a second
    /// time.
    package enum Rehearsal: Hashable, Sendable {
        /// It is still to be run; the targets say what is run.
        case wanted
        /// It has been run, and the targets say what it would change: none, and it was a read.
        case done(Played)

        package struct Played: Hashable, Sendable {
            package var exitCode: Int
            /// What it said on standard output, by content.
            package var output: ContentHash
            package var outputBytes: Int
            /// Standard error, by content; `nil` if it is empty.
            package var errors: ContentHash?
            package var errorBytes: Int
            /// The files that it was not shown; `nil` if it saw all of the folder.
            package var unseen: Unseen?

            package init(
                exitCode: Int, output: ContentHash, outputBytes: Int, errors: ContentHash? = nil, errorBytes: Int = 0,
                unseen: Unseen? = nil
            ) {
                self.exitCode = exitCode
                self.output = output
                self.outputBytes = outputBytes
                self.errors = errors
                self.errorBytes = errorBytes
                self.unseen = unseen
            }
        }

        /// Files and folders that a command was not shown, since they may hold keys. It found empty ones in their
        /// place.
        package struct Unseen: Hashable, Sendable {
            /// A few of them, a folder with a slash at its end.
            package var names: [String]
            package var count: Int

            package init(names: [String], count: Int) { (self.names, self.count) = (names, count) }
        }
    }

    /// What is plugged into a port: by producer while planning, by content when it runs.
    package struct Input: Sendable {
        package var port: String
        /// The producer, where an edge brings it. A plan names late inputs by this (`semantics.md` 180).
        package var from: Template.Endpoint?
        /// `nil` while the producer has not run.
        package var hash: ContentHash?
        package var name: String?
        package var bytes: Int?

        package init(
            port: String, from: Template.Endpoint? = nil, hash: ContentHash? = nil, name: String? = nil,
            bytes: Int? = nil
        ) {
            self.port = port
            self.from = from
            self.hash = hash
            self.name = name
            self.bytes = bytes
        }
    }

    /// Something outside the asset store that the call touches.
    package struct Target: Sendable {
        package var effect: Effect
        package var place: Place
        package var reach: Reach
        /// What was there when the call was made; a file that changed after the yes asks anew.
        package var before: Before
        /// Exactly what will be done there: of a command that has been rehearsed, and of a move.
        package var change: Change?
        /// Whether what is overwritten is a file that Assent made, and that nobody has changed since.
        package var isOwn = false
        /// Whether the file has another name as well (a hard link), which may lie anywhere, or has or will have one by
        /// links that could not all be looked at, or lies on another mount than the workspace: it counts as outside of
        /// the workspace.
        package var hasOtherNames: Bool
        /// Absolute paths under which it is found through links, as it was written or as links of the workspace lead to
        /// it; sorted, without its real path. Of `Limits.otherPaths` there may be more.
        package var otherPaths: [String]
        /// Whether what may hold keys goes, or comes under a name that does not tell so.
        package var isPrivate: Bool
        /// How many of the folders right above it are made, too.
        package var newFolders: Int
        /// A name that is there and differs only by upper and lower case, or by how Unicode writes it: from the first
        /// name that is new.
        package var resembles: String?

        package init(
            _ effect: Effect, _ place: Place, reach: Reach, before: Before = .unlooked, change: Change? = nil,
            hasOtherNames: Bool = false,
            otherPaths: [String] = [], isPrivate: Bool = false, newFolders: Int = 0, resembles: String? = nil
        ) {
            self.effect = effect
            self.place = place
            self.reach = reach
            self.before = before
            self.change = change
            self.hasOtherNames = hasOtherNames
            self.otherPaths = otherPaths
            self.isPrivate = isPrivate
            self.newFolders = newFolders
            self.resembles = resembles
        }
    }

    /// What comes to a place, or goes from it.
    package struct Change: Sendable {
        package enum Kind: String, Hashable, Sendable { case file, folder, link }

        package var kind: Kind
        /// Permissions (`0o644`), before and afterwards; `nil` where there is nothing.
        package var modeBefore: Int?
        package var mode: Int?
        /// Bytes, of all that lies below where a folder is told as a whole.
        package var bytes: Int
        /// SHA-256: of a file's content, of the path that a link leads to, of all that is told in one.
        package var hash: ContentHash?
        /// Where a link leads, as it is written.
        package var leadsTo: String?
        /// SHA-256 over the extended attributes that come with it, or go. Of what is replaced only where those are
        /// others, also where they were taken away: then it is the hash of nothing.
        package var attributes: ContentHash?
        /// How many changes are told in this one: those in a folder that comes or goes as a whole, or in `.git`.
        package var entries: Int
        /// The time that a file is given whose content stays, in nanoseconds since 1970. `nil` if its time stays, or
        /// comes with its content. Of a `.git` in which nothing but times is set, it is the newest of them.
        package var modified: Int64?

        package init(
            kind: Kind, modeBefore: Int? = nil, mode: Int? = nil, bytes: Int = 0, hash: ContentHash? = nil,
            leadsTo: String? = nil,
            attributes: ContentHash? = nil, entries: Int = 1, modified: Int64? = nil
        ) {
            self.kind = kind
            self.modeBefore = modeBefore
            self.mode = mode
            self.bytes = bytes
            self.hash = hash
            self.leadsTo = leadsTo
            self.attributes = attributes
            self.entries = entries
            self.modified = modified
        }
    }

    package enum Place: Sendable {
        /// An absolute real path (links resolved).
        case path(String)
        /// "A new name like `cat-N.jpg` in this folder": created with O_EXCL at the next free number.
        case newName(folder: String, stem: String, suffix: String)
        /// `host:port`.
        case host(String)
        /// A command line, word by word.
        case command([String])
    }

    package enum Before: Hashable, Sendable {
        case unlooked
        case absent
        case file(device: UInt64, inode: UInt64, size: Int64, modifiedNanoseconds: Int64, hash: ContentHash?)
    }

    /// Whether a command of it runs as the person does, outside of any sandbox.
    package var isBare: Bool {
        targets.contains { target in if case .command = target.place { target.reach > .workspace } else { false } }
    }

    /// Whether a command that is still to be run speaks to hosts then, or reads what it was not to see: that cannot be
    /// judged afterwards.
    package var reachesOut: Bool {
        rehearsal == .wanted && targets.contains { target in if case .command = target.place { false } else { true } }
    }

    /// Why it runs outside of a sandbox, though nobody wanted that.
    package var reasonForNoSandbox: String? { environment["sandbox"]?.string }

    /// The furthest of its targets.
    package var reach: Reach { targets.map(\.reach).max() ?? .workspace }

    /// The call as a value whose canonical text (`JSON.canonical`) is hashed. Every stored property is in it.
    package var json: JSON {
        .of([
            "v": 1,
            "tool": .string(tool),
            "toolVersion": .string(toolVersion.hex),
            "params": .object(params),
            "inputs": .array(inputs.map(\.json)),
            "targets": .array(targets.map(\.json)),
            "effects": .array(effects.sorted().map { .string($0.rawValue) }),
            "undo": reversibility.json,
            "environment": environment.isEmpty ? nil : .object(environment), "rehearsal": rehearsal?.json,
            "price": price.map { .int($0.millionths) },
        ])
    }

    /// The same call as a plan can know it: late inputs by their producer only. A concrete call refines an approved
    /// plan exactly when its planned form has the approved digest.
    package var planned: Call {
        var plan = self
        for index in plan.inputs.indices where plan.inputs[index].from != nil {
            plan.inputs[index].hash = nil
            plan.inputs[index].name = nil
            plan.inputs[index].bytes = nil
        }
        return plan
    }
}

extension Call.Input {
    package var json: JSON {
        .of([
            "port": .string(port),
            "from": from.map { .array([.string($0.node), .string($0.port)]) },
            "sha256": hash.map { .string($0.hex) },
            "name": name.map { .string($0) },
            "bytes": bytes.map { .int($0) },
        ])
    }
}

extension Call.Target {
    package var json: JSON {
        var object: JSON.Object = JSON.Object()
        object["effect"] = .string(effect.rawValue)
        object["reach"] = .string(reach.rawValue)
        for member in place.json.object?.members ?? [] { object[member.key] = member.value }
        switch before {
        case .unlooked: break
        case .absent: object["before"] = "absent"
        case .file(let device, let inode, let size, let modified, let hash):
            object["before"] = .of([
                "device": .string(String(device)), "inode": .string(String(inode)), "size": .int(Int(size)),
                "modified": .string(String(modified)), "sha256": hash.map { .string($0.hex) },
            ])
        }
        if let change { object["change"] = change.json }
        if isOwn { object["own"] = true }
        if hasOtherNames { object["otherNames"] = true }
        if !otherPaths.isEmpty { object["also"] = .array(otherPaths.map { .string($0) }) }
        if isPrivate { object["private"] = true }
        if newFolders != 0 { object["newFolders"] = .int(newFolders) }
        if let resembles { object["resembles"] = .string(resembles) }
        return .object(object)
    }
}

extension Call.Place {
    /// The path that a new name has with a number, counted from 1; `nil` for other places.
    package func numbered(_ number: Int) -> String? {
        guard case .newName(let folder, let stem, let suffix) = self else { return nil }
        return folder.child("\(stem)-\(number)\(suffix)")
    }

    /// Whether a new name may get this path, which is plain.
    package func couldBe(_ path: String) -> Bool {
        guard case .newName(let folder, let stem, let suffix) = self else { return false }
        let (start, end) = (folder.child("\(stem)-").utf8, suffix.utf8)
        guard path.utf8.count > start.count + end.count, path.utf8.starts(with: start),
            path.utf8.suffix(end.count).elementsEqual(end)
        else {
            return false
        }
        return path.utf8.dropFirst(start.count).dropLast(end.count).allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }

    package var json: JSON {
        switch self {
        case .path(let path): ["path": .string(path)]
        case .newName(let folder, let stem, let suffix):
            ["newName": ["folder": .string(folder), "stem": .string(stem), "suffix": .string(suffix)]]
        case .host(let host): ["host": .string(host)]
        case .command(let words): ["command": .array(words.map { .string($0) })]
        }
    }
}

extension Call.Rehearsal {
    package var json: JSON {
        switch self {
        case .wanted: "wanted"
        case .done(let played):
            .of([
                "exit": .int(played.exitCode), "output": .string(played.output.hex), "bytes": .int(played.outputBytes),
                "errors": played.errors.map { .string($0.hex) },
                "errorBytes": played.errors.map { _ in .int(played.errorBytes) },
                "unseen": played.unseen?.json,
            ])
        }
    }
}

extension Call.Rehearsal.Unseen {
    package var json: JSON { ["names": .array(names.map { .string($0) }), "count": .int(count)] }

    /// Returns the names in one line: `.env, .docker/config.json and 3 more`.
    ///
    /// - Parameter shown: a name as it is safe to show.
    package func words(_ shown: (String) -> String) -> String {
        let rest = count - names.count
        guard !names.isEmpty else { return count == 1 ? "1 file" : "\(count) files" }
        return names.map(shown).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// - Returns: `nil` where there is none, or what is there is none.
    package init?(json: JSON?) {
        guard let names = json?["names"]?.array?.compactMap(\.string), let count = json?["count"]?.int else {
            return nil
        }
        self.init(names: names, count: count)
    }
}

extension Call.Change {
    package var json: JSON {
        .of([
            "kind": .string(kind.rawValue), "modeBefore": modeBefore.map { .string(String($0, radix: 8)) },
            "mode": mode.map { .string(String($0, radix: 8)) }, "bytes": .int(bytes),
            "sha256": hash.map { .string($0.hex) },
            "leadsTo": leadsTo.map { .string($0) }, "attributes": attributes.map { .string($0.hex) },
            "entries": .int(entries),
            "modified": modified.map { .string(String($0)) },
        ])
    }
}

extension Reversibility {
    package var json: JSON {
        switch self {
        case .yes(let how): .string(how)
        case .no: .bool(false)
        }
    }
}
