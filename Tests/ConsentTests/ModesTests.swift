import CaseNames
import Consent
import JSON
import Testing
import Vocabulary

/// `consent.md`, "Modes": what each mode does by itself.
private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let call: Call
    let adaptive: String
    let auto: String

    init(_ name: String, _ call: Call, adaptive: String, auto: String = "allow") {
        testDescription = name
        self.call = call
        self.adaptive = adaptive
        self.auto = auto
    }
}

private let here = "/home/ana/photos"
private let unsheltered: Call = {
    var call = call("Theirs", [.executes])
    call.environment["sandbox"] = "bubblewrap is not installed"
    return call
}()
private let cases = [
    Case("effect-free", call("Resize"), adaptive: "allow"),
    Case("reads in the workspace", call("ImageLoader", [.reads], [.read("\(here)/cat.jpg")]), adaptive: "allow"),
    Case("reads the workspace itself", call("ListFiles", [.reads], [.read(here)]), adaptive: "allow"),
    Case("reads outside", call("ReadFile", [.reads], [.read("/etc/passwd", .outside)]), adaptive: "ask"),
    Case("reads outside, says workspace", call("ReadFile", [.reads], [.read("/etc/passwd")]), adaptive: "ask"),
    Case("reads beside by prefix", call("ReadFile", [.reads], [.read("\(here)-private/x")]), adaptive: "ask"),
    Case("reads through dots", call("ReadFile", [.reads], [.read("\(here)/../secret")]), adaptive: "ask"),
    Case("reads a relative path", call("ReadFile", [.reads], [.read("cat.jpg")]), adaptive: "ask"),
    Case("reads Assent's own folder", call("ReadFile", [.reads], [.read("\(here)/.assent-data/db")]), adaptive: "ask"),
    Case(
        "reads it by a doubled slash", call("ReadFile", [.reads], [.read("\(here)//.assent-data/db")]), adaptive: "ask"),
    Case("reads it by a dot", call("ReadFile", [.reads], [.read("\(here)/./.assent-data/db")]), adaptive: "ask"),
    Case("reads behind a NUL", call("ReadFile", [.reads], [.read("\(here)/a\0/../../x")]), adaptive: "ask"),
    Case("reads something unsaid", call("ReadFile", [.reads]), adaptive: "ask"),
    Case("creates a new name", call("SaveFile", [.creates], [.new(in: here)]), adaptive: "allow"),
    Case("creates a new name below", call("SaveFile", [.creates], [.new(in: "\(here)/out")]), adaptive: "allow"),
    Case("creates outside", call("SaveFile", [.creates], [.new(in: "/tmp")]), adaptive: "ask"),
    Case(
        "a new name with a slash",
        call(
            "SaveFile", [.creates],
            [Call.Target(.creates, .newName(folder: here, stem: "../x", suffix: ""), reach: .workspace)]),
        adaptive: "ask"),
    Case("creates where nothing is", call("WriteFile", [.creates], [.create("\(here)/a.txt")]), adaptive: "allow"),
    Case(
        "creates where nobody looked", call("WriteFile", [.creates], [.create("\(here)/a.txt", before: .unlooked)]),
        adaptive: "ask"),
    Case(
        "creates where a file is", call("WriteFile", [.creates], [.create("\(here)/a.txt", before: .sample)]),
        adaptive: "ask"),
    Case("overwrites", call("WriteFile", [.creates], [.overwrite("\(here)/a.txt")]), adaptive: "ask"),
    Case("deletes with an undo copy", call("DeleteFile", [.deletes], [.delete("\(here)/a.txt")]), adaptive: "ask"),
    Case("deletes for good", call("DeleteFile", [.deletes], [.delete("\(here)/a.txt")], undo: .no), adaptive: "ask"),
    Case(
        "deletes and creates", call("MoveFile", [.creates, .deletes], [.create("\(here)/b"), .delete("\(here)/a")]),
        adaptive: "ask"),
    Case("moves", move("\(here)/a", "\(here)/b"), adaptive: "allow"),
    Case(
        "moves an empty file", move("\(here)/a", "\(here)/b", .init(kind: .file, hash: .ofNothing)), adaptive: "allow"),
    Case(
        "moves a link", move("\(here)/a", "\(here)/b", .init(kind: .link, hash: .ofNothing, leadsTo: "c")),
        adaptive: "allow"),
    Case(
        "moves a link that then leads out",
        move("\(here)/d/a", "\(here)/b", .init(kind: .link, hash: .ofNothing, leadsTo: "../c")),
        adaptive: "ask"),
    Case(
        "moves a link that leads above a folder which may be a link",
        move("\(here)/d/a", "\(here)/d/b", .init(kind: .link, hash: .ofNothing, leadsTo: "e/s/../../c")),
        adaptive: "ask"),
    Case("moves out", move("\(here)/a", "/tmp/b"), adaptive: "ask"),
    Case("moves in", move("/tmp/a", "\(here)/b"), adaptive: "ask"),
    Case("moves what has another name", move("\(here)/a", "\(here)/b") { $0.hasOtherNames = true }, adaptive: "ask"),
    Case("moves what may hold keys", move("\(here)/.env", "\(here)/b") { $0.isPrivate = true }, adaptive: "ask"),
    Case(
        "moves it to a name that does not tell so",
        {
            var call = move("\(here)/.env", "\(here)/b") { $0.isPrivate = true }
            call.targets[1].isPrivate = true
            return call
        }(), adaptive: "ask", auto: "ask"),
    Case(
        "writes what may hold keys under a plain name",
        call(
            "WriteFile", [.creates],
            [Call.Target(.creates, .path("\(here)/a"), reach: .workspace, before: .absent, isPrivate: true)]),
        adaptive: "ask", auto: "ask"),
    Case("moves onto something", move("\(here)/a", "\(here)/b", before: .sample), adaptive: "ask"),
    Case("moves for good", move("\(here)/a", "\(here)/b", undo: .no), adaptive: "ask"),
    Case(
        "moves something else there", move("\(here)/a", "\(here)/b") { $0.change?.hash = toolVersion }, adaptive: "ask"),
    Case("moves a folder", moveFolder(), adaptive: "allow"),
    Case("moves a folder and replaces a file in it", moveFolder { $0[2].before = .sample }, adaptive: "ask"),
    Case("moves another folder there", moveFolder { $0[1].change?.hash = toolVersion }, adaptive: "ask"),
    Case("moves a folder and makes a file beside it", moveFolder { $0[2].place = .path("\(here)/c") }, adaptive: "ask"),
    Case("moves a folder and deletes a file", moveFolder { $0[2] = .delete("\(here)/b/x") }, adaptive: "ask"),
    Case("moves a folder with keys", moveFolder { $0[0].isPrivate = true }, adaptive: "ask"),
    Case(
        "moves a folder with a file that has another name", moveFolder { $0[0].hasOtherNames = true }, adaptive: "ask"),
    Case("moves a folder out", moveFolder { $0[1].reach = .outside }, adaptive: "ask"),
    Case(
        "reads what has another name",
        call("ReadFile", [.reads], [Call.Target(.reads, .path("\(here)/a"), reach: .workspace, hasOtherNames: true)]),
        adaptive: "ask"),
    Case("sends to loopback", call("HTTPFetch", [.sends], [.send("127.0.0.1:8080")], undo: .no), adaptive: "ask"),
    Case("spends", call("Upscale", [.spends]), adaptive: "ask"),
    Case("executes outside a sandbox", call("Theirs", [.executes]), adaptive: "ask"),
    Case("executes since there is no sandbox", unsheltered, adaptive: "ask", auto: "ask"),
    Case("irreversible without effects", call("Odd", undo: .no), adaptive: "ask"),
    Case("Shell", call("Shell", [.executes], undo: .no), adaptive: "ask", auto: "ask"),
    Case("Shell that hides its effects", call("Shell"), adaptive: "ask", auto: "ask"),
    Case(
        "a command under another name", call("Run", [], [Call.Target(.reads, .command(["ls"]), reach: .workspace)]),
        adaptive: "ask",
        auto: "ask"),
]

