package import Files
import Glibc
import JSON
package import Sandbox
import Undo
package import Vocabulary

/// The folder of one rehearsal: the overlay's `upper` and `work`, the output of the command, the plan of its
/// application and the replaced entries. It lies on the workspace's file system, since changes are applied by renames.
package struct RehearsalFolder: Hashable {
    let path: String

    package init(path: String) {
        self.path = path
    }

    package var upper: String { "\(path)/upper" }
    var work: String { "\(path)/work" }
    package var overlay: Overlay { Overlay(upper: upper, work: work) }
    /// The folder of the entries that were moved out of the workspace. Exchanged entries lie in `upper` instead, under
    /// the same path.
    var kept: String { "\(path)/kept" }
    private var about: String { "\(path)/about" }
    private var programs: String { "\(path)/programs" }

    /// Returns the folder through which a command sees one of the folders with the user's programs.
    package func place(ofPrograms index: Int) -> String { "\(programs)/\(index)" }

    /// Removes these folders, with all that the command wrote there.
    package func removePrograms() { removeFolder(programs) }

    private var begunFile: String { "\(path)/begun" }
    private var planFile: String { "\(path)/plan" }
    private var partFile: String { "\(path)/part" }
    private var gitFile: String { "\(path)/git.json" }

    /// A mark of how far the changes were applied or undone.
    package enum Note: String {
        /// All changes are in the workspace (`applied`), or only a part of them, and no more can follow (`stopped`).
        case applied, stopped
        case undoing, undone
    }

    package struct Plan {
        var steps: [ApplyStep]
        var locked: [UInt64: Int]
        /// The stamps in the overlay of all new entries, by inode.
        var brought: [UInt64: FileStamp] = [:]
        /// The stamps in the workspace of all replaced or deleted entries, by inode. Plans of earlier versions have no
        /// stamps.
        var replaced: [UInt64: FileStamp] = [:]
        /// The changes as the result of the step lists them, or `nil` in plans of earlier versions.
        package var changed: ChangedFiles?

        package init(
            steps: [ApplyStep], locked: [UInt64: Int], brought: [UInt64: FileStamp] = [:],
            replaced: [UInt64: FileStamp] = [:]
        ) {
            self.steps = steps
            self.locked = locked
            self.brought = brought
            self.replaced = replaced
        }

        package init(_ list: ChangeList, changed: ChangedFiles? = nil) {
            self.init(steps: list.steps, locked: list.locked, brought: list.brought, replaced: list.replaced)
            self.changed = changed
        }
    }

    /// A record of the rehearsed command and of its end.
    package struct About: Hashable {
        /// The SHA-256 of the call.
        package var call: ContentHash
        /// A real path, or `nil` in records of early versions.
        var workspace: String?
        /// The time when the command began, in nanoseconds since 1970.
        var started: Int64
        package var exitCode: Int
        /// How long the command ran, in milliseconds, or `nil` in records of earlier versions.
        package var milliseconds: Int?
        /// The standard output, as a stored content. `errors` is the standard error.
        package var output: AssetStore.Content
        /// The standard error. It is empty in records of early versions.
        package var errors: AssetStore.Content = AssetStore.Content(hash: .ofNothing, bytes: 0)
        /// The last line of standard error.
        package var lastError: String?
        /// Whether the command read files that may hold keys.
        package var isPrivate = false
        /// The hosts that the command contacted, with the bytes each way. `refusals` are those of its proxy.
        var hosts: [ProxyLog.Host] = []
        package var refusals: [String] = []
        /// The reason why the command had to run read-only, if it failed for that. Its effect is unknown then.
        package var impossible: String?
        /// The files and folders that were hidden from the command.
        package var hidden = HiddenPaths()
        /// The failure of a command that Assent stopped for its time or its use of resources. Its changes are not kept.
        package var failure: Failure?
        /// The commands by which the user allows the programs that the command did not find.
        package var programs: [String] = []
        /// The words about files that the command wrote where they are thrown away, or `nil` if there are none.
        package var thrownAway: String?
        /// The words about programs of the user that the command did not see, or `nil` if it names none.
        package var notAllowed: String?
        /// The lines that edits change, by the path of their file below the workspace. It is empty for commands.
        package var editedLines: [String: String] = [:]

        package init(
            call: ContentHash, workspace: String? = nil, started: Int64, exitCode: Int, milliseconds: Int? = nil,
            output: AssetStore.Content, errors: AssetStore.Content = AssetStore.Content(hash: .ofNothing, bytes: 0),
            lastError: String? = nil,
            isPrivate: Bool = false, hosts: [ProxyLog.Host] = [], refusals: [String] = [], impossible: String? = nil,
            hidden: HiddenPaths = HiddenPaths(), failure: Failure? = nil, programs: [String] = [],
            notAllowed: String? = nil, thrownAway: String? = nil, editedLines: [String: String] = [:]
        ) {
            self.editedLines = editedLines
            self.call = call
            self.workspace = workspace
            self.started = started
            self.exitCode = exitCode
            self.milliseconds = milliseconds
            self.output = output
            self.errors = errors
            self.lastError = lastError
            self.isPrivate = isPrivate
            self.hosts = hosts
            self.refusals = refusals
            self.impossible = impossible
            self.hidden = hidden
            self.failure = failure
            self.programs = programs
            self.notAllowed = notAllowed
            self.thrownAway = thrownAway
        }
    }

    /// Creates the folders of a new rehearsal, and removes an earlier one.
    ///
    /// - Parameter workspace: a real path. It is recorded, so that a rehearsal that a crash interrupts can be removed.
    package func make(for workspace: String? = nil) throws(Failure) {
        removeFolder(path)
        for folder in [path, upper, work] { try makeFolders(folder) }
        if let workspace { try write(["workspace": .string(workspace)], to: begunFile, isLasting: false) }
    }

    /// The workspace of a rehearsal that has begun, whether or not it has ended.
    var begunIn: String? { readJSON(begunFile)?["workspace"]?.string }

    package func remove() { removeFolder(path) }

    package func note(_ about: About) throws(Failure) {
        let json: JSON = [
            "call": .string(about.call.hex), "workspace": about.workspace.map { .string($0) } ?? .null,
            "started": .string(String(about.started)),
            "exit": .int(about.exitCode), "ms": about.milliseconds.map { .int($0) } ?? .null,
            "output": .string(about.output.hash.hex), "bytes": .int(about.output.bytes),
            "errors": .string(about.errors.hash.hex), "errorBytes": .int(about.errors.bytes),
            "error": about.lastError.map { .string($0) } ?? .null,
            "failure": about.failure.map {
                ["code": .string($0.code.text), "message": .string($0.message), "remedy": .string($0.remedy ?? "")]
            }
                ?? .null,
            "impossible": about.impossible.map { .string($0) } ?? .null, "private": .bool(about.isPrivate),
            "hidden": about.hidden.isEmpty ? .null : about.hidden.json,
            "hosts": .array(
                about.hosts.map { ["host": .string($0.name), "sent": .int($0.sent), "received": .int($0.received)] }),
            "refused": .array(about.refusals.map { .string($0) }),
            "programs": .array(about.programs.map { .string($0) }),
            "thrownAway": about.thrownAway.map { .string($0) } ?? .null,
            "notAllowed": about.notAllowed.map { .string($0) } ?? .null,
            "edited": .object(
                JSON.Object(
                    members: about.editedLines.sorted { $0.key < $1.key }.map {
                        .init(key: $0.key, value: .string($0.value))
                    })),
        ]
        // If a crash loses the record, the command is rehearsed again.
        try write(json, to: self.about, isLasting: false)
    }

    package func read() -> About? {
        guard let json = readJSON(about), let call = json["call"]?.string,
            let started = json["started"]?.string.flatMap({ Int64($0) }),
            let exit = json["exit"]?.int, let output = json["output"]?.string, let bytes = json["bytes"]?.int
        else { return nil }
        return About(
            call: ContentHash(hex: call), workspace: json["workspace"]?.string, started: started, exitCode: exit,
            milliseconds: json["ms"]?.int, output: AssetStore.Content(hash: ContentHash(hex: output), bytes: bytes),
            errors: AssetStore.Content(
                hash: json["errors"]?.string.map { ContentHash(hex: $0) } ?? .ofNothing,
                bytes: json["errorBytes"]?.int ?? 0),
            lastError: json["error"]?.string, isPrivate: json["private"]?.bool ?? false,
            hosts: (json["hosts"]?.array ?? []).compactMap { host in
                guard let name = host["host"]?.string, let sent = host["sent"]?.int,
                    let received = host["received"]?.int
                else {
                    return nil
                }
                return ProxyLog.Host(name: name, sent: sent, received: received)
            }, refusals: json["refused"]?.array?.compactMap(\.string) ?? [], impossible: json["impossible"]?.string,
            hidden: HiddenPaths(json: json["hidden"]),
            failure: json["failure"].flatMap { failure in
                guard let code = failure["code"]?.string, let message = failure["message"]?.string else { return nil }
                return Failure(
                    FailureCode(code), message, remedy: failure["remedy"]?.string.flatMap { $0.isEmpty ? nil : $0 })
            }, programs: json["programs"]?.array?.compactMap(\.string) ?? [],
            notAllowed: json["notAllowed"]?.string, thrownAway: json["thrownAway"]?.string,
            editedLines: Dictionary(
                (json["edited"]?.object?.members ?? []).compactMap { member in
                    member.value.string.map { (member.key, $0) }
                }, uniquingKeysWith: { $1 }))
    }

    /// Stores a mark.
    ///
    /// - Parameter moment: nanoseconds since 1970, by the clock of the file system.
    package func note(_ note: Note, at moment: Int64? = nil) throws(Failure) {
        try write(.of(["at": moment.map { .string(String($0)) }]), to: "\(path)/\(note.rawValue)")
    }

    func forget(_ note: Note) { unlink("\(path)/\(note.rawValue)") }

    func moment(of note: Note) -> Int64? { readJSON("\(path)/\(note.rawValue)")?["at"]?.string.flatMap { Int64($0) } }

    /// Whether the application has ended: completely, or stopped with a part of the changes in the workspace.
    var isOver: Bool { has(.applied) || has(.stopped) }

    package func has(_ note: Note) -> Bool { access("\(path)/\(note.rawValue)", F_OK) == 0 }

    // MARK: A part of it

    /// Returns the paths of the changes that are to be applied, or `nil` if all are.
    package func part() -> [String]? {
        guard access(partFile, F_OK) == 0 else { return nil }
        // An unreadable list selects no changes. Earlier versions stored the list alone.
        let json = readJSON(partFile)
        return (json?["paths"] ?? json)?.array?.compactMap(\.string) ?? []
    }

    /// Returns the changes that the user has refused, or `nil` if there are none.
    package func refused() -> ChangedFiles? { ChangedFiles(json: readJSON(partFile)?["refused"]) }

    /// Stores the paths of the changes that are to be applied, and the changes that are refused.
    package func note(part: [String], refused: ChangedFiles) throws(Failure) {
        try write(["paths": .array(part.map { .string($0) }), "refused": refused.json], to: partFile)
    }

    // MARK: Git

    /// Stores the changes of repositories that belong to some targets.
    func note(git changes: [GitChange], for targets: ContentHash) throws(Failure) {
        let json: JSON = ["targets": .string(targets.hex), "git": .array(changes.map(\.json))]
        // If a crash loses it, it is read again.
        try write(json, to: gitFile, isLasting: false)
    }

    /// Returns the stored changes of repositories, or `nil` if they belong to other targets.
    func git(for targets: ContentHash) -> [GitChange]? {
        guard let json = readJSON(gitFile), json["targets"]?.string == targets.hex, let list = json["git"]?.array else {
            return nil
        }
        let changes = list.compactMap(GitChange.init(json:))
        return changes.count == list.count ? changes : nil
    }

    // MARK: The plan

    /// Stores the plan. All entries that it names are written to the disk first.
    package func write(_ plan: Plan) throws(Failure) {
        try OpenFolder(upper).syncAll()
        let json: JSON = .of([
            "steps": .array(plan.steps.map(\.json)),
            "brought": Self.json(plan.brought), "replaced": Self.json(plan.replaced),
            "locked": .array(
                plan.locked.sorted { $0.key < $1.key }.map { .array([.string(String($0.key)), .int($0.value)]) }),
            "changed": plan.changed?.json,
        ])
        try write(json, to: planFile)
    }

    /// Whether the changes are being applied, or were.
    package var hasPlan: Bool { access(planFile, F_OK) == 0 }

    /// Returns the stored plan, or `nil` if none was made.
    ///
    /// - Throws: `rehearsalLost` if it cannot be read.
    package func plan() throws(Failure) -> Plan? {
        guard hasPlan else { return nil }
        let bytes = try readWhole(planFile, limit: Limits.rehearsalPlanBytes)
        guard let json = try? JSONReader.read(bytes), let steps = json["steps"]?.array?.map(ApplyStep.init(json:)),
            !steps.contains(nil),
            let locked = json["locked"]?.array
        else { throw Failure(.rehearsalLost, "The plan of what was rehearsed cannot be read: \(planFile).") }
        let pairs = locked.compactMap { pair in
            pair[0]?.string.flatMap { UInt64($0) }.flatMap { key in pair[1]?.int.map { (key, $0) } }
        }
        var plan = Plan(
            steps: steps.compactMap(\.self), locked: Dictionary(pairs) { $1 }, brought: Self.stamps(json["brought"]),
            replaced: Self.stamps(json["replaced"]))
        plan.changed = ChangedFiles(json: json["changed"])
        return plan
    }

    private static func json(_ stamps: [UInt64: FileStamp]) -> JSON {
        .array(
            stamps.sorted { $0.key < $1.key }.map { inode, stamp in
                let numbers = [stamp.modified, stamp.size] + (stamp.changed.map { [$0] } ?? [])
                return .string("\(inode) " + numbers.map(String.init).joined(separator: " "))
            })
    }

    private static func stamps(_ json: JSON?) -> [UInt64: FileStamp] {
        let pairs = (json?.array ?? []).compactMap { entry -> (UInt64, FileStamp)? in
            let words = (entry.string ?? "").split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int64($0) }
            guard let inode = words.first.flatMap({ UInt64($0) }), 2...3 ~= numbers.count else { return nil }
            return (
                inode,
                FileStamp(modified: numbers[0], size: numbers[1], changed: numbers.count == 3 ? numbers[2] : nil)
            )
        }
        return Dictionary(pairs) { $1 }
    }

    /// Replaces a file, so that a reader sees all of it or nothing. If `isLasting`, that holds after a crash, too.
    private func write(_ json: JSON, to file: String, isLasting: Bool = true) throws(Failure) {
        let temporary = file + ".new"
        let new = try OpenFile(temporary, O_WRONLY | O_CREAT | O_TRUNC)
        try new.write(Array(json.text.utf8))
        if isLasting { try new.sync() }
        guard rename(temporary, file) == 0 else { throw fileFailure("write", file) }
        if isLasting { try syncFolder(path) }
    }
}

