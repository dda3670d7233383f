package import JSON

/// A step of a guide: a capture, a question, a note, or a group of steps.
package struct GuideStep: Hashable, Sendable {
    package var id: String
    package var kind: Kind
    /// The title in lists, such as `Licence plate`.
    package var title: String
    /// The words that tell the person what to do, or ask the question.
    package var instruction: String
    package var hint: String?
    /// The path of a picture that serves as an example, relative to the folder of the guide's file.
    package var example: String?
    package var skip: Skip?
    /// Whether the guide cannot end without an answer. A step that may be skipped is not required.
    package var isRequired: Bool
    /// The answer that is offered as a default.
    package var initial: JSON?
    /// The condition under which the step is asked, or `nil` if it always is.
    package var when: Condition?
    /// The steps that are asked in its place if `when` is false. The list is empty if there are none.
    package var otherwise: [GuideStep]
    /// The steps that must be over before this one, or `nil` for the step above it.
    package var after: [String]?
    package var accept: Accept
    /// The number of refusals after which "take it as it is" is offered.
    package var attempts: Int
    /// Whether the person may add a text to each answer.
    package var isAnnotated: Bool
    /// The place of the step in its file, for problems.
    package var place: Place
    /// The place where the text of `when` begins.
    package var whenPlace: Place?

    /// A place in the file of a guide.
    package struct Place: Hashable, Sendable {
        /// Counts from 1.
        package let line: Int
        /// Counts from 1.
        package let column: Int
        /// Whether the text is unchanged from the file, so that a single sign of it can be pointed at.
        package let isExact: Bool

        /// Creates a place.
        package init(line: Int, column: Int, isExact: Bool = false) {
            (self.line, self.column, self.isExact) = (line, column, isExact)
        }

        /// Returns the place of a sign of the text that begins here.
        package func moved(by offset: Int) -> Place {
            isExact ? Place(line: line, column: column + offset, isExact: true) : self
        }
    }

    package indirect enum Kind: Hashable, Sendable {
        case capture(Capture)
        case text, date, code
        /// - unit: the text behind the number, such as `kWh`, or empty for none.
        case number(unit: String)
        case choose([String], isSeveral: Bool)
        /// A text that is read, and left with Enter.
        case note
        case group([GuideStep])
    }

    /// The description of the pictures that a step needs.
    package struct Capture: Hashable, Sendable {
        package enum Source: String, Hashable, Sendable, CaseIterable { case any, camera }

        /// The number of pictures, if they have no names of their own.
        package var count: ClosedRange<Int>
        /// The names of the pictures, one for each. The list is empty if they have none.
        package var each: [String]
        package var source: Source

        /// The number of pictures that the step needs, whether they have names or not.
        package var wanted: ClosedRange<Int> { each.isEmpty ? count : each.count...each.count }

        /// Whether the step needs exactly one picture without a name.
        package var isSingle: Bool { each.isEmpty && count == 1...1 }

        /// Creates the description of a capture.
        package init(count: ClosedRange<Int> = 1...1, each: [String] = [], source: Source = .any) {
            (self.count, self.each, self.source) = (count, each, source)
        }
    }

    /// The way around a step.
    package struct Skip: Hashable, Sendable {
        /// The words that stand for the skip, such as `There is no visible damage`.
        package var words: String
        /// The step that follows, so that the steps between count as skipped. `nil` stands for the next step.
        package var then: String?

        /// Creates a way around a step.
        package init(words: String, then: String? = nil) { (self.words, self.then) = (words, then) }
    }

    /// The demands on an answer.
    package struct Accept: Hashable, Sendable {
        /// The conditions on `answer`, with the author's words for a refusal. The list may be empty.
        package var tests: [Test]
        package var picture: Picture

        package struct Test: Hashable, Sendable {
            package var condition: Condition
            package var words: String

            /// Creates a test of an answer.
            package init(condition: Condition, words: String) { (self.condition, self.words) = (condition, words) }
        }

        /// Limits for pictures. A limit that is `nil` is not checked.
        package struct Picture: Hashable, Sendable {
            /// The least sharpness (`PictureFigures.sharp`).
            package var sharp: Int?
            /// The mean brightness, of 255.
            package var bright: ClosedRange<Int>?
            /// The largest share of pixels that are wholly white or black, in percent.
            package var clipped: Int?
            /// The least width and height, in pixels, of either side.
            package var width: Int?
            package var height: Int?
            /// The least distance to the other pictures of the step, in bits of 64.
            package var different: Int?

            /// Creates limits that check nothing.
            package init() {}

            /// The limits of a picture if its guide says nothing. They were tuned on one set of photographs and judged
            /// on another (`testing.md`, "Photographs").
            package static let measured: Picture = {
                var limits = Picture()
                (limits.sharp, limits.bright, limits.clipped) = (90, 40...210, 25)
                return limits
            }()
        }

        /// Creates what checks nothing.
        package init(tests: [Test] = [], picture: Picture = Picture()) { (self.tests, self.picture) = (tests, picture) }
    }

    /// Creates a step with default values for optional properties.
    package init(id: String, kind: Kind, title: String, instruction: String, place: Place = Place(line: 1, column: 1)) {
        (self.id, self.kind, self.title, self.instruction) = (id, kind, title, instruction)
        (isRequired, otherwise, accept, attempts, isAnnotated) = (true, [], Accept(), Limits.guideAttempts, false)
        self.place = place
    }

    /// The steps inside a group. The list is empty for other kinds.
    package var inner: [GuideStep] { if case .group(let steps) = kind { steps } else { [] } }

    /// The step, the steps inside it, and the steps that replace it.
    package var withInner: [GuideStep] { [self] + inner.flatMap(\.withInner) + otherwise.flatMap(\.withInner) }

    /// The types of its answers by the names that conditions use.
    package var answers: [(name: String, type: AnswerType)] {
        switch kind {
        case .capture(let capture): [(id, .media)] + capture.each.map { ("\(id).\(Self.part($0))", .media) }
        case .text, .code: [(id, .text)]
        case .number: [(id, .number)]
        case .date: [(id, .date)]
        case .choose(let words, let isSeveral): [(id, isSeveral ? .choices(words) : .choice(words))]
        case .note, .group: []
        }
    }

    /// Returns the part of a name for one of several pictures: `front left` is `front-left`.
    package static func part(_ name: String) -> String {
        String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" })
            .split(separator: "-").joined(separator: "-")
    }
}