/// The same file under another name.
private func move(
    _ from: String, _ to: String, _ change: Call.Change = .init(kind: .file, mode: 0o644, bytes: 3, hash: .ofNothing),
    before: Call.Before = .absent, undo: Reversibility = .yes(how: "move back"),
    _ alter: (inout Call.Target) -> Void = { _ in }
) -> Call {
    var gone = Call.Target.delete(from)
    gone.change = change
    alter(&gone)
    var come = Call.Target.create(to, before: before)
    come.change = change
    return call("MoveFile", [.creates, .deletes], [gone, come], undo: undo)
}

/// A folder with a file in it under another name.
private func moveFolder(_ alter: (inout [Call.Target]) -> Void = { _ in }) -> Call {
    let change = Call.Change(kind: .folder, bytes: 3, hash: .ofNothing, entries: 2)
    var targets: [Call.Target] = [.delete("\(here)/a"), .create("\(here)/b"), .create("\(here)/b/x")]
    (targets[0].change, targets[1].change) = (change, change)
    targets[1].change?.entries = 1
    alter(&targets)
    return call("MoveFile", [.creates, .deletes], targets, undo: .yes(how: "move back"))
}

@Test(arguments: cases) private func modesDecideWhereNoRuleDoes(_ example: Case) {
    func decided(_ mode: ConfirmationMode) -> String {
        Policy.modesOnly.decide(example.call, mode: mode, in: surroundings, at: noon).name
    }
    #expect(decided(.adaptive) == example.adaptive)
    #expect(decided(.auto) == example.auto)
    #expect(decided(.alwaysAsk) == "ask")
}

