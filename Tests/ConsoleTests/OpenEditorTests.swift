import Actions
import CaseNames
import Harness
import JSON
import Synchronization
import Terminal
import Testing
import Vocabulary

@testable import Console

/// An open editor and its claim, with a store that remembers what it is asked (`semantics.md` 40, 42).
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

    private final class Store: Sendable {
        let calls = Mutex<[String]>([])
        /// How many renewals are granted.
        let renewals: Mutex<Int>

        init(renewals: Int = .max) { self.renewals = Mutex(renewals) }

        func note(_ call: String) { calls.withLock { $0.append(call) } }
        var said: [String] { calls.withLock { $0 } }

        func people(answer: Result<AnswerOutcome, Failure> = .success(.taken)) -> InboxActions {
            InboxActions(
                name: { "me" }, blocked: { _ in [:] },
                claim: { [self] _ in
                    note("claim")
                    return OpenEditorTests.record(claim: 7)
                },
                renew: { [self] _, claim, draft in
                    note("renew \(claim) \(draft?.text ?? "-")")
                    return renewals.withLock { left in
                        left -= 1
                        return left >= 0 ? now + 300 : nil
                    }
                },
                release: { [self] _, claim, draft in note("release \(claim) \(draft?.text ?? "-")") },
                snooze: { _, _ in now },
                complete: { [self] _, claim, completion, draft throws(Failure) in
                    note("complete \(claim ?? 0) \(completion.word) \(draft?.text ?? "-")")
                    return try answer.get()
                },
                takeIn: { [self] content, _, allowsEmpty in
                    note("takeIn \(allowsEmpty)")
                    if case .mask(let drawing) = content, drawing.shapes.isEmpty, !allowsEmpty {
                        return .failure(Failure("emptyMask", "Nothing is painted."))
                    }
                    if case .file = content { return .failure(Failure("badAnswer", "That is no mask.")) }
                    return .success(
                        Asset(
                            run: RunID(StepID(WorkflowID(0), 0), attempt: 0), port: "mask", type: .mask, hash: hash,
                            bytes: 5,
                            name: "mask.png"))
                },
                faults: { _, _ in [] }, notConnected: { _ in nil }, pictureSize: { _ in (100, 80) },
                sketch: { _, _, _ in [] },
                writeText: nil)
        }
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

    private func editing(_ typist: Typist, _ people: InboxActions, pauses: Pauses = Pauses()) -> OpenEditor {
        OpenEditor(
            people: people, viewing: NoViewing(), guidance: Guidance(guides: GuideRuns(unopened)), screen: typist,
            record: Self.record(), asked: { Asked($0, tool: nil) },
            pause: { try await pauses.pause($0) })
    }

    private static let drawn = #"{"width":100,"height":80,"shapes":[["rect",1,2,3,4]],"feather":0,"inverted":false}"#

    @Test func whatIsMadeIsKeptAtEachStepAndCompletedUnderItsClaim() async {
        let store = Store()
        let typist = Typist([.word("rect 1 2 3 4"), .word("nonsense"), .word("done")])
        #expect(await editing(typist, store.people()).run() == .succeeded)
        #expect(store.said == ["claim", "renew 7 \(Self.drawn)", "takeIn false", "complete 7 completed \(Self.drawn)"])
        #expect(typist.text.contains("(badAnswer)") && typist.text.contains("3: completed · /show w3"))
    }

    @Test(arguments: [.none(.escape), .none(.interrupt), .none(.endOfInput), .word("")] as [KeyQuestion.Answer])
    func leavingGivesTheClaimBack(answer: KeyQuestion.Answer) async {
        let store = Store()
        #expect(await editing(Typist([.word("rect 1 2 3 4"), answer]), store.people()).run() == .waiting)
        #expect(store.said == ["claim", "renew 7 \(Self.drawn)", "release 7 \(Self.drawn)"])
    }

    @Test func theClaimIsRenewedWhileTheEditorIsOpenAndNoLonger() async throws {
        let (store, pauses) = (Store(), Pauses())
        let typist = Typist([])
        let task = Task { await editing(typist, store.people(), pauses: pauses).run() }
        pauses.end(4)
        #expect(try await eventually { store.said.count { $0 == "renew 7 -" } == 4 && pauses.waiting == 1 })
        task.cancel()
        #expect(await task.value == .waiting)
        #expect(store.said == ["claim"] + [String](repeating: "renew 7 -", count: 4) + ["release 7 -"])
        #expect(pauses.waiting == 0)
    }

    @Test func aClaimThatIsOverIsSaidOnce() async throws {
        let (store, pauses) = (Store(renewals: 2), Pauses())
        let typist = Typist([])
        let task = Task { await editing(typist, store.people(), pauses: pauses).run() }
        pauses.end(10)
        #expect(try await eventually { typist.text.contains("is over") && pauses.waiting == 0 })
        #expect(typist.text.ranges(of: "Your claim on 3 is over").count == 1)
        task.cancel()
        _ = await task.value
        #expect(store.said.count { $0 == "renew 7 -" } == 3)
    }

    @Test func anEmptyMaskIsTakenAfterASecondYesOnly() async {
        let store = Store()
        let typist = Typist([.word("done"), .key("n"), .word("done"), .none(.escape), .word("done"), .key("y")])
        #expect(await editing(typist, store.people()).run() == .succeeded)
        #expect(
            store.said == [
                "claim", "takeIn false", "takeIn false", "takeIn false", "takeIn true", "complete 7 completed -",
            ])
    }

    @Test func wrongContentIsGivenAnew() async {
        let store = Store()
        let typist = Typist([.word("file notes.txt"), .word("rect 1 2 3 4"), .word("done")])
        #expect(await editing(typist, store.people()).run() == .succeeded)
        #expect(typist.text.contains("That is no mask. (badAnswer)"))
    }

    @Test func whoWasQuickerIsNamed() async {
        let store = Store()
        let typist = Typist([.word("rect 1 2 3 4"), .word("done")])
        let quicker = AnswerOutcome.alreadyAnswered(resolution: "completed", by: "person on /dev/pts/9", at: now)
        #expect(await editing(typist, store.people(answer: .success(quicker))).run() == .failed)
        #expect(typist.text.contains("3 was already answered: completed by person on /dev/pts/9"))
    }

    @Test func aFullDiskGivesTheClaimBack() async {
        let store = Store()
        let typist = Typist([.word("rect 1 2 3 4"), .word("done")])
        #expect(
            await editing(typist, store.people(answer: .failure(Failure("storageFull", "Full.")))).run() == .storage)
        #expect(store.said.last == "release 7 \(Self.drawn)")
    }
}
