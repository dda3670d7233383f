import Consent
import JSON
import Testing
import Vocabulary

private let here = "/home/ana/photos"

/// A rehearsed command after which some files are gone, and others are there: names with their contents; and the
/// permissions of both.
private func rehearsed(_ gone: [(String, String)], _ come: [(String, String)], modes: (Int, Int) = (0o644, 0o644))
    -> Call
{
    func target(_ effect: Effect, _ file: (String, String)) -> Call.Target {
        Call.Target(
            effect, .path("\(here)/\(file.0)"), reach: .workspace, before: effect == .creates ? .absent : .sample,
            change: Call.Change(
                kind: .file, modeBefore: effect == .deletes ? modes.0 : nil, mode: effect == .creates ? modes.1 : nil,
                bytes: 1,
                hash: ContentHash(hex: String(repeating: file.1, count: 64))))
    }
    var call = call(
        "Shell", [.creates, .deletes], gone.map { target(.deletes, $0) } + come.map { target(.creates, $0) })
    call.rehearsal = .done(Call.Rehearsal.Played(exitCode: 0, output: .ofNothing, outputBytes: 0))
    return call
}

@Test(
    arguments: [
        (call("DeleteFile", [.deletes], [.delete("\(here)/a b.txt")], undo: .no), "delete a file for good", "a b.txt"),
        (call("DeleteFile", [.deletes], [.delete("\(here)/a.txt")]), "delete a file", nil),
        (call("WriteFile", [.creates], [.overwrite("\(here)/a.txt")]), "overwrite a file", nil),
        (call("WriteFile", [.creates], [.create("\(here)/a.txt", before: .sample)]), "overwrite a file", nil),
        (call("SaveFile", [.creates], [.new(in: "/tmp")]), "create a file", nil),
        (
            call("SaveFile", [.creates], [Call.Target(.creates, .path("/tmp/a"), reach: .outside)]),
            "create a file outside the workspace", nil
        ),
        (call("ReadFile", [.reads], [.read("/etc/hosts", .outside)]), "read a file outside the workspace", nil),
        (call("ReadFile", [.reads], [.read("\(here)/a")]), "read a file", nil),
        (call("MoveFile", [.creates, .deletes], [.create("\(here)/b"), .delete("\(here)/a")]), "move a file", nil),
        (rehearsed([("a", "1"), ("b", "2")], [("c", "2"), ("d", "1")]), "move 2 files", nil),
        (rehearsed([("a", "1")], [("c", "1")]), "move a file", nil),
        (rehearsed([("a", "1")], [("c", "2")]), "delete a file", nil),
        // Permissions change, too.
        (rehearsed([("s.sh", "1")], [("s2.sh", "1")], modes: (0o644, 0o755)), "delete a file", nil),
        (rehearsed([("a", "1"), ("b", "2"), ("e", "3")], [("c", "2")]), "delete 3 files", nil),
        (
            call("HTTPFetch", [.sends], [.send("127.0.0.1:8080")], undo: .no), "send a request to 127.0.0.1:8080",
            "127.0.0.1"
        ),
        (
            call("Get", [.sends, .creates], [.send("example.org:443"), .overwrite("\(here)/a")]),
            "overwrite a file and send a request to example.org:443", nil
        ),
        (call("Delete", [.deletes], [.delete("/a"), .delete("/b")], undo: .no), "delete 2 files for good", "a"),
        (call("Shell", [.executes], undo: .no), "run a command", "bare"),
        (command("make test"), "run a command", "make"),
        (command("make test", .outside), "run a command on the bare machine", "make"),
        (command("  ./tools/build.sh -r x"), "run a command", "build.sh"),
        // The first word of more than one simple command does not say what it does.
        (command("  ./tools/build.sh && rm -r x"), "run a command", "bare"),
        (command("cd /; rm -rf x"), "run a command", "bare"), (command("cd /\nrm -rf x"), "run a command", "bare"),
        (command("true | sh"), "run a command", "bare"), (command("if true"), "run a command", "bare"),
        (command("echo a > b"), "run a command", "bare"), (command("ls $HOME"), "run a command", "bare"),
        (command("/usr/bin/env\trm"), "run a command", "bare"), (command("sudo rm -rf x"), "run a command", "bare"),
        (command("rm -rf x &"), "run a command", "bare"), (command("! rm x"), "run a command", "bare"),
        (command("echo `rm x`"), "run a command", "bare"), (command("(rm x)"), "run a command", "bare"),
        // What is no plain name, or no yes.
        (command("$(x)"), "run a command", "bare"), (command("no"), "run a command", "bare"),
        (command("A=1 rm x"), "run a command", "bare"), (command(""), "run a command", "bare"),
        (command("m\u{200B}ake"), "run a command", "bare"),
        (call("Theirs", [.executes]), "run a program of its own choice", nil),
        (call("Resize"), "run Resize", nil),
        // Names that cannot be typed as they are seen.
        (
            call("DeleteFile", [.deletes], [.delete("\(here)/a\u{202E}txt.exe")], undo: .no), "delete a file for good",
            "delete"
        ),
        (call("DeleteFile", [.deletes], [.delete("\(here)/a\u{200B}")], undo: .no), "delete a file for good", "delete"),
        (call("DeleteFile", [.deletes], [.delete("\(here)/a\nb")], undo: .no), "delete a file for good", "delete"),
        (call("DeleteFile", [.deletes], [.delete("\(here)/a ")], undo: .no), "delete a file for good", "delete"),
        // A file called "no" must not turn a no into a yes.
        (call("DeleteFile", [.deletes], [.delete("\(here)/no")], undo: .no), "delete a file for good", "delete"),
        (call("DeleteFile", [.deletes], [.delete("\(here)/details")], undo: .no), "delete a file for good", "delete"),
        (
            call("DeleteFile", [.deletes], [.delete("\(here)/Übung.txt")], undo: .no), "delete a file for good",
            "Übung.txt"
        ),
    ] as [(Call, String, String?)])
