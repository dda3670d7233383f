import Actions
import CaseNames
import Harness
import JSON
import Synchronization
import Terminal
import Testing
import Vocabulary

@testable import Console

/// An open editor and its claim, with a desk that remembers what it is asked (`semantics.md` 40, 42).
struct OpenEditorTests {
    /// What a person types, one entry at a time; then they sit there until they are sent away.
    private final class Typist: Screen {
        let inputs = AsyncStream<ScreenInput> { $0.finish() }
        let capabilities = TerminalCapabilities(isTerminal: true, hasColour: false, isPlain: false)
        let columns = 80
        private let answers: Mutex<[KeyQuestion.Answer]>
        private let shown = Mutex<[String]>([])

        init(_ answers: [KeyQuestion.Answer]) { self.answers = Mutex(answers) }

        var text: String { shown.withLock { $0.joined(separator: "\n") } }

        func show(_ lines: [StyledText]) { shown.withLock { $0 += lines.map(\.plain) } }
        func stream(_ piece: String) {}
        func endStream() {}
        func setPrompt(_ prompt: StyledText) {}
        func setStatus(_ lines: [StyledText]) {}
        func setBusy(_ isBusy: Bool) {}
        func lend(_ body: @escaping @Sendable (Int32) -> Void) async -> Bool { false }
        func close() async {}

