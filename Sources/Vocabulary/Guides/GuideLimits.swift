/// Limits of guides and of their conditions.
extension Limits {
    /// The size of a condition of a guide: bytes, depth of its tree, parts of it, and literals in it.
    package static let conditionBytes = 4096
    package static let conditionDepth = 32
    package static let conditionNodes = 200
    package static let conditionLiterals = 100
    /// Steps of the search of one `matches`.
    package static let conditionPatternSteps = 20_000_000
    /// The size of a guide: bytes of its file, steps, depth of groups, pictures of a step, and choices of a question.
    package static let guideBytes = 256 << 10
    package static let guideSteps = 200
    package static let guideDepth = 4
    package static let guidePictures = 50
    package static let guideChoices = 50
    /// The open workflows that are looked through for one of a guide.
    package static let openGuides = 100
    /// The length of an answer, in bytes: conditions read it whole.
    package static let guideAnswerBytes = 16 << 10
    /// The length of a word of a choice, and of the title of a guide or a step, in bytes.
    package static let guideChoiceBytes = 200
    package static let guideTitleBytes = 200
    /// The length of its texts, in bytes.
    package static let guideTextBytes = 2000
    /// How often an answer is refused before it is taken as it is, if a guide says nothing; and the most that it can
    /// say.
    package static let guideAttempts = 3
    package static let mostGuideAttempts = 20
    /// Signs of a number that is compared.
    package static let numberDigits = 40
    /// The limits of a picture where nothing else is said, tuned on one set of photographs and judged on another
    /// (`docs/design/testing.md`): its least sharpness, the range of its mean brightness, its largest share of white or
    /// of black pixels in percent, and its least distance to other pictures of the same step.
    package static let sharpLeast = 90
    package static let brightRange = 40...210
    package static let clippedMost = 25
    package static let differentLeast = 8
    /// The percent of fine detail that a direction must have kept against the one at right angles to it: below the
    /// first limit a picture was moved, and below the second perhaps.
    package static let motionLeast = 70
    package static let motionSure = 80
}
