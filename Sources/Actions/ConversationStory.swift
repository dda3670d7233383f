import Conversations
import JSON
import Services
import Storage
package import Vocabulary
import Workflows

extension Limits {
    /// The most characters of an answer that a conversation shows.
    fileprivate static let storyAnswer = 200

    /// The most bytes of a text result that a conversation shows a part of. Of a longer one it shows the line alone.
    fileprivate static let storyText = 64 << 10
}

/// The reader of conversations for people. Calls become looks, refusals and workflows as they stand now.
package struct ConversationStory: Sendable {
    private let records: WorkflowRecords
    private let session: SessionID

    /// Creates a reader of one conversation.
    package init(_ session: SessionID, _ records: WorkflowRecords) {
        (self.session, self.records) = (session, records)
    }

    /// Returns the parts of a conversation, or of its last messages, in their order.
    package func parts(_ messages: [MessageRecord]) throws(Failure) -> [StoryPart] {
        let asked = Dictionary(
            grouping: try records.shared.archive.get().awaits(includingDone: true), by: \.step.workflow)
        var parts: [StoryPart] = []
        for (index, record) in messages.enumerated() {
            let message = record.message
            func add(_ kind: StoryPart.Kind) { parts.append(StoryPart(kind, turn: record.turn)) }
            switch message.role {
            case .user: add(.line(([message.text] + message.pictures.map(\.words)).joined(separator: "\n")))
            case .system: add(.system(message.text))
            case .assistant:
                if message.reasoning.contains(where: { !$0.isWhitespace }) { add(.thought(message.reasoning)) }
                if !message.text.isEmpty { add(.words(message.text, isPartial: message.isPartial)) }
                let results = messages[(index + 1)...].prefix { $0.message.role == .tool }.map(\.message)
                for call in message.calls {
                    add(try part(call, results.first { $0.callID == call.id }, asked))
                }
            // Its call is a part already.
            case .tool: break
            }
        }
        return parts
    }

    // MARK: One call

    private func part(
        _ call: ChatCall, _ result: ChatMessage?, _ asked: [WorkflowID: [AwaitRecord]]
    ) throws(Failure) -> StoryPart.Kind {
        let outcome = CallOutcome(result)
        let wanted: PlannerCall
        do throws(Failure) {
            wanted = try PlannerTools.read(call, catalogue: records.engineCatalogue())
        } catch {
            return .refusal("An order could not be read: \(outcome.refusal ?? error.message)")
        }
        return try part(wanted, call, outcome, asked)
    }

    private func part(
        _ wanted: PlannerCall, _ call: ChatCall, _ outcome: CallOutcome, _ asked: [WorkflowID: [AwaitRecord]]
    ) throws(Failure) -> StoryPart.Kind {
        switch wanted {
        case .workflow(let json, _):
            let id = if let named = outcome.workflow { named } else { try begun(by: call) }
            if let id, let template = try records.template(id) {
                // Without the values that were filled in for it, as its plan was shown.
                var planned = TemplateReader.read(Array(json.text.utf8)).0 ?? template
                planned.takeOrder(of: template)
                return .work(try work(id, planned, asked[id] ?? []))
            }
            if let refusal = outcome.refusal { return .refusal(refusal) }
            let name = VisibleName(json["name"]?.string).text
            return .refusal("\(name) was not begun.")
        case .look(let kind, let params):
            let words = LookWords(kind: kind, params: params)
            if let id = outcome.asked, let template = try records.template(id) {
                return .work(try work(id, template, asked[id] ?? []))
            }
            if let refusal = outcome.refusal { return .look("\(words.text): \(refusal)", read: "") }
            let shown = [words.text(ofReport: outcome.text)] + outcome.pictures
            return .look(shown.joined(separator: " "), read: outcome.text)
        default: return look(Self.words(of: wanted), outcome)
        }
    }

    /// Returns the words for a call that makes no workflow and looks at no file.
    private static func words(of call: PlannerCall) -> String {
        switch call {
        case .readResult(let name, _): "read \(name)"
        case .findTools(let words): "looked for tools: \(words)"
        case .listWorkflows: "looked at the workflows"
        case .showWorkflow(let id, _): "looked at \(id)"
        case .readInbox: "looked at the inbox"
        case .readMode: "looked at the mode"
        case .wait(let id, _): "waited for \(id)"
        case .retry(let id, _): "took \(id) up again"
        case .cancel(let id): "cancelled \(id)"
        case .workflow, .look: ""
        }
    }

    private func look(_ words: String, _ outcome: CallOutcome) -> StoryPart.Kind {
        if let refusal = outcome.refusal { return .refusal("\(words): \(refusal)") }
        return .look(words, read: outcome.text)
    }

    /// Returns the workflow that a call has begun whose result names none, or nil.
    private func begun(by call: ChatCall) throws(Failure) -> WorkflowID? {
        // Most of these calls were refused before anything began.
        switch try records.shared.archive.get().trace(of: call.id, in: session) {
        case .begun(let made), .waits(let made): return made.last
        case .unknown, .notBegun: return nil
        }
    }

    // MARK: A workflow

    private func work(_ id: WorkflowID, _ template: Template, _ asked: [AwaitRecord]) throws(Failure) -> StoryWork {
        var work = StoryWork(id, KeysInText(records.shared).cut(template))
        let given = PersonAnswers(look: records).json(of: id)?.array ?? []
        work.answers = asked.filter { $0.status == .done }.sorted { $0.number < $1.number }.map { record in
            let answer = given.first { $0["await"]?.int == Int(record.number) }?["answer"]
            let words = answer.map { VisibleName($0.string ?? $0["words"]?.string ?? $0.text).text }
            let title = record.question?["params"]?["question"]?.string ?? record.title
            return StoryWork.Answer(title, record.resolution ?? "done", words: words, by: record.answeredBy)
        }
        guard let outcome = records.outcome(of: id) else { return work }
        work.outputs = records.results(of: id)
        for output in work.outputs where output.type == .text || output.type == .json {
            if output.bytes <= Limits.storyText { work.texts[output.hash] = records.text(output.hash) }
        }
        work.end = try WorkflowEnd(id, outcome, records)
        return work
    }

    /// A text in one line of bounded length.
    private struct VisibleName {
        let text: String

        init(_ text: String?) {
            let line = (text ?? "A workflow").withSignsForControls
            self.text = line.count > Limits.storyAnswer ? "\(line.prefix(Limits.storyAnswer - 1))…" : line
        }
    }
}

/// The result of a call as the conversation stores it.
private struct CallOutcome {
    /// The text without the remark for the model that may stand in front of it.
    let text: String
    /// The pictures that the model has seen, in words.
    let pictures: [String]
    private let json: JSON?

    init(_ message: ChatMessage?) {
        var rest = (message?.text ?? "")[...]
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "\n"), rest[..<end].hasSuffix("]") {
            rest = rest[rest.index(after: end)...]
        }
        text = String(rest)
        pictures = (message?.pictures ?? []).map(\.words)
        do throws(JSONReader.Failure) { json = try JSONReader.read(text) } catch { json = nil }
    }

    /// The workflow that the result names, or nil.
    var workflow: WorkflowID? {
        if let name = json?["result"]?["workflow"]?.string { return WorkflowID(parsing: name) }
        return asked
    }

    /// The workflow at the beginning of a report about a command, or nil.
    var asked: WorkflowID? {
        guard json == nil else { return nil }
        return text.prefix(40).split(separator: " ").first.flatMap { WorkflowID(parsing: String($0)) }
    }

    /// The reason why nothing was done, or nil.
    var refusal: String? {
        json?["error"]?["message"]?.string ?? json?["declined"]?.string ?? json?["problems"]?.array?.first?.string
    }
}