extension ApplyStep {
    fileprivate var json: JSON {
        switch self {
        case .bringIn(let path, let inode): ["do": "in", "path": .string(path), "new": .string(String(inode))]
        case .swap(let path, let inode, let old):
            ["do": "swap", "path": .string(path), "new": .string(String(inode)), "old": .string(String(old))]
        case .takeOut(let path, let old): ["do": "out", "path": .string(path), "old": .string(String(old))]
        case .set(let path, let old, let to, let was):
            ["do": "set", "path": .string(path), "old": .string(String(old)), "to": to.json, "was": was.json]
        }
    }

    fileprivate init?(json: JSON) {
        func inode(_ key: String) -> UInt64? { json[key]?.string.flatMap { UInt64($0) } }
        guard let path = json["path"]?.string, !path.isEmpty else { return nil }
        switch json["do"]?.string {
        case "in":
            guard let new = inode("new") else { return nil }
            self = .bringIn(path: path, inode: new)
        case "swap":
            guard let new = inode("new"), let old = inode("old") else { return nil }
            self = .swap(path: path, inode: new, old: old)
        case "out":
            guard let old = inode("old") else { return nil }
            self = .takeOut(path: path, old: old)
        case "set":
            guard let old = inode("old"), let to = Settings(json: json["to"]), let was = Settings(json: json["was"])
            else { return nil }
            self = .set(path: path, old: old, to: to, was: was)
        default: return nil
        }
    }
}

extension ApplyStep.Settings {
    fileprivate var json: JSON { .of(["mode": .int(mode), "modified": modified.map { .string(String($0)) }]) }

    fileprivate init?(json: JSON?) {
        guard let mode = json?["mode"]?.int else { return nil }
        self.init(mode: mode, modified: json?["modified"]?.string.flatMap { Int64($0) })
    }
}
