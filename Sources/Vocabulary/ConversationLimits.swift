/// The limits of conversations, of what a model hears of them, and of looking back at them.
extension Limits {
    package static let lineBytes = 256 << 10
    package static let planRounds = 3
    /// Problems of a plan that could not be fixed, as the person is told of them, and the bytes of each.
    package static let problemsTold = 6
    package static let problemToldBytes = 240
    package static let callsPerTurn = 200
    /// Results of a workflow that a model is told of.
    package static let outputsTold = 24
    /// The bytes of a person's answer that a model is told with the result of its call.
    package static let answerToldBytes = 16_000
    package static let toolResultBytes = 64_000
    /// The bytes of all texts in the result of a call, as they stand in JSON. A model reads the rest by its offset.
    package static let toldTextBytes = 24 << 10
    /// Tools in the result of `find_tools`.
    package static let toolsFound = 8
    /// Steps, or entries of the inbox, in the result of a call.
    package static let stepsTold = 50
    /// Problems of a plan in the result of a call.
    package static let problemsInResult = 50
    /// Lines of a log in the result of a call.
    package static let logLinesTold = 40
    /// Of messages sent along with a request; older turns beyond it stay in history only.
    package static let contextBytes = 256 << 10
    package static let promptFiles = 200
    package static let promptNameBytes = 256
    package static let queuedLines = 32
    /// Answers in a row that the built-in planner joins with one order.
    package static let joinedAnswers = 4
    /// Chains of one built-in plan: one per file. What only goes into one archive is bounded by its ports.
    package static let plannedFiles = 1_000
    /// Files of the working folder that a planner knows of.
    package static let knownFiles = 100_000

    // Conversations that are looked back at. A title is the first line that was said.
    package static let titleCharacters = 60
    package static let searchBytes = 1_000
    package static let searchWords = 16
    /// What one reply may have taken; more is taken for that.
    package static let replyTokens = 1 << 32
    /// Of any sum of tokens, and of millionths of a dollar.
    package static let usageTokens = 1 << 50
    package static let replyMicrodollars = 1 << 40
    /// Words of a text that are shown around a match.
    package static let snippetWords = 12
    /// Characters that are shown on either side of a match, where it was not found by words.
    package static let snippetCharacters = 40
    /// Conversations that can be picked from.
    package static let pickedSessions = 20
    /// Messages that are shown when a conversation goes on.
    package static let resumedMessages = 4
}

/// The limits of the built-in planner.
extension Limits {
    /// Words of a language that carry nothing.
    package static let idleWords = 120
    /// Words, names and signs of one sentence.
    package static let plannedTokens = 400
    /// Ways in which one pattern is tried at one place of a sentence.
    package static let patternStates = 64
    /// Files that an answer in words names.
    package static let namedFiles = 50
    /// Words of a sentence that is planned again without each of them, to name the one that is not understood.
    package static let explainedTokens = 40
    /// Words at the end of a sentence that are left out in search of what is not understood.
    package static let explainedTail = 8
    /// Words of a text without quotes.
    package static let textWords = 60
}
