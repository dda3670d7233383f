import Consent
import JSON
import Vocabulary
import Workflows

extension Prepared {
    /// Finds out which key and which allowed hosts a job needs besides a yes. Runs on a worker, since it may block.
    mutating func note(_ provider: String, _ tools: World.Tools) {
        missingKey = tools.missingKey(provider)
        let hosts = call.targets.compactMap { target in if case .host(let host) = target.place { host } else { nil } }
        jobHosts = Set(hosts).filter(tools.isJobHost)
    }
}

/// The part of the engine's loop for conditions of a step besides a slot and consent: a person, a network, or the
/// inputs of the attempt to repeat.
extension Loop {
    /// Returns the await that must be answered before a step can start, or `nil`. It belongs to a step that a person
    /// does, or to a gate that was not passed for the current inputs of the step (`semantics.md` 2).
    func awaitBefore(_ index: Int, of carried: Carried) -> AwaitRecord? {
        let node = carried.flow.graph.nodes[index]
        guard let spec = node.awaits else { return nil }
        if node.isPerson { return opened(spec, index, of: carried, for: nil) }
        let wanted = fingerprint(of: index, in: carried, edits: nil)
        return carried.flow.steps[index].agreed == wanted ? nil : opened(spec, index, of: carried, for: wanted)
    }

    private func opened(_ spec: Template.AwaitSpec, _ index: Int, of carried: Carried, for wanted: ContentHash?)
        -> AwaitRecord
    {
        let node = carried.flow.graph.nodes[index]
        let tool = carried.manifests[index]?.title ?? node.kind
        let title = spec.title ?? (node.isPerson ? tool : "Before \(tool)")
        // What a step that a person does asks for stands in its parameters.
        let params = carried.flow.params(of: index)
        let asks = node.isPerson ? (params["question"] ?? params["subject"])?.string : nil
        let reason = spec.detail ?? asks.flatMap { $0.isEmpty ? nil : $0 } ?? title
        // Both dates are shown to a person, so they go by the wall clock.
        let wall = world.clocks().wall
        return AwaitRecord(
            step: carried.stepID(index), type: spec.type, title: title, reason: reason, urgency: spec.urgency,
            createdAt: wall, expiresAt: spec.expiresInSeconds.map { wall + $0 }, digest: wanted,
            question: request(for: index, of: carried))
    }

    /// Returns the request that an editor needs: the inputs, the wanted outputs and the parameters without secrets.
    private func request(for index: Int, of carried: Carried) -> JSON {
        let flow = carried.flow
        let node = flow.graph.nodes[index]
        let secret = Set((carried.manifests[index]?.params ?? []).filter(\.isSecret).map(\.name))
        let params = flow.params(of: index).members.filter { !secret.contains($0.key) }
        return AwaitRequest(
            inputs: flow.inputs(of: index).sorted { $0.key < $1.key }.map {
                AwaitRequest.Input(port: $0.key, $0.value)
            },
            outputs: node.outputs, params: JSON.Object(members: params), isPerson: node.isPerson,
            canSkip: flow.canBeSkipped(index),
            accept: node.awaits?.accept
        ).json
    }

    /// Returns the digest that a yes at a gate covers: the tool, its parameters and the content of its inputs.
    func fingerprint(of index: Int, in carried: Carried, edits: JSON.Object?) -> ContentHash {
        let flow = carried.flow
        var params = flow.params(of: index)
        for member in edits?.members ?? [] { params[member.key] = member.value }
        let inputs = flow.inputs(of: index).sorted { $0.key < $1.key }.map {
            Call.Input(port: $0.key, hash: $0.value.hash)
        }
        let manifest = carried.manifests[index]
        let call = Call(
            tool: flow.graph.nodes[index].kind, toolVersion: manifest?.version ?? .ofNothing, params: params,
            inputs: inputs)
        return digest(of: manifest.map { redacted(call, $0) } ?? call)
    }

    /// Returns whether the user may be asked for a missing key, given the decision about the call. A call that is
    /// refused anyway needs no key.
    func mayBeConnected(_ decision: Decision, _ approval: Approval?, _ onAsk: OnAsk) -> Bool {
        switch decision {
        case .deny: false
        case .allow: true
        case .ask: approval != nil || onAsk == .inline || onAsk == .park
        }
    }

    mutating func connect(_ index: Int, of carried: Carried, _ failure: Failure, _ now: Moment) {
        let graph = carried.flow.graph
        release(index, of: carried)
        guard let place = graph.nodes[index].provider else {
            return feed(carried, .refused(index, failure, isCancelled: false))
        }
        feed(carried, .asked(index, .toConnect(graph.providers[place], for: carried.stepID(index), failure, at: now)))
    }

    /// Returns the reason why a remote step must wait and the next moment to look, if this machine has no network.
    /// Local steps still run (`semantics.md` 66).
    func obstacle(to index: Int, of carried: Carried) -> (Reason, Moment)? {
        let graph = carried.flow.graph
        guard let place = graph.nodes[index].provider, !graph.providers[place].isLocal, world.tools.isOffline() else {
            return nil
        }
        let words = "This machine has no network; the step starts when it is back."
        return (Reason(.offline, words), world.now() + Limits.pollSeconds)
    }

    /// Returns the failure if a retry cannot repeat the exact attempt: its tool has changed, or content is missing
    /// (`semantics.md` 25, 26).
    func faultOfRepeating(_ index: Int, of carried: Carried) -> Failure? {
        carried.flow.faultOfRepeating(
            index, with: carried.manifests[index], holds: world.tools.holds)
    }

    /// Returns how much a call may do without a question of its own. Workflows of one turn share a limit, since a model
    /// could make many workflows with a limit each.
    func allowance(for prepared: Prepared, of carried: Carried) throws(Failure) -> Allowance {
        let workflow = carried.record
        var allowance = Allowance(
            owner: workflow.session.map { "this turn of \($0)" } ?? "\(workflow.id)", limit: world.budget,
            spending: carried.spending, jobHosts: prepared.jobHosts)
        guard workflow.session != nil, prepared.call.effects.contains(.spends) else { return allowance }
        for (other, stored) in try world.ledger.spendingOfTurn(workflow.id) {
            // Not all that was allowed here is stored yet. A yes to what costs nobody knows what is one for that
            // workflow only.
            allowance.spending.spent = allowance.spending.spent + (self.carried[other]?.spending ?? stored).spent
        }
        return allowance
    }
}
