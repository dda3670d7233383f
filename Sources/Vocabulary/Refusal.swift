package import JSON

extension Limits {
    /// The least share of fine detail, in percent, that a picture keeps in one direction against the direction at right
    /// angles to it. A picture below it was moved.
    fileprivate static let motionLeast = 70
}

/// The reason why an answer of a person is not accepted, in words that say what to do.
package struct Refusal: Error, Hashable, Sendable {
    /// The check that refuses: `picture`, `code`, `form` or `test`.
    package var check: String
    /// The reason in a word, such as `blurred`.
    package var code: FailureCode
    package var words: String
    /// The measured figures with the demanded ones, or `nil` if nothing was measured.
    package var figures: JSON?

    /// Creates a refusal with a code of ours.
    package init(check: String, code: Code, words: String, figures: JSON? = nil) {
        self.init(check: check, code: .ours(code), words: words, figures: figures)
    }

    /// Creates a refusal with a code that was stored.
    package init(check: String, code: FailureCode, words: String, figures: JSON? = nil) {
        (self.check, self.code, self.words, self.figures) = (check, code, words, figures)
    }

    /// Whether a person may have the answer accepted nevertheless, since it has the right form and can be read.
    package var canBeTaken: Bool { check != "form" && code != .unreadable }
}

extension Asset {
    /// The keys under which `meta` stores an answer: the answer itself, the name of one of several pictures, the
    /// measured figures, and the reason why it was accepted although it does not fit.
    package static let answerKey = "answer"
    package static let partKey = "part"
    package static let figuresKey = "figures"
    package static let takenKey = "taken"
}

extension Acceptance {
    /// Reads an answer that a person typed.
    ///
    /// - Parameters:
    ///   - chosen: the words of several choices, if they are known one by one, since a word may contain a comma.
    ///   - groupSigns: the signs before three digits that can divide thousands for the person (`TypedNumber`).
    /// - Returns: the answer in its stored form (a number and a day as they are written), or the reason why it is not
    ///   valid.
    package func answer(
        _ typed: String, chosen: JSON? = nil, choices: [String], groupSigns: Set<Character> = [","]
    ) -> Result<JSON, Refusal> {
        let text = typed.trimmedOfBlanks
        switch form {
        case .text, .code: return .success(.string(typed))
        case .number:
            switch TypedNumber(text, unit: unit, groupedBy: groupSigns) {
            case .exact(let plain): return .success(.string(plain))
            case .ambiguous(let large, let small):
                return .failure(
                    form(
                        .ambiguous,
                        "\"\(text.prefix(40))\" can be read in two ways: write it as \(large) or \(small)."))
            case .none:
                return .failure(
                    form(
                        .notANumber,
                        "\"\(text.prefix(40))\" is no number: write it as 1202 or 1202.5\(unit.isEmpty ? "" : ", with or without \(unit)")."
                    ))
            }
        case .date:
            guard CivilDate(text) != nil else {
                return .failure(form(.notADate, "\"\(text.prefix(40))\" is no day: write it as 2026-11-25."))
            }
            return .success(.string(text))
        case .choice: return Self.choice(text, choices).map { .string($0) }
        case .choices:
            let isOne = choices.contains(text)
            let words =
                chosen?.array?.compactMap(\.string)
                ?? (isOne ? [text] : text.split(separator: ",").map { String($0).trimmedOfBlanks })
            var found: [String] = []
            for word in words {
                switch Self.choice(word, choices) {
                case .success(let choice): if !found.contains(choice) { found.append(choice) }
                case .failure(let refusal): return .failure(refusal)
                }
            }
            guard !found.isEmpty else {
                return .failure(form(.noChoice, "Nothing was chosen: give numbers or words, with commas between."))
            }
            return .success(.array(found.map { .string($0) }))
        case .media, .note, .nothing: return .failure(form(.notAText, "A picture is wanted here, not a text."))
        }
    }

