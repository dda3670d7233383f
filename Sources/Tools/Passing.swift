import Files
import JSON
import Sandbox
package import Vocabulary

/// The tools `Pass`, `Approve` and `Delay`, which return their inputs. They need no folder, thread or inspection, and
/// the engine does the waiting.
extension Toolbox {
    package static func isInstant(_ manifest: ToolManifest) -> Bool {
        [Builtin.pass, .approve, .delay].contains { manifest.action == .builtin($0.rawValue) }
    }

    /// Returns the outputs: for each port the input of the same name, else the first input, else an empty asset.
    func passed(_ assignment: Assignment) throws(Failure) -> [Asset] {
        var assets: [Asset] = []
        for port in assignment.outputs {
            var asset: Asset
            if let source = assignment.input(port.name) ?? assignment.inputs.lazy.compactMap(\.asset).first {
                asset = source
            } else {
                asset = Asset(
                    run: assignment.run, port: port.name, type: port.type, hash: try store.add([]).hash, bytes: 0,
                    name: "empty")
            }
            asset.run = assignment.run
            asset.warning = nil
            asset.port = port.name
            if port.type != .any { asset.type = port.type }
            assets.append(asset)
        }
        return assets
    }
}