/// A workspace that is none, and a call in it that would pass in any other.
private let noWorkspaces = [
    Named("read in the home folder", ("/home/ana", call("T", [.reads], [.read("/home/ana/a.txt")]))),
    Named("create in the home folder", ("/home/ana", call("T", [.creates], [.new(in: "/home/ana")]))),
    Named("read in the root", ("/", call("T", [.reads], [.read("/etc/hosts")]))),
    Named("read in no folder", ("", call("T", [.reads], [.read("/etc/hosts")]))),
    Named("read above the home folder", ("/home/.", call("T", [.reads], [.read("/home/ana/x")]))),
]

@Test(arguments: noWorkspaces) private func homeAndRootAreNoWorkspaces(_ example: Named<(String, Call)>) {
    let (workspace, call) = example.value
    let here = Surroundings(workspace: workspace, home: "/home/ana")
    #expect(Policy.modesOnly.decide(call, mode: .adaptive, in: here, at: noon).name == "ask")
}

@Test func everyDecisionSaysWhy() {
    for example in cases {
        for mode in ConfirmationMode.allCases {
            let decision = Policy.modesOnly.decide(example.call, mode: mode, in: surroundings, at: noon)
            #expect(!decision.because.isEmpty, "\(example.testDescription) in \(mode)")
        }
    }
}

@Test func anUnreadablePolicyRefusesEffectsInEveryModeAndLetsReadsGoOn() {
    let policy = Policy.joined([.modesOnly, .unreadable("policy.yaml:3: unknown key")])
    let reading = call("ReadFile", [.reads], [.read("\(here)/a")])
    for mode in [ConfirmationMode.adaptive, .auto] {
        #expect(policy.decide(reading, mode: mode, in: surroundings, at: noon).name == "allow")
        #expect(policy.decide(call("Resize"), mode: mode, in: surroundings, at: noon).name == "allow")
    }
    for mode in ConfirmationMode.allCases {
        for effect in Effect.allCases where effect != .reads {
            let decision = policy.decide(call("T", [effect]), mode: mode, in: surroundings, at: noon)
            #expect(decision.name == "deny")
            #expect(decision.because.joined().contains("policy.yaml:3"))
        }
    }
}

@Test func anUnreadablePolicyDoesNotDisableTheDeniesOfAnother() {
    let deny = Policy(rules: [Rule(.deny, Conditions(effects: [.reads]), reason: "no", source: "p:1")], epoch: "e")
    let policy = Policy.joined([deny, .unreadable("broken")])
    #expect(
        policy.decide(call("R", [.reads], [.read("\(here)/a")]), mode: .auto, in: surroundings, at: noon).name == "deny"
    )
}
