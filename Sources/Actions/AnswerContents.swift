import Files
import JSON
import Pictures
import Services
import Storage
import Tools
package import Vocabulary
import Workflows

/// The content of answers: what an answer is checked by, and how it is stored.
extension InboxActions {
    /// Returns an await with all that its answer is checked by. A step that a person does confirms its input, and a
    /// gate confirms the inputs of the tool.
    ///
    /// - Throws: `badAnswer` if the input is not an object of values.
    package func asked(_ record: AwaitRecord) throws(Failure) -> Asked {
        let step = try shared.archive.get().steps(of: record.step.workflow).first { $0.id == record.step }
        return Asked(record, tool: step.flatMap { shared.knownTools[$0.kind] }, given: try incomingValues(of: record))
    }

    /// Returns the values that came in to be confirmed by a step that a person does, or nil if none came in.
    private func incomingValues(of record: AwaitRecord) throws(Failure) -> JSON.Object? {
        guard record.type == .confirmParams, let request = record.request, request.isPerson,
            let input = request.inputs.first(where: { $0.type == .json || $0.type == .text })
        else { return nil }
        guard input.bytes <= Limits.answerTextBytes,
            let text = WorkflowRecords(shared).preview(input.hash, Limits.answerTextBytes),
            let values = (try? JSONReader.read(text))?.object
        else {
            throw Failure(
                .badAnswer,
                "What came in to be confirmed is no object of values, or has more than \(Limits.answerTextBytes) bytes.",
                remedy: "Reject it: 'assent reject \(record.number)'.")
        }
        guard !KeyFilter.isMarked(.object(values)) else {
            throw Failure(
                .badAnswer,
                "What came in to be confirmed holds a key, which is shown to nobody and kept in no answer.",
                remedy: "Reject it: 'assent reject \(record.number)'.")
        }
        return values
    }

    /// Throws `keyMissing` if the provider for which a `connect` waits still has no key. The engine would fail in the
    /// same way.
    package func requireConnection(for record: AwaitRecord) async throws(Failure) {
        guard let provider = record.question?["provider"]?.string else { return }
        try await shared.blocking { () throws(Failure) in try requireKey(of: provider) }
    }

    /// Looks the key up as the engine does, in the surroundings of this process.
    private func requireKey(of provider: String) throws(Failure) {
        guard let auth = try shared.providers.get()[provider]?.auth, auth.kind != .none, !auth.isOptional,
            shared.providerKey(auth.secret) == nil
        else { return }
        throw Failure(
            .keyMissing, "\(auth.secret) is still not set here.",
            remedy: "Connect it: 'assent connect \(provider)'. Or set \(auth.secret) in the environment.")
    }

    // MARK: Store

    /// Checks the content of an answer and adds it to the asset store.
    ///
    /// - Parameter allowsEmpty: whether a mask may be empty.
    /// - Throws: `badAnswer`, or `emptyMask`.
    package func store(
        _ content: AnswerContent, for record: AwaitRecord, allowsEmpty: Bool
    ) async throws(Failure) -> Asset {
        try await shared.blocking { () throws(Failure) in
            guard let request = record.request, let port = request.outputs.first else {
                throw Failure(
                    .badUsage, "\(record.number) takes no content.", remedy: "See 'assent open \(record.number)'.")
            }
            let picture = record.type == .drawMask ? request.inputs.first { $0.type == .image }?.hash : nil
            return try shared.toolbox.get().takeIn(
                content, for: port, wanted: wanted(from: port.name, of: record.step), fitting: picture,
                of: request.inputs.map(\.hash), allowsEmpty: allowsEmpty)
        }
    }

    /// Returns the types that the inputs behind a port accept, as the template or their tools declare them.
    private func wanted(from port: String, of step: StepID) -> [PortType] {
        guard let (graph, template) = graph(of: step.workflow), graph.nodes.indices.contains(step.index - 1) else {
            return []
        }
        let from = Template.Endpoint(graph.nodes[step.index - 1].id, port)
        let tools = shared.knownTools
        let types = template.edges.filter { $0.from == from }.compactMap { edge -> PortType? in
            guard let node = template.nodes.first(where: { $0.id == edge.to.node }) else { return nil }
            if let declared = node.inputs?.first(where: { $0.name == edge.to.port }) { return declared.type }
            return tools[node.kind]?.inputs.first {
                $0.name == edge.to.port || $0.isVariadic && edge.to.port.hasPrefix($0.name + ".")
            }?.type
        }
        return Array(Set(types.filter { $0 != .any && $0 != .file })).sorted { $0.name < $1.name }
    }

    // MARK: Pictures

    /// Returns the size of a stored picture in pixels, or nil if it cannot be read.
    package func pictureSize(_ hash: ContentHash) -> (width: Int, height: Int)? {
        do throws(Failure) { return try shared.toolbox.get().store.pictureSize(hash) } catch { return nil }
    }

    /// Returns a mask drawn in characters. The sketch is empty if no program for it is installed.
    package func sketch(_ mask: MaskDrawing, columns: Int, rows: Int) async -> [String] {
        let lines = try? await shared.blocking { () throws(Failure) in
            let toolbox = try shared.toolbox.get()
            return toolbox.pictures.sketch(try toolbox.store.add(mask.png()).hash, columns: columns, rows: rows)
        }
        return lines ?? []
    }
}
