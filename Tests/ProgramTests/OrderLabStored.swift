import Glibc
import Harness
import JSON
import Storage
import Vocabulary

extension OrderLab {
    // MARK: The end

    /// Waits until all has come to rest, and each console has told what it has to.
    mutating func settle() async throws {
        for process in beside { _ = try await onOwnThread { process.wait() } }
        beside = []
        let end = ContinuousClock.now + .seconds(patience)
        while ContinuousClock.now < end {
            for console in consoles.indices { try await ready(console) }
            let isAtRest = try rests()
            if isAtRest, try consoles.indices.allSatisfy({ try faults(at: $0).allSatisfy { $0.kind != .lost } }) {
                return
            }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    private func rests() throws -> Bool {
        let (summaries, last) = try lab.archived { archive in
            (
                try archive.summaries(limit: 500),
                try archive.sessions().compactMap { try archive.messages(of: $0.id).last?.message }
            )
        }
        let moving: Set<StepState> = [.ready, .runningLocal, .queuedRemote, .runningRemote, .downloading]
        let heard = try stored().said
        let areHeard = typed.allSatisfy { own in
            own.kind != .sentence || heard.contains(own.line)
                || OrderLine.all(in: transcript(of: own.console)).contains { $0.kind == .answer(own.line) }
        }
        return areHeard && last.allSatisfy { $0.role != .user && $0.calls.isEmpty }
            && summaries.allSatisfy {
                $0.record.outcome != nil || $0.states.isDisjoint(with: moving) && $0.openAwaits > 0
            }
    }

    func faults(at console: Int) throws -> [OrderFault] {
        OrderOracle(stored: try stored(), typed: typed, console: console).faults(in: transcript(of: console))
    }

    /// Leaves each console, and returns what is not whole at its terminal.
    func leave() async throws -> [String] {
        var faults: [String] = []
        for console in consoles {
            console.pty.send("/quit\r")
            guard await console.pty.see(seconds: patience, { $0.text.contains("ended ") && console.pty.hasEnded })
            else {
                faults.append("it does not end: \(console.pty.screen.text.suffix(1500))")
                kill(console.process, SIGKILL)
                continue
            }
            let text = console.pty.screen.text
            if !text.contains("ended 0") { faults.append("it did not end with 0: \(text.suffix(600))") }
            let words = Set(
                text[(text.firstRange(of: "ended ")?.upperBound ?? text.startIndex)...].split { " ;\n".contains($0) })
            for flag in ["icanon", "echo", "isig", "icrnl", "opost"] where !words.contains(Substring(flag)) {
                faults.append("the terminal is left without \(flag)")
            }
            let modes = console.pty.screen.modes
            if modes != [25] { faults.append("modes are left: \(modes)") }
            if !console.pty.screen.unknown.isEmpty { faults.append("unknown: \(console.pty.screen.unknown)") }
        }
        return faults
    }

    // MARK: What is stored

    private static let titles = [
        "Resize": "Resize", "Grayscale": "Grayscale", "ConvertImage": "Convert image", "Shell": "Shell", "Text": "Text",
        "ReadFile": "Read file", "WriteFile": "Write file", "SaveFile": "Save file",
    ]

    func stored() throws -> StoredOrder {
        try lab.archived { archive in
            var stored = StoredOrder()
            let summaries = try archive.summaries(limit: 500)
            let ids = Set(summaries.map(\.record.id))
            let strangers = try consoles.map { Set(try archive.owned(byOthersThan: $0.owner, of: ids)) }
            for summary in summaries {
                let id = summary.record.id
                guard let mark = summary.record.title.firstMatch(of: /k\d{3}/) else { continue }
                let kinds = try archive.steps(of: id).map(\.kind)
                var flow = StoredOrder.Flow(
                    id: id, title: summary.record.title, mark: String(mark.0), outcome: summary.record.outcome, ends: 0,
                    rows: [], files: [], carrier: strangers.firstIndex { !$0.contains(id) })
                for event in try archive.events(of: id) {
                    switch event.type {
                    case "step.changed":
                        guard let step = event.step, kinds.indices.contains(step - 1),
                            ["succeeded", "failed", "cancelled"].contains(event.body["state"]?.string),
                            let title = Self.titles[kinds[step - 1]],
                            title != "Save file" || event.body["state"] != "succeeded"
                        else { break }
                        flow.rows.append(.step(title))
                    case "await.opened": flow.rows.append(.asked(Int64(event.body["number"]?.int ?? 0)))
                    case "workflow.finished" where event.body["outcome"] != "waiting":
                        flow.ends += 1
                        flow.rows.append(.end)
                        flow.files = (event.body["outputs"]?.array ?? []).compactMap { $0["path"]?.string }.filter {
                            $0.hasPrefix(lab.folder)
                        }.map { String($0.split(separator: "/").last ?? "") }
                    default: break
                    }
                }
                stored.flows.append(flow)
            }
            stored.asked = try archive.awaits(includingDone: true).map {
                StoredOrder.Asked(
                    number: $0.number, flow: $0.step.workflow, isOpen: $0.status != .done, isAboutCall: $0.isAboutCall)
            }
            for session in try archive.sessions() {
                for record in try archive.messages(of: session.id) where record.message.role == .user {
                    stored.said.insert(record.message.text.withoutAside)
                }
            }
            return stored
        }
    }
}
