import Consent
import JSON
import Vocabulary

let surroundings = Surroundings(
    workspace: "/home/ana/photos", home: "/home/ana", ownFolders: ["/home/ana/photos/.assent-data"])
let noon = Moment(milliseconds: 1_795_000_000_000)
let toolVersion = ContentHash(hex: String(repeating: "ab", count: 32))

func call(
    _ tool: String = "Tool", _ effects: Set<Effect> = [], _ targets: [Call.Target] = [],
    undo: Reversibility = .yes(how: "delete it"),
    params: JSON = [:], inputs: [Call.Input] = []
) -> Call {
    Call(
        tool: tool, toolVersion: toolVersion, params: params.object!, inputs: inputs, targets: targets,
        effects: effects,
        reversibility: undo)
}

extension Call.Target {
    static func read(_ path: String, _ reach: Reach = .workspace) -> Self { Self(.reads, .path(path), reach: reach) }
    static func new(in folder: String) -> Self {
        Self(.creates, .newName(folder: folder, stem: "cat", suffix: ".jpg"), reach: .workspace)
    }
    static func create(_ path: String, before: Call.Before = .absent) -> Self {
        Self(.creates, .path(path), reach: .workspace, before: before)
    }
    static func overwrite(_ path: String) -> Self { Self(.overwrites, .path(path), reach: .workspace, before: .sample) }
    static func delete(_ path: String) -> Self { Self(.deletes, .path(path), reach: .workspace, before: .sample) }
    static func send(_ host: String) -> Self { Self(.sends, .host(host), reach: .remote) }
}

extension Call.Before {
    static let sample = Self.file(device: 7, inode: 41, size: 12, modifiedNanoseconds: 99, hash: .ofNothing)
}

/// Every kind of member once, so that tests can change each of them.
let wholeCall = Call(
    tool: "WriteFile", toolVersion: toolVersion, params: JSON.Object.sample,
    inputs: [
        Call.Input(port: "text", from: Template.Endpoint("read", "text"), hash: .ofNothing, name: "a.txt", bytes: 3),
        Call.Input(port: "mask", hash: toolVersion, name: "m.png", bytes: 4),
    ],
    targets: [
        .overwrite("/home/ana/photos/todo.md"), .new(in: "/home/ana/photos"), .send("127.0.0.1:8080"),
        Call.Target(.executes, .command(["ls", "-l"]), reach: .outside), .create("/home/ana/photos/new.md"),
    ],
    effects: [.creates, .overwrites, .sends, .executes], reversibility: .yes(how: "undo copy"))

/// A command that has been rehearsed: what it would change is in it, each kind of change once.
let playedCall = Call(
    tool: "Shell", toolVersion: toolVersion, params: JSON.Object.sample,
    targets: [
        .changed(.creates, "new", Call.Change(kind: .file, mode: 0o644, bytes: 3, hash: .ofNothing)),
        .changed(
            .overwrites, "notes.txt",
            Call.Change(kind: .file, modeBefore: 0o644, mode: 0o755, bytes: 5, hash: toolVersion)),
        .changed(
            .deletes, "old", Call.Change(kind: .folder, modeBefore: 0o755, bytes: 9, hash: toolVersion, entries: 12)),
        .changed(.creates, "link", Call.Change(kind: .link, mode: 0o777, hash: .ofNothing, leadsTo: "new")),
        .changed(
            .overwrites, "own", Call.Change(kind: .file, modeBefore: 0o644, mode: 0o644, bytes: 5, hash: toolVersion),
            isOwn: true),
    ],
    effects: [.creates, .overwrites, .deletes], reversibility: .yes(how: "what was there before is kept"),
    environment: JSON.Object(members: [.init(key: "folder", value: "/home/ana/photos")]),
    rehearsal: .done(Call.Rehearsal.Played(exitCode: 0, output: toolVersion, outputBytes: 3)),
    price: Dollars(millionths: 40_000))

extension Call.Target {
    fileprivate static func changed(_ effect: Effect, _ name: String, _ change: Call.Change, isOwn: Bool = false)
        -> Self
    {
        let before: Call.Before = effect == .creates ? .absent : .sample
        var target = Self(effect, .path("/home/ana/photos/\(name)"), reach: .workspace, before: before, change: change)
        target.isOwn = isOwn
        if isOwn { target.otherPaths = ["/home/ana/photos/link/own"] }
        return target
    }
}

extension JSON.Object {
    static var sample: JSON.Object {
        let json: JSON = [
            "path": "todo.md", "overwrite": true, "width": 800, "ratio": 0.5, "tags": ["a", ["b": .null]],
        ]
        return json.object!
    }
}
