import JSON
import Vocabulary

extension Assignment {
    /// Whether it changes nothing and gives nothing: if the engine ends before it is told how it went, it is simply
    /// done again, and nobody need write that down.
    var leavesNothing: Bool { outputs.isEmpty && manifest.effects.isEmpty && manifest.isIdempotent }

    func text(_ name: String) -> String? { params[name]?.string }
    func number(_ name: String) -> Double? { params[name]?.number }
    /// A whole number, also where it was written `800.0`.
    func integer(_ name: String) -> Int? { params[name]?.int ?? params[name]?.number.flatMap { Int(exactly: $0) } }
    func flag(_ name: String) -> Bool { params[name]?.bool ?? false }

    func requiredText(_ name: String) throws(Failure) -> String {
        guard let value = text(name) else {
            throw Failure("badParam", "\(manifest.title) needs the parameter \"\(name)\".")
        }
        return value
    }

    /// All that is plugged in.
    var assets: [Asset] { inputs.compactMap(\.asset) }

    func input(_ port: String) -> Asset? { inputs.first { $0.port == port }?.asset }

    func requiredInput(_ port: String) throws(Failure) -> Asset {
        guard let asset = input(port) else {
            throw Failure("missingInput", "\(manifest.title) has nothing at its input \"\(port)\".")
        }
        return asset
    }

    /// The assets of a variadic port in the order of their numbers; a port without number counts as the first.
    func inputs(variadic port: String) -> [Asset] {
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

    /// The asset of a port that this run makes; `nil` where the node does not have the port.
    func asset(_ port: String, _ content: AssetStore.Content, name: String, meta: JSON.Object = JSON.Object()) -> Asset?
    {
        guard let declared = outputs.first(where: { $0.name == port }) else { return nil }
        return Asset(
            run: run, port: port, type: declared.type, hash: content.hash, bytes: content.bytes, name: name, meta: meta)
    }
}
