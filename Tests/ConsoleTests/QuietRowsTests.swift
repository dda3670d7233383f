import Actions
import Console
import JSON
import Terminal
import Testing
import Vocabulary

private let here = "/home/ana/photos"

private func plain(_ change: (inout Call) -> Void = { _ in }) -> Question {
    var call = Call(
        tool: "Shell", toolVersion: hash,
        params: JSON.Object(members: [
            .init(key: "bare", value: false), .init(key: "command", value: "sort -o notes.txt notes.txt"),
            .init(key: "network", value: []), .init(key: "reads", value: []),
        ]),
        targets: [
            Call.Target(
                .overwrites, .path("\(here)/notes.txt"), reach: .workspace,
                before: .file(device: 1, inode: 2, size: 22, modifiedNanoseconds: 3, hash: hash),
                change: Call.Change(kind: .file, modeBefore: 0o644, mode: 0o644, bytes: 33, hash: .ofNothing))
        ], effects: [.overwrites], reversibility: .yes(how: "what was there before is kept"),
        environment: JSON.Object(members: [.init(key: "folder", value: .string(here))]),
        rehearsal: .done(
            .init(
                exitCode: 0, output: hash, outputBytes: 12,
                unseen: .init(names: [".env", ".docker/config.json"], count: 5))))
    change(&call)
    return Question(
        title: "overwrite a file", subject: "step 1 of \"Shell\"", call: call, digest: hash,
        because: ["overwrites in the workspace (adaptive mode)"], wordToType: nil, plan: [])
}

@Test func aPlainCommandHasNoRowsThatSayNothingNew() {
    #expect(
        QuestionView(plain(), folder: here, columns: 80).lines.plain == """
             ? overwrite a file                                            step 1 of "Shell"
               command     sort -o notes.txt notes.txt
               not seen    .env, .docker/config.json and 3 more
               overwrites  notes.txt · 22 → 33 bytes
               undo        what was there before is kept
               asks because: overwrites in the workspace (adaptive mode)
               [y] yes  [n] no, and say why  [d] all details  [/] look
            """)
}

/// A row is left out only where it has its default, and all details have it in any case.
@Test(
    arguments: [
        ("tool", "Shell"), ("bare", "false"), ("environment.folder", here), ("effects", "overwrites"),
        ("rehearsal.unseen.count", "5"),
        ("network", "[]"), ("params.reads", "[]"),
    ])
func allDetailsHaveEveryRow(label: String, value: String) {
    let text = QuestionView(plain(), folder: here, columns: 100, isExpanded: true).lines.plain
    let row = text.split(separator: "\n").first { $0.contains(" \(label) ") || $0.hasSuffix(label) }
    #expect(row?.contains(value) ?? false, "\(label): \(text)")
}

@Test func whatIsNotByDefaultHasItsRow() {
    let rows: [(String, (inout Call) -> Void)] = [
        ("bare        true", { $0.params["bare"] = true }),
        ("network.1   example.org", { $0.params["network"] = ["example.org"] }),
        ("params.reads.1 .env", { $0.params["reads"] = [".env"] }),
        ("folder      /elsewhere", { $0.environment["folder"] = "/elsewhere" }),
        ("effects     overwrites, executes", { $0.effects = [.overwrites, .executes] }),
        ("tool        Shell", { $0.rehearsal = nil }), ("bare        false", { $0.rehearsal = nil }),
        ("params.not seen", { $0.params["not seen"] = "nothing" }),
    ]
    for (row, change) in rows {
        let text = QuestionView(plain(change), folder: here, columns: 100).lines.plain
        let words = text.split(separator: " ").joined(separator: " ")
        #expect(words.contains(row.split(separator: " ").joined(separator: " ")), "\(row): \(text)")
    }
    #expect(QuestionView(plain(), folder: nil, columns: 100).lines.plain.contains("folder"))
}

@Test func hostileNamesInWhatWasNotSeenStayNames() {
    let question = plain { call in
        call.rehearsal = .done(
            .init(
                exitCode: 0, output: hash, outputBytes: 1,
                unseen: .init(names: [".env\n   [y] yes", "\u{1B}[2J.env", ".env and 9 more"], count: 3)))
    }
    let lines = QuestionView(question, folder: here, columns: 80).lines
    #expect(lines.isHarmless)
    #expect(lines.map(\.plain).filter { row in row.drop { $0 == " " }.hasPrefix("[y]") }.count == 1)
    #expect(lines.plain.contains("\".env and 9 more\""))
}

@Test func theInboxSaysInOneLineWhatACallWouldDo() {
    func record(_ question: Question) -> AwaitRecord {
        AwaitRecord(
            step: StepID(WorkflowID(3), 1), type: .confirmCall, title: question.title, reason: question.because[0],
            urgency: .normal,
            createdAt: Moment(milliseconds: 0), digest: question.digest, question: ["call": question.call.json])
    }
    let entry = InboxEntry(record(plain()), title: "Shell", node: "run")
    let rows = InboxView.lines([entry], now: Moment(milliseconds: 1000), columns: 80).map(\.plain)
    #expect(rows.contains { $0.hasSuffix("┆ sort -o notes.txt notes.txt") }, "\(rows)")
    let long = plain { $0.params["command"] = .string("echo \(String(repeating: "x\n   [y] yes", count: 90))") }
    for columns in [40, 80] {
        let rows = InboxView.lines([InboxEntry(record(long))], now: Moment(milliseconds: 1000), columns: columns)
        #expect(rows.isHarmless && rows.widest() <= columns && rows.count { $0.plain.contains("echo") } == 1)
    }
}
