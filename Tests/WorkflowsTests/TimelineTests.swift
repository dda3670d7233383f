import Harness
import JSON
import Testing
import Vocabulary

@testable import Workflows

@Suite struct TimelineTests {
    private func at(_ seconds: Int) -> Moment { Moment(milliseconds: Int64(seconds) * 1000) }

    private func event(_ seconds: Int, _ step: Int?, _ body: JSON) -> EventRecord {
        event(seconds, step, "step.changed", body)
    }

    private func event(_ seconds: Int, _ step: Int?, _ type: String, _ body: JSON) -> EventRecord {
        EventRecord(at: at(seconds), step: step, attempt: nil, type: type, body: body)
    }

    private func kinds(_ line: Timeline) -> String {
        line.segments.map { "\($0.kind.rawValue) \($0.milliseconds / 1000)" }.joined(separator: ", ")
    }

    /// A remote job on a bad day, in one line.
    @Test func aRemoteStepFromItsBeginningToItsEnd() {
        let events = [
            event(0, nil, "workflow.created", ["title": "w", "steps": 1]),
            event(1, 1, ["state": "ready", "reason": "waitingForSlot"]),
            event(3, 1, ["state": "awaitingUser", "reason": "needsYou"]),
            event(10, 1, ["state": "ready", "reason": "waitingForSlot"]),
            event(11, 1, ["state": "ready", "reason": "offline"]),
            event(21, 1, ["state": "queuedRemote", "phase": "submitIntent"]),
            event(22, 1, ["state": "queuedRemote", "reason": "backoff"]),
            event(52, 1, ["state": "queuedRemote"]),
            event(53, 1, ["state": "queuedRemote", "phase": "submitted"]),
            event(60, 1, ["state": "runningRemote", "phase": "submitted"]),
            event(70, 1, ["state": "runningRemote", "reason": "reconnecting"]),
            event(90, 1, ["state": "runningRemote"]),
            event(95, nil, "workflow.changed", ["reason": "paused"]),
            event(100, nil, "workflow.changed", ["reason": "resumed"]),
            event(110, 1, ["state": "downloading", "phase": "collecting"]),
            event(112, 1, ["state": "succeeded"]),
            event(112, nil, "workflow.finished", ["outcome": "succeeded"]),
        ]
        let lines = Timelines.of(events, steps: 1, from: at(0), to: at(112))
        #expect(
            kinds(lines[1])
                == "blocked 1, waitingForSlot 2, waitingForPerson 7, waitingForSlot 1, offline 10, queued 1, backoff 30, queued 8, running 10, "
                + "reconnecting 20, running 5, paused 5, running 10, downloading 2")
        #expect(lines[0].segments == lines[1].segments, "the whole does what its only step does")
    }

    /// It has its slot, and its command runs.
    @Test func aRehearsalIsNoWait() {
        let events = [
            event(1, 1, ["state": "ready", "reason": "waitingForSlot"]),
            event(2, 1, ["state": "ready", "reason": "waitingForWorkspace"]),
            event(4, 1, ["state": "ready", "reason": "rehearsal"]), event(9, 1, ["state": "awaitingUser"]),
            event(11, 1, ["state": "runningLocal"]), event(12, 1, ["state": "succeeded"]),
        ]
        let lines = Timelines.of(events, steps: 1, from: at(0), to: at(12))
        #expect(kinds(lines[1]) == "blocked 1, waitingForSlot 3, running 5, waitingForPerson 2, running 1")
    }

    @Test func theWholeIsWhatTheLiveliestOfItsStepsIs() {
        let events = [
            event(0, 1, ["state": "runningLocal"]), event(5, 1, ["state": "failed"]),
            event(6, 2, ["state": "awaitingUser"]),
            event(9, 2, ["state": "runningLocal"]), event(12, 2, ["state": "succeeded"]),
            event(12, nil, "workflow.finished", ["outcome": "failed"]),
            // A day later somebody retries.
            event(100, 1, ["state": "ready", "reason": "waitingForSlot"]), event(101, 1, ["state": "runningLocal"]),
            event(103, 1, ["state": "succeeded"]),
            event(103, 2, ["state": "blocked", "reason": "inputChanged"]),
        ]
        let lines = Timelines.of(events, steps: 2, from: at(0), to: at(110))
        #expect(
            kinds(lines[0])
                == "running 5, blocked 1, waitingForPerson 3, running 3, failed 88, waitingForSlot 1, running 2, stale 7"
        )
        #expect(kinds(lines[1]) == "running 5, failed 95, waitingForSlot 1, running 2, done 7")
        #expect(kinds(lines[2]) == "blocked 6, waitingForPerson 3, running 3, done 91, stale 7")
    }

    @Test func whatSomebodyElseWroteIsPassedOver() {
        let events = [
            event(1, 9, ["state": "succeeded"]), event(2, 1, ["state": "hovering"]),
            event(3, nil, "step.changed", ["state": "failed"]),
            event(4, 1, "from.the.future", [:]),
        ]
        #expect(Timelines.of(events, steps: 1, from: at(0), to: at(5)).map(kinds) == ["blocked 5", "blocked 5"])
    }

    /// Whatever was stored, in whatever order its clocks said: no gap, no overlap, all of the time.
    @Test func segmentsTileTheTime() {
        let states = StepState.allCases.map(\.rawValue)
        let reasons = ["backoff", "offline", "reconnecting", "inputChanged", "upstreamStale", "waitingForSlot", nil]
        for seed in 0..<UInt64(2000) {
            var random = Seeded(seed)
            let count = Int.random(in: 1...4, using: &random)
            var clock = 1000
            let events = (0..<Int.random(in: 0...30, using: &random)).map { _ -> EventRecord in
                clock += Int.random(in: -3...9, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    return event(
                        clock, nil, "workflow.changed",
                        ["reason": .string(Bool.random(using: &random) ? "paused" : "resumed")])
                case 1:
                    return event(
                        clock, nil, "workflow.finished",
                        ["outcome": .string(Outcome.allCases.randomElement(using: &random)!.rawValue)])
                default:
                    return event(
                        clock, Int.random(in: 1...count, using: &random),
                        .of([
                            "state": .string(states.randomElement(using: &random)!),
                            "reason": reasons.randomElement(using: &random)!.map { .string($0) },
                            "phase": Bool.random(using: &random) ? "submitted" : nil,
                        ]))
                }
            }
            let (start, end) = (at(1000), at(max(1000, clock + Int.random(in: -5...20, using: &random))))
            let lines = Timelines.of(events, steps: count, from: start, to: end)
            #expect(lines.map(\.step) == [nil] + Array(1...count).map(Optional.some))
            for line in lines {
                #expect(line.segments.first?.from == start && line.segments.last?.to == end, "seed \(seed)")
                for (one, next) in zip(line.segments, line.segments.dropFirst()) {
                    #expect(one.to == next.from && one.kind != next.kind && one.milliseconds > 0, "seed \(seed)")
                }
                let sum = line.segments.map(\.milliseconds).reduce(0, +)
                #expect(sum == end.milliseconds - start.milliseconds)
            }
            // At any time the whole is what one of its steps is, or it is over.
            let over: Set<Segment.Kind> = [.done, .failed, .cancelled]
            for segment in lines[0].segments where segment.milliseconds > 0 && !over.contains(segment.kind) {
                let isThere = lines.dropFirst().contains { line in
                    line.segments.contains {
                        $0.kind == segment.kind && $0.from <= segment.from && $0.to > segment.from
                    }
                }
                #expect(isThere, "seed \(seed)")
            }
        }
    }
}