func questionsSayWhatTheCallDoes(call: Call, title: String, word: String?) {
    let decision = Decision.ask(because: ["x (policy:1)"])
    let asked = question(for: call, subject: "step 2", decision: decision, mode: .adaptive)
    #expect(asked.title == title)
    #expect(asked.wordToType == word)
    #expect(asked.because == ["x (policy:1)"])
    #expect(asked.digest == digest(of: call))
}

private func command(_ line: String, _ reach: Reach = .workspace) -> Call {
    call("Shell", [.executes], [Call.Target(.executes, .command(["sh", "-c", line]), reach: reach)], undo: .no)
}

private let deletion = call("DeleteFile", [.deletes], [.delete("\(here)/a.txt")], undo: .no)
/// A command asks by itself, whatever its manifest says of undoing it.
private let wholeButShell: Call = {
    var call = wholeCall
    call.targets.removeAll { if case .command = $0.place { true } else { false } }
    return call
}()
private let shown = question(
    for: wholeCall, subject: #"step 3 of "Weekly notes""#, decision: .ask(because: ["overwrites (policy:14)"]),
    mode: .alwaysAsk,
    plan: [(4, call("SaveFile", [.creates], [.new(in: here)])), (5, deletion), (6, wholeButShell), (7, wholeCall)])

/// `consent.md` guarantee 12, and the word of guarantee 3: one yes never covers what must be typed.
@Test func aPlanLeavesOutWhatMustBeTyped() {
    #expect(shown.plan.map(\.step) == [4, 6])
    #expect(shown.plan[1].digest == digest(of: wholeButShell.planned))
}

@Test func questionsSurviveTheDatabase() throws {
    for question in [shown, question(for: deletion, subject: "", decision: .ask(because: []), mode: .auto)] {
        let read = try Question(json: try JSONReader.read(question.json.text))
        #expect(read.json.canonical == question.json.canonical)
        #expect(read.digest == question.digest && read.plan == question.plan && read.wordToType == question.wordToType)
    }
}

/// Whatever is changed in a stored question, it is refused, or shows what its calls are, under the digests of those
/// calls.
@Test func tamperedQuestionsAreRefusedOrShowWhatTheyAre() {
    for original in [shown, question(for: deletion, subject: "", decision: .ask(because: []), mode: .adaptive)] {
        var refused = 0
        for mutant in mutations(of: original.json) {
            guard let read = try? Question(json: mutant) else {
                refused += 1
                continue
            }
            #expect(read.digest == original.digest && digest(of: read.call) == read.digest)
            #expect(read.title == original.title && read.wordToType == original.wordToType)
            for planned in read.plan {
                #expect(planned.digest == digest(of: planned.call) && wordToType(for: planned.call) == nil)
            }
        }
        #expect(refused > 20)
    }
}

@Test(arguments: [("title", "read a file"), ("word", JSON.null)]) func titleAndWordAreNotTakenFromTheRow(
    member: String, value: JSON
) throws {
    let original = question(for: deletion, subject: "", decision: .ask(because: []), mode: .adaptive)
    guard case .object(var object) = original.json else { return }
    object[member] = value
    #expect(try Question(json: .object(object)) == original)
}

@Test func aDeletionCannotBeSmuggledIntoAPlan() {
    guard case .object(var object) = shown.json else { return }
    object["plan"] = [.of(["step": 5, "call": deletion.json, "digest": .string(digest(of: deletion).hex)])]
    #expect(throws: Failure.self) { try Question(json: .object(object)) }
}

@Test func secretsAreReplacedByFingerprintsAndStillHashed() {
    let manifest = ToolManifest(
        kind: "Login", title: "Login",
        params: [
            ToolManifest.Param(name: "password", kind: .text, isSecret: true),
            ToolManifest.Param(name: "user", kind: .text),
        ], action: .builtin("login"))
    func asked(_ password: JSON) -> Call {
        redacted(call("Login", [.sends], params: ["user": "ana", "password": password]), manifest)
    }
    let one = asked("hunter2")
    #expect(!one.json.text.contains("hunter2"))
    #expect(one.params["user"] == "ana")
    #expect(digest(of: one) == digest(of: asked("hunter2")))
    #expect(digest(of: one) != digest(of: asked("hunter3")))
    // The fingerprint itself, passed as a value, is another secret.
    #expect(digest(of: asked(one.params["password"]!)) != digest(of: one))
    #expect(redacted(call("Login", params: ["password": .null]), manifest).params["password"] == JSON.null)
}

