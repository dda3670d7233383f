import Consent
import JSON
import Testing
import Vocabulary

@Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
]) func hashesAsInTheStandard(text: String, hex: String) {
    #expect(sha256(of: text).hex == hex)
}

/// The bytes under an approval must never drift between versions by accident: this text is part of the contract.
@Test func canonicalFormOfACallIsFixed() {
    let small = call("SaveFile", [.creates], [.new(in: "/w")], params: ["b": 1, "a": [true, .null, 0.5]])
    let version = String(repeating: "ab", count: 32)
    let expected =
        #"{"effects":["creates"],"inputs":[],"params":{"a":[true,null,0.5],"b":1},"#
        + #""targets":[{"effect":"creates","newName":{"folder":"/w","stem":"cat","suffix":".jpg"},"reach":"workspace"}],"#
        + #""tool":"SaveFile","toolVersion":"\#(version)","undo":"delete it","v":1}"#
    #expect(small.json.canonical == expected)
    #expect(digest(of: small) == sha256(of: expected))
}

@Test func orderOfParametersDoesNotMatterAndOrderOfListsDoes() {
    let one = call(params: ["a": 1, "b": ["x": 1, "y": 2]])
    #expect(digest(of: one) == digest(of: call(params: ["b": ["y": 2, "x": 1], "a": 1])))
    #expect(digest(of: call(params: ["a": [1, 2]])) != digest(of: call(params: ["a": [2, 1]])))
}

/// Every value inside the canonical JSON, changed one at a time.
@Test(arguments: [wholeCall, playedCall]) func digestChangesWithEveryValueAndEveryMember(call: Call) {
    let json = call.json
    let original = sha256(of: json.canonical)
    var seen: Set<ContentHash> = [original]
    let mutants = mutations(of: json)
    #expect(mutants.count > 80)
    for mutant in mutants { #expect(seen.insert(sha256(of: mutant.canonical)).inserted, "\(mutant.canonical)") }
}

@Test(arguments: [wholeCall, playedCall]) func digestChangesWithEveryByteOfTheCanonicalText(call: Call) {
    let bytes = Array(call.json.canonical.utf8)
    let original = sha256(of: bytes)
    for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1
        #expect(sha256(of: changed) != original)
    }
}

/// Every stored property of a call, reached through the type itself rather than through its JSON.
@Test(
    arguments: [
        { $0.tool = "WriteFile2" }, { $0.toolVersion = .ofNothing }, { $0.params["path"] = "todo.md " },
        { $0.params["new"] = .null as JSON },
        { $0.params["new"] = JSON.null }, { $0.params["overwrite"] = false }, { $0.params["width"] = 801 },
        { $0.params["ratio"] = 0.25 },
        { $0.inputs.removeLast() }, { $0.inputs.swapAt(0, 1) }, { $0.inputs[0].port = "t" },
        { $0.inputs[0].from = nil },
        { $0.inputs[0].from?.node = "x" }, { $0.inputs[0].from?.port = "x" }, { $0.inputs[0].hash = nil },
        { $0.inputs[0].hash = toolVersion }, { $0.inputs[0].name = "b.txt" }, { $0.inputs[0].bytes = 4 },
        { $0.targets.removeFirst() },
        { $0.targets.swapAt(0, 1) }, { $0.targets[0].effect = .deletes }, { $0.targets[0].reach = .outside },
        { $0.targets[0].place = .path("/home/ana/photos/todo.MD") }, { $0.targets[0].before = .absent },
        { $0.targets[0].before = .unlooked },
        { $0.targets[0].before = .file(device: 8, inode: 41, size: 12, modifiedNanoseconds: 99, hash: .ofNothing) },
        { $0.targets[0].before = .file(device: 7, inode: 42, size: 12, modifiedNanoseconds: 99, hash: .ofNothing) },
        { $0.targets[0].before = .file(device: 7, inode: 41, size: 13, modifiedNanoseconds: 99, hash: .ofNothing) },
        { $0.targets[0].before = .file(device: 7, inode: 41, size: 12, modifiedNanoseconds: 98, hash: .ofNothing) },
        { $0.targets[0].before = .file(device: 7, inode: 41, size: 12, modifiedNanoseconds: 99, hash: nil) },
        { $0.targets[1].place = .newName(folder: "/home/ana", stem: "cat", suffix: ".jpg") },
        { $0.targets[1].place = .newName(folder: "/home/ana/photos", stem: "dog", suffix: ".jpg") },
        { $0.targets[1].place = .newName(folder: "/home/ana/photos", stem: "cat", suffix: ".png") },
        { $0.targets[2].place = .host("127.0.0.1:8081") }, { $0.targets[3].place = .command(["ls", "-la"]) },
        { $0.targets[3].place = .command(["ls -l"]) }, { $0.effects.remove(.sends) }, { $0.effects.insert(.deletes) },
        { $0.reversibility = .no }, { $0.reversibility = .yes(how: "undo copies") },
        { $0.targets[0].hasOtherNames = true }, { $0.targets[0].mount = "/m" },
        { $0.targets[0].isPrivate = true }, { $0.targets[0].newFolders = 1 }, { $0.targets[0].resembles = "Todo.md" },
    ] as [@Sendable (inout Call) -> Void])
