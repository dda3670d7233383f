package import Vocabulary

extension Limits {
    /// The calls of a model in one turn after which the user is asked whether it goes on. A yes allows as many
    /// again.
    package static let callsPerTurn = 200
}

/// The state of an exchange: a line of the user, the model's replies and its calls, until nothing is left to do.
///
/// It is pure: it returns effects, and receives their results as inputs. `Session` does the waiting. A part names the
/// request that it answers, so that late parts of an abandoned stream are dropped.
package struct Turn: Sendable {
    /// The inputs of a turn, a closed list.
    package enum Input: Sendable {
        case said(String)
        /// A turn that waited for a person continues. Its calls are open in the history. A line, if there is one,
        /// follows once they are settled.
        case resumed(String?)
        case part(ReplyPart, of: Int)
        /// The stream threw, or ended without `finished`.
        case modelFailed(Failure, of: Int)
        case callFinished(id: String, CallResult)
        /// The answer to `askToGoOn`.
        case goOn(Bool)
        /// A line of the user for the running turn. It follows the results of the current reply.
        case interjected(String)
        /// Ends the turn, not the program: Ctrl-C. The workflows that were started and go on are named to the model.
        case interrupted(goingOn: [WorkflowID])
        /// The user leaves. A reply that is under way is kept as far as it has come, and other work is left as it is.
        case left
        /// A message could not be stored. Nothing may run that the history would not contain.
        case storageFailed(Failure)
    }

    private enum State {
        case new
        case asking(number: Int, partial: String)
        /// Calls are made one after the other. The first of `open` is running.
        case calling(open: [ChatCall])
        /// The user is asked whether the turn goes on. None of `open` is running.
        case pausing(open: [ChatCall])
        case ended
    }

    private var state = State.new
    private var messages: [ChatMessage]
    private let system: String
    private let tools: [ChatTool]
    private let aside: ChatMessage.Aside?
    private let pictures: [ChatPicture]
    /// Nil if the window of the model does not count.
    private var plan: ContextPlan?
    /// The bytes of the request that is answered now.
    private var requestBytes = 0
    private var requests = 0
    private var callsMade = 0
    private var callsAllowed = Limits.callsPerTurn
    private var faults = FaultCount()
    private var foreseen = ForeseenAnswer()
    private var repeated = RepeatedCalls()
    private var declined: String?
    private var declinedCalls = DeclinedCalls()
    private var hasToldLeftOut = false
    /// Whether the remark about a call as text was made in this turn.
    private var hasRemarkedTextCall = false
    /// The user's line that follows once the open calls of a resumed turn are settled.
    private var nextLine: String?
    /// The user's lines that follow the results of the current reply, or the answer without calls.
    private var interjections: [String] = []

    /// Creates a turn.
    ///
    /// - Parameters:
    ///   - history: earlier messages without the system message. Calls that a crash left unanswered are answered here.
    ///   - aside: the text below the user's line in requests.
    ///   - pictures: the pictures that the line attaches.
    ///   - resumes: whether the last turn of the history continues, so that its calls stay open.
    ///   - plan: the plan for the window of the model, or nil for a model without one.
    package init(
        system: String, tools: [ChatTool], history: [ChatMessage] = [], aside: ChatMessage.Aside? = nil,
        pictures: [ChatPicture] = [],
        resumes: Bool = false, plan: ContextPlan? = nil
    ) {
        self.system = system
        self.tools = tools
        (self.aside, self.pictures) = (aside, pictures)
        self.plan = plan
        self.plan?.fixedBytes = ContextPlan.fixedBytes(system: system, tools: tools)
        messages = Transcript.mended(history, keepsOpen: resumes)
    }

    package mutating func receive(_ input: Input) -> [Effect] {
        if case .left = input { leave() } else { respond(to: input) }
    }

    private mutating func respond(to input: Input) -> [Effect] {
        switch (state, input) {
        case (.new, .said(let line)): said(line)
        case (.new, .resumed(let line)): resume(line)
        case (.asking(let number, let partial), .part(let part, let of)) where of == number:
            receive(part, after: partial)
        case (.asking(let number, let partial), .modelFailed(let failure, let of)) where of == number:
            cut(partial, failure)
        case (.calling(let open), .callFinished(let id, let result)) where open.first?.id == id: finished(open, result)
        case (.asking(_, let partial), .interrupted): keep(partial) + end(.interrupted)
        case (.pausing(let open), .goOn(let goesOn)): goesOn ? goOn(open) : stop(open)
        case (.calling(let open), .interrupted(let goingOn)), (.pausing(let open), .interrupted(let goingOn)):
            abandon(open, because: Self.interruption(goingOn)) + (nextLine.map { add(ChatMessage(.user, $0)) } ?? [])
                + end(.interrupted)
        case (.new, .interrupted): end(.interrupted)
        case (.new, .interjected(let line)), (.asking, .interjected(let line)), (.calling, .interjected(let line)),
            (.pausing, .interjected(let line)):
            hold(line)
        case (.new, .storageFailed(let failure)), (.asking, .storageFailed(let failure)),
            (.calling, .storageFailed(let failure)), (.pausing, .storageFailed(let failure)):
            fail(failure)
        // Late input of an abandoned request. It is harmless, and common.
        case (.new, _), (.asking, _), (.calling, _), (.pausing, _), (.ended, _): []
        }
    }

    private static func interruption(_ goingOn: [WorkflowID]) -> String {
        guard let last = goingOn.last else { return "The person stopped the turn. What was started before goes on." }
        let others = goingOn.dropLast().map(\.description).joined(separator: ", ")
        return "The person stopped the turn; \(others.isEmpty ? "\(last) goes" : "\(others) and \(last) go") on."
    }

    private mutating func hold(_ line: String) -> [Effect] {
        interjections.append(line)
        return []
    }

    /// Adds the lines that came into the turn as messages of the user.
    private mutating func interject() -> [Effect] {
        defer { interjections = [] }
        return interjections.flatMap { line in
            var message = ChatMessage(.user, line)
            message.isInterjected = true
            return add(message)
        }
    }

    private mutating func said(_ line: String) -> [Effect] {
        var message = ChatMessage(.user, line, aside: aside)
        message.pictures = pictures
        return add(message) + ask()
    }

    private mutating func resume(_ line: String?) -> [Effect] {
        let open = Transcript.open(in: messages)
        guard let first = open.first else { return line.map { said($0) } ?? end(.completed) }
        nextLine = line
        let calls = Transcript.newestCalls(of: messages)
        faults.begin(calls)
        foreseen.resume(calls, open: open)
        state = .calling(open: open)
        return [.takeUp(first, asks: line == nil)]
    }

    private mutating func ask() -> [Effect] {
        requests += 1
        state = .asking(number: requests, partial: "")
        guard plan == nil else { return askWithinWindow() }
        let newest = Transcript.newest(messages)
        let dropped = messages.dropLast(newest.count)
        let sent = newest.withWholeAside(after: dropped)
        let request = ChatRequest(
            messages: [ChatMessage(.system, system)] + sent, tools: tools, leftOut: ChatRequest.LeftOut(dropped))
        return [.ask(request, number: requests)]
    }

    /// Asks with all messages, shortened only where the window of the model would be full.
    private mutating func askWithinWindow() -> [Effect] {
        guard var plan else { return [] }
        var effects: [Effect] = []
        if plan.compact(messages) {
            effects = [.compacted(plan.compaction), .hint(.notice(plan.notice))]
        }
        self.plan = plan
        let sent = plan.sent(messages)
        requestBytes = plan.bytes(of: sent)
        var request = ChatRequest(messages: [ChatMessage(.system, system)] + sent, tools: tools)
        request.fittedWindow = plan.meter.tokens(of: requestBytes) <= plan.room.tokens ? plan.room.window : nil
        return effects + [.ask(request, number: requests)]
    }

    private mutating func add(_ message: ChatMessage) -> [Effect] {
        messages.append(message)
        return [.store(message), .show(.messageCompleted(message))]
    }

    /// Ends a turn whose reply has begun to come, with as much of it as is there. Other turns are left as they are.
    private mutating func leave() -> [Effect] {
        guard case .asking(_, let partial) = state, !partial.isEmpty else { return [] }
        return keep(partial) + end(.interrupted)
    }

    private mutating func end(_ ending: Ending) -> [Effect] {
        state = .ended
        return [.ended(ending)]
    }

    /// Ends the turn with a failure, and answers the calls that are left.
    private mutating func fail(_ failure: Failure, abandoning calls: [ChatCall] = []) -> [Effect] {
        abandon(calls, because: failure.message) + [.show(.error(failure))] + end(.failed(failure))
    }

    // MARK: Replies

    private mutating func receive(_ part: ReplyPart, after partial: String) -> [Effect] {
        switch part {
        case .text(let text):
            guard !text.isEmpty else { return [] }
            state = .asking(number: requests, partial: partial + text)
            return [.show(.messageDelta(text))]
        case .reasoning(let text): return [.hint(.reasoning(text))]
        case .callStarted(let name): return [.hint(.callStarted(name: name))]
        case .notice(let words): return [.hint(.notice(words))]
        case .leftOut(let leftOut): return tell(leftOut)
        case .finished(let reply): return finished(reply, streamed: partial)
        }
    }

    /// Reports, once a turn, which parts of the conversation the model does not read. Each request of the turn leaves
    /// them out.
    private mutating func tell(_ leftOut: ChatRequest.LeftOut) -> [Effect] {
        guard !hasToldLeftOut, leftOut.messages > 0 else { return [] }
        hasToldLeftOut = true
        let turns = leftOut.turns == 1 ? "1 earlier turn" : "\(leftOut.turns) earlier turns"
        let messages = leftOut.messages == 1 ? "1 message" : "\(leftOut.messages) messages"
        let words =
            "The model does not read \(turns) (\(messages)): more does not fit into its window. Say again what matters."
        return [.hint(.notice(words))]
    }

    private mutating func finished(_ reply: Reply, streamed: String) -> [Effect] {
        var reply = reply
        if reply.text.isEmpty { reply.text = streamed }
        var usage = reply.usage.map { [Effect.show(.usage(model: reply.model, $0))] } ?? []
        if let tokens = reply.usage?.promptTokens, plan != nil {
            plan?.meter.count(tokens, bytes: requestBytes)
            usage += plan.map { [.counted($0.meter)] } ?? []
        }
        switch reply.verdict {
        case .complete: return usage + complete(reply)
        case .truncated(let reason):
            return usage + cut(reply.text, Self.failure(of: reason))
        case .failed(let failure): return usage + cut(reply.text, failure)
        }
    }

    /// Returns the failure of an incomplete reply. If a second try would end the same way, its remedy is not to ask
    /// again.
    private static func failure(of reason: Reason) -> Failure {
        reason.code == .modelLength
            ? Failure(
                reason.code, reason.words,
                remedy: "Ask for less at once, or let it say more: max_tokens of the connection in connections.yaml.")
            : Failure(reason.code, reason.words, remedy: "Nothing of it was run. Ask again.", isTransient: true)
    }

    /// Ends the turn after an incomplete reply. No call of it runs. The text that was shown is stored.
    private mutating func cut(_ text: String, _ failure: Failure) -> [Effect] {
        keep(text) + fail(failure)
    }

    private mutating func keep(_ partial: String) -> [Effect] {
        partial.isEmpty ? [] : add(ChatMessage(.assistant, partial, isPartial: true))
    }

    private mutating func complete(_ reply: Reply) -> [Effect] {
        let calls = Transcript.withUniqueIDs(reply.calls, in: messages)
        var message = ChatMessage(
            .assistant, reply.text, calls: calls, reasoning: reply.reasoning, opaque: reply.opaque,
            notUnderstood: reply.notUnderstood)
        message.way = reply.way
        if calls.isEmpty, reply.hasCallInText, !hasRemarkedTextCall {
            hasRemarkedTextCall = true
            message.remark = Transcript.textCall
            return add(message) + interject() + ask()
        }
        if calls.isEmpty {
            let words = reply.text.isEmpty ? [] : add(message)
            let notice: [Effect] = reply.hasCallInText ? [.hint(.notice(Self.textCallNotice))] : []
            return answered(words + notice, isRefusal: reply.isRefusal)
        }
        faults.begin(calls)
        foreseen.begin(calls)
        return add(message) + calls.map { .show(.call(id: $0.id, name: $0.name, .pending)) } + perform(calls)
    }

    private static let textCallNotice =
        "The model wrote a call as text, so it was not run. If that happens often, start the model's server with its "
        + "parser for tool calls, or choose another model."

    // MARK: Calls

    /// Performs the next call, and answers those before it that must not run. Without a call that is left, the
    /// model is asked again.
    private mutating func perform(_ calls: [ChatCall]) -> [Effect] {
        var effects: [Effect] = []
        var open = calls[...]
        while let next = open.first {
            if let result = faults.answer(to: next) ?? declinedCalls.answer(to: next) {
                foreseen.count(result)
                effects += answer(next, result, remark: foreseen.remark(on: next))
                open.removeFirst()
                continue
            }
            guard callsMade < callsAllowed else {
                state = .pausing(open: Array(open))
                return effects + [.askToGoOn(calls: callsMade)]
            }
            callsMade += 1
            state = .calling(open: Array(open))
            return effects + [.show(.call(id: next.id, name: next.name, .running)), .perform(next)]
        }
        return effects + (faults.endReply().map { fail($0) } ?? endReply())
    }

    /// Goes on once all calls of a reply have their results: with the answer that the model gave beside them, or by
    /// asking it.
    private mutating func endReply() -> [Effect] {
        guard let words = foreseen.words else { return interject() + ask() }
        return answered([.show(.messageDelta(words))] + add(ChatMessage(.assistant, words)))
    }

    /// Ends the turn after an answer, or goes on with the lines that came into it.
    private mutating func answered(_ answer: [Effect], isRefusal: Bool = false) -> [Effect] {
        guard interjections.isEmpty else { return answer + interject() + ask() }
        return answer + end(declined.map { .declined($0) } ?? (isRefusal ? .refused : .completed))
    }

    private mutating func goOn(_ open: [ChatCall]) -> [Effect] {
        callsAllowed += Limits.callsPerTurn
        return perform(open)
    }

    private mutating func stop(_ open: [ChatCall]) -> [Effect] {
        fail(Failure(.tooManyCalls, "The model wants more than \(callsMade) calls in one turn."), abandoning: open)
    }

    private mutating func finished(_ open: [ChatCall], _ result: CallResult) -> [Effect] {
        if case .waiting = result { return wait(open, result) }
        let times = repeated.count(open[0], result.text)
        foreseen.count(result)
        let remarks = [RepeatedCalls.remark(after: times), foreseen.remark(on: open[0])].compactMap(\.self)
        let effects = answer(open[0], result, remark: remarks.isEmpty ? nil : remarks.joined(separator: " "))
        let rest = Array(open.dropFirst())
        if case .declined(let words) = result { declined = words }
        declinedCalls.add(open[0], result)
        faults.count(result, of: open[0])
        if let failure = RepeatedCalls.failure(of: open[0], after: times) {
            return effects + fail(failure, abandoning: rest)
        }
        guard let line = nextLine else { return effects + perform(rest) }
        nextLine = nil
        let abandoned = abandon(rest, because: Self.notBegun)
        messages.append(ChatMessage(.assistant, Transcript.unanswered))
        return effects + abandoned + said(line)
    }

    /// Ends the turn with its calls open. If the user has said something else first, the call is answered with what is
    /// known now, and what becomes of it later is news in front of a later line.
    private mutating func wait(_ open: [ChatCall], _ result: CallResult) -> [Effect] {
        guard let line = nextLine else {
            // Flaws are not stored, so a call that must not run is answered now.
            let settled = open.dropFirst().flatMap { call in faults.answer(to: call).map { answer(call, $0) } ?? [] }
            return settled + [.show(.call(id: open[0].id, name: open[0].name, .waiting))] + end(.waiting)
        }
        nextLine = nil
        let effects = answer(open[0], result) + abandon(Array(open.dropFirst()), because: Self.notBegun)
        messages.append(ChatMessage(.assistant, Transcript.unanswered))
        return effects + said(line)
    }

    private static let notBegun = "The person said something else before this call was begun: nothing of it was done."

    /// Answers a call with a tool message. Servers refuse the next request if a call has no answer (`wire.md` LLM 2).
    private mutating func answer(_ call: ChatCall, _ result: CallResult, remark: String? = nil) -> [Effect] {
        let limit = plan?.room.resultBytes ?? Limits.toolResultBytes
        var message = ChatMessage(.tool, result.text(remark: remark, bytes: limit), callID: call.id)
        message.pictures = result.pictures
        messages.append(message)
        return [.store(message), .show(.call(id: call.id, name: call.name, result.state))]
    }

    private mutating func abandon(_ calls: [ChatCall], because words: String) -> [Effect] {
        calls.flatMap { answer($0, .declined(words)) }
    }
}
