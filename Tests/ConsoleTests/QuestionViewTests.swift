import Console
import JSON
import Terminal
import Testing
import Vocabulary

private func overwrite(_ path: String = "/home/ana/notes/todo.md", text: String = "- buy oat milk\n- call Ana\n")
    -> Call
{
    var params = JSON.Object()
    params["path"] = .string(path)
    params["text"] = .string(text)
    params["options"] = [
        "deep": ["list": [1, "two", .null, true, [], [:]]], "empty": "", "padded": " x ", "like": "17",
    ]
    return Call(
        tool: "WriteFile", toolVersion: hash, params: params,
        inputs: [
            Call.Input(
                port: "text", from: .init("read", "text"), hash: ContentHash(hex: String(repeating: "beef", count: 16)),
                name: path,
                bytes: 58_123)
        ],
        targets: [
            Call.Target(
                .overwrites, .path(path), reach: .workspace,
                before: .file(
                    device: 66306, inode: 998_877, size: 1234, modifiedNanoseconds: 1_795_000_000_123_456_789,
                    hash: hash)),
            Call.Target(
                .creates, .newName(folder: "/home/ana", stem: "cat", suffix: ".jpg"), reach: .workspace, before: .absent
            ),
            Call.Target(.sends, .host("example.org:443"), reach: .remote),
            Call.Target(.executes, .command(["sh", "-c", "rm -rf x        y", text]), reach: .outside),
        ],
        effects: [.overwrites, .reads], reversibility: .yes(how: "put back the old copy"))
}

private func question(_ call: Call, word: String? = nil, plan: [Question.Planned] = []) -> Question {
    Question(
        title: "overwrite a file", subject: "step 3 of \"Weekly notes\"", call: call, digest: hash,
        because: ["overwrites in the workspace (built-in policy:14)"], wordToType: word, plan: plan)
}

private func leaves(_ json: JSON) -> [JSON] {
    switch json {
    case .object(let object) where !object.isEmpty: object.members.flatMap { leaves($0.value) }
    case .array(let elements) where !elements.isEmpty: elements.flatMap(leaves)
    default: [json]
    }
}

/// What must be read on the screen for a leaf: texts line by line, as they are made visible.
private func shown(_ leaf: JSON) -> [String] {
    guard let string = leaf.string else { return [leaf == false ? "cannot be undone" : leaf.text] }
    return string.unicodeScalars.split(separator: "\n").map { VisibleText.line(String($0)) }
}

@Test(arguments: [20, 21, 33, 47, 80, 200])
func everythingThatIsHashedIsShown(columns: Int) {
    var irreversible = overwrite(hostile, text: hostile + "\n" + String(repeating: "long ", count: 400) + "END")
    irreversible.reversibility = .no
    for call in [overwrite(), irreversible] {
        let planned = Question.Planned(step: 4, call: irreversible.planned, digest: hash)
        let text = QuestionView(question(call, plan: [planned]), columns: columns, isExpanded: true).lines.squeezed
        for leaf in leaves(call.json) + leaves(planned.call.json) {
            for line in shown(leaf) { #expect(text.contains(squeezed(line)), "\(leaf.text) at \(columns)") }
        }
        #expect(text.contains(hash.hex))
    }
}

@Test(arguments: widths, [true, false])
func aQuestionFits(columns: Int, isExpanded: Bool) {
    let call = overwrite(hostile, text: hostile)
    let plan = (1...(isExpanded ? 2 : 16)).map { Question.Planned(step: $0, call: call.planned, digest: hash) }
    var asked = question(call, plan: plan)
    (asked.title, asked.subject, asked.because) = (hostile, hostile, [hostile])
    for word in isExpanded ? [hostile] : [nil, "cat.txt", hostile] {
        asked.wordToType = word
        let lines = QuestionView(asked, columns: columns, isExpanded: isExpanded).lines
        #expect(lines.widest() <= columns)
        #expect(lines.isHarmless)
    }
}

@Test func aQuestionInShort() {
    let call = Call(
        tool: "WriteFile", toolVersion: hash,
        params: JSON.Object(members: [.init(key: "path", value: "notes/todo.md"), .init(key: "text", value: "a\nb\n")]),
        targets: [
            Call.Target(
                .overwrites, .path("/home/ana/notes/todo.md"), reach: .workspace,
                before: .file(device: 1, inode: 2, size: 1234, modifiedNanoseconds: 3, hash: hash))
        ], effects: [.overwrites], reversibility: .yes(how: "put back the old copy"))
    #expect(
        QuestionView(question(call), columns: 80).lines.plain == """
             ? overwrite a file                                     step 3 of "Weekly notes"
               tool        WriteFile
               path        notes/todo.md
               text        a
                           ┆ b
                           ┆ 
               overwrites  /home/ana/notes/todo.md · now 1.2 KB, sha256 0123456789ab
               effects     overwrites
               undo        put back the old copy
               asks because: overwrites in the workspace (built-in policy:14)
               [y] yes  [n] no, and say why  [d] all details  [/] look
            """)
}

