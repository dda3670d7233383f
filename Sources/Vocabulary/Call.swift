package import JSON

/// A use of a tool with everything that decides what it will do (`consent.md`, "Words"). An approval is for the digest
/// of one call.
///
/// The canonical bytes are `canonical`. The question on the screen is drawn from this same value, so everything that is
/// hashed is shown, and everything that is shown is hashed.
package struct Call: Sendable {
    package var tool: String
    /// The hash of the tool's manifest: another version of the tool is another call.
    package var toolVersion: ContentHash
    package var params: JSON.Object
    package var inputs: [Input]
    package var targets: [Target]
    package var effects: Set<Effect>
    package var reversibility: Reversibility
    /// Further facts that decide what a command does, by name. They are the folder in which it starts, the search path
    /// outside of the sandbox, and the reason if there is no sandbox. All values are texts. The object is empty for
    /// calls without such facts.
    package var environment: JSON.Object
    /// The rehearsal of a command that runs over an overlay of the workspace before the question is asked, or `nil` for
    /// every other call.
    package var rehearsal: Rehearsal?
    /// The price of the call according to the user's manifests. It is `nil` if no manifest has a price, and for calls
    /// that spend nothing.
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

    /// The progress of the rehearsal of a command that is judged by what it does. The command changes nothing before a
    /// yes, and it does not run a second time.
    package enum Rehearsal: Hashable, Sendable {
        /// The rehearsal has not run yet. The targets say what will run.
        case wanted
        /// The rehearsal has run, and the targets list what the command would change. Without targets it was a read.
        case done(Played)

        package struct Played: Hashable, Sendable {
            package var exitCode: Int
            /// The hash of the standard output.
            package var output: ContentHash
            package var outputBytes: Int
            /// The hash of standard error, or `nil` if it is empty.
            package var errors: ContentHash?
            package var errorBytes: Int
            /// The files that were hidden from the command, or `nil` if it saw the whole folder.
            package var unseen: Unseen?
            /// The changes of git repositories, in git's words. Stored calls of earlier versions have none.
            package var git: [GitChange] = []

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

        /// The files and folders that were hidden from a command, since they may hold keys. The command found empty
        /// ones in their place.
        package struct Unseen: Hashable, Sendable {
            /// A few of the names. A folder has a slash at its end.
            package var names: [String]
            package var count: Int

            package init(names: [String], count: Int) { (self.names, self.count) = (names, count) }
        }
    }

    /// An asset that feeds a port: by its producer while planning, by its content when the call runs.
    package struct Input: Sendable {
        package var port: String
        /// The producer, if an edge connects it. A plan names late inputs by this (`semantics.md` 180).
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

    /// An object outside the asset store that the call touches, such as a file or a host.
    package struct Target: Sendable {
        package var effect: Effect
        package var place: Place
        package var reach: Reach
        /// The state of the target when the call was made. If the file changes after the yes, the question is asked
        /// again.
        package var before: Before
        /// The exact change at the target. It is set for a rehearsed command and for a move.
        package var change: Change?
        /// Whether the file that is overwritten was made by Assent and is unchanged since.
        package var isOwn = false
        /// Whether the file counts as outside of the workspace although its path is inside. The reasons are a second
        /// name (a hard link), links that could not all be inspected, or another mount.
        package var hasOtherNames: Bool
        /// The path of another mount in the workspace on which the target lies, or `nil`. Such a target has other
        /// names.
        package var mount: String?
        /// The absolute paths under which links lead to the target, sorted and without its real path. The list has at
        /// most `Limits.otherPaths` entries, although there may be more.
        package var otherPaths: [String]
        /// Whether content that may hold keys is removed, or gets a name that does not reveal this.
        package var isPrivate: Bool
        /// The number of folders directly above the target that are created, too.
        package var newFolders: Int
        /// An existing name that differs from the first new name only by upper and lower case or by its Unicode form.
        package var resembles: String?
        /// Whether the target belongs to what git obeys or goes on with: a hook, a setting that names a program, a
        /// rebase that is under way. Of a tool that writes files, all below a git folder counts.
        package var isGitState = false

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

    /// A change of a file, a folder or a link at a target.
    package struct Change: Sendable {
        package enum Kind: String, Hashable, Sendable { case file, folder, link }

        package var kind: Kind
        /// The permissions (`0o644`) before and after the change, or `nil` if no entry exists then.
        package var modeBefore: Int?
        package var mode: Int?
        /// The size in bytes. For a folder that is reported as a whole, it is the sum of its content.
        package var bytes: Int
        /// The SHA-256 of a file's content, of the path that a link leads to, or of all changes that are reported as
        /// one.
        package var hash: ContentHash?
        /// The destination of a link, as it is written in the link.
        package var leadsTo: String?
        /// The SHA-256 over the extended attributes that are added or removed. For a replaced entry it is set only if
        /// the attributes differ. If all were removed, it is the hash of an empty text.
        package var attributes: ContentHash?
        /// The number of changes that this one stands for, in a folder that is added or removed as a whole, or in
        /// `.git`.
        package var entries: Int
        /// The new time of a file whose content stays, in nanoseconds since 1970, or `nil` if the time stays or comes
        /// with the content. If only times change in a `.git`, it is the newest of them.
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

    /// Whether the call has a command that runs with all rights of the user, outside of any sandbox.
    package var isBare: Bool {
        targets.contains { target in if case .command = target.place { target.reach > .workspace } else { false } }
    }

    /// Whether a command that is still to be rehearsed would reach a host or read hidden files, which cannot be judged
    /// afterwards. `Edit` reads only the files that it changes.
    package var reachesOut: Bool {
        guard rehearsal == .wanted else { return false }
        return targets.contains { if case .command = $0.place { false } else { tool != "Edit" || $0.effect != .reads } }
    }

    /// The reason why the call runs outside of a sandbox although the user did not choose that, or `nil` if there is no
    /// such reason.
    package var reasonForNoSandbox: String? { environment["sandbox"]?.string }

    /// The furthest reach of the targets.
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

    /// The call as a plan knows it, in which late inputs are named by their producer. A concrete call refines an
    /// approved plan exactly if its planned form has the approved digest.
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
        if let mount { object["mount"] = .string(mount) }
        if !otherPaths.isEmpty { object["also"] = .array(otherPaths.map { .string($0) }) }
        if isPrivate { object["private"] = true }
        if newFolders != 0 { object["newFolders"] = .int(newFolders) }
        if let resembles { object["resembles"] = .string(resembles) }
        if isGitState { object["gitState"] = true }
        return .object(object)
    }
}

extension Call.Place {
    /// Returns the path of a new name with a number, counted from 1, or `nil` for other places.
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
                "git": played.git.isEmpty ? nil : .array(played.git.map(\.json)),
            ])
        }
    }
}

extension Call.Rehearsal.Unseen {
    package var json: JSON { ["names": .array(names.map { .string($0) }), "count": .int(count)] }

    /// Returns the names in one line: `.env, .docker/config.json and 3 more`.
    ///
    /// - Parameter shown: returns a name in a form that is safe to show.
    package func words(_ shown: (String) -> String) -> String {
        let rest = count - names.count
        guard !names.isEmpty else { return count == 1 ? "1 file" : "\(count) files" }
        return names.map(shown).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Reads hidden names from JSON. Returns `nil` if the value is missing or has another form.
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
