import Consent
import JSON
import Vocabulary

let surroundings = Surroundings(workspace: "/home/ana/photos", home: "/home/ana", ownFolders: ["/home/ana/photos/.assent-data"])
let noon = Moment(milliseconds: 1_795_000_000_000)
let toolVersion = ContentHash(hex: String(repeating: "ab", count: 32))

func call(
    _ tool: String = "Tool", _ effects: Set<Effect> = [], _ targets: [Call.Target] = [], undo: Reversibility = .yes(how: "delete it"),
    params: JSON = [:], inputs: [Call.Input] = []
) -> Call {
    Call(
        tool: tool, toolVersion: toolVersion, params: params.object!, inputs: inputs, targets: targets, effects: effects,
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

extension JSON.Object {
    static var sample: JSON.Object {
        let json: JSON = ["path": "todo.md", "overwrite": true, "width": 800, "ratio": 0.5, "tags": ["a", ["b": .null]]]
        return json.object!
    }
}
