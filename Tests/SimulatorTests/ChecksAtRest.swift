import CaseNames
import JSON
import Storage
import Vocabulary

/// What must hold when nothing moves, and at the end.
extension Checks {
    func atRest() {
        checkDurable()
        checkSlots()
        // Those of all workflows, also of those that nobody has written to for long.
        for workflow in simulation.plans.keys.sorted() { checkAwaits(of: workflow) }
    }

    /// No step that waits for a slot beside a free one. It is looked at while nothing happens for a second: by then
    /// somebody has heard of everything.
    private func checkSlots() {
        struct Ready {
            var step: StepID
            var kind: Plan.Kind
            var owner: String
            var isFetching: Bool
        }
        let now = simulation.clock.elapsed
        let storm = simulation.storm!
        let offline = storm.isOffline || simulation.clock.elapsed < storm.offlineIsForgottenAt ? "offline" : ""
        let ready = reader.rows(
            """
            SELECT workflow, step, owner, state = 'downloading' FROM steps JOIN workflows ON workflows.id = workflow WHERE outcome IS NULL
            AND id NOT IN (SELECT workflow FROM quarantine) AND cancel_requested = 0 AND (due_at IS NULL OR json_extract(due_by, '$.at') < ?) AND coalesce(reason_code, '') <> '\(offline)'
            AND (state = 'ready' OR (state = 'queuedRemote' AND due_at IS NOT NULL)
            OR (state = 'downloading' AND reason_code = 'waitingForSlot'))
            """, now - 1000
        ) { row in
            let step = StepID(WorkflowID(Int64(row.int(0))), row.int(1))
            return Ready(step: step, kind: simulation.node(step).kind, owner: row.text(2), isFetching: row.int(3) == 1)
        }
        guard !ready.isEmpty else { return }
        // Whoever could take over what a dead engine has left: it looks more than once a second.
        let isTended = simulation.engines.contains { !$0.isDead && !$0.isPaused && $0.hasBegun && !$0.hasPlans }
        for one in ready where !isHalted(one.step.workflow) {
            guard let engine = simulation.engines.first(where: { $0.owner == one.owner }), !engine.isDead else {
                if isTended { fail("\(one.step) is ready, and \(one.owner), which carries it, is dead") }
                continue
            }
            guard !engine.isPaused, engine.looks == 0, !engine.hasPlans else { continue }
            // It knows no more what slots that would be; it finds out when it looks at the call.
            guard engine.hasTool(of: one.step) else { continue }
            guard let room = room(for: one.kind, in: one.step.workflow, of: engine, isFetching: one.isFetching) else {
                continue
            }
            fail("\(one.step) is ready and stands beside \(room)")
        }
    }

    var hasQuarantined: Bool { reader.count("SELECT count(*) FROM quarantine") > 0 }

    private func isHalted(_ workflow: WorkflowID) -> Bool {
        simulation.plans[workflow]!.isFailFast
            && reader.count(
                """
                SELECT count(*) FROM steps WHERE workflow = ? AND (state = 'failed' OR state = 'cancelled')
                AND coalesce(reason_code, '') NOT IN ('setAside', 'removed')
                """, Int(workflow.number)) > 0
    }

    private func room(for kind: Plan.Kind, in workflow: WorkflowID, of engine: SimulatedEngine, isFetching: Bool)
        -> String?
    {
        let sharing = simulation.scenario.sharesSlots ? simulation.engines.filter { !$0.isDead } : [engine]
        // What one holds that stands still, or looks at a call, no row tells; its locks do.
        let isTold = sharing.allSatisfy { !$0.isPaused && $0.looks == 0 }
        let running = self.holding
        let holding = (isTold ? sharing : [engine]).flatMap { one in
            // It was stopped, another went on, and it has not learned so yet: what it started there still runs, and
            // holds its slot.
            running.filter { $0.owner == one.owner }.map(\.step) + one.heldElsewhere { owner(of: $0) != one.owner }
        }
        let plan = simulation.plans[workflow]!
        func isFree(_ place: SlotPlace, _ cap: Int, _ isOne: (Plan.Kind) -> Bool) -> Bool {
            holding.count { isOne(simulation.node($0).kind) } < cap && (isTold || slots?.isFree(place, of: cap) ?? true)
        }
        func hasTurn(_ cap: Int, _ isOne: (Plan.Kind) -> Bool) -> Bool {
            running.count { $0.step.workflow == workflow && isOne(simulation.node($0.step).kind) } < cap
        }
        if kind.isLocal {
            guard isFree(.local, simulation.scenario.localSlots, \.isLocal), hasTurn(plan.local, \.isLocal) else {
                return nil
            }
            return "a free slot"
        }
        guard kind.isRemote else { return "no slot that it would need" }
        // Of transfers no row tells.
        guard
            slots?.isFree(.remote, of: simulation.scenario.remoteSlots)
                ?? (engine.transfersHeld < simulation.scenario.remoteSlots)
        else { return nil }
        // What it took over while its provider had no slot counts with it alone, until it gets both.
        guard engine.isBeyondSlots.isEmpty || engine.transfersHeld < simulation.scenario.remoteSlots else { return nil }
        if isFetching { return "a free slot" }
        guard hasTurn(plan.remote, \.isRemote) else { return nil }
        guard let provider = kind.provider else { return "a free slot" }
        let terms = simulation.scenario.providers[provider].terms
        guard isFree(.provider(terms.provider), terms.concurrent, { $0.provider == provider }) else { return nil }
        return "a free slot at \(terms.provider)"
    }

