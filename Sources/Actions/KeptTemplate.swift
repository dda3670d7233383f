import Files
import Glibc
import JSON
import Services
import Vocabulary
import Workflows

extension Limits {
    /// The most characters of a template's name.
    fileprivate static let templateNameCharacters = 60
}

/// A workflow of a model that is to be kept as a template of the user's.
struct KeptTemplate {
    /// The name of the template and of its file: letters, digits and hyphens.
    let name: String
    private let template: Template
    private let shared: OpenWorkspace

    /// - Throws: `badArguments` for a name of no letters, and for a workflow that uses results of an earlier one,
    ///   `targetExists` if there is a template of this name.
    init(_ template: Template, named wish: String, in shared: OpenWorkspace) throws(Failure) {
        let words = wish.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
        name = String(words.joined(separator: "-").prefix(Limits.templateNameCharacters))
        (self.template, self.shared) = (template, shared)
        guard !name.isEmpty else {
            throw Failure(.badArguments, "keep_as is a name of letters, digits and hyphens, such as small-photo.")
        }
        guard !template.nodes.contains(where: { shared.knownTools[$0.kind] == nil }) else {
            throw Failure(
                .badArguments, "A workflow that uses a result of an earlier one cannot be kept as a template.")
        }
        try refuseTaken()
    }

    private func refuseTaken() throws(Failure) {
        if shared.shelves.templates().contains(where: { $0.name == name }) { throw taken }
    }

    private var taken: Failure {
        Failure(
            .targetExists, "There is a template \(name) already, and none is ever replaced.",
            remedy: "Use another name in keep_as.")
    }

    /// Writes the template beside the user's others.
    ///
    /// - Returns: its name.
    /// - Throws: `targetExists` if another process was faster, or the failure to write.
    func keep() throws(Failure) -> String {
        try refuseTaken()
        let folder = "\(shared.folders.config)/templates"
        try makeFolders(folder)
        var kept = template
        kept.name = name
        let place = try OpenFolder(realPath(folder))
        var file = try NewFile(in: place)
        fchmod(file.file.descriptor, 0o600)
        try file.file.write(Array("\(kept.json.pretty)\n".utf8))
        try file.file.sync()
        guard try file.name("\(name).json") else { throw taken }
        return name
    }
}
