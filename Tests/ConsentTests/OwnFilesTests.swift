import Consent
import Testing
import Vocabulary

/// What adaptive mode makes of files that Assent made itself, and of folders that get another name.
private let here = "/home/ana/photos"

private func decided(_ call: Call, in surroundings: Surroundings = surroundings) -> String {
    Policy.modesOnly.decide(call, mode: .adaptive, in: surroundings, at: noon).name
}

private func overwriting(_ path: String, isOwn: Bool, reach: Reach = .workspace, before: Call.Before = .sample) -> Call
{
    var target = Call.Target(.overwrites, .path(path), reach: reach, before: before)
    target.isOwn = isOwn
    return call("WriteFile", [.overwrites], [target])
}

@Test(arguments: [
    ("\(here)/a", true, "allow"), ("\(here)/a", false, "ask"), ("/tmp/a", true, "ask"),
    ("\(here)/.assent-data/a", true, "ask"),
    ("\(here)/../a", true, "ask"),
]) func whatAssentMadeIsReplacedUnaskedInTheWorkspaceOnly(path: String, isOwn: Bool, expected: String) {
    #expect(decided(overwriting(path, isOwn: isOwn)) == expected)
}

@Test func aFileOfOursIsStillAskedForWhereElseItWouldBe() {
    #expect(decided(overwriting("\(here)/a", isOwn: true, reach: .outside)) == "ask")
    let home = Surroundings(workspace: here, home: here)
    #expect(decided(overwriting("\(here)/a", isOwn: true), in: home) == "ask")
    for before in [Call.Before.absent, .unlooked] {
        #expect(decided(overwriting("\(here)/a", isOwn: true, before: before)) == "ask")
    }
    var lost = overwriting("\(here)/a", isOwn: true)
    lost.reversibility = .no
    #expect(decided(lost) == "ask")
    var both = overwriting("\(here)/a", isOwn: true)
    both.targets.append(.overwrite("\(here)/b"))
    #expect(decided(both) == "ask")
    // Its own is what is overwritten, not what is deleted.
    var deleted = call("DeleteFile", [.deletes], [.delete("\(here)/a")])
    deleted.targets[0].isOwn = true
    #expect(decided(deleted) == "ask")
}

/// `- a/x 1`: deleted, of that content; `+`: created. `/` at the end is a folder; `*` one that is told as a whole.
private func played(_ words: String) -> Call {
    let targets = words.split(separator: ",").map { word -> Call.Target in
        let parts = word.split(separator: " ")
        let isNew = parts[0] == "+"
        let (isFolder, isWhole) = (parts[1].hasSuffix("/") || parts[1].hasSuffix("*"), parts[1].hasSuffix("*"))
        let content = parts.count > 2 ? sha256(of: String(parts[2])) : nil
        let bytes = parts.count > 2 && parts[2] != "empty" ? 3 : 0
        let change = Call.Change(
            kind: isFolder ? .folder : .file, modeBefore: isNew ? nil : 0o644, mode: isNew ? 0o644 : nil, bytes: bytes,
            hash: content,
            entries: isWhole ? 9 : 1)
        let path = "\(here)/" + (isFolder ? parts[1].dropLast() : parts[1])
        return Call.Target(
            isNew ? .creates : .deletes, .path(path), reach: .workspace, before: isNew ? .absent : .sample,
            change: change)
    }
    var call = call("Shell", Set(targets.map(\.effect)), targets, undo: .yes(how: "kept"))
    call.rehearsal = .done(Call.Rehearsal.Played(exitCode: 0, output: .ofNothing, outputBytes: 0))
    return call
}

@Test(arguments: [
    ("- a 1,+ b 1", "allow"), ("- a 1,+ b 2", "ask"), ("- a empty,+ b empty", "ask"),
    ("- a/,- a/x 1,+ b/,+ b/x 1", "allow"), ("- a/,- a/x 1,- a/e empty,+ b/,+ b/x 1,+ b/e empty", "allow"),
    ("- a/,- a/x 1,+ deep/,+ deep/b/,+ deep/b/x 1", "allow"), ("- a/,- a/s/,- a/s/x 1,+ b/,+ b/s/,+ b/s/x 1", "allow"),
    ("- a/,+ b/", "allow"),
    ("- a/", "ask"), ("- a/,- a/x 1", "ask"), ("- a/,- a/x 1,+ b/,+ b/x 2", "ask"), ("- a/,- a/e empty,+ b/", "ask"),
    ("- a/,- a/x 1,+ b/,+ b/y 1,+ b/x 2", "ask"), ("- a/,- a/x 1,- a/y 2,+ b/,+ b/x 1", "ask"),
    ("- a/,- a/x 1,+ b/,+ b/x 1,- c/,- c/x 1", "ask"), ("- a/,- a-b 1,+ b/", "ask"),
    ("- a/,- a/e empty,- c empty,+ b/,+ b/e empty", "ask"),
    ("- a* 1,+ b* 1", "ask"), ("- c 1,- z/,- z/x 1,+ b/,+ b/x 1", "ask"),
    ("- a/,- a/\u{301}/,- a/\u{301}/x 1,+ b/,+ b/\u{301}/,+ b/\u{301}/x 1", "allow"),
    ("- c 1,- z/,- z/x 1,+ b/,+ b/x 1,+ d 1", "allow"),
    ("- a/,- a/x 1,- c/,- c/x 1,+ b/,+ b/x 1,+ d/,+ d/x 1", "allow"), ("- a/,- a/s/,- s/,+ b/,+ b/s/", "ask"),
]) func aFolderThatGetsAnotherNameLosesNothing(words: String, expected: String) {
    #expect(decided(played(words)) == expected)
}