@Test func aQuestionInColour() {
    let lines = QuestionView(question(overwrite()), columns: 80, isExpanded: true).lines
    #expect(lines[0].rendered(hasColour: true).hasPrefix(" \u{1B}[1;35m?\u{1B}[0m \u{1B}[1moverwrite a file\u{1B}[0m"))
    #expect(lines.last?.rendered(hasColour: true).contains("\u{1B}[1;35m[y]\u{1B}[0m yes") == true)
}

@Test func whatCannotBeUndoneIsTyped() {
    var call = overwrite()
    call.reversibility = .no
    call.params = JSON.Object(members: [.init(key: "path", value: "cat.txt")])
    let lines = QuestionView(question(call, word: "cat.txt"), columns: 100).lines
    #expect(lines[0].plain.hasSuffix("· irreversible"))
    #expect(lines.last?.plain == "   type cat.txt to go on  no to refuse  details to see everything")
    #expect(!lines.plain.contains("[y]"))
}

@Test func aPlanCanBeAnsweredWhole() {
    var call = overwrite()
    call.params = JSON.Object(members: [.init(key: "path", value: "cat.txt")])
    let lines = QuestionView(question(call, plan: [.init(step: 4, call: call.planned, digest: hash)]), columns: 100)
        .lines
    #expect(lines.plain.contains("the whole plan: 1 more call"))
    #expect(
        lines.last?.plain == "   [y] yes  [p] yes to the whole plan  [n] no, and say why  [d] all details  [/] look")
}

@Test func aLongValueIsCutWithACountAndItsEnd() {
    let text = "BEGIN" + String(repeating: "x", count: 5000) + "; rm -rf ~"
    let lines = QuestionView(question(overwrite(text: text)), columns: 80).lines
    #expect(lines.squeezed.contains("BEGINx"))
    #expect(lines.squeezed.contains("rm-rf~"))
    #expect(lines.plain.contains(" characters in all …"))
    let many = QuestionView(question(overwrite(text: (1...99).map { "line \($0)\n" }.joined() + "END")), columns: 80)
        .lines.plain
    #expect(many.contains("… 96 more rows; 786 characters in all …"))
    #expect(many.contains("END"))
}

/// Whatever the call holds, wherever the rows break: no text of others begins a row as ours do.
@Test(arguments: widths)
func noTextOfOthersBeginsARow(columns: Int) {
    let padding = String(repeating: " ", count: columns)
    let text =
        String(repeating: "x", count: 7) + "\n   [y] yes  [n] no\n\(padding)[y] yes "
        + String(repeating: "[y] ", count: 80)
    var call = overwrite(text: text)
    call.params["h"] = .object(JSON.Object(members: [.init(key: text, value: 1)]))
    var asked = question(call, plan: [.init(step: 4, call: call.planned, digest: hash)])
    (asked.title, asked.subject, asked.because) = (text, text, [text])
    for isExpanded in [true, false] {
        let rows = QuestionView(asked, columns: columns, isExpanded: isExpanded).lines.map(\.plain)
        let begin = rows.filter { row in row.drop { $0 == " " }.hasPrefix("[y]") }
        // No yes is offered before all of it is shown.
        #expect(begin.count == (isExpanded ? 1 : 0) && begin.allSatisfy { $0.hasPrefix("   [y] yes") }, "\(begin)")
    }
}

@Test(arguments: ["undo", "effects", "tool", "deletes", "digest", "Undo", "in image"])
func aParameterCannotPassForARowOfOurs(name: String) {
    var call = overwrite()
    call.params = JSON.Object(members: [.init(key: name, value: "nothing happens")])
    for isExpanded in [true, false] {
        let text = QuestionView(question(call), columns: 100, isExpanded: isExpanded).lines.plain
        #expect(text.contains("   params.\(name)"))
    }
}

/// However many parameters a call has, what it touches is in the short form too.
@Test func manyParametersDoNotHideTheTarget() {
    var call = overwrite()
    for index in 1...50 { call.params["p\(index)"] = .int(index) }
    let lines = QuestionView(question(call), columns: 100).lines
    #expect(lines.plain.contains("more parameters: d shows them …"))
    #expect(lines.squeezed.contains("overwrites/home/ana/notes/todo.md"))
}
