import Files
package import JSON
import Sandbox
import Undo
package import Vocabulary

/// The request to bring a result of an earlier workflow into another one. It is stored under a random name, which the
/// step of the workflow has as its parameter: a workflow from a file or a model cannot name one.
package struct LoadRequest: Hashable, Sendable {
    package var hash: ContentHash
    package var type: PortType
    package var name: String
    package var bytes: Int
    package var meta: JSON.Object

    /// Creates a request for a stored result.
    package init(_ asset: Asset) {
        (hash, type, name, bytes, meta) = (asset.hash, asset.type, asset.name, asset.bytes, asset.meta)
    }

    fileprivate init?(_ json: JSON) {
        guard let hash = json["sha256"]?.string.flatMap({ ContentHash(checking: $0) }),
            let type = json["type"]?.string, let name = json["name"]?.string, let bytes = json["bytes"]?.int
        else { return nil }
        (self.hash, self.type, self.name, self.bytes) = (hash, PortType(type), name, bytes)
        meta = json["meta"]?.object ?? JSON.Object()
    }

    fileprivate var json: JSON {
        .of([
            "sha256": .string(hash.hex), "type": .string(type.name), "name": .string(name), "bytes": .int(bytes),
            "meta": .object(meta),
        ])
    }
}

extension ToolManifest {
    /// The tool that brings in a result. It is in the catalogue of the engine only, so no plan and no file can name it.
    package static let loadResult = ToolManifest(
        kind: "LoadResult", title: "Result", icon: "↥", summary: "Brings in a result of an earlier workflow.",
        outputs: [Port("file", .any)],
        params: [
            Param(name: "result", kind: .text, isRequired: true), Param(name: "request", kind: .text),
        ], effects: [],
        action: .builtin(Builtin.loadResult.rawValue))
}

extension Toolbox {
    /// Stores a request.
    ///
    /// - Returns: its name.
    package func add(_ request: LoadRequest) throws(Failure) -> String { try addRequest(request.json, prefix: "l") }

    private func loadRequest(named name: String) -> LoadRequest? { request(named: name).flatMap { LoadRequest($0) } }

    /// Returns the result that a step brings in.
    ///
    /// - Throws: `notRequested`, or `missingContent` if it was deleted since.
    func loadedResult(_ context: Builtin.Context) throws(Failure) -> [Asset] {
        guard let request = loadRequest(named: try context.assignment.requiredText("request")) else {
            throw Failure(.notRequested, "This result was not asked for.", remedy: "Name it as w3.2.image.")
        }
        var asset = Asset(
            run: context.assignment.run, port: "file", type: request.type, hash: request.hash, bytes: request.bytes,
            name: request.name, meta: request.meta)
        _ = try store.path(of: asset)
        guard let port = context.assignment.outputs.first else { return [] }
        asset.port = port.name
        return [asset]
    }
}
