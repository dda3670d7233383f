package import Vocabulary

/// Guides as the console needs them: where they lie, what they become, and what is measured of the answers.
package protocol Guides: Sendable {
    /// Lists the guides that have a name: those of the user, then those that come with the program.
    func list() -> [GuideEntry]
    /// Reads the text of a guide.
    ///
    /// - Parameter name: a name of the list, else the path of a file.
    func text(of name: String) throws(Failure) -> (text: String, file: String)
    /// Reads a guide.
    ///
    /// - Returns: the guide as far as it can be read, and everything that is wrong with it.
    func read(_ text: String, file: String) -> (guide: Guide?, problems: [Problem])
    /// Reads a file of answers to a guide, with its paths as seen from here.
    ///
    /// - Throws: `badAnswers` with the first problem.
    func answers(in file: String, to guide: Guide) throws(Failure) -> AnswersFile
    /// Makes the workflow that carries out a guide.
    ///
    /// - Parameter file: the path of the guide's file, beside which its examples lie.
    func template(of guide: Guide, text: String, file: String) -> Template

    /// The day of today where the user is: `2026-11-26`.
    var today: String { get }
    /// Takes content into the store, for a port of a step.
    func take(_ content: AnswerContent, for port: Port, of record: AwaitRecord) async -> Result<Asset, Failure>
    /// Measures a picture.
    func figures(of picture: Asset) async -> Result<PictureFigures, Failure>
    /// Reads the code in a picture.
    func code(in picture: Asset) async -> Result<String, Failure>
    /// The program that takes photographs, as the settings name it.
    var camera: String { get }
    /// Takes a photograph with the camera into the store.
    func photograph() async -> Result<AnswerContent, Failure>
    /// Takes the picture in the clipboard into the store.
    func clipboard() async -> Result<AnswerContent, Failure>
    /// Speaks a text, if the machine can.
    func speak(_ text: String) async

    /// Returns how often answers to an await were refused, and the last refusal.
    func refusals(of record: AwaitRecord) throws(Failure) -> (count: Int, last: Refusal?)
    /// Keeps the refusal of an answer. The await stays open.
    ///
    /// - Returns: how often it was refused by now.
    func refuse(_ record: AwaitRecord, _ refusal: Refusal) throws(Failure) -> Int
    /// Keeps the reason for which an answer was taken although it does not fit.
    func noteTaken(_ record: AwaitRecord, why: String)
    /// Keeps a text that the person writes to a step.
    ///
    /// - Parameter part: the name of one of its pictures, or the number of it from 1; `nil` for the whole step.
    func annotate(_ step: StepID, part: String?, _ text: String) throws(Failure)
    /// Completes a step.
    func complete(_ record: AwaitRecord, _ completion: Completion) throws(Failure) -> AnswerOutcome
    /// Returns guides that store what is given here as answers from a file.
    func answering(from file: String) -> any Guides

    /// Makes the package of a workflow of a guide.
    ///
    /// - Returns: the zip file as a content of the store.
    func package(of record: GuideRecord, text: String) async throws(Failure) -> MadePackage
}

/// A package that was made and is not yet a file of the user's.
package struct MadePackage: Hashable, Sendable {
    package var content: Asset
    /// The name that the guide wants for the file.
    package var name: String
    /// The files in it whose metadata could not be cut, with the reason.
    package var uncut: [Uncut]

    package struct Uncut: Hashable, Sendable {
        package var file: String
        package var reason: String

        /// Creates a file whose metadata could not be cut.
        package init(file: String, reason: String) { (self.file, self.reason) = (file, reason) }
    }

    /// Creates a package.
    package init(content: Asset, name: String, uncut: [Uncut]) {
        (self.content, self.name, self.uncut) = (content, name, uncut)
    }
}

/// A guide in a list.
package struct GuideEntry: Hashable, Sendable {
    package var name: String
    package var title: String
    package var about: String
    /// The path of its file; `nil` for one that comes with the program.
    package var path: String?

    /// Creates an entry.
    package init(name: String, title: String, about: String, path: String?) {
        (self.name, self.title, self.about, self.path) = (name, title, about, path)
    }
}
