import JSON
import Vocabulary

extension Rule {
    /// Returns the problems of a rule's examples. `match:` lists calls that the rule must match, and `nomatch:` lists
    /// others. A rule that fails its own example is refused.
    func failingExamples(_ written: JSON.Object) -> [Problem] {
        failingExamples(written, "match", expected: true) + failingExamples(written, "nomatch", expected: false)
    }

    private func failingExamples(_ written: JSON.Object, _ key: String, expected: Bool) -> [Problem] {
        guard let examples = written[key] else { return [] }
        guard let examples = examples.array else {
            return [Problem(.badRule, at: source, "\(key) is a list of examples.")]
        }
        return examples.enumerated().compactMap { index, example in
            guard let call = Call(example: example) else {
                return Problem(.badRule, at: source, "Example \(index + 1) of \(key) cannot be read.")
            }
            guard isAbout(call, in: .ofExamples) != expected else { return nil }
            let words = expected ? "does not match, and should" : "matches, and should not"
            return Problem(.exampleFails, at: source, "Example \(index + 1) of \(key) \(words).")
        }
    }
}

extension Surroundings {
    /// The surroundings in which relative paths in examples are resolved.
    fileprivate static let ofExamples = Surroundings(workspace: "/home/person/work", home: "/home/person")
}

extension Call {
    /// Reads an example such as `{tool: HTTPFetch, effects: [sends], undo: false, params: {…}, path: notes.txt, host:
    /// example.org:443}`. `executable` says whether a file at `path` may be executed afterwards.
    fileprivate init?(example json: JSON) {
        let keys = ["tool", "effects", "undo", "params", "path", "executable", "host"]
        guard let object = json.object, object.keys.allSatisfy(keys.contains), let tool = json["tool"]?.string else {
            return nil
        }
        let words = json["effects"]?.texts ?? []
        let effects = words.compactMap(Effect.init(rawValue:))
        guard effects.count == words.count else { return nil }
        guard object["executable"] == nil || json["executable"]?.bool != nil else { return nil }
        let change = json["executable"]?.bool.map { Change(kind: .file, mode: $0 ? 0o755 : 0o644) }
        let paths = (json["path"]?.texts ?? []).compactMap { Surroundings.ofExamples.expanded($0) }
        let hosts = json["host"]?.texts ?? []
        let targets = effects.flatMap { effect in
            paths.map { Target(effect, .path($0), reach: .workspace, change: change) }
                + hosts.map { Target(effect, .host($0), reach: .remote) }
        }
        self.init(
            tool: tool, toolVersion: .ofNothing, params: json["params"]?.object ?? JSON.Object(), targets: targets,
            effects: Set(effects),
            reversibility: json["undo"] == false ? .no : .yes(how: "as in the example"))
    }
}
