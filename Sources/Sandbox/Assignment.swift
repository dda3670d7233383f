package import Files
package import JSON
package import Vocabulary

extension Assignment {
    /// Whether the step has no effect and no output. If the engine ends meanwhile, the step simply runs again, so its
    /// end need not be recorded.
    package var leavesNothing: Bool { outputs.isEmpty && manifest.effects.isEmpty && manifest.isIdempotent }

    package func text(_ name: String) -> String? { params[name]?.string }
    package func number(_ name: String) -> Double? { params[name]?.number }
    /// Returns a parameter as a whole number, even if it is written as `800.0`, or `nil` if it is not one.
    package func integer(_ name: String) -> Int? {
        params[name]?.int ?? params[name]?.number.flatMap { Int(exactly: $0) }
    }
    package func flag(_ name: String) -> Bool { params[name]?.bool ?? false }

    package func requiredText(_ name: String) throws(Failure) -> String {
        guard let value = text(name) else {
            throw Failure(.badParam, "\(manifest.title) needs the parameter \"\(name)\".")
        }
        return value
    }

    /// All assets at the inputs.
    package var assets: [Asset] { inputs.compactMap(\.asset) }

    package func input(_ port: String) -> Asset? { inputs.first { $0.port == port }?.asset }

    package func requiredInput(_ port: String) throws(Failure) -> Asset {
        guard let asset = input(port) else {
            throw Failure(.missingInput, "\(manifest.title) has nothing at its input \"\(port)\".")
        }
        return asset
    }

    /// Returns the assets of a variadic port, ordered by number. A port without a number comes first.
    package func inputs(variadic port: String) -> [Asset] {
        let numbered = inputs.compactMap { input -> (Int, Asset)? in
            guard let asset = input.asset else { return nil }
            if input.port == port { return (0, asset) }
            guard input.port.hasPrefix(port + "."), let number = Int(input.port.dropFirst(port.count + 1)) else {
                return nil
            }
            return (number, asset)
        }
        return numbered.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Returns the asset that this run produces at a port, or `nil` if the node does not have the port. It has the traits
    /// of the files that the run was given, unless `meta` has others.
    package func asset(_ port: String, _ content: AssetStore.Content, name: String, meta: JSON.Object = JSON.Object())
        -> Asset?
    {
        guard let declared = outputs.first(where: { $0.name == port }) else { return nil }
        var asset = Asset(
            run: run, port: port, type: declared.type, hash: content.hash, bytes: content.bytes, name: name, meta: meta)
        // What is passed on as it was is still a copy of its file.
        if asset.traits?.own == nil {
            let sources = assets.compactMap(\.traits)
            asset.traits = sources.first { $0.isOfCopy(content.hash) } ?? FileTraits.ofResult(sources)
        }
        return asset
    }
}
