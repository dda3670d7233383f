package import Consent
import Conversations
import Files
import Glibc
import JSON
import Services
import Synchronization
import Tools
import Vocabulary
import Workflows

/// The use case of a model's looks at files. A look is decided by the policy as any call. If it is allowed, it is
/// done at once and is no workflow. If the user is to be asked, it becomes a workflow of one step.
struct LookCalls: Sendable {
    private let shared: OpenWorkspace
    private let front: any PlannerFront
    /// The turn in which the person has said whether the model may look in this folder, and the answer.
    private let agreed = Kept<(turn: Int, mayLook: Bool)?>(nil)

    /// Creates the use case for one session.
    init(_ shared: OpenWorkspace, _ front: any PlannerFront) { (self.shared, self.front) = (shared, front) }

    /// The place of a look in a conversation.
    struct Place {
        var session: SessionID
        var turn: Int
    }

    /// The outcome of a look.
    enum Outcome {
        case result(CallResult)
        /// The user is to be asked, by this workflow.
        case asks(JSON)
    }

    private static let numbers = Atomic(0)

    /// Does a look, if it is allowed. In the mode always-ask one yes of the person covers the looks of a turn in this
    /// folder.
    ///
    /// - Throws: why the look cannot be done, such as `fileNotFound` or `secretFile`.
    func perform(_ kind: String, _ params: JSON.Object, at place: Place) async throws(Failure) -> Outcome {
        var params = params
        if kind == "ReadLines", try shared.seesPictures { params["picture"] = true }
        let name = LookWords(kind: kind, params: params).text
        let template: JSON = [
            "schema": .string(Template.schema), "name": .string(name),
            "nodes": [["id": "look", "kind": .string(kind), "params": .object(params)]], "edges": [],
        ]
        let found = WorkflowActions(shared).check(Array(template.text.utf8))
        guard let checked = found.checked, let manifest = checked.tools[kind] else {
            return .result(.problems(found.problems))
        }
        let assignment = assignment(manifest, checked.graph.nodes[0].params)
        let toolbox = try shared.toolbox.get()
        let call = try await shared.blocking { () throws(Failure) in try toolbox.prepare(assignment) }
        switch try await decision(on: call, at: place) {
        case .ask: return .asks(template)
        case .deny(let because): throw Self.denied(because)
        case .allow:
            do throws(Failure) {
                let look = try await look(assignment, call, toolbox)
                shared.record(
                    Event(
                        at: OpenWorkspace.now(), session: place.session, turn: place.turn,
                        .looked(
                            kind: kind, digest: digest(of: call),
                            result: sha256(of: look.whole))))
                await front.looked(LookWords(kind: kind, params: params).text(of: look))
                return .result(look.result)
            } catch {
                await front.looked("\(name): \(error.code)")
                throw error
            }
        }
    }

    /// Checks whether the edits of a workflow of one step fit, so that no workflow begins for edits that do not.
    ///
    /// - Throws: `editMissed`, or why a file cannot be edited.
    func checkEdits(_ checked: CheckedTemplate) async throws(Failure) {
        guard let kind = checked.template.nodes.first?.kind, kind == "Edit", let manifest = checked.tools[kind] else {
            return
        }
        let assignment = assignment(manifest, checked.graph.nodes[0].params)
        let toolbox = try shared.toolbox.get()
        let call = try await shared.blocking { () throws(Failure) in try toolbox.prepare(assignment) }
        // What does not fit shows what stands in the files.
        switch decision(on: call) {
        case .ask: return
        case .deny(let because): throw Self.denied(because)
        case .allow: break
        }
        do throws(Failure) {
            try await shared.blocking { () throws(Failure) in try toolbox.checkEdits(assignment) }
        } catch {
            await front.looked("\(checked.template.name): does not fit")
            throw error
        }
    }

    /// Returns the decision about a look. If only the mode always-ask wants a question, the person is asked once for
    /// all looks of the turn.
    private func decision(on call: Call, at place: Place) async throws(Failure) -> Decision {
        let decision = decision(on: call)
        guard case .ask = decision, front.mode == .alwaysAsk, call.reach == .workspace,
            case .allow(let because) = self.decision(on: call, in: .adaptive)
        else { return decision }
        if let agreed = agreed.value, agreed.turn == place.turn {
            if agreed.mayLook { return .allow(because: because) }
        } else if let mayLook = await front.mayLook() {
            agreed.value = (place.turn, mayLook)
            if mayLook { return .allow(because: because) }
        } else {
            return decision
        }
        throw Failure(.denied, "The person does not want looks at files in this turn.")
    }

    /// Returns the decision of the policy about a look in the mode of the session, or in another one.
    func decision(on call: Call, in mode: ConfirmationMode? = nil) -> Decision {
        shared.policies.policy(of: shared.workspace).decide(
            call, mode: mode ?? front.mode, in: shared.consentSurroundings(of: shared.workspace),
            at: OpenWorkspace.now())
    }

    private static func denied(_ because: [String]) -> Failure {
        Failure(.denied, "Denied: \(because.joined(separator: "; ")).")
    }

    /// Returns an attempt that belongs to no workflow.
    func assignment(_ manifest: ToolManifest, _ params: JSON.Object) -> Assignment {
        let number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
        return Assignment(
            run: RunID(StepID(WorkflowID(0), 1), attempt: number), manifest: manifest, params: params,
            workspace: shared.workspace, runFolder: "\(shared.folders.runs)/look-\(getpid())-\(number)")
    }

