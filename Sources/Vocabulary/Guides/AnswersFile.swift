package import JSON

/// Answers to the steps of a guide, as a file has them (`assent.answers/v1`). A guide runs from such a file without a
/// person at the keyboard, and each package has one, so that it can be replayed.
package struct AnswersFile: Hashable, Sendable {
    package static let schema = "assent.answers/v1"

    /// The id of the guide.
    package var guide: String
    /// The steps in the order of the file.
    package var steps: [Step]
    /// The texts that a person wrote to steps, and to their pictures.
    package var notes: [Note] = []

    /// A text that belongs to a step.
    package struct Note: Hashable, Sendable {
        /// The id of the step.
        package var step: String
        /// The name of the picture among several, or its number from 1. `nil` stands for the whole step.
        package var part: String?
        package var text: String

        /// Creates a text that belongs to a step.
        package init(step: String, part: String? = nil, text: String) {
            (self.step, self.part, self.text) = (step, part, text)
        }
    }

    /// The answer to one step.
    package struct Step: Hashable, Sendable {
        /// The id of a step of the guide. A step that replaces another is `STEP.otherwise`.
        package var id: String
        package var answer: Answer
        /// The reason to take the answer at the first attempt although it does not fit.
        package var take: String?
        /// The place in the file, for problems.
        package var place: GuideStep.Place

        /// Creates an answer to a step.
        package init(
            id: String, answer: Answer, take: String? = nil,
            place: GuideStep.Place = GuideStep.Place(line: 1, column: 1)
        ) {
            (self.id, self.answer, self.take, self.place) = (id, answer, take, place)
        }
    }

    package enum Answer: Hashable, Sendable {
        /// A text, a number or a day as it is written, or the chosen word. It is a list of words if several can be
        /// chosen.
        case value(JSON)
        /// Pictures, in their order.
        case pictures([Picture])
        /// All pictures of the step come from the camera.
        case camera
        /// The step is left out. The words may be empty.
        case skip(words: String)
    }

    /// A picture of a step.
    package struct Picture: Hashable, Sendable {
        /// The name of the picture among several, or `nil` if it has none.
        package var part: String?
        /// The path as it is written: absolute, or relative to the folder of the file. `nil` for a picture from the
        /// camera.
        package var path: String?
        /// The reason to take the picture at the first attempt although it does not fit.
        package var take: String?

        /// Creates a picture.
        package init(part: String? = nil, path: String?, take: String? = nil) {
            (self.part, self.path, self.take) = (part, path, take)
        }
    }

    /// Creates the answers of a file.
    package init(guide: String, steps: [Step], notes: [Note] = []) {
        (self.guide, self.steps, self.notes) = (guide, steps, notes)
    }

    package subscript(id: String) -> Step? { steps.first { $0.id == id } }

    /// Returns the answers with the paths as seen from elsewhere.
    ///
    /// - Parameter folder: the folder of the file. Paths that begin with `/` or `~/` stay.
    package func resolved(in folder: String) -> AnswersFile {
        var resolved = self
        for index in resolved.steps.indices {
            guard case .pictures(var pictures) = resolved.steps[index].answer else { continue }
            for place in pictures.indices {
                guard let path = pictures[place].path, !path.hasPrefix("/"), !path.hasPrefix("~/") else { continue }
                pictures[place].path = folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
            }
            resolved.steps[index].answer = .pictures(pictures)
        }
        return resolved
    }
}

// MARK: - As JSON

extension AnswersFile {
    package var json: JSON {
        .of([
            "answers": .string(Self.schema), "guide": .string(guide),
            "steps": .object(JSON.Object(members: steps.map { JSON.Object.Member(key: $0.id, value: $0.json) })),
            "notes": notes.isEmpty
                ? nil
                : .array(
                    notes.map {
                        .of(["step": .string($0.step), "part": $0.part.map { .string($0) }, "text": .string($0.text)])
                    }),
        ])
    }
}

extension AnswersFile.Step {
    fileprivate var json: JSON {
        switch answer {
        case .value(let value):
            guard let take else { return value }
            return ["value": value, "take": .string(take)]
        case .skip(let words): return ["skip": .string(words)]
        case .camera: return .of(["camera": true, "take": take.map { .string($0) }])
        case .pictures(let pictures):
            let parts = pictures.compactMap(\.part)
            if !parts.isEmpty, parts.count == pictures.count {
                return .object(
                    JSON.Object(members: pictures.map { JSON.Object.Member(key: $0.part ?? "", value: $0.short) }))
            }
            return pictures.count == 1 ? pictures[0].long : .array(pictures.map(\.short))
        }
    }
}

extension AnswersFile.Picture {
    /// The picture as an object.
    fileprivate var long: JSON {
        .of(["file": path.map { .string($0) }, "camera": path == nil ? true : nil, "take": take.map { .string($0) }])
    }

    /// The path alone, if the picture has no other properties.
    fileprivate var short: JSON { path.flatMap { take == nil ? .string($0) : nil } ?? long }
}
