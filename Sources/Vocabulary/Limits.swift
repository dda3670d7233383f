/// The bounds that several modules share. Sizes are bytes, times are seconds. A bound of one module stands in it, next
/// to its use.
package enum Limits {
    package static let lineBytes = 256 << 10

    /// Results of a workflow that a model is told of.
    package static let outputsTold = 24

    /// Files of the working folder that a planner knows of.
    package static let knownFiles = 100_000

    // Conversations that are looked back at. A title is the first line that was said.
    package static let titleCharacters = 60

    /// What one reply may have taken; more is taken for that.
    package static let replyTokens = 1 << 32
    package static let replyMicrodollars = 1 << 40

    /// Words of a language that carry nothing.
    package static let idleWords = 120
    package static let treeCounted = 100_000

    /// The seconds until a picture must be drawn, by however many programs and however busy the machine is, and the
    /// bytes of what it makes.
    package static let drawingSeconds = 20.0

    // Templates.
    package static let templateBytes = 64 << 20
    package static let templateNodes = 200_000
    package static let templateDepth = 64

    /// Of one port that takes many: as many as an archive takes files.
    package static let variadicPorts = 10_000
    package static let hostBytes = 2048
    package static let modelNameBytes = 256
    package static let mostTokens = 100_000_000

    // Keys that are cut out of texts, in bytes: the least that counts as one of the person's; how far one is looked at
    // before it is known to be none; a whole block, and a line of it.
    package static let leastKeyBytes = 8
    package static let longestKeyBytes = 2048

    /// A key by itself, where a name could stand as well.
    package static let leastLoneKeyBytes = 20
    package static let keyBlockBytes = 16 << 10

    // Slots, over all workflows of all processes.
    package static let localSlots = 2
    package static let remoteSlots = 8
    package static let mostSlots = 1_000

    // Remote jobs (`semantics.md` 7, 9, 15).
    package static let pollSeconds = 10.0

    /// Answers in a row of a provider that does not know a job, until it is lost.
    package static let jobStrikes = 2
    package static let jobLogTailBytes = 4 << 10
    package static let keyBytes = 4 << 10

    /// The largest value of an output by pattern, and the steps through a whole log: one or two seconds.
    package static let patternOutputBytes = 64 << 10

    // Awaits (`semantics.md` 41–44).
    package static let claimSeconds = 300.0
    package static let snoozeSeconds = 3600.0
    package static let snoozes = 5
    package static let answerTextBytes = 256 << 10
    package static let choices = 100

    /// Width times height.
    package static let maskPixels = 50_000_000
    package static let maskShapes = 1_000
    package static let maskFeather = 500

    /// Ten years: what is longer is a slip of the pen, or meant to break the arithmetic of clocks.
    package static let longestWaitSeconds = 315_360_000.0
    package static let preImagesKeptSeconds = 2_592_000.0
    package static let preImagesKeptBytes = 2 << 30
    package static let changedNamesSaid = 5

    /// The names that stand with what a tool left out.
    package static let leftOutNames = 10

    /// Other paths of a file that are told. One that has as many may have more.
    package static let otherPaths = 16

    /// Processes that a command in the sandbox may have at once; more end it. How many processes and threads the kernel
    /// gives a rehearsed one.
    package static let commandProcesses = 1024
    package static let programSeconds = 600.0
    package static let programMemoryBytes = 4 << 30

    /// Of an attempt's result as it is noted beside its folder.
    package static let noteBytes = 16 << 20

    // Tools.
    package static let readFileBytes = 64 << 20
    package static let undoCountMilliseconds = 200

    /// Paths that a refusal of undo names.
    package static let undoNames = 10
    package static let thumbnailsBytes = 200_000_000
    package static let previewSeconds = 7 * 86_400.0

    /// How long `cache free` leaves a content that nothing refers to: it may be on its way into a commit.
    package static let contentGraceSeconds = 3600.0
    package static let listedUsers = 20
    package static let bundleRows = 2_000_000
    package static let bundleTextBytes = 64 << 20

    // Doctor.
    package static let examinedWorkflows = 200

    // HTTP.
    package static let connectSeconds = 10.0
    package static let idleSeconds = 120.0
    package static let totalSeconds = 900.0
    package static let errorBodyBytes = 64 << 10

    /// The most that a price or a budget may be, in dollars.
    package static let mostPriceDollars = 1_000_000

    /// What a workflow may spend before it asks, where the settings say nothing.
    package static let workflowBudget = Dollars(millionths: 1_000_000)

    /// Names that are taken from a server's list of models, and the bytes of the list.
    package static let listedModels = 2_000

    /// Tokens below which no window is believed.
    package static let smallestWindow = 1_024

    /// Of a server's own words in a message.
    package static let serverWordsCharacters = 300

    /// The size of a guide: bytes of its file, steps, depth of groups, pictures of a step, and choices of a question.
    package static let guideBytes = 256 << 10
    package static let guidePictures = 50
    package static let guideChoices = 50

    /// The length of its texts, in bytes.
    package static let guideTextBytes = 2000

    /// How often an answer is refused before it is taken as it is, if a guide says nothing; and the most that it can
    /// say.
    package static let guideAttempts = 3
    package static let mostGuideAttempts = 20
}