    var whatIsLeft: String {
        let steps = reader.rows(
            """
            SELECT workflow || '.' || step || ' ' || state || ' ' || coalesce(reason_code, '') FROM steps JOIN workflows ON id = workflow
            WHERE outcome IS NULL AND state NOT IN ('succeeded', 'failed', 'cancelled')
            """
        ) { $0.text(0) }
        let commands = reader.rows("SELECT workflow || ' ' || verb FROM commands WHERE taken_at IS NULL") { $0.text(0) }
        return "steps \(steps), commands \(commands)"
    }

    // MARK: Ends

    struct End {
        var state: StepState
        var reason: String?
        var isStale: Bool
        var code: String?
        var content: ContentHash?
    }

    func rows(of workflow: WorkflowID) -> [End] {
        reader.rows(
            """
            SELECT state, reason_code, stale_since IS NOT NULL, failure, (SELECT sha256 FROM assets WHERE assets.workflow = steps.workflow
            AND assets.step = steps.step ORDER BY assets.attempt DESC LIMIT 1) FROM steps WHERE workflow = ? ORDER BY step
            """, Int(workflow.number)
        ) { row in
            End(
                state: StepState(rawValue: row.text(0))!, reason: row.optionalText(1), isStale: row.int(2) == 1,
                code: row.optionalText(3).flatMap { try? JSONReader.read($0) }?["code"]?.string,
                content: row.optionalText(4).map { ContentHash(hex: $0) })
        }
    }

    private func outcome(of workflow: WorkflowID) -> String? {
        reader.rows("SELECT outcome FROM workflows WHERE id = ?", Int(workflow.number)) { $0.text(0) }.first
    }

    /// What inputs are pinned to, by step and port: as persons said it.
    private func pins(of workflow: WorkflowID) -> [String: ContentHash] {
        var pins: [String: ContentHash] = [:]
        for (step, ports) in simulation.wishes.pins where step.workflow == workflow {
            for (port, attempt) in ports {
                guard let producer = simulation.node(step).inputs.first(where: { $0.port == port })?.producer else {
                    continue
                }
                let hash = reader.rows(
                    "SELECT sha256 FROM assets WHERE workflow = ? AND step = ? AND attempt = ? AND port = 'out'",
                    Int(workflow.number),
                    producer + 1, attempt
                ) { ContentHash(hex: $0.text(0)) }
                pins["\(step.index - 1) \(port)"] = hash.first
            }
        }
        return pins
    }

    /// From what persons gave and did, never from what the rows say of it.
    private func interpreter(_ workflow: WorkflowID) -> ReferenceInterpreter {
        let plan = simulation.plans[workflow]!
        var given: [Int: ContentHash] = [:]
        var values: [Int: Int] = [:]
        var mishaps: [Int: ReferenceInterpreter.Mishap] = [:]
        for index in plan.nodes.indices {
            let step = StepID(workflow, index + 1)
            given[index] = simulation.wishes.contents[step]
            values[index] = simulation.wishes.values[step]
            mishaps[index] = simulation.mishaps(of: step)
        }
        return ReferenceInterpreter(
            plan: plan, scenario: simulation.scenario, mishaps: mishaps,
            given: given, values: values,
            pins: pins(of: workflow))
    }

    /// Final states equal the interpreter's, and the whole says what its parts say.
    func ends() {
        for workflow in simulation.plans.keys.sorted() where violation == nil {
            let rows = rows(of: workflow)
            var interpreter = interpreter(workflow)
            if !simulation.wishes.isTouched.contains(workflow) {
                for (index, row) in rows.enumerated() {
                    check(row, "\(workflow).\(index + 1)", interpreter.end(of: index))
                }
                orderChecks.ended(workflow, rows)
            }
            let expected = Self.outcome(of: rows)
            // The end that it had stays until somebody takes it up again, whatever becomes of its graph.
            if !simulation.scenario.weather.wishes.contains(.revise), outcome(of: workflow) != expected {
                fail("\(workflow) \(outcome(of: workflow) ?? "goes on"); its steps say \(expected)")
            }
        }
        checkProvenance()
        checkEffects()
        let altered = try? simulation.archive.alteredRows()
        if altered?.isEmpty != true { fail("rows are not those that sums were stored of: \(altered as Any)") }
    }

