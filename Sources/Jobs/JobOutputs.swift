import Files
import JSON
import Pictures
import Vocabulary

extension Limits {
    /// The most files that a job may return at one port.
    fileprivate static let jobItems = 64
}

/// The plan of which output of a provider goes to which port of the tool. It makes decisions and never waits.
///
/// A port gets the output of the same name, unless the tool's `outputs` names another, or both have only one. The first
/// of several items goes to the port, and the next ones go to `port.2`, `port.3`, … if the node declares them (the
/// first is then also `port.1`). Items without a port are not fetched. The assets' meta says how many items there were
/// (`items`).
struct JobOutputPlan {
    struct Task: Hashable, Sendable {
        /// The ports of the node that get the item. The first one determines its type.
        var ports: [Port]
        var item: JSON
        /// The number of items of the output.
        var count: Int
    }

    let provider: ProviderManifest
    let assignment: Assignment
    let action: ToolManifest.JobAction

    /// The requested outputs: the tool's ports, and the provider's output for each.
    var wanted: [(port: Port, output: ProviderManifest.Output)] {
        let ports = assignment.manifest.outputs.isEmpty ? assignment.outputs : assignment.manifest.outputs
        return ports.compactMap { port in output(for: port, of: ports.count).map { (port, $0) } }
    }

    /// The required ports for which the provider has no output.
    var missing: [Port] {
        let ports = assignment.manifest.outputs
        return ports.filter { !$0.isOptional && output(for: $0, of: ports.count) == nil }
    }

    private func output(for port: Port, of count: Int) -> ProviderManifest.Output? {
        let name = action.outputs[port.name] ?? port.name
        if let output = provider.outputs.first(where: { $0.port == name }) { return output }
        return action.outputs[port.name] == nil && count == 1 && provider.outputs.count == 1 ? provider.outputs[0] : nil
    }

    /// Returns the items to fetch, with their ports.
    ///
    /// - Parameter items: the values at the output's path.
    func tasks(for port: Port, _ items: [JSON]) -> [Task] {
        let own = assignment.outputs
        return items.prefix(Limits.jobItems).enumerated().compactMap { index, item in
            var ports = own.filter { $0.name == "\(port.name).\(index + 1)" }
            if index == 0, let first = own.first(where: { $0.name == port.name }) { ports.insert(first, at: 0) }
            return ports.isEmpty ? nil : Task(ports: ports, item: item, count: items.count)
        }
    }

    /// Returns the values of an output in an answer: JSON, text, or the texts of addresses and data, which may be in
    /// lists.
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

    /// Returns the items of an output that is found by a pattern. The list is empty if nothing was printed. A printed
    /// text that cannot be used is a failure with a message.
    static func items(
        of output: ProviderManifest.Output, _ port: String, _ printed: JobPattern.Printed, from title: String
    ) -> Result<[JSON], Failure> {
        func unusable(_ code: Code, _ words: String) -> Result<[JSON], Failure> {
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
                return unusable(.wrongType, "it is no JSON: \(error).")
            }
        case .value(let text): return .success([.string(text)])
        case .cutShort(let line):
            return unusable(.outputCut, "the line ends before it is whole: “\(serverWords(line))”.")
        case .tooLong(let bytes):
            return unusable(
                .outputTooLong, "it has \(bytes) bytes; at most \(Limits.patternOutputBytes) are taken from a log.")
        case .unread:
            return .failure(
                Failure(
                    .outputUnread, "The log of the job at \(title) takes too long to look through for \(port).",
                    remedy:
                        "Let its pattern in the provider's manifest begin with ^ and plain letters."
                ))
        }
    }

    /// Returns a file name to show, made from the provider's name or address of the item, with a suffix that fits the
    /// content.
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