func digestChangesWithEveryField(change: @Sendable (inout Call) -> Void) {
    var changed = wholeCall
    change(&changed)
    if changed.json == wholeCall.json {
        return #expect(changed.params["new"] == nil && changed.params == wholeCall.params)
    }
    #expect(digest(of: changed) != digest(of: wholeCall))
    #expect(changed != wholeCall)
}

/// The same of what a command would change.
@Test(
    arguments: [
        { $0.environment["folder"] = "/home/ana/photo" }, { $0.environment = JSON.Object() },
        { $0.environment["PATH"] = "/usr/bin" },
        { $0.rehearsal = nil }, { $0.rehearsal = .wanted },
        { $0.rehearsal = .done(Call.Rehearsal.Played(exitCode: 1, output: toolVersion, outputBytes: 3)) },
        { $0.rehearsal = .done(Call.Rehearsal.Played(exitCode: 0, output: .ofNothing, outputBytes: 3)) },
        { $0.rehearsal = .done(Call.Rehearsal.Played(exitCode: 0, output: toolVersion, outputBytes: 4)) },
        { $0.targets[0].change = nil }, { $0.targets[0].change?.kind = .folder },
        { $0.targets[0].change?.mode = 0o755 },
        { $0.targets[0].change?.mode = nil }, { $0.targets[0].change?.bytes = 4 },
        { $0.targets[0].change?.hash = toolVersion },
        { $0.targets[0].change?.attributes = toolVersion }, { $0.targets[0].change?.hash = nil },
        { $0.targets[0].change?.entries = 2 },
        { $0.targets[1].change?.modeBefore = 0o600 }, { $0.targets[1].change?.modified = 1 },
        { $0.targets[1].change?.modeBefore = nil }, { $0.targets[1].isOwn = true },
        { $0.targets[3].change?.leadsTo = "old" },
        { $0.targets[3].change?.leadsTo = nil }, { $0.targets[4].isOwn = false },
        { $0.targets[1].isGitState = true },
    ] as [@Sendable (inout Call) -> Void])
func digestChangesWithEveryFieldOfWhatWouldChange(change: @Sendable (inout Call) -> Void) {
    var changed = playedCall
    change(&changed)
    #expect(digest(of: changed) != digest(of: playedCall))
    #expect(changed != playedCall)
}

/// What is one text to Unicode is two names to a file system: equal is what has the same bytes, as in a digest.
@Test(
    arguments: [
        { $0.tool = $1 }, { $0.params["path"] = .string($1) }, { $0.targets[0].place = .path($1) },
        { $0.targets[0].place = .newName(folder: $1, stem: "a", suffix: "") },
        { $0.targets[0].place = .newName(folder: "a", stem: $1, suffix: "") }, { $0.targets[0].place = .host($1) },
        { $0.targets[0].place = .command(["ls", $1]) }, { $0.targets[0].resembles = $1 },
        { $0.targets[0].change = Call.Change(kind: .link, leadsTo: $1) }, { $0.inputs[0].name = $1 },
        { $0.inputs[0].from = Template.Endpoint($1, "text") }, { $0.environment["folder"] = .string($1) },
        { $0.reversibility = .yes(how: $1) },
    ] as [@Sendable (inout Call, String) -> Void])
