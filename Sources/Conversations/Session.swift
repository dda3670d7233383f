import Synchronization
package import Vocabulary

extension Limits {
    /// The most lines of the user that wait for their turn. A further line is refused.
    fileprivate static let queuedLines = 32
}

/// A conversation, which runs its turns one after the other. In this module only it waits, and only for its next input.
/// Replies and calls run as tasks whose results come back as inputs, so that an interrupt is always noticed.
package actor Session {
    package let id: SessionID
    private let catalogue: Catalogue
    private let prompt: PlannerPrompt
    private var world: World
    private var history: [ChatMessage]
    /// How many turns there were so far. The first one has the number 1.
    private var turns: Int
    private var queue: [String]
    private var worker: Task<Void, Never>?
    private var feed: AsyncStream<Turn.Input>.Continuation?
    private var lastEnding: Turn.Ending?
    private var hasSieved = false
    /// The lines that were sent into the running turn and are no messages yet.
    private var interjected: [String] = []
    private var leavers: [CheckedContinuation<Bool, Never>] = []
    private var goingOn: [WorkflowID] = []
    /// The callers of `interrupt` that wait for the end of the turn.
    private var interrupters: [CheckedContinuation<Void, Never>] = []
    /// The shortening of the conversation for its model, and the last count of tokens.
    private var compaction: Compaction
    private var meter = ContextMeter()
    /// The situation that the model got last.
    private var told: Situation?
    /// Whether the last turn waits for a person's answer.
    private var isWaiting: Bool
    /// Whether the turn that waits is to be resumed.
    private var goesOn: Bool

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - history: the messages of a session that is resumed.
    ///   - turns: how many turns it has had.
    ///   - queue: lines that a crash left waiting. They run once `say` or `finished` is called.
    ///   - goesOn: whether its last turn waits for a person and is to be resumed, with the first of those lines.
    ///   - compaction: the shortening of the messages for the model.
    package init(
        id: SessionID, world: World, catalogue: Catalogue, prompt: PlannerPrompt, history: [ChatMessage] = [],
        turns: Int = 0,
        queue: [String] = [], goesOn: Bool = false, compaction: Compaction = Compaction()
    ) {
        self.id = id
        self.world = world
        self.catalogue = catalogue
        self.prompt = prompt
        self.history = history
        self.turns = turns
        self.queue = queue
        isWaiting = goesOn
        self.goesOn = goesOn
        self.compaction = compaction
    }

    /// Accepts a line, with its keys cut out. It runs at once, or waits for the turns before it. Lines run in the order
    /// of the calls, of which only one may run at a time.
    ///
    /// - Parameter intoTurn: whether the line is sent into the running turn, behind the results of the current reply. If
    ///   no turn runs, or if it ends first, the line begins the next turn.
    /// - Throws: `lineTooLong`, `queueFull`, or the failure to store it. Then the line is not accepted.
    package func say(_ written: String, intoTurn: Bool = false) async throws(Failure) {
        let line = written.utf8.count <= Limits.lineBytes ? world.keys().cut(written) : written
        if line != written {
            await world.hint(.notice("A key was cut out of this line: keys are neither stored nor told to a model."))
        }
        guard line.utf8.count <= Limits.lineBytes else {
            throw Failure(
                .lineTooLong, "This line has \(line.utf8.count) bytes; at most \(Limits.lineBytes) are taken.")
        }
        let waiting = queue.count + interjected.count
        guard waiting < Limits.queuedLines else {
            throw Failure(
                .queueFull, "\(waiting) lines are waiting already.")
        }
        try await world.keep(line)
        if intoTurn, let feed {
            interjected.append(line)
            feed.yield(.interjected(line))
            return await world.hint(
                .notice("This goes into the turn, behind the results of the model's current reply."))
        }
        queue.append(line)
        if worker == nil { work() } else { await world.hint(.queued(queue)) }
    }

    /// Ends the running turn, and returns once it has ended. Waiting lines stay, and workflows that the turn started
    /// continue.
    ///
    /// - Parameter goingOn: these workflows, which the model hears of if a call was open.
    package func interrupt(goingOn: [WorkflowID] = []) async {
        guard let feed else { return }
        self.goingOn = goingOn
        await withCheckedContinuation { ending in
            interrupters.append(ending)
            feed.yield(.interrupted(goingOn: goingOn))
        }
    }

    /// Empties the queue of waiting lines, and returns them, such as for the editor after an interrupt.
    package func takeQueue() async -> [String] {
        let lines = interjected + queue
        guard !lines.isEmpty else { return [] }
        (interjected, queue) = ([], [])
        // If they cannot be deleted, they run at the next start, where the user sees them.
        try? await world.forget(nil)
        await world.hint(.queued([]))
        return lines
    }

    /// Removes the newest of the lines that wait for their turn, for the user who goes on with it.
    ///
    /// - Returns: nil if none waits.
    /// - Throws: the failure to delete it from the store. Then it still waits.
    package func takeBack() async throws(Failure) -> String? {
        guard let line = queue.popLast() else { return nil }
        do throws(Failure) { try await world.forget(line) } catch {
            queue.append(line)
            throw error
        }
        await world.hint(.queued(queue))
        return line
    }

    /// Stores what a model has said so far, if its reply is under way, and ends the turn then. Another turn is left as
    /// it is.
    ///
    /// - Returns: whether a reply was cut.
    package func cutReply() async -> Bool {
        guard let feed else { return false }
        return await withCheckedContinuation { cut in
            leavers.append(cut)
            feed.yield(.left)
        }
    }

    /// Waits until no turn runs and no line waits.
    ///
    /// - Returns: the end of the last turn, or nil if there was none.
    package func finished() async -> Turn.Ending? {
        if worker == nil, goesOn || !queue.isEmpty { work() }
        while let worker { await worker.value }
        return lastEnding
    }

    /// Resumes the turn that waits for a person.
    ///
    /// - Returns: false if no turn waits, or if one is running.
    package func goOn() -> Bool {
        guard isWaiting, worker == nil else { return false }
        goesOn = true
        work()
        return true
    }

    /// Uses another model from the next request on.
    package func connect(_ model: @escaping ChatModel) { world.model = model }

    package var isBusy: Bool { worker != nil }

    // MARK: Context

    /// Returns what fills the window of the model, or nil for a model without a window.
    package func context() async -> ContextReport? {
        guard let (plan, system) = await plan() else { return nil }
        return ContextReport(
            plan, Transcript.mended(history), system: system, tools: PlannerTools.all(catalogue))
    }

    /// Shortens the conversation for its model now.
    ///
    /// - Returns: what fills the window afterwards, or nil if nothing could be shortened.
    /// - Throws: `turnUnderWay`.
    package func compact() async throws(Failure) -> ContextReport? {
        guard worker == nil else { throw Failure(.turnUnderWay, "A turn is under way here.") }
        guard let (now, system) = await plan() else { return nil }
        var plan = now
        let messages = Transcript.mended(history)
        guard plan.compact(messages, isAsked: true) else { return nil }
        compaction = plan.compaction
        await world.context.store(compaction)
        return ContextReport(plan, messages, system: system, tools: PlannerTools.all(catalogue))
    }

    /// Returns the plan for the window with the instructions, or nil for a model without a window.
    private func plan() async -> (ContextPlan, system: String)? {
        guard let room = await world.context.room() else { return nil }
        let system = prompt.rendered(catalogue: catalogue, listing: await world.context.situation().listing)
        var plan = ContextPlan(room: room, compaction: compaction, meter: meter)
        plan.fixedBytes = ContextPlan.fixedBytes(system: system, tools: PlannerTools.all(catalogue))
        return (plan, system)
    }

    // MARK: Turns

    private func work() {
        worker = Task {
            while goesOn || !queue.isEmpty {
                goesOn = false
                await run(queue.isEmpty ? nil : queue.removeFirst())
            }
            worker = nil
        }
    }

    /// Runs one turn, or resumes the one that waits.
    ///
    /// - Parameter line: the line that begins the turn, or nil if the waiting turn only continues.
    private func run(_ line: String?) async {
        // Opened before the first wait, since an interrupt may come while the folder is listed.
        let (inputs, feed) = AsyncStream.makeStream(of: Turn.Input.self)
        self.feed = feed
        if line != nil { turns += 1 }
        let resumes = isWaiting
        isWaiting = false
        await world.hint(.queued(queue))
        let filter = world.keys()
        var sieve = Sieve(filter, catalogue)
        if !hasSieved {
            // The messages of earlier turns.
            history = history.map(sieve.cut)
            hasSieved = true
        }
        let situation = await world.context.situation()
        let system = filter.cut(prompt.rendered(catalogue: catalogue, listing: situation.listing))
        await settle(keepingLast: resumes, in: line == nil ? turns : turns - 1)
        var aside: ChatMessage.Aside?
        var attached = AttachedFiles()
        if let line {
            attached = await world.context.attachments(to: line, in: turns)
            attached.text = filter.cut(attached.text)
            attached.pictures = attached.pictures.map { $0.named(filter.cut($0.name)) }
            aside = await self.aside(attaching: attached.text, situation, filter, resumes: resumes)
        }
        var turn = Turn(
            system: system, tools: PlannerTools.all(catalogue), history: history, aside: aside,
            pictures: attached.pictures, resumes: resumes,
            plan: await world.context.room().map { ContextPlan(room: $0, compaction: compaction, meter: meter) })
        var tasks: [Task<Void, Never>] = []
        defer {
            for task in tasks { task.cancel() }
            self.feed = nil
            // The turn has ended before these lines, so each of them begins a turn.
            queue = interjected + queue
            interjected = []
            for interrupter in interrupters { interrupter.resume() }
            interrupters = []
            resumeLeavers(isCut: lastEnding == .interrupted)
        }
        guard let first: Turn.Input = resumes ? .resumed(line) : line.map({ .said($0) }) else { return }
        for clean in sieve.pass(first) where await carryOut(turn.receive(clean), of: &turn, tasks: &tasks) { return }
        for await input in inputs {
            for clean in sieve.pass(input) where await carryOut(turn.receive(clean), of: &turn, tasks: &tasks) {
                return
            }
            if case .left = input { resumeLeavers(isCut: false) }
        }
    }

    private func resumeLeavers(isCut: Bool) {
        for leaver in leavers { leaver.resume(returning: isCut) }
        leavers = []
    }

    /// Returns the words for around a line of the user: the news, what has changed in the situation, and the attached
    /// files. Nil if there is none of them.
    private func aside(
        attaching attached: String, _ situation: Situation, _ filter: KeyFilter, resumes: Bool
    ) async -> ChatMessage.Aside? {
        let last = Transcript.wholeAside(in: history)
        let news = filter.cut(await world.context.news(besides: resumes ? Transcript.open(in: history) : []) ?? "")
        var aside = prompt.aside(situation, since: last == nil ? nil : told)
            .map { ChatMessage.Aside(words: filter.cut($0.words), whole: filter.cut($0.whole)) }
        if aside?.whole == last { aside = nil }
        told = situation
        if news.isEmpty, attached.isEmpty { return aside }
        var full = aside ?? ChatMessage.Aside(words: "", whole: last ?? "")
        (full.news, full.attached) = (news, attached)
        return full
    }

    /// Answers each call that was left open, and stores the answers behind the last message. From then on they stay as
    /// they are, whatever becomes of the workflows.
    ///
    /// - Parameter keepingLast: whether the calls of the last message stay open, since their turn goes on.
    private func settle(keepingLast: Bool, in turn: Int) async {
        let end = keepingLast ? history.lastIndex { $0.role != .tool } ?? history.endIndex : history.endIndex
        let answered = await world.answered(Array(history[..<end]))
        let known = Set(history[..<end].compactMap(\.callID))
        // Answers in the middle were left out by an earlier version. Their place in the store is taken.
        for message in answered.suffix(while: { $0.role == .tool }) where !known.contains(message.callID ?? "") {
            do throws(Failure) { try await world.store(message, turn) } catch {
                // The next turn answers the call again.
            }
        }
        history = answered + history[end...]
    }

    /// Carries out the effects of a turn.
    ///
    /// - Returns: whether the turn has ended.
    private func carryOut(_ effects: [Turn.Effect], of turn: inout Turn, tasks: inout [Task<Void, Never>]) async -> Bool
    {
        for effect in effects {
            switch effect {
            case .ask(let request, let number): tasks.append(ask(request, number: number))
            case .perform(let call): tasks.append(perform(call))
            case .askToGoOn(let calls):
                let (mayGoOn, feed) = (world.mayGoOn, feed)
                tasks.append(Task { feed?.yield(.goOn(await mayGoOn(calls))) })
            case .takeUp(let call, let asks): tasks.append(takeUp(call, asks: asks))
            case .compacted(let compaction):
                self.compaction = compaction
                await world.context.store(compaction)
            case .counted(let meter): self.meter = meter
            case .show(let kind): await world.emit(Event(at: world.now(), session: id, turn: turns, kind))
            case .hint(let hint): await world.hint(hint)
            case .store(let message):
                do throws(Failure) {
                    try await world.store(message, turns)
                    history.append(message)
                    if message.isInterjected, !interjected.isEmpty { interjected.removeFirst() }
                } catch {
                    return await carryOut(turn.receive(.storageFailed(error)), of: &turn, tasks: &tasks)
                }
            case .ended(let ending):
                lastEnding = ending
                if !interrupters.isEmpty { await world.hint(.stopped(goingOn: goingOn)) }
                isWaiting = ending == .waiting
                return true
            }
        }
        return false
    }

    private func ask(_ request: ChatRequest, number: Int) -> Task<Void, Never> {
        let (model, admit, hint, feed) = (world.model, world.admit, world.hint, feed)
        return Task {
            do {
                try await admit()
                await hint(.waiting)
                let hasFinished = Atomic(false)
                try await model(request) { part in
                    feed?.yield(.part(part, of: number))
                    if case .finished = part { hasFinished.store(true, ordering: .relaxed) }
                }
                if hasFinished.load(ordering: .relaxed) { return }
                let cut = Failure(
                    .truncated, "The reply ended before it was complete.", remedy: "Nothing of it was run. Ask again.",
                    isTransient: true)
                feed?.yield(.modelFailed(cut, of: number))
            } catch let failure as Failure {
                feed?.yield(.modelFailed(failure, of: number))
            } catch {
                feed?.yield(.modelFailed(Failure(.modelFailed, "The model did not answer.", cause: error), of: number))
            }
        }
    }

    private func takeUp(_ call: ChatCall, asks: Bool) -> Task<Void, Never> {
        let (takeUp, turn, feed) = (world.takeUp, turns, feed)
        return Task { feed?.yield(.callFinished(id: call.id, await takeUp(call, turn, asks))) }
    }

    private func perform(_ call: ChatCall) -> Task<Void, Never> {
        let (perform, turn, keys, catalogue, feed) = (world.perform, turns, world.keys, catalogue, feed)
        return Task {
            let result: CallResult
            do throws(Failure) {
                let filter = keys()
                if Sieve.isRefused(call.arguments, filter) { throw Sieve.refusal }
                switch try PlannerTools.read(call, catalogue: catalogue) {
                // The workflow came as a text.
                case .workflow(let json, _) where Sieve.isRefused(json, filter): throw Sieve.refusal
                case let request: result = await perform(request, turn)
                }
            } catch {
                result = .faulty(error)
            }
            feed?.yield(.callFinished(id: call.id, result))
        }
    }
}

extension [ChatMessage] {
    /// Returns the messages at the end for which a condition holds.
    fileprivate func suffix(while holds: (ChatMessage) -> Bool) -> ArraySlice<ChatMessage> {
        self[(lastIndex { !holds($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}
