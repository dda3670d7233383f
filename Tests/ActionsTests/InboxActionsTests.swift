import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Pictures
import Services
import Storage
import Testing
@testable import Tools
import Vocabulary

@testable import Actions

/// Claims, snoozes and answers of the inbox, on a real store without an engine (`semantics.md` 40–45, 148–153).
@Suite struct InboxActionsTests {
    private let opened: OpenedWorkspace
    private let inbox: InboxActions

    init() throws {
        opened = try OpenedWorkspace()
        inbox = InboxActions(opened.shared)
    }

    private func entry(_ number: Int64) throws -> AwaitRecord {
        let record = try opened.shared.archive.get().await(numbered: number)
        return opened.shared.awake(try #require(record))
    }

    /// The use cases that the claim of another person refuses.
    enum UseCase: String, CaseIterable, CustomTestStringConvertible {
        case claim, snooze, complete, skip

        var testDescription: String { rawValue }

        func run(_ record: AwaitRecord, _ inbox: InboxActions) throws(Failure) -> AnswerOutcome? {
            switch self {
            case .claim: _ = try inbox.claim(record.number)
            case .snooze: _ = try inbox.snooze(record.number, seconds: 60)
            case .complete: return try inbox.complete(record.number, .rejected(reason: "no"))
            case .skip: return try inbox.skip(record, reason: "")
            }
            return nil
        }
    }

    private static let skippable = OpenedWorkspace.Ask(
        request: AwaitRequest(outputs: [Port("text", .text)], isPerson: true, canSkip: true))

    /// Claims an entry for another terminal, whose process lives as long as `process` is open.
    private func claim(_ number: Int64, for name: String, in process: OpenWorkspace) throws {
        let claiming = try process.archive.get().claim(
            number, by: name, process: try process.holder.get().name, at: OpenWorkspace.now())
        guard case .yours = claiming else { throw Failure("taken", "\(claiming)") }
    }

    // MARK: Claims

    @Test(arguments: UseCase.allCases) func theClaimOfAnotherPersonRefusesAndNamesThem(useCase: UseCase) throws {
        let record = try opened.waiting(Self.skippable)
        let other = opened.openedAgain()
        try claim(record.number, for: "person on /dev/pts/99", in: other)
        let failure = #expect(throws: Failure.self) { try useCase.run(record, inbox) }
        #expect(failure?.code == "claimedByOther")
        #expect(
            failure?.message
                == "1 is being done by person on /dev/pts/99; the claim ends in 5 m, unless it is renewed.")
        #expect(try entry(1).claimedBy == "person on /dev/pts/99" && opened.answers().isEmpty)
        withExtendedLifetime(other) {}
    }

    @Test(arguments: UseCase.allCases) func theClaimOfAProcessThatEndedRefusesNothing(useCase: UseCase) throws {
        let record = try opened.waiting(Self.skippable)
        do {
            let other = opened.openedAgain()
            try claim(record.number, for: "person on /dev/pts/99", in: other)
            #expect(try entry(1).status == .claimed)
        }
        #expect(try entry(1).status == .pending)
        _ = try useCase.run(record, inbox)
        #expect(try entry(1).status == (useCase == .claim ? .claimed : useCase == .snooze ? .snoozed : .done))
    }

    @Test func aClaimIsRenewedWithItsDraftAndReleasedWithIt() throws {
        let number = try opened.waiting().number
        let claimed = try inbox.claim(number)
        #expect(claimed.claim == 1 && claimed.claimedBy == inbox.name && claimed.status == .claimed)
        let until = try #require(claimed.until)
        #expect(try #require(try inbox.renew(number, claim: 1, draft: ["text": "half"])) >= until)
        #expect(try inbox.renew(number, claim: 2, draft: ["text": "of another"]) == nil)
        #expect(try inbox.renew(number, claim: 1, draft: nil) != nil && entry(number).draft == ["text": "half"])
        try inbox.release(number, claim: 1, draft: ["text": "most"])
        let left = try entry(number)
        #expect(left.status == .pending && left.until == nil && left.draft == ["text": "most"])
        let next = try inbox.claim(number)
        #expect(next.claim == 2 && next.draft == ["text": "most"])
    }

