package import JSON
package import Vocabulary

/// One attempt as the engine hands it over: everything that the tool may know.
package struct Assignment: Sendable {
    package var run: RunID
    package var manifest: ToolManifest
    /// Checked against the manifest, defaults filled in.
    package var params: JSON.Object
    package var inputs: [Input]
    /// As the node declares them, or as its manifest does.
    package var outputs: [Port]
    /// The folder that relative paths are under.
    package var workspace: String
    /// This attempt's own folder, such as `…/runs/w3/2-1`. Made when it is needed.
    package var runFolder: String

    package init(
        run: RunID, manifest: ToolManifest, params: JSON.Object = JSON.Object(), inputs: [Input] = [], outputs: [Port]? = nil,
        workspace: String, runFolder: String
    ) {
        self.run = run
        self.manifest = manifest
        self.params = params
        self.inputs = inputs
        self.outputs = outputs ?? manifest.outputs
        self.workspace = workspace
        self.runFolder = runFolder
    }

    /// What is plugged into a port: `files.2` for the second of a variadic one.
    package struct Input: Sendable {
        package var port: String
        package var from: Template.Endpoint?
        /// `nil` while a plan is prepared whose producers have not run.
        package var asset: Asset?
        /// The file name that the asset is expected to have, where it is not there yet.
        package var expectedName: String?

        package init(_ port: String, _ asset: Asset?, from: Template.Endpoint? = nil, expectedName: String? = nil) {
            self.port = port
            self.asset = asset
            self.from = from
            self.expectedName = expectedName
        }

        var name: String? { asset?.name ?? expectedName }
    }
}

extension Assignment {
    func text(_ name: String) -> String? { params[name]?.string }
    func number(_ name: String) -> Double? { params[name]?.number }
    /// A whole number, also where it was written `800.0`.
    func integer(_ name: String) -> Int? { params[name]?.int ?? params[name]?.number.flatMap { Int(exactly: $0) } }
    func flag(_ name: String) -> Bool { params[name]?.bool ?? false }

    func requiredText(_ name: String) throws(Failure) -> String {
        guard let value = text(name) else { throw Failure("badParam", "\(manifest.title) needs the parameter \"\(name)\".") }
        return value
    }

    func input(_ port: String) -> Asset? { inputs.first { $0.port == port }?.asset }

    func requiredInput(_ port: String) throws(Failure) -> Asset {
        guard let asset = input(port) else { throw Failure("missingInput", "\(manifest.title) has nothing at its input \"\(port)\".") }
        return asset
    }

    /// The assets of a variadic port in the order of their numbers; a port without number counts as the first.
    func inputs(variadic port: String) -> [Asset] {
        let numbered = inputs.compactMap { input -> (Int, Asset)? in
            guard let asset = input.asset else { return nil }
            if input.port == port { return (0, asset) }
            guard input.port.hasPrefix(port + "."), let number = Int(input.port.dropFirst(port.count + 1)) else { return nil }
            return (number, asset)
        }
        return numbered.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The asset of a port that this run makes; `nil` where the node does not have the port.
    func asset(_ port: String, _ content: AssetStore.Content, name: String, meta: JSON.Object = JSON.Object()) -> Asset? {
        guard let declared = outputs.first(where: { $0.name == port }) else { return nil }
        return Asset(run: run, port: port, type: declared.type, hash: content.hash, bytes: content.bytes, name: name, meta: meta)
    }
}