        func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer {
            show(question.lines)
            if let next = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return next }
            while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
            return .none(.withdrawn)
        }
    }

    /// A desk that remembers what an editor asks of it.
    private final class Desk: AnswerDesk {
        private let calls = Mutex<[String]>([])
        /// How many renewals are still granted.
        private let renewals: Mutex<Int>
        private let answer: Result<AnswerOutcome, Failure>

        init(renewals: Int = .max, answer: Result<AnswerOutcome, Failure> = .success(.taken)) {
            self.renewals = Mutex(renewals)
            self.answer = answer
        }

        var said: [String] { calls.withLock { $0 } }
        private func note(_ call: String) { calls.withLock { $0.append(call) } }

        func claim(_ number: Int64) -> AwaitRecord {
            note("claim")
            return OpenEditorTests.record(claim: 7)
        }

        func renew(_ number: Int64, claim: Int, draft: JSON?) -> Moment? {
            note("renew \(claim) \(draft?.text ?? "-")")
            return renewals.withLock { left in
                left -= 1
                return left >= 0 ? now + 300 : nil
            }
        }

        func release(_ number: Int64, claim: Int, draft: JSON?) { note("release \(claim) \(draft?.text ?? "-")") }

        func complete(
            _ number: Int64, claim: Int?, _ completion: Completion, draft: JSON?
        ) throws(Failure) -> AnswerOutcome {
            note("complete \(claim ?? 0) \(completion.word) \(draft?.text ?? "-")")
            return try answer.get()
        }

        func asked(_ record: AwaitRecord) -> Asked { Asked(record, tool: nil) }
        func requireConnection(for record: AwaitRecord) {}

        func store(
            _ content: AnswerContent, for record: AwaitRecord, allowsEmpty: Bool
        ) throws(Failure) -> Asset {
            note("store \(allowsEmpty)")
            if case .mask(let drawing) = content, drawing.shapes.isEmpty, !allowsEmpty {
                throw Failure("emptyMask", "Nothing is painted.")
            }
            if case .file = content { throw Failure("badAnswer", "That is no mask.") }
            return Asset(
                run: RunID(StepID(WorkflowID(0), 0), attempt: 0), port: "mask", type: .mask, hash: hash, bytes: 5,
                name: "mask.png")
        }

        func pictureSize(_ hash: ContentHash) -> (width: Int, height: Int)? { (100, 80) }
        func sketch(_ mask: MaskDrawing, columns: Int, rows: Int) -> [String] { [] }
        var ownEditor: OwnEditor? { nil }
        var hasEngine: Bool { true }
    }

    /// Pauses that are over when the test says so.
    private final class Pauses: Sendable {
        private let state = Mutex((over: 0, waiting: 0))

        var waiting: Int { state.withLock { $0.waiting } }
        func end(_ count: Int) { state.withLock { $0.over += count } }

        func pause(_ seconds: Double) async throws {
            #expect(seconds == Limits.claimRenewalSeconds)
            state.withLock { $0.waiting += 1 }
            defer { state.withLock { $0.waiting -= 1 } }
            while !takeEnd() { try await Task.sleep(for: .milliseconds(2)) }
        }

        private func takeEnd() -> Bool {
            state.withLock { state in
                guard state.over > 0 else { return false }
                state.over -= 1
                return true
            }
        }
    }

    private static func record(claim: Int = 0) -> AwaitRecord {
        let request = AwaitRequest(
            inputs: [.init(port: "image", type: .image, name: "cat.png", hash: hash, bytes: 5)],
            outputs: [Port("mask", .mask)],
            isPerson: true)
        var record = AwaitRecord(
            number: 3, step: StepID(WorkflowID(3), 2), type: .drawMask, title: "Draw a mask", reason: "r",
            createdAt: now,
            question: request.json)
        record.claim = claim
        return record
    }

    private struct NobodyLooks: LookingAround {
        func carryOut(_ line: String, isShown: Bool) async {}
    }

    private func editing(_ typist: Typist, _ desk: Desk, pauses: Pauses = Pauses()) -> OpenEditor {
        OpenEditor(
            desk: desk, viewing: Looks(.empty), guidance: Guidance(guides: GuideRuns(.empty)),
            dialogue: QuestionDialogue(screen: typist, lookAround: NobodyLooks()), record: Self.record(),
            pause: { try await pauses.pause($0) })
    }

    private static let drawn = #"{"width":100,"height":80,"shapes":[["rect",1,2,3,4]],"feather":0,"inverted":false}"#

    @Test func whatIsMadeIsKeptAtEachStepAndCompletedUnderItsClaim() async {
        let desk = Desk()
        let typist = Typist([.word("rect 1 2 3 4"), .word("nonsense"), .word("done")])
        #expect(await editing(typist, desk).run() == .succeeded)
        #expect(desk.said == ["claim", "renew 7 \(Self.drawn)", "store false", "complete 7 completed \(Self.drawn)"])
        #expect(typist.text.contains("(badAnswer)") && typist.text.contains("3: completed · /show w3"))
    }

    @Test(arguments: [.none(.escape), .none(.interrupt), .none(.endOfInput), .word("")] as [KeyQuestion.Answer])
    func leavingGivesTheClaimBack(answer: KeyQuestion.Answer) async {
        let desk = Desk()
        #expect(await editing(Typist([.word("rect 1 2 3 4"), answer]), desk).run() == .waiting)
        #expect(desk.said == ["claim", "renew 7 \(Self.drawn)", "release 7 \(Self.drawn)"])
    }

    @Test func theClaimIsRenewedWhileTheEditorIsOpenAndNoLonger() async throws {
        let (desk, pauses) = (Desk(), Pauses())
        let typist = Typist([])
        let task = Task { await editing(typist, desk, pauses: pauses).run() }
        pauses.end(4)
        #expect(try await eventually { desk.said.count { $0 == "renew 7 -" } == 4 && pauses.waiting == 1 })
        task.cancel()
        #expect(await task.value == .waiting)
        #expect(desk.said == ["claim"] + [String](repeating: "renew 7 -", count: 4) + ["release 7 -"])
        #expect(pauses.waiting == 0)
    }

    @Test func aClaimThatIsOverIsSaidOnce() async throws {
        let (desk, pauses) = (Desk(renewals: 2), Pauses())
        let typist = Typist([])
        let task = Task { await editing(typist, desk, pauses: pauses).run() }
        pauses.end(10)
        #expect(try await eventually { typist.text.contains("is over") && pauses.waiting == 0 })
        #expect(typist.text.ranges(of: "Your claim on 3 is over").count == 1)
        task.cancel()
        _ = await task.value
        #expect(desk.said.count { $0 == "renew 7 -" } == 3)
    }

    @Test func anEmptyMaskIsTakenAfterASecondYesOnly() async {
        let desk = Desk()
        let typist = Typist([.word("done"), .key("n"), .word("done"), .none(.escape), .word("done"), .key("y")])
        #expect(await editing(typist, desk).run() == .succeeded)
        #expect(
            desk.said == [
                "claim", "store false", "store false", "store false", "store true", "complete 7 completed -",
            ])
    }

    @Test func wrongContentIsGivenAnew() async {
        let desk = Desk()
        let typist = Typist([.word("file notes.txt"), .word("rect 1 2 3 4"), .word("done")])
        #expect(await editing(typist, desk).run() == .succeeded)
        #expect(typist.text.contains("That is no mask. (badAnswer)"))
    }

    @Test func whoWasQuickerIsNamed() async {
        let typist = Typist([.word("rect 1 2 3 4"), .word("done")])
        let quicker = AnswerOutcome.alreadyAnswered(resolution: "completed", by: "person on /dev/pts/9", at: now)
        #expect(await editing(typist, Desk(answer: .success(quicker))).run() == .failed)
        #expect(typist.text.contains("3 was already answered: completed by person on /dev/pts/9"))
    }

    @Test func aFullDiskGivesTheClaimBack() async {
        let desk = Desk(answer: .failure(Failure("storageFull", "Full.")))
        let typist = Typist([.word("rect 1 2 3 4"), .word("done")])
        #expect(await editing(typist, desk).run() == .storage)
        #expect(desk.said.last == "release 7 \(Self.drawn)")
    }
}
