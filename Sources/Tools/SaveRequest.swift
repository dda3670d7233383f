package import Files
import Glibc
import JSON
import Sandbox
import Undo
package import Vocabulary

/// The request of a user to save a content as a file. It is stored under a random name, which the step of the workflow
/// has as its parameter: a workflow from a file or a model cannot name one.
package struct SaveRequest: Hashable, Sendable {
    /// The real path of the content.
    package var source: String
    /// The real path of the new file.
    package var target: String
    package var isPrivate: Bool
    package var replaces: Bool
    /// The traits that are stored with the content.
    package var traits: FileTraits?

    package init(source: String, target: String, isPrivate: Bool, replaces: Bool, traits: FileTraits? = nil) {
        (self.source, self.target, self.isPrivate, self.replaces) = (source, target, isPrivate, replaces)
        self.traits = traits
    }
}

extension ToolManifest {
    /// The tool of workflows that save a result. It is in the catalogue of the engine only, so no plan and no file can
    /// name it.
    package static let saveResult = ToolManifest(
        kind: "SaveResult", title: "Save", icon: "↧", summary: "Saves a result as a file of the user's.", outputs: [],
        params: [Param(name: "request", kind: .text, isRequired: true)], effects: [],
        action: .builtin(Builtin.saveResult.rawValue))
}

extension Toolbox {
    /// Stores a request.
    ///
    /// - Returns: its name.
    package func add(_ request: SaveRequest) throws(Failure) -> String {
        let json = JSON.of([
            "source": .string(request.source), "target": .string(request.target), "private": .bool(request.isPrivate),
            "replaces": .bool(request.replaces), "traits": request.traits?.json,
        ])
        return try addRequest(json, prefix: "s")
    }

    /// Stores the JSON of a request under a random name that begins with a letter for its sort.
    func addRequest(_ json: JSON, prefix: String) throws(Failure) -> String {
        let folder = "\(UndoRecords(own).folder)/requests"
        let name = prefix + (0..<4).map { _ in String(UInt32.random(in: 0 ... .max), radix: 36) }.joined()
        try makeFolders(folder)
        try writeWhole(Array(json.text.utf8), to: "\(folder)/\(name)")
        return name
    }

    /// Returns the JSON of a stored request, or nil if there is none of this name.
    func request(named name: String) -> JSON? {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }) else {
            return nil
        }
        return readJSON("\(UndoRecords(own).folder)/requests/\(name)")
    }

    fileprivate func saveRequest(named name: String) -> SaveRequest? {
        guard let json = request(named: name), let source = json["source"]?.string,
            let target = json["target"]?.string
        else { return nil }
        return SaveRequest(
            source: source, target: target, isPrivate: json["private"]?.bool ?? true,
            replaces: json["replaces"]?.bool ?? false, traits: json["traits"].flatMap { FileTraits(json: $0) })
    }
}

/// The one step of a workflow that saves a result.
struct SaveResultTool {
    let context: Builtin.Context
    let cancel: Cancellation

    func run() throws(Failure) -> [Asset] {
        let toolbox = context.toolbox
        guard let request = toolbox.saveRequest(named: try context.assignment.requiredText("request")) else {
            throw Failure(.notRequested, "Nobody asked for this.", remedy: "Run 'assent save' with the result.")
        }
        let workspace = try context.paths().workspace
        let turn = try WorkspaceTurn.take(workspace, in: toolbox.own.data, cancel: cancel)
        defer { turn.end() }
        if try !wasDone() {
            try toolbox.save(
                try ViewedFile.open(typed: request.source), like: request.traits, isPrivate: request.isPrivate,
                to: request.target,
                replaces: request.replaces,
                ChangeRecording(context))
        }
        // A result of its own would be the newest one, which `view` and `save` mean without a word.
        return []
    }

    /// Whether an attempt that was cut has done all of it: then its record is left.
    private func wasDone() throws(Failure) -> Bool {
        let records = UndoRecords(context.toolbox.own)
        for run in records.runs(of: context.assignment.run.step.workflow) { try records.trim(run) }
        return !records.runs(of: context.assignment.run.step.workflow).isEmpty
    }
}
