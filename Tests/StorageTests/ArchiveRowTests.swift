import CaseNames
import GRDB
import Glibc
import Harness
import JSON
import Synchronization
import Testing
import Vocabulary

@testable import Storage

extension ArchiveTests {
    @Test func allOfABatchComesBack() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        let step = StepID(id, 1)
        let run = RunID(step, attempt: 1)
        let asset = Asset(
            run: run, port: "out", type: .image, hash: .ofNothing, bytes: 7, name: "ü.jpg",
            meta: JSON.Object(members: [.init(key: "w", value: 8)]))
        let record = StepRecord(
            id: step, node: "n1", kind: "T", state: .succeeded, reason: Reason("a", "b"), attempt: 1, tries: 2,
            failure: Failure("f", "F.", remedy: "R."), dueAt: now + 5, updatedAt: now)
        // A run names its inputs; the assets themselves are rows of their own.
        let input = asset
        var batch = Batch(workflow: id, fence: 1)
        batch.steps = [record]
        batch.runsStarted = [
            RunRecord(
                id: run, kind: .import, startedAt: now, inputs: ["in": input],
                params: JSON.Object(members: [.init(key: "k", value: "v")]),
                callDigest: .ofNothing)
        ]
        batch.runsEnded = [Batch.RunEnd(run: run, at: now + 1, ending: .succeeded([asset]))]
        batch.events = [
            Event(
                at: now, session: SessionID(4), workflow: id, step: 1, run: run,
                .stepChanged(.succeeded, phase: nil, reason: nil, progress: nil, failure: nil))
        ]
        let opened = AwaitRecord(
            step: StepID(id, 2), type: .drawMask, title: "t", reason: "r", urgency: .high, createdAt: now,
            expiresAt: now + 60,
            digest: .ofNothing, question: ["q": 1])
        batch.awaitsOpened = [opened]
        batch.outcome = .some(.failed)
        let committed = try archive.commit([batch])
        #expect(committed.awaits.map(\.number) == [1])
        #expect(try archive.steps(of: id)[0] == record)
        #expect(try archive.assets(of: id) == [asset])
        let stored = try #require(try archive.runs(of: step).first)
        #expect(
            stored.inputs == ["in": input] && stored.kind == .import && stored.ending == "succeeded"
                && stored.finishedAt == now + 1)
        #expect(stored.params["k"] == "v" && stored.callDigest == .ofNothing)
        #expect(try archive.await(numbered: 1) == committed.awaits[0])
        #expect(try archive.events(of: id).map(\.type) == ["workflow.created", "step.changed", "await.opened"])
        #expect(try archive.summaries().first?.record.outcome == .failed && archive.summaries().first?.openAwaits == 1)
    }

    @Test func commandsComeBackInOrderAndAreTakenWithTheirBatch() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        let verbs: [Command.Verb] = [
            .cancel, .retry(step: nil), .retry(step: 2), .answer(step: 1, await: 7, .no(reason: "ü"), by: "me"),
            .answer(step: 1, await: 7, .yes, by: "me"), .answer(step: 1, await: 7, .yesToPlan, by: "me"),
        ]
        for verb in verbs { try archive.put(verb, for: id, at: now) }
        let commands = try archive.waitingCommands(for: "one")
        #expect(commands.map(\.verb) == verbs)
        #expect(try archive.waitingCommands(for: "two").isEmpty)
        var batch = Batch(workflow: id, fence: 0)
        batch.commandsTaken = commands.map(\.id)
        #expect(try archive.commit([batch]).lost == [id])
        #expect(try archive.waitingCommands(for: "one").count == verbs.count, "a lost fence takes no command")
        batch.fence = 1
        #expect(try archive.commit([batch]).lost.isEmpty)
        #expect(try archive.waitingCommands(for: "one").isEmpty)
    }

    /// A model's wish carries the terms of its session; what cannot be read of them is the strictest.
    @Test func termsComeBackAndAreStored() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        let terms = AskTerms(mode: .adaptive, onAsk: .deny, turn: 3)
        try archive.put(.retry(step: 1), for: id, by: "model", under: terms, at: now)
        try archive.put(.retry(step: nil), for: id, at: now)
        try archive.write {
            try $0.execute(
                sql:
                    "INSERT INTO commands (workflow, verb, argument, at) VALUES (1, 'cancel', '{\"terms\":{\"mode\":\"calm\"}}', 0)"
            )
        }
        let commands = try archive.waitingCommands(for: "one")
        #expect(commands.map(\.terms) == [terms, nil, AskTerms(mode: .alwaysAsk, onAsk: .deny)])
        #expect(commands.map(\.by) == ["model", "person", "person"])
        var batch = Batch(workflow: id, fence: 1)
        batch.terms = terms
        #expect(!batch.isEmpty)
        #expect(try archive.commit([batch]).lost.isEmpty)
        let record = try #require(try archive.load(id)?.record)
        #expect(record.mode == .adaptive && record.onAsk == .deny)
    }

    /// An answered await is still what its step waits for until the answer has been heard.
    @Test func anAnsweredAwaitIsLoadedUntilItsStepMovesOn() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        var batch = Batch(workflow: id, fence: 1)
        batch.steps = [
            StepRecord(
                id: StepID(id, 1), node: "n1", kind: "T", state: .awaitingUser, attempt: 0, tries: 0, updatedAt: now)
        ]
        batch.awaitsOpened = [
            AwaitRecord(step: StepID(id, 1), type: .confirmCall, title: "t", reason: "r", createdAt: now)
        ]
        _ = try archive.commit([batch])
        #expect(try archive.answer(1, .yes, approvals: [], by: "me", at: now) == .taken)
        #expect(try archive.load(id)?.openAwaits.map(\.number) == [1])
        #expect(try archive.awaits().isEmpty)
        batch.awaitsOpened = []
        batch.steps[0].state = .ready
        _ = try archive.commit([batch])
        #expect(try archive.load(id)?.openAwaits.isEmpty == true)
    }

    @Test func aSecondOpenAwaitOfAStepIsRefusedWhole() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        var batch = Batch(workflow: id, fence: 1)
        batch.awaitsOpened = [
            AwaitRecord(step: StepID(id, 1), type: .confirmCall, title: "t", reason: "r", createdAt: now)
        ]
        _ = try archive.commit([batch])
        #expect(throws: Failure.self) { _ = try archive.commit([batch]) }
        // One closed and the next opened in one commit is no second.
        batch.awaitsClosed = [Batch.AwaitClose(number: 1, resolution: "superseded", by: "engine", at: now)]
        #expect(try archive.commit([batch]).awaits.count == 1)
        #expect(try archive.awaits().count == 1)
    }

    @Test func linesThatWaitAreTakenOverFromTheDeadOnly() throws {
        let archive = try Archive(folder: folder)
        let one = try archive.begin(title: "one", workspace: "/w", at: now).id
        let two = try archive.begin(title: "two", workspace: "/w", at: now).id
        let other = try archive.begin(title: "other", workspace: "/v", at: now).id
        for line in ["a", "b", "a"] { try archive.keep(line, of: one, owner: "dead") }
        try archive.keep("typed elsewhere", of: two, owner: "living")
        try archive.keep("in another folder", of: other, owner: "dead")
        // It becomes a message: the first goes, and no other of the same words; what did not wait takes nothing away.
        try archive.append(ChatMessage(.user, "a"), to: one, turn: 1, at: now)
        try archive.append(ChatMessage(.user, "c"), to: one, turn: 2, at: now)
        try archive.append(ChatMessage(.assistant, "b"), to: one, turn: 2, at: now)
        func taken(_ workspace: String, alive: Set<String>) throws -> [String] {
            guard
                let (session, lines) = try archive.takeLines(
                    in: workspace, owner: "me", isAlive: { alive.contains($0) })
            else {
                return []
            }
            return [session.description] + lines
        }
        #expect(try taken("/w", alive: ["living"]) == [one.description, "b", "a"])
        #expect(try taken("/w", alive: ["living", "me"]) == [])
        #expect(try taken("/w", alive: []) == [two.description, "typed elsewhere"])
        #expect(try taken("/w", alive: []) == [two.description, "typed elsewhere"])
        try archive.forgetLines(of: two)
        #expect(try taken("/w", alive: []) == [one.description, "b", "a"])
        #expect(try taken("/v", alive: []) == [other.description, "in another folder"])
    }

    @Test func sessionsAndMessagesComeBackAndAreFound() throws {
        let archive = try Archive(folder: folder)
        let one = try archive.begin(title: "one", workspace: "/w", at: now)
        let two = try archive.begin(title: "two", workspace: "/w", at: now)
        let messages = [
            ChatMessage(.user, "Make Cat.jpg smaller"),
            ChatMessage(
                .assistant, "",
                calls: [
                    ChatCall(
                        id: "1", name: "propose", arguments: ["a": [1, 2.5, .null]],
                        opaque: JSON.Object(members: [.init(key: "x", value: true)]))
                ]),
            ChatMessage(.tool, "done\n\u{1B}[31m", callID: "1"), ChatMessage(.assistant, "half", isPartial: true),
        ]
        for message in messages { try archive.append(message, to: one.id, turn: 3, at: now + 1) }
        try archive.append(ChatMessage(.user, "100% of dogs_"), to: two.id, turn: 1, at: now + 2)
        #expect(try archive.messages(of: one.id).map(\.message) == messages)
        #expect(try archive.sessions().map(\.title) == ["two", "one"])
        #expect(try archive.sessions(in: "/nowhere").isEmpty)
        #expect(try archive.sessions(limit: 1).map(\.messageCount) == [1])
    }

    @Test func onlyTheDeadAreTakenOver() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        #expect(try archive.claim(for: "two") { $0 == "one" }.isEmpty)
        #expect(try archive.claim(for: "two") { _ in false }.map(\.id) == [id])
        #expect(try archive.claim(for: "two") { _ in false }.isEmpty)
        var batch = Batch(workflow: id, fence: 2)
        batch.outcome = .some(.succeeded)
        _ = try archive.commit([batch])
        #expect(try archive.claim(for: "three") { _ in false }.isEmpty)
        try archive.put(.retry(step: nil), for: id, at: now)
        #expect(try archive.claim(for: "three") { _ in false }.map(\.id) == [id])
    }
}