    /// Does a look that was allowed, and returns its text without keys.
    ///
    /// - Throws: as `look(_:_:_:)`.
    func text(_ assignment: Assignment, _ call: Call, _ toolbox: Toolbox) async throws(Failure) -> String {
        try await look(assignment, call, toolbox).result.text
    }

    /// Does a look that was allowed.
    ///
    /// - Returns: its result without keys.
    /// - Throws: why it cannot be done, `secretFile` if what was found may hold keys, and `cancelled` if the turn was
    ///   stopped.
    private func look(_ assignment: Assignment, _ call: Call, _ toolbox: Toolbox) async throws(Failure) -> LookResult {
        let cancel = Cancellation()
        let ending = await withTaskCancellationHandler {
            await shared.blocking { toolbox.run(assignment, call: call, cancel: cancel) }
        } onCancel: {
            cancel.cancel()
        }
        switch ending {
        case .succeeded(let assets):
            defer { drop(assets, toolbox) }
            guard let look = try LookText(records: WorkflowRecords(shared)).result(of: assets) else {
                throw Failure(.secretFile, "What was found may hold keys, so it is not given to a model.")
            }
            return look
        case .failed(let failure): throw failure
        case .cancelled, .lost: throw Failure(.cancelled, "The person stopped the turn.")
        }
    }

    /// Deletes the picture of a look, which the conversation keeps. A failure goes to the log.
    private func drop(_ assets: [Asset], _ toolbox: Toolbox) {
        do throws(Failure) { try toolbox.dropPictures(of: assets) } catch {
            Log(folder: shared.folders.data, now: OpenWorkspace.now).warn("look", error)
        }
    }
}

/// The text of a look as a model receives it, without keys.
struct LookText {
    let records: WorkflowRecords

    /// Returns nil if the text may be made from keys.
    func text(of asset: Asset) -> String? {
        records.isPrivate(asset.hash) ? nil : records.heardText(asset.hash)?.text
    }

    /// Returns the result of a look with its outputs, or nil if they may be made from keys.
    func result(of assets: [Asset]) throws(Failure) -> LookResult? {
        guard let asset = assets.first, let text = text(of: asset) else { return nil }
        var picture: (Asset, [UInt8])?
        if let shown = assets.first(where: { $0.port == "picture" }) {
            guard !records.isPrivate(shown.hash) else { return nil }
            picture = (shown, try records.shared.toolbox.get().store.read(shown, limit: Limits.seenBytes))
        }
        return try LookResult(LookedPicture((asset, text), picture: picture), records.shared)
    }
}

/// The result of a look, with its words for the screen.
struct LookResult {
    var result: CallResult
    /// The words of a picture for the screen, or nil if the first line of the result says them.
    var words: String?

    /// The text for the model, and its picture if there is one.
    var whole: String {
        if case .picture(let picture, let text) = result { return text + picture.dataURL }
        return result.text
    }

    /// Creates the result of a look at a file.
    init(_ looked: LookedPicture, _ shared: OpenWorkspace) throws(Failure) {
        words = looked.words.isEmpty ? nil : looked.words
        if let picture = looked.picture {
            result = .picture(picture, looked.text)
        } else {
            let sees = try shared.seesPictures
            let remark = looked.isUnseen && !sees ? "This model cannot see pictures.\n" : ""
            result = .report(looked.text + remark, failure: nil)
        }
    }
}

extension OpenWorkspace {
    /// Whether the model of the next request sees pictures, as its profile says.
    var seesPictures: Bool { get throws(Failure) { try model.choice()?.profile.hasVision ?? false } }
}

/// A look in a few words, for its line on the screen: `read main.py · lines 40 to 80 of 212`.
struct LookWords {
    let kind: String
    let params: JSON.Object

    private var verb: String {
        switch kind {
        case "ReadLines": "read"
        case "SearchFiles": "search"
        default: "list"
        }
    }

    /// The look before it is done.
    var text: String {
        let path = params["path"]?.string ?? "."
        guard let wanted = params["text"]?.string ?? params["regex"]?.string else { return "\(verb) \(path)" }
        return "\(verb) “\(wanted)”" + (path == "." ? "" : " in \(path)")
    }

    /// Returns the look that was done, with the first line of its result.
    func text(of look: LookResult) -> String {
        if let words = look.words { return "\(verb) \(words)" }
        guard case .report(let text, _) = look.result else { return self.text }
        return self.text(ofReport: text)
    }

    /// Returns the look with the first line of its report.
    func text(ofReport report: String) -> String {
        guard let line = report.split(separator: "\n").first else { return text }
        return kind == "SearchFiles" ? "\(text): \(line)" : "\(verb) \(line)"
    }
}

extension OpenWorkspace {
    /// Returns what decisions about calls in a workspace need to know about this machine.
    package func consentSurroundings(of workspace: String) -> Surroundings {
        let home = Folders.environment("HOME").map { Folders.real($0) ?? $0 }
        let own = OwnPaths(folders.own, workspace: workspace).paths
        var surroundings = Surroundings(workspace: workspace, home: home, ownFolders: own)
        surroundings.resolveFolders(of: policies.policy(of: workspace)) { realPath($0) }
        surroundings.resolveSearchPath(Folders.environment("PATH") ?? "") { realPath($0) }
        return surroundings
    }
}
