/// A guide leads a person through captures and questions, checks each answer, and ends in a package that others can
/// use. It is read from YAML (`assent.guide/v1`) and runs as a workflow.
package struct Guide: Hashable, Sendable {
    package static let schema = "assent.guide/v1"

    package var id: String
    package var title: String
    /// Counts from 1.
    package var version: Int
    /// The purpose, in a sentence, by which the planner finds it.
    package var about: String
    package var place: Place
    package var metadata: Metadata
    /// Whether instructions and refusals are spoken, too.
    package var speaks: Bool
    /// Whether all answers are looked at once more before the package is written.
    package var hasReview: Bool
    package var export: Export
    package var steps: [GuideStep]

    /// The source of the place of a picture.
    package enum Place: String, Hashable, Sendable, CaseIterable { case ask, exif, never }

    /// The treatment of the EXIF data of a picture.
    package enum Metadata: String, Hashable, Sendable, CaseIterable { case keep, cut }

    /// The package that a guide ends in.
    package struct Export: Hashable, Sendable {
        /// The name of the package's file. `{date}` stands for the day, `{id}` for the guide.
        package var name: String
        /// Whether the package has a report that opens in a browser.
        package var hasReport: Bool
        /// Whether pictures keep all their pixels.
        package var hasOriginals: Bool

        /// Creates the description of a package.
        package init(name: String = "{id}-{date}.zip", hasReport: Bool = true, hasOriginals: Bool = true) {
            (self.name, self.hasReport, self.hasOriginals) = (name, hasReport, hasOriginals)
        }
    }

    /// Creates a guide.
    package init(
        id: String, title: String, version: Int = 1, about: String = "", place: Place = .never,
        metadata: Metadata = .cut,
        speaks: Bool = false, hasReview: Bool = true, export: Export = Export(), steps: [GuideStep]
    ) {
        (self.id, self.title, self.version, self.about) = (id, title, version, about)
        (self.place, self.metadata, self.speaks, self.hasReview) = (place, metadata, speaks, hasReview)
        (self.export, self.steps) = (export, steps)
    }

    /// All steps in order. The steps of a group stand behind it, and replacements behind the step that they replace.
    package var allSteps: [GuideStep] { steps.flatMap(\.withInner) }

    /// Returns the guide with the paths of its examples resolved in a folder.
    ///
    /// - Parameter folder: the folder of the guide's file, or `nil` for a guide without a file, whose examples are left
    ///   out.
    package func withExamples(in folder: String?) -> Guide {
        var guide = self
        guide.steps = steps.map { $0.withExamples(in: folder) }
        return guide
    }
}

extension GuideStep {
    fileprivate func withExamples(in folder: String?) -> GuideStep {
        var step = self
        step.example = example.flatMap { name in folder.map { $0.hasSuffix("/") ? $0 + name : "\($0)/\(name)" } }
        step.otherwise = otherwise.map { $0.withExamples(in: folder) }
        if case .group(let inner) = kind { step.kind = .group(inner.map { $0.withExamples(in: folder) }) }
        return step
    }
}
