import JSON
import Services
package import Vocabulary

extension Limits {
    /// The most bytes of one value in an offered line, and of the whole line.
    fileprivate static let offeredValue = 120
    fileprivate static let offeredLine = 900
}

/// A stored workflow as the source of a new run: its graph with all changes of its parameters. Secret values stay
/// sealed.
package struct RepeatedRun: Sendable {
    package let id: WorkflowID
    package private(set) var template: Template
    private let catalogue: Catalogue
    private let keys: KeyFilter

    fileprivate init(_ id: WorkflowID, _ template: Template, _ catalogue: Catalogue, _ keys: KeyFilter) {
        (self.id, self.template, self.catalogue, self.keys) = (id, template, catalogue, keys)
    }

    /// The steps that load a named file. Each counts as an input of the workflow.
    private var inputs: [(name: String, index: Int, param: String)] {
        template.nodes.indices.compactMap { index in
            let node = template.nodes[index]
            guard let tool = catalogue[node.kind], tool.isLoader,
                let param = tool.params.first(where: { $0.isRequired && $0.kind == .path })
            else { return nil }
            let short = node.id.hasPrefix("input-") ? String(node.id.dropFirst(6)) : node.id
            return (short.isEmpty ? node.id : short, index, param.name)
        }
    }

    /// Replaces the files of inputs.
    ///
    /// - Parameter options: the options, such as `photo=dog.jpg`.
    /// - Returns: the options that name no such input. They may bind an input of a step.
    package mutating func bind(_ options: [String]) -> [String] {
        let inputs = inputs
        return options.filter { option in
            guard let (name, file) = TemplateBinding.split(option), !file.isEmpty,
                let input = inputs.first(where: { $0.name == name || template.nodes[$0.index].id == name })
            else { return true }
            template.nodes[input.index].params[input.param] = .string(file)
            return false
        }
    }

    /// The words of the command that runs the workflow again, with its inputs and values. Secret and long values, and
    /// those that are the default, are not among them: the command takes them from the workflow.
    ///
    /// `isWhole` is false if a value is missing that is not the default.
    package var command: (words: [String], isWhole: Bool) {
        var (words, isWhole) = (["run", "\(id)"], true)
        var bytes = 0
        func add(_ option: String, _ value: String) {
            let isShort = value.utf8.count <= Limits.offeredValue && bytes + value.utf8.count <= Limits.offeredLine
            guard isShort, keys.cut(value) == value, value.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
                return isWhole = false
            }
            bytes += value.utf8.count + option.utf8.count + 4
            words += [option, value]
        }
        let inputs = inputs
        for input in inputs {
            add("--input", "\(input.name)=\(template.nodes[input.index].params[input.param]?.string ?? "")")
        }
        let loaders = Set(inputs.map(\.index))
        for (index, node) in template.nodes.enumerated() where !loaders.contains(index) {
            for member in node.params.members where !member.value.isNull {
                guard let param = catalogue[node.kind]?.param(member.key), !param.isSecret,
                    !SealedValue.isIn(member.value)
                else {
                    isWhole = false
                    continue
                }
                guard ![param.defaultValue, param.plannedValue].contains(member.value) else { continue }
                let text = member.value.string ?? member.value.text
                guard TemplateBinding.value(text, as: param.kind) == member.value else {
                    isWhole = false
                    continue
                }
                add("--set", "\(node.id).\(member.key)=\(text)")
            }
        }
        return (words, isWhole)
    }
}

extension Reruns {
    /// Returns a workflow as the source of a new run in this folder. Returns nil if it is of another folder that still
    /// exists, since its files have other paths here.
    ///
    /// - Throws: `unknownWorkflow` if there is no such workflow that can be read.
    package func repeated(_ id: WorkflowID) throws(Failure) -> RepeatedRun? {
        let (record, template) = try edited(id)
        guard record.workspace == shared.workspace || Folders.real(record.workspace) == nil else { return nil }
        return RepeatedRun(id, template, WorkflowRecords(shared).catalogue(), shared.keyRing.filter)
    }
}