/// Changes of a rehearsed command: `creates n 1203 folder`, or with permissions `overwrites s.sh 1 file 644 755`, or
/// with a time `overwrites s.sh 1 file 644 644 time`.
private func changed(_ lines: String...) -> Call {
    let targets = lines.map { line in
        let words = line.split(separator: " ").map(String.init)
        let effect = Effect(rawValue: words[0])!
        let isModeOnly = words.count > 4
        let hash = ContentHash(hex: String(repeating: "5", count: 64))
        let before = Call.Before.file(
            device: 1, inode: 2, size: 3, modifiedNanoseconds: 4, hash: words[3] == "folder" ? nil : hash)
        return Call.Target(
            effect, .path("\(here)/\(words[1])"), reach: .workspace, before: effect == .creates ? .absent : before,
            change: Call.Change(
                kind: Call.Change.Kind(rawValue: words[3])!, modeBefore: isModeOnly ? Int(words[4], radix: 8) : 0o644,
                mode: isModeOnly ? Int(words[5], radix: 8) : 0o644, bytes: 1,
                hash: words[3] == "folder" && !words[1].hasSuffix(".git")
                    ? nil : isModeOnly ? hash : ContentHash(hex: String(repeating: "6", count: 64)),
                entries: Int(words[2])!, modified: words.count > 6 ? 5 : nil))
    }
    var call = call("Shell", Set(targets.map(\.effect)), targets)
    call.rehearsal = .done(Call.Rehearsal.Played(exitCode: 0, output: .ofNothing, outputBytes: 0))
    return call
}

@Test(
    arguments: [
        (changed("creates n 1203 folder"), "create 1,202 files"), (changed("creates n 1 folder"), "create a folder"),
        (changed("creates n 1 folder", "creates n/a 1 file"), "create a file"),
        (changed("creates n 1 folder", "creates m 1 folder"), "create 2 folders"),
        (changed("overwrites s.sh 1 file 644 755"), "change permissions"),
        (changed("overwrites a 1 file 644 755", "overwrites b 1 file 644 755"), "change permissions of 2 files"),
        (changed("overwrites src 1 folder 755 700"), "change permissions"),
        (changed("overwrites a 1 file", "overwrites b 1 file 644 755"), "overwrite a file and change permissions"),
        (changed("deletes src 1 folder", "deletes src/a 1 file", "deletes src/b 1 file"), "delete 2 files"),
        (changed("deletes src 1234569 folder"), "delete 1,234,568 files"),
        (changed("overwrites .git 15 folder"), "change .git"),
        (changed("overwrites .git 1 folder"), "change .git"),
        (changed("overwrites .git 1 folder", "overwrites a 1 file"), "overwrite a file and change .git"),
        (changed("overwrites .git 9 folder", "overwrites sub/.git 9 folder"), "change 2 .git folders"),
        (changed("overwrites a 1 file 644 644 time"), "set the time of a file"),
        (changed("overwrites a 1 file 644 644 time", "overwrites l 1 link 777 777 time"), "set the times of 2 files"),
        (changed("overwrites a 1 file 644 600 time"), "change permissions"),
        (
            changed("overwrites a 1 file", "overwrites b 1 file 644 644 time"),
            "overwrite a file and set the time of a file"
        ),
        (changed("deletes a 1 file", "overwrites b 1 file 644 600"), "delete a file and change permissions"),
    ])
func aTitleCounts(call: Call, expected: String) { #expect(title(of: call) == expected) }

/// No work of anybody is lost with a time, so only always-ask mode asks about it.
@Test(
    arguments: [
        (changed("overwrites a 1 file 644 644 time"), false), (changed("overwrites l 1 link 777 777 time"), false),
        (changed("overwrites .git 9 folder 755 755 time"), false), (changed("overwrites a 1 file 644 600 time"), true),
        (changed("overwrites a 1 file 644 644 time", "overwrites b 1 file"), true),
        (changed("overwrites a 1 file 644 644"), true),
    ] as [(Call, Bool)])
func aTimeAloneIsAskedInAlwaysAskModeOnly(call: Call, isAsked: Bool) {
    func asks(_ call: Call, _ mode: ConfirmationMode) -> Bool {
        if case .ask = Policy.modesOnly.decide(call, mode: mode, in: surroundings, at: noon) { true } else { false }
    }
    #expect(asks(call, .adaptive) == isAsked && asks(call, .alwaysAsk) && !asks(call, .auto))
    var elsewhere = call
    for index in elsewhere.targets.indices { elsewhere.targets[index].hasOtherNames = true }
    #expect(asks(elsewhere, .adaptive))
}
