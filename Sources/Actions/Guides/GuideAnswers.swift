import Files
import Pictures
import Services
import Storage
import Tools
import Vocabulary

/// The store of answers to the steps of guides, and of the refusals of those that do not fit.
package struct GuideAnswers: Sendable {
    private let shared: OpenWorkspace
    /// The file that the answers come from, or `nil` if the person gives them.
    private let source: String?

    /// Creates a store of answers that come from the person, or from a file.
    package init(_ shared: OpenWorkspace, from source: String? = nil) { (self.shared, self.source) = (shared, source) }

    /// The person, and the file that the answers come from.
    private var person: String { OpenWorkspace.person + (source.map { ", from \(lastName(of: $0))" } ?? "") }

    /// The signs that may stand before thousands in the numbers that the person types.
    var groupSigns: Set<Character> { shared.groupSigns }

    // MARK: Contents

    /// Stores content for a port of a step.
    func store(_ content: AnswerContent, for port: Port, of record: AwaitRecord) async throws(Failure) -> Asset {
        try await shared.withToolbox { toolbox throws(Failure) in
            try toolbox.takeIn(content, for: port, wanted: [], of: record.request?.inputs.map(\.hash) ?? [])
        }
    }

    /// Returns the measures of a picture.
    func figures(of picture: Asset) async throws(Failure) -> PictureFigures {
        let errors = errors(of: "PictureCheck")
        return try await shared.withToolbox { toolbox throws(Failure) in
            try toolbox.pictures.figures(of: picture.hash, named: picture.name, errors: errors)
        }
    }

    /// Returns the text of the code in a picture.
    func code(in picture: Asset) async throws(Failure) -> String {
        let errors = errors(of: "ReadCode")
        return try await shared.withToolbox { toolbox throws(Failure) in
            try toolbox.pictures.codes(of: picture.hash, named: picture.name, errors: errors).joined(separator: "\n")
        }
    }

    private func errors(of kind: String) -> ErrorRules { (try? shared.catalogue.get())?[kind]?.errors ?? ErrorRules() }

    // MARK: Records

    /// Returns how often answers to an await were refused.
    func refusals(of record: AwaitRecord) throws(Failure) -> Int {
        try shared.archive.get().refusals(of: record).count
    }

    /// Stores the refusal of an answer. The await stays open.
    ///
    /// - Returns: how often answers were refused so far.
    func refuse(_ record: AwaitRecord, _ refusal: Refusal) throws(Failure) -> Int {
        try shared.archive.get().refuse(
            record, refusal, attempts: record.request?.accept?.attempts ?? Limits.guideAttempts, by: person,
            at: OpenWorkspace.now())
    }

    /// Stores the reason for which an answer was accepted although it does not fit.
    func noteTaken(_ record: AwaitRecord, why: String) {
        // The reason is stored with the answer, too. The event only repeats it.
        try? shared.archive.get().note(
            .awaitTaken(await: record.number, why: why, by: person), of: record.step, at: OpenWorkspace.now())
    }

    /// Stores a text that the person writes to a step.
    ///
    /// - Parameter part: the name of one of its pictures, or its number from 1. `nil` stands for the whole step.
    func annotate(_ step: StepID, part: String?, _ text: String) throws(Failure) {
        guard text.utf8.count <= Limits.guideTextBytes else {
            throw Failure(
                .badUsage, "A note has at most \(Limits.guideTextBytes) bytes.", remedy: "Write a shorter one.")
        }
        try shared.archive.get().note(
            .stepAnnotated(part: part, text: text, by: person), of: step, at: OpenWorkspace.now())
    }

    /// Completes a step.
    ///
    /// - Returns: false if the step was answered before.
    @discardableResult
    func complete(_ record: AwaitRecord, _ completion: Vocabulary.Completion) throws(Failure) -> Bool {
        try InboxActions(shared).complete(record.number, completion, by: person) == .taken
    }
}