    private static func choice(_ word: String, _ choices: [String]) -> Result<String, Refusal> {
        if let choice = choices.first(where: { $0 == word }) { return .success(choice) }
        if let number = Int(word), choices.indices.contains(number - 1) { return .success(choices[number - 1]) }
        let same = choices.filter { $0.lowercased() == word.lowercased() }
        if same.count == 1 { return .success(same[0]) }
        let words = "\"\(word.prefix(40))\" is none of the choices: \(choices.joined(separator: ", "))."
        return .failure(Refusal(check: "form", code: .noChoice, words: words))
    }

    /// Checks an answer against the author's conditions.
    ///
    /// - Returns: the refusal for the first condition that does not hold, or `nil` if the answer fits.
    package func refusal(of answer: JSON) -> Refusal? {
        guard let type = type(choices: []) else { return nil }
        let given = ConditionAnswer(answer, as: type)
        for test in demands.tests where !test.condition.holds({ $0 == "answer" ? given : .empty }) {
            return Refusal(check: "test", code: .doesNotFit, words: test.words)
        }
        return nil
    }

    private func form(_ code: Code, _ words: String) -> Refusal { Refusal(check: "form", code: code, words: words) }

    /// Checks a picture against the limits, in the order in which a person can correct it.
    ///
    /// - Parameter others: the figures of the other pictures of the same step.
    /// - Returns: the first refusal, or `nil` if the picture fits.
    package func refusal(of picture: PictureFigures, beside others: [PictureFigures] = []) -> Refusal? {
        let limits = demands.picture
        func refuse(_ code: Code, _ words: String, _ figures: JSON) -> Refusal {
            Refusal(check: "picture", code: code, words: words, figures: figures)
        }
        if let width = limits.width, let height = limits.height,
            min(picture.width, picture.height) < min(width, height)
                || max(picture.width, picture.height) < max(width, height)
        {
            return refuse(
                .tooSmall,
                "too small: \(picture.width)×\(picture.height) pixels; step closer, or take it with at least \(width)×\(height)",
                ["width": .int(picture.width), "height": .int(picture.height), "wanted": [.int(width), .int(height)]])
        }
        if let bright = limits.bright, !bright.contains(picture.bright) {
            let isDark = picture.bright < bright.lowerBound
            return refuse(
                isDark ? .tooDark : .tooBright,
                isDark ? "too dark: turn on a light, or the flash" : "too bright: turn away from the light",
                ["bright": .int(picture.bright), "wanted": [.int(bright.lowerBound), .int(bright.upperBound)]])
        }
        // Shadows are black in many a good photograph: they count half.
        if let clipped = limits.clipped, max(picture.white, picture.black / 2) > clipped {
            let isWhite = picture.white > clipped
            return refuse(
                .clipped,
                "\(isWhite ? picture.white : picture.black) % of it is \(isWhite ? "white: avoid glare" : "black: add light")",
                ["white": .int(picture.white), "black": .int(picture.black), "wanted": .int(clipped)])
        }
        if let sharp = limits.sharp, picture.sharp < sharp {
            return refuse(
                .blurred, "blurred: hold still, or step closer", ["sharp": .int(picture.sharp), "wanted": .int(sharp)])
        }
        if let sharp = limits.sharp, sharp > 0, picture.motion < Limits.motionLeast {
            return refuse(
                .moved, "it was moved: hold still",
                ["motion": .int(picture.motion), "wanted": .int(Limits.motionLeast)])
        }
        if let different = limits.different, let nearest = others.map({ $0.distance(to: picture) }).min(),
            nearest < different
        {
            return refuse(
                .duplicate, "the same as another picture of this step: take it from another place",
                ["distance": .int(nearest), "wanted": .int(different)])
        }
        return nil
    }
}

extension String {
    /// The text without spaces, tabs and newlines at both ends.
    package var trimmedOfBlanks: String {
        let blanks: (Character) -> Bool = { $0.isWhitespace }
        return String(drop(while: blanks).reversed().drop(while: blanks).reversed())
    }
}