    // MARK: Snoozes

    @Test func theSixthSnoozeIsRefused() throws {
        let number = try opened.waiting().number
        for time in 1...Limits.snoozes {
            let before = OpenWorkspace.now()
            let until = try inbox.snooze(number, seconds: 1800)
            #expect((before + 1800...OpenWorkspace.now() + 1800).contains(until))
            #expect(try entry(number).snoozes == time && entry(number).until == until)
        }
        let failure = #expect(throws: Failure.self) { try inbox.snooze(number, seconds: 1800) }
        #expect(failure?.code == "snoozeLimitReached" && failure?.message == "1 was put off 5 times already.")
        #expect(try inbox.claim(number).status == .claimed, "a snooze keeps nobody out")
    }

    // MARK: Answers

    @Test func anAnswerIsStoredOnceAndTheNextHearsOfIt() throws {
        let record = try opened.waiting(Self.skippable)
        #expect(try inbox.complete(1, .rejected(reason: "not today")) == .taken)
        #expect(try opened.answers() == [.rejected(reason: "not today")])
        let done = try entry(1)
        #expect(done.status == .done && done.resolution == "rejected" && done.answeredBy == inbox.name)
        let at = try #require(done.closedAt)
        #expect(
            try inbox.complete(1, .agreed(edits: nil))
                == .alreadyAnswered(resolution: "rejected", by: inbox.name, at: at))
        let words = "1 was answered: rejected by \(inbox.name) at \(Amounts.time(at))."
        for useCase in [UseCase.claim, .snooze, .skip] {
            let failure = #expect(throws: Failure.self) {
                try useCase.run(useCase == .skip ? done : record, inbox)
            }
            #expect(failure?.code == "alreadyAnswered" && failure?.message == words)
        }
        #expect(try opened.answers().count == 1)
    }

    @Test func anAnswerUnderAnOldClaimIsRefusedAndItsDraftIsStored() throws {
        let number = try opened.waiting().number
        let claim = try inbox.claim(number).claim
        try inbox.release(number, claim: claim, draft: nil)
        let failure = #expect(throws: Failure.self) {
            try inbox.complete(number, claim: claim, .skipped(), draft: ["text": "late"])
        }
        #expect(failure?.code == "claimIsOver" && failure?.remedy == "'assent open 1' goes on from there.")
        let record = try entry(number)
        #expect(record.status == .pending && record.draft == ["text": "late"] && record.resolution == nil)
        #expect(try opened.answers().isEmpty)
        let next = try inbox.claim(number).claim
        #expect(try inbox.complete(number, claim: next, .skipped(), draft: ["text": "new"]) == .taken)
    }

    @Test(arguments: UseCase.allCases) func anEntryThatDoesNotExistIsUnknown(useCase: UseCase) throws {
        var record = try opened.waiting(Self.skippable)
        record.number = 7
        let failure = #expect(throws: Failure.self) { try useCase.run(record, inbox) }
        #expect(failure?.code == "unknownAwait" && failure?.message == "There is no 7 in the inbox.")
    }

    @Test func skippingIsForEntriesThatNoStepRequires() throws {
        let outputs = [Port("text", .text)]
        for request in [AwaitRequest(outputs: outputs, isPerson: true), nil] {
            let record = try opened.waiting(.init(request: request))
            let failure = #expect(throws: Failure.self) { try inbox.skip(record, reason: "") }
            #expect(failure?.code == "cannotSkip" && failure?.remedy?.contains("assent reject") == true)
        }
        let record = try opened.waiting(Self.skippable)
        let long = String(repeating: "x", count: Limits.guideTextBytes + 1)
        #expect(throws: Failure.self) { try inbox.skip(record, reason: long) }
        #expect(try opened.answers().isEmpty && entry(record.number).status == .pending)
        #expect(try inbox.skip(record, reason: "they have none") == .taken)
        #expect(try opened.answers() == [.skipped(words: "they have none")])
    }

    // MARK: Contents

    private func mask(_ width: Int, _ height: Int, isEmpty: Bool = false) -> MaskDrawing {
        var drawing = MaskDrawing(width: width, height: height)
        if !isEmpty { drawing.shapes = [.rectangle(x: 1, y: 1, width: 9, height: 9)] }
        return drawing
    }

    /// An entry that asks for a mask over a stored picture of 64×48 pixels.
    private func maskEntry() throws -> AwaitRecord {
        let picture = try opened.shared.toolbox.get().store.add(mask(64, 48).png())
        let input = AwaitRequest.Input(
            port: "image", type: .image, name: "cat.png", hash: picture.hash, bytes: picture.bytes)
        return try opened.waiting(
            .init(
                type: .drawMask,
                request: AwaitRequest(inputs: [input], outputs: [Port("mask", .mask)], isPerson: true)),
            kind: "UserMaskEditor", params: [:])
    }

    @Test(
        arguments: [
            ("notes.txt", "badAnswer"), ("ghost.png", "fileNotFound"), ("wide.png", "badAnswer"),
            ("empty.png", "emptyMask"),
        ])
    func aFileThatIsNoMaskIsRefusedAndChangesNothing(name: String, code: String) async throws {
        let record = try maskEntry()
        _ = try opened.write(Array("no picture".utf8), to: "notes.txt")
        _ = try opened.write(mask(48, 48).png(), to: "wide.png")
        let empty = try opened.write(mask(64, 48, isEmpty: true).png(), to: "empty.png")
        let failure = await #expect(throws: Failure.self) {
            try await inbox.store(.file("\(opened.shared.workspace)/\(name)"), for: record, allowsEmpty: false)
        }
        #expect(failure?.code.text == code && failure?.remedy?.isEmpty == false, "\(failure.map { "\($0)" } ?? "none")")
        #expect(try entry(record.number).status == .pending && opened.answers().isEmpty)
        guard code == "emptyMask" else { return }
        let asset = try await inbox.store(.file(empty), for: record, allowsEmpty: true)
        #expect(asset.port == "mask" && asset.type == .mask && asset.name == "empty.png")
    }

    /// The picker takes any file. The step behind it takes pictures.
    @Test func aPickedFileMustFitTheStepsBehindIt() async throws {
        let request = AwaitRequest(outputs: [Port("asset", .any)], isPerson: true)
        let record = try opened.waiting(
            [
                .init(node: "pick", kind: "UserAssetPicker", ask: .init(type: .selectAsset, request: request)),
                .init(node: "grey", kind: "Grayscale", state: .blocked),
            ], [("pick.asset", "grey.image")])[0]
        let notes = try opened.write(Array("no picture".utf8), to: "notes.txt")
        let failure = await #expect(throws: Failure.self) {
            try await inbox.store(.file(notes), for: record, allowsEmpty: false)
        }
        #expect(failure?.code == "badAnswer")
        let picture = try opened.write(mask(64, 48).png(), to: "cat.png")
        let asset = try await inbox.store(.file(picture), for: record, allowsEmpty: false)
        #expect(asset.port == "asset" && asset.name == "cat.png" && asset.meta["width"] == 64)
        #expect(inbox.pictureSize(asset.hash).map { [$0.width, $0.height] } == [64, 48])
        #expect(inbox.pictureSize(.ofNothing) == nil)
    }

    @Test func anEntryWithoutOutputsTakesNoContent() async throws {
        let record = try opened.waiting(.init(type: .confirmParams, request: AwaitRequest(params: JSON.Object())))
        let failure = await #expect(throws: Failure.self) {
            try await inbox.store(.text("x"), for: record, allowsEmpty: false)
        }
        #expect(failure?.code == "badUsage")
    }

    @Test(
        arguments: [
            (#"{"steps": 40}"#, nil), ("[1]", "badAnswer"), ("no JSON", "badAnswer"),
            (#"{"key": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"}"#, "badAnswer"),
        ] as [(String, String?)])
    func theValuesThatCameInAreConfirmed(text: String, code: String?) throws {
        let content = try opened.shared.toolbox.get().store.add(text)
        let input = AwaitRequest.Input(
            port: "json", type: .json, name: "values.json", hash: content.hash, bytes: content.bytes)
        let record = try opened.waiting(
            .init(
                type: .confirmParams,
                request: AwaitRequest(
                    inputs: [input], outputs: [Port("json", .json)], params: JSON.Object(), isPerson: true)),
            kind: "ParamConfirm", params: [:])
        do {
            let asked = try inbox.asked(record)
            #expect(code == nil && asked.proposed["steps"] == 40 && asked.tool?.kind == "ParamConfirm")
        } catch {
            #expect(error.code.text == code && error.remedy == "Reject it: 'assent reject 1'.")
        }
    }

    /// The key of a provider may be in the environment, be given for this process, or not be needed.
    @Test(
        arguments: [
            (.null, nil), (["provider": "ghost"], nil), (["provider": "bentoml-task"], nil),
            (["provider": "replicate"], "keyMissing"),
        ] as [(JSON, String?)])
    func aConnectionNeedsTheKeyOfItsProvider(question: JSON, code: String?) async throws {
        guard getenv("REPLICATE_API_TOKEN") == nil else { return }
        let record = try opened.waiting(.init(type: .connect, question: question))
        do {
            try await inbox.requireConnection(for: record)
            #expect(code == nil)
        } catch {
            #expect(error.code.text == code && error.remedy?.contains("assent connect replicate") == true)
        }
    }

    // MARK: Lists

    @Test func anEntryNamesItsWorkflowAndTheStepsThatItBlocks() throws {
        let words = AwaitRequest(outputs: [Port("text", .text)], isPerson: true)
        let first = try opened.waiting(
            [
                .init(
                    node: "colour", kind: "AskText", params: ["question": "Which?"],
                    ask: .init(request: words, urgency: .low)),
                .init(node: "join", kind: "JoinText", state: .blocked),
                .init(node: "done", kind: "JoinText", state: .succeeded),
                .init(node: "save", kind: "SaveFile", params: ["path": "a.txt"], state: .blocked),
            ],
            [
                ("colour.text", "join.texts.1"), ("colour.text", "done.texts.1"), ("join.text", "save.file"),
            ], title: "Words")
        let second = try opened.waiting(.init(request: words, urgency: .high))
        let records = try opened.shared.archive.get().awaits(includingDone: true, at: OpenWorkspace.now())
        #expect(records.map(\.number) == [second.number, first[0].number], "by urgency, then age")
        let entries = inbox.entries(of: records)
        #expect(entries.map(\.title) == ["Test", "Words"] && entries.map(\.node) == ["ask", "colour"])
        #expect(entries.map { $0.blocked.map(\.node) } == [[], ["join", "save"]])
        #expect(entries[1].blocked.map(\.step) == [2, 4] && entries[1].blocked[0].title == "Join texts")
    }

    /// A list shows what is left of a workflow whose rows are damaged.
    @Test func anEntryOfALostWorkflowIsListed() throws {
        let record = try opened.waiting()
        var lost = record
        lost.step = StepID(WorkflowID(99), 5)
        #expect(inbox.entries(of: [lost, record]).map(\.title) == ["", "Test"])
        var beyond = record
        beyond.step = StepID(record.step.workflow, 5)
        #expect(inbox.entries(of: [beyond]) == [InboxEntry(beyond, title: "Test")])
    }
}
