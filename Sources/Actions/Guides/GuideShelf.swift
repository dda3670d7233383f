import Files
import Manifests
import Services
package import Vocabulary
import Workflows

/// The files of guides, and the files of answers to them.
package struct GuideShelf: Sendable {
    private let shared: OpenWorkspace

    /// Creates the shelf of the guides that this process sees.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// Returns the guides that have a name: those of the user, then those that come with the program.
    package func list() -> [GuideEntry] {
        shared.shelves.guides().map { entry in
            let guide = readGuide(entry.text, file: entry.name).guide
            return GuideEntry(
                name: entry.name, title: guide?.title ?? "(cannot be read: 'assent guide check \(entry.name)')",
                about: guide?.about ?? "", path: entry.path)
        }
    }

    /// Returns the text of a guide, and its file.
    ///
    /// - Parameter name: a name of the list, or else the path of a file.
    /// - Throws: `unknownGuide`, or `badGuide` if the file is not UTF-8.
    package func text(of name: String) throws(Failure) -> (text: String, file: String) {
        if let known = shared.shelves.guides().first(where: { $0.name == name }) {
            return (known.text, known.path ?? "\(name).yaml")
        }
        do throws(Failure) {
            let bytes = try FileSystem.bytes(name)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(.badGuide, "\(name) is no text in UTF-8.", remedy: "Save it as UTF-8.")
            }
            return (text, name)
        } catch {
            guard error.code == .unknownFile, !name.contains("/") else { throw error }
            throw Failure(
                .unknownGuide, "There is no guide \"\(name.prefix(60))\", and no file.",
                remedy: "See 'assent guide list'.")
        }
    }

    /// Reads a guide.
    ///
    /// - Returns: the guide as far as it can be read, and all its problems.
    package func read(_ text: String, file: String) -> (guide: Guide?, problems: [Problem]) {
        let (guide, problems) = readGuide(text, file: file)
        guard let guide, problems.isEmpty else { return (guide, problems) }
        // The guide is stored as a workflow and read from there, so a difference is reported before it is run.
        let template = Template(guide, text: text)
        let (stored, faults) = TemplateReader.read(template.json, isStored: true)
        guard stored != template || !faults.isEmpty else { return (guide, []) }
        let words = faults.first.map { "\($0.place): \($0.message)" } ?? "Its steps cannot be stored as they are."
        let message = "With the conditions of its groups, the guide cannot be stored. \(words)"
        return (guide, [Problem(.tooLarge, at: "\(file):1:1", message)])
    }

    /// Reads a guide that can be run.
    ///
    /// - Parameter name: a name of the list, or else the path of a file.
    /// - Throws: `badGuide` with the first problem.
    package func sound(_ name: String) throws(Failure) -> (guide: Guide, text: String, file: String) {
        let (text, file) = try text(of: name)
        let (guide, problems) = read(text, file: file)
        guard let guide, problems.isEmpty else {
            let first = problems.first.map { "\($0)" } ?? "It cannot be read."
            let more = problems.count > 1 ? " There are \(problems.count - 1) more problems." : ""
            throw Failure(.badGuide, first + more, remedy: "Mend it; 'assent guide check \(name)' shows all of it.")
        }
        return (guide, text, file)
    }

    /// Returns the workflow that leads through a guide.
    ///
    /// - Parameter file: the path of the guide's file. Its examples are in the same folder.
    package func template(of guide: Guide, text: String, file: String) -> Template {
        Template(guide.withExamples(in: Folders.real(file).map(parent(of:))), text: text)
    }

    /// Reads a file of answers to a guide. Paths in it become paths as seen from this process.
    ///
    /// - Throws: `badAnswers` with the first three problems.
    package func answers(in file: String, to guide: Guide) throws(Failure) -> AnswersFile {
        let bytes = try FileSystem.bytes(file)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badAnswers, "\(file) is no text in UTF-8.", remedy: "Save it as UTF-8.")
        }
        let (answers, problems) = readAnswers(
            text, file: file, guide: guide, groupSigns: shared.groupSigns)
        guard let answers, problems.isEmpty else {
            let words = problems.prefix(3).map { "\($0)" }.joined(separator: " ")
            throw Failure(
                .badAnswers, words.isEmpty ? "\(file) cannot be read." : words,
                remedy: "Mend \(file). Nothing was answered.")
        }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty && !file.hasPrefix("/") ? answers : answers.resolved(in: folder.isEmpty ? "/" : folder)
    }
}
