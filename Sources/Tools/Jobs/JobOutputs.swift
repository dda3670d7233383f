import JSON
import Vocabulary

extension Limits {
    /// Files that one job may bring.
    fileprivate static let jobItems = 64
}

/// Which output of a provider goes to which port of the tool. Decides, never waits.
///
/// An output is that of the same name, unless the tool's `outputs` says another, or both have only one. Of several
/// items the first goes to the port; the next ones to `port.2`, `port.3`, … where the node declares them (the first is
/// then also `port.1`); those for which there is no port are not fetched, and the first says in its meta how many there
/// were (`items`).
struct JobOutputPlan {
    struct Task: Hashable, Sendable {
        /// The ports of the node that get the item; the first has its type.
        var ports: [Port]
        var item: JSON
        /// How many there were, on the first.
        var count: Int
    }

    let provider: ProviderManifest
    let assignment: Assignment
    let action: ToolManifest.JobAction

    /// The outputs that are wanted: tool port → what the provider calls it.
    var wanted: [(port: Port, output: ProviderManifest.Output)] {
        let ports = assignment.manifest.outputs.isEmpty ? assignment.outputs : assignment.manifest.outputs
        return ports.compactMap { port in output(for: port, of: ports.count).map { (port, $0) } }
    }

    /// Ports that must be there and that the provider does not know.
    var missing: [Port] {
        let ports = assignment.manifest.outputs
        return ports.filter { !$0.isOptional && output(for: $0, of: ports.count) == nil }
    }

    private func output(for port: Port, of count: Int) -> ProviderManifest.Output? {
        let name = action.outputs[port.name] ?? port.name
        if let output = provider.outputs.first(where: { $0.port == name }) { return output }
        return action.outputs[port.name] == nil && count == 1 && provider.outputs.count == 1 ? provider.outputs[0] : nil
    }

    /// - Parameter items: what the output's path leads to.
    func tasks(for port: Port, _ items: [JSON]) -> [Task] {
        let own = assignment.outputs
        return items.prefix(Limits.jobItems).enumerated().compactMap { index, item in
            var ports = own.filter { $0.name == "\(port.name).\(index + 1)" }
            if index == 0, let first = own.first(where: { $0.name == port.name }) { ports.insert(first, at: 0) }
            return ports.isEmpty ? nil : Task(ports: ports, item: item, count: items.count)
        }
    }

    /// Texts of addresses and data, also where they stand in lists.
    static func items(of output: ProviderManifest.Output, in json: JSON) -> [JSON] {
        guard let path = output.path else { return [] }
        let found = path.values(in: json)
        switch output.form {
        case .json: return found.isEmpty ? [] : output.isMany && found.count > 1 ? [.array(found)] : [found[0]]
        case .text:
            let texts = found.flatMap { $0.array ?? [$0] }.compactMap { $0.string ?? $0.number.map { _ in "" } }
            return texts.isEmpty ? [] : [.string(texts.joined())]
        case .url, .dataUrl, .base64, .bytes, .file:
            let items = found.flatMap { output.isMany ? $0.array ?? [$0] : [$0.array?.first ?? $0] }
            return output.isMany ? items : Array(items.prefix(1))
        }
    }

    /// Returns the items of an output by pattern: none where nothing was printed, and a failure with words for what was
    /// printed and cannot be used. That is never passed over.
    static func items(
        of output: ProviderManifest.Output, _ port: String, _ printed: JobPattern.Printed, from title: String
    ) -> Result<[JSON], Failure> {
        func unusable(_ code: String, _ words: String) -> Result<[JSON], Failure> {
            .failure(
                Failure(
                    code, "The job at \(title) printed \(port), and \(words)", remedy: "Look at what the job prints."))
        }
        switch printed {
        case .nothing: return .success([])
        case .value(let text) where output.form == .json:
            do {
                return .success([try JSONReader.read(text)])
            } catch {
                return unusable("wrongType", "it is no JSON: \(error).")
            }
        case .value(let text): return .success([.string(text)])
        case .cutShort(let line):
            return unusable("outputCut", "the line ends before it is whole: “\(serverWords(line))”.")
        case .tooLong(let bytes):
            return unusable(
                "outputTooLong", "it has \(bytes) bytes; at most \(Limits.patternOutputBytes) are taken from a log.")
        case .unread:
            return .failure(
                Failure(
                    "outputUnread", "The log of the job at \(title) takes too long to look through for \(port).",
                    remedy:
                        "Let its pattern in the provider's manifest begin with ^ and plain letters."
                ))
        }
    }

    /// A name to show, from what the provider calls it or its address; with a suffix that fits the content.
    static func name(_ said: String?, kind: String, image: ImageHeader?, type: String?) -> String {
        let suffixes = [
            "application/json": ".json", "text/plain": ".txt", "video/mp4": ".mp4", "audio/mpeg": ".mp3",
            "audio/wav": ".wav",
            "application/zip": ".zip", "application/pdf": ".pdf",
        ]
        let named = safeName(said.map { lastName(of: $0) } ?? kind.lowercased())
        if let format = image?.format {
            let (stem, suffix) = stemAndSuffix(named)
            let isRight = suffix.dropFirst().lowercased() == format || ImageFormat(suffix: suffix)?.rawValue == format
            return isRight ? named : safeName("\(stem).\(format)")
        }
        guard stemAndSuffix(named).suffix.isEmpty,
            let suffix = type.flatMap({ suffixes[String($0.prefix { $0 != ";" }).lowercased()] })
        else {
            return named
        }
        return named + suffix
    }
}