    private func check(_ row: End, _ step: String, _ end: ReferenceInterpreter.End) {
        if !end.states.contains(row.state) {
            fail(
                "\(step) is \(row.state) (\(row.code ?? row.reason ?? "")); it should be \(end.states.map(\.rawValue).sorted())"
            )
        } else if row.state == .failed, !end.codes.contains(row.code ?? "") {
            fail("\(step) failed with \(row.code ?? "no word"); it should be one of \(end.codes.sorted())")
        } else if row.state == .succeeded, row.reason != "skipped", row.reason != "notAsked", let content = end.content,
            content != row.content
        {
            fail("\(step) gave \(Self.brief(row.content)); it should be \(Self.brief(content))")
        }
    }

    private static func brief(_ content: ContentHash?) -> Substring { content?.hex.prefix(8) ?? "nothing" }

    private static func outcome(of rows: [End]) -> String {
        if rows.contains(where: { $0.state == .failed }) { return "failed" }
        if rows.contains(where: { $0.state == .cancelled && $0.reason != "removed" }) { return "cancelled" }
        let isWhole = rows.allSatisfy {
            $0.state == .succeeded || $0.isStale || $0.reason == "removed" || $0.reason == "upstreamSkipped"
        }
        return isWhole ? "succeeded" : "failed"
    }

    /// Every asset's chain of runs ends at runs without inputs.
    private func checkProvenance() {
        var inputs: [String: [String]] = [:]
        for (run, text) in reader.rows(
            "SELECT workflow || '.' || step || '.' || attempt, inputs FROM runs", map: { ($0.text(0), $0.text(1)) })
        {
            let workflow = run.split(separator: ".")[0]
            let assets = (try? JSONReader.read(text))?.object?.members.compactMap(\.value.string) ?? []
            inputs[run] = assets.map { "\(workflow).\($0)" }
        }
        let assets = Set(
            reader.rows("SELECT workflow || '.' || step || '.' || attempt || '.' || port FROM assets") { $0.text(0) })
        var closed: Set<String> = []
        func closes(_ run: String, _ depth: Int) -> Bool {
            if closed.contains(run) { return true }
            guard depth < 200, let consumed = inputs[run] else { return false }
            let isClosed = consumed.allSatisfy { asset in
                assets.contains(asset)
                    && closes(asset.split(separator: ".").prefix(3).joined(separator: "."), depth + 1)
            }
            if isClosed { closed.insert(run) }
            return isClosed
        }
        for asset in assets.sorted() where !closes(asset.split(separator: ".").prefix(3).joined(separator: "."), 0) {
            fail("the provenance of \(asset) does not close")
        }
    }

    // MARK: Healing

    /// Only where no tool is missing and nothing was skipped can all come to one end.
    var canBeHealed: Bool {
        simulation.plans.allSatisfy { workflow, plan in
            !plan.nodes.contains { node in
                let isRefused = plan.asks(node.kind) && (plan.onAsk == .deny || plan.onAsk == .fail)
                return
                    (node.kind == .ghost || simulation.scenario.isDenied(node.kind) || isRefused
                    || node.mayBePassedOver)
                    && !node.isRemoved
            }
                && !rows(of: workflow).contains { ["skipped", "notAsked", "upstreamSkipped"].contains($0.reason) }
        }
    }

    var unwell: [WorkflowID] {
        simulation.plans.keys.sorted().filter { workflow in
            (outcome(of: workflow) != "succeeded" && !simulation.scenario.weather.wishes.contains(.revise))
                || rows(of: workflow).contains { $0.state != .succeeded && $0.reason != "removed" }
        }
    }

    /// Failed steps that cannot be retried as they were: their tool is another one now, or what they consumed was gone.
    func stepsOfOtherTools(_ workflow: WorkflowID) -> [Int] {
        let rows = rows(of: workflow)
        return rows.indices.filter {
            ["toolChanged", "pinnedInputMissing"].contains(rows[$0].code) && rows[$0].state == .failed
        }.map {
            $0 + 1
        }
    }

    var isAllWell: Bool { unwell.isEmpty }

    /// Whatever was done to it: it is what its newest graph makes of its imports.
    func healed() {
        guard isAllWell else {
            let states = unwell.map { rows(of: $0).map { "\($0.state) \($0.reason ?? "")" } }
            return fail("retries and re-runs do not lead to the end: \(unwell) \(states)")
        }
        for workflow in simulation.plans.keys.sorted() {
            let rows = rows(of: workflow)
            var interpreter = interpreter(workflow)
            for (index, row) in rows.enumerated() where row.reason != "removed" {
                let content = interpreter.content(of: index)
                if content != row.content {
                    fail(
                        "healed, \(workflow).\(index + 1) gave \(Self.brief(row.content)); it should be \(Self.brief(content))"
                    )
                }
            }
        }
        checkProvenance()
    }
}
