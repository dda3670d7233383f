import Harness
package import JSON
package import Vocabulary

/// A plan of up to twelve orders over six files, made from a seed, with a serial interpreter that says what must come of
/// it. The steps have real kinds, so that the order is computed from the manifests that ship with the program.
package struct RandomPlan {
    /// One step: its kind and parameters, the step that feeds each port, and the files that it touches.
    package struct Step {
        package var id: String
        package var kind: String
        package var params: JSON.Object = JSON.Object()
        package var inputs: [(port: String, from: Int, output: String)] = []
        package var reads: Set<String> = []
        package var changes: Set<String> = []
        /// Whether it may touch any file.
        package var isCommand = false
        /// Whether it creates a file under a free name of this stem.
        package var stem: String?
    }

    package static let files = (0..<6).map { "f\($0).txt" }

    package let seed: UInt64
    package private(set) var steps: [Step] = []
    /// The files before the plan begins.
    package private(set) var before: [String: String] = [:]
    /// The steps that a person declines if asked.
    package private(set) var declined: Set<Int> = []

    package init(seed: UInt64) {
        self.seed = seed
        var random = Seeded(seed)
        for name in Self.files where Int.random(in: 0..<4, using: &random) > 0 { before[name] = "x of \(name)\n" }
        let count = Int.random(in: 2...12, using: &random)
        while steps.count < count { add(&random) }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let asked = steps.indices.filter { steps[$0].kind == "DeleteFile" }
            if let index = asked.randomElement(using: &random) { declined = [index] }
        }
    }

    // MARK: Making

    private mutating func add(_ random: inout Seeded) {
        let (one, other) = (file(&random), file(&random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
            step("WriteFile", ["path": one, "text": "w\(steps.count)\n"], overwrites: true, changes: [one])
        case 1:
            let read = step("ReadFile", ["path": one], reads: [one])
            let edit = step("ReplaceText", ["find": "x", "replacement": "y"], inputs: [("text", read, "text")])
            step("WriteFile", ["path": one], overwrites: true, inputs: [("text", edit, "text")], changes: [one])
        case 2: move(one, other)
        case 3:
            guard one != other else { return }
            move(one, "t.txt")
            move(other, one)
            move("t.txt", other)
        case 4: step("DeleteFile", ["path": one], changes: [one])
        case 5:
            let load = step("FileLoader", ["path": one], reads: [one])
            step("SaveFile", [:], inputs: [("file", load, "file")], stem: String(one.dropLast(4)))
        case 6:
            guard one != other else { return }
            let (first, second) = (
                step("FileLoader", ["path": one], reads: [one]), step("FileLoader", ["path": other], reads: [other])
            )
            let zip = step(
                "Zip", ["name": "z.zip"], inputs: [("files.1", first, "file"), ("files.2", second, "file")])
            step("SaveFile", ["path": "z.zip"], overwrites: true, inputs: [("file", zip, "file")], changes: ["z.zip"])
        case 7: step("Shell", ["command": "cp \(one) \(other)"], isCommand: true)
        default: step("Shell", ["command": "grep -q y \(one)"], isCommand: true)
        }
    }

    private func file(_ random: inout Seeded) -> String { Self.files.randomElement(using: &random) ?? "" }

    private mutating func move(_ from: String, _ to: String) {
        guard from != to else { return }
        step("MoveFile", ["from": from, "to": to], changes: [from, to])
    }

    @discardableResult private mutating func step(
        _ kind: String, _ params: [String: String], overwrites: Bool = false,
        inputs: [(port: String, from: Int, output: String)] = [], reads: Set<String> = [], changes: Set<String> = [],
        isCommand: Bool = false, stem: String? = nil
    ) -> Int {
        var made = Step(
            id: "s\(steps.count + 1)", kind: kind, inputs: inputs, reads: reads, changes: changes, isCommand: isCommand,
            stem: stem)
        for (key, value) in params.sorted(by: { $0.key < $1.key }) { made.params[key] = .string(value) }
        if overwrites { made.params["overwrite"] = true }
        if isCommand { made.params["exits"] = ["told"] }
        steps.append(made)
        return steps.count - 1
    }

    // MARK: As a template

    package var template: Template {
        Template(
            name: "random", nodes: steps.map { Template.Node(id: $0.id, kind: $0.kind, params: $0.params) },
            edges: steps.flatMap { step in
                step.inputs.map {
                    Template.Edge(from: .init(steps[$0.from].id, $0.output), to: .init(step.id, $0.port))
                }
            }, options: Template.Options(localConcurrency: 4, errorPolicy: .isolateNode))
    }

    /// Whether two steps touch one path without an edge between them.
    package var hasConflict: Bool {
        steps.indices.contains { later in
            (0..<later).contains { isConflict($0, later) && !isFed(later, by: $0) }
        }
    }

    private func isFed(_ step: Int, by other: Int) -> Bool {
        steps[step].inputs.contains { $0.from == other || isFed($0.from, by: other) }
    }

    // MARK: The serial interpreter

    /// What a run of the plan comes to.
    package struct Result: Hashable {
        package var files: [String: String]
        /// `ok`, `exit N`, `failed`, `declined` or `held`, by step.
        package var steps: [String]

        package init(files: [String: String], steps: [String]) { (self.files, self.steps) = (files, steps) }
    }

    /// Runs the plan step by step in the order of the list. A step is held if what feeds it was not made, or if it is in
    /// conflict with an earlier step that did not succeed.
    package func interpreted(declines: Bool) -> Result {
        var result = Result(files: before, steps: [])
        var made: [[String: String]] = []
        for index in steps.indices {
            let isHeld =
                steps[index].inputs.contains { !["ok", "exit"].contains(result.steps[$0.from].prefix { $0 != " " }) }
                || (0..<index).contains { isHeldUp(index, by: $0, result) }
            if isHeld {
                result.steps.append("held")
                made.append([:])
            } else if declines, declined.contains(index), isThere(index, result.files) {
                result.steps.append("declined")
                made.append([:])
            } else {
                let run = Self.run(steps[index], made, &result.files)
                result.steps.append(run.word)
                made.append(run.outputs)
            }
        }
        return result
    }

    /// Whether the file of a deletion is there. Nobody is asked about a file that is not.
    package func isThere(_ index: Int, _ files: [String: String]) -> Bool {
        steps[index].params["path"]?.string.map { files[$0] != nil } ?? true
    }

    private func isHeldUp(_ later: Int, by earlier: Int, _ result: Result) -> Bool {
        guard isConflict(earlier, later) else { return false }
        let changesWhatWasRead =
            !steps[earlier].isCommand && steps[earlier].changes.isEmpty && steps[earlier].stem == nil
        let judged = changesWhatWasRead ? ends(of: earlier, before: later) : [earlier]
        return judged.contains { result.steps[$0] != "ok" && !isFed(later, by: $0) }
    }

    /// Returns the steps without a consumer among a step and all that it feeds, before another step.
    private func ends(of step: Int, before limit: Int) -> [Int] {
        let consumers = steps.indices.filter { $0 < limit && steps[$0].inputs.contains { $0.from == step } }
        return consumers.isEmpty ? [step] : consumers.flatMap { ends(of: $0, before: limit) }
    }

    private func isConflict(_ earlier: Int, _ later: Int) -> Bool {
        let (one, other) = (steps[earlier], steps[later])
        let touches = { (step: Step) in step.isCommand || step.stem != nil || !step.reads.union(step.changes).isEmpty }
        if one.isCommand || other.isCommand { return touches(one) && touches(other) }
        return !one.changes.isDisjoint(with: other.changes.union(other.reads))
            || !one.reads.isDisjoint(with: other.changes)
    }

    // MARK: What the tools do

    /// Runs one step over the files.
    package static func run(_ step: Step, _ made: [[String: String]], _ files: inout [String: String]) -> (
        word: String, outputs: [String: String]
    ) {
        let text = { (name: String) in step.params[name]?.string ?? "" }
        let inputs = step.inputs.map { made[$0.from][$0.output] ?? "" }
        switch step.kind {
        case "FileLoader", "ReadFile":
            guard let content = files[text("path")] else { return ("failed", [:]) }
            return ("ok", [step.kind == "ReadFile" ? "text" : "file": content])
        case "ReplaceText": return ("ok", ["text": inputs[0].replacing(text("find"), with: text("replacement"))])
        case "WriteFile":
            files[text("path")] = inputs.first ?? text("text")
            return ("ok", ["file": inputs.first ?? text("text")])
        case "Zip": return ("ok", ["file": inputs.joined(separator: "+")])
        case "SaveFile":
            var name = text("path")
            if let stem = step.stem, let number = (1...99).first(where: { files["\(stem)-\($0).txt"] == nil }) {
                name = "\(stem)-\(number).txt"
            }
            files[name] = inputs[0]
            return ("ok", ["file": inputs[0]])
        case "MoveFile":
            guard let content = files[text("from")], files[text("to")] == nil else { return ("failed", [:]) }
            files[text("from")] = nil
            files[text("to")] = content
            return ("ok", ["file": content])
        case "DeleteFile": return (files.removeValue(forKey: text("path")) == nil ? "failed" : "ok", [:])
        default: return command(text("command"), &files)
        }
    }

    private static func command(_ command: String, _ files: inout [String: String]) -> (String, [String: String]) {
        let words = command.split(separator: " ").map(String.init)
        guard words[0] == "cp" else {
            let content = files[words[3]]
            let code = content.map { $0.contains("y") ? 0 : 1 } ?? 2
            return (code == 0 ? "ok" : "exit \(code)", ["text": ""])
        }
        guard let content = files[words[1]], words[1] != words[2] else { return ("exit 1", ["text": ""]) }
        files[words[2]] = content
        return ("ok", ["text": ""])
    }
}