func callsThatDifferInBytesOnlyAreNotEqual(put: @Sendable (inout Call, String) -> Void) {
    var (one, other, same) = (wholeCall, wholeCall, wholeCall)
    put(&one, "caf\u{E9}")
    put(&same, "caf\u{E9}")
    put(&other, "cafe\u{301}")
    #expect(one == same && Set([one, same]).count == 1 && digest(of: one) == digest(of: same))
    #expect(one != other && Set([one, other]).count == 2 && digest(of: one) != digest(of: other))
}

@Test func partsOfACallAreComparedByBytesToo() {
    let (one, other) = ("caf\u{E9}", "cafe\u{301}")
    #expect(one == other)
    #expect(Call.Place.path(one) == .path(one) && Call.Place.path(one) != .path(other))
    #expect(Call.Change(kind: .link, leadsTo: one) != Call.Change(kind: .link, leadsTo: other))
    #expect(Call.Target(.reads, .path(one), reach: .workspace) != Call.Target(.reads, .path(other), reach: .workspace))
    #expect(Call.Input(port: "file", name: one) != Call.Input(port: "file", name: other))
}

/// Every stored property is in one of the two samples, and so in the tests above.
@Test func theSamplesHaveEveryProperty() {
    func names(_ value: some Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
    #expect(
        names(playedCall) == [
            "tool", "toolVersion", "params", "inputs", "targets", "effects", "reversibility", "environment",
            "rehearsal", "price",
        ])
    #expect(
        names(playedCall.targets[0]) == [
            "effect", "place", "reach", "before", "change", "isOwn", "hasOtherNames", "mount", "otherPaths",
            "isPrivate", "newFolders", "resembles", "isGitState",
        ])
    #expect(
        names(playedCall.targets[0].change!) == [
            "kind", "modeBefore", "mode", "bytes", "hash", "leadsTo", "attributes", "entries", "modified",
        ])
    #expect(names(wholeCall.inputs[0]) == ["port", "from", "hash", "name", "bytes"])
}

@Test func callsReadBackWhatTheyWrote() throws {
    var facts = wholeCall
    facts.targets[0] = Call.Target(
        .creates, .path("/a"), reach: .workspace, before: .absent, hasOtherNames: true, otherPaths: ["/b", "/c"],
        isPrivate: true,
        newFolders: 2, resembles: "A")
    facts.targets[0].mount = "/m"
    for call in [
        wholeCall, wholeCall.planned, playedCall, facts, call(),
        call("DeleteFile", [.deletes], [.delete("/a")], undo: .no),
    ] {
        let read = try Call(json: try JSONReader.read(call.json.text))
        #expect(read.json.canonical == call.json.canonical)
        #expect(digest(of: read) == digest(of: call))
    }
}

/// Whatever is changed in a stored call, it is refused or is another call.
@Test(arguments: [wholeCall, playedCall]) func tamperedCallsAreRefusedOrHaveAnotherDigest(call: Call) {
    let original = digest(of: call)
    for mutant in mutations(of: call.json) {
        guard let read = try? Call(json: mutant) else { continue }
        #expect(digest(of: read) != original, "\(mutant.canonical)")
        #expect(read.json.canonical == mutant.canonical)
    }
}

/// The value with one leaf changed, one member removed, or one member added, in every place.
func mutations(of json: JSON) -> [JSON] {
    switch json {
    case .null: return [false]
    case .bool(let value): return [.bool(!value), .null]
    case .int(let value): return [.int(value + 1), .string(String(value))]
    case .double(let value): return [.double(value / 2)]
    case .string(let value): return [.string(value + "x"), .string(value + "\u{200B}"), .string("")]
    case .array(let elements):
        let changed = elements.indices.flatMap { index in
            mutations(of: elements[index]).map { mutant in
                var copy = elements
                copy[index] = mutant
                return JSON.array(copy)
            }
        }
        let shorter = elements.isEmpty ? [] : [JSON.array(Array(elements.dropLast()))]
        return changed + shorter + [.array(elements + ["extra"])]
    case .object(let object):
        let changed = object.members.flatMap { member in
            mutations(of: member.value).map { mutant in
                var copy = object
                copy[member.key] = mutant
                return JSON.object(copy)
            }
        }
        let shorter = object.keys.map { key in
            var copy = object
            copy[key] = nil
            return JSON.object(copy)
        }
        var longer = object
        longer["extra"] = 1
        return changed + shorter + [.object(longer)]
    }
}
