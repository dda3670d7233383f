/// The bounds that several modules share. Sizes are bytes, times are seconds. A bound of one module stands in it, next
/// to its use.
package enum Limits {
    /// The most bytes of a line that the user says. A longer one is refused.
    package static let lineBytes = 256 << 10

    /// The most outputs of a workflow, or answers of a person, in the result of a model's call.
    package static let outputsTold = 24

    /// The most files of the working folder that a planner knows.
    package static let knownFiles = 100_000

    /// The most characters of a conversation's title, which is the first line that the user said.
    package static let titleCharacters = 60

    /// The most tokens of a reply that are counted. A larger number counts as this.
    package static let replyTokens = 1 << 32

    /// The highest cost of a reply that is counted, in millionths of a dollar.
    package static let replyMicrodollars = 1 << 40

    /// The most words without meaning in a planner's language.
    package static let idleWords = 120

    /// The most entries of a folder that are counted to draw its tree.
    package static let treeCounted = 100_000

    /// How long drawing a picture may take, in seconds, with all programs and however busy the machine is.
    package static let drawingSeconds = 30.0

    /// The most bytes of a template.
    package static let templateBytes = 64 << 20

    /// The most nodes of a template.
    package static let templateNodes = 200_000

    /// How deep the JSON of a template may be nested.
    package static let templateDepth = 64

    /// The most inputs at a port that accepts several: as many as an archive has files.
    package static let variadicPorts = 10_000

    /// The most bytes of the address of a host or a server.
    package static let hostBytes = 2048

    /// The most bytes of the name of a model, or of a pattern of names.
    package static let modelNameBytes = 256

    /// The most tokens that a setting or a lesson of a model may name. More is a typing error.
    package static let mostTokens = 100_000_000

    /// The least bytes of a text that may be a key.
    package static let leastKeyBytes = 8

    /// The bytes of a text that are read to decide whether it is a key.
    package static let longestKeyBytes = 2048

    /// The least bytes of a key that stands by itself, in a place where a name could stand.
    package static let leastLoneKeyBytes = 20

    /// The most bytes of a whole key block, such as a private key.
    package static let keyBlockBytes = 16 << 10

    /// The steps that run at once on this machine, over all workflows of all processes, unless a setting says
    /// otherwise.
    package static let localSlots = 2

    /// The jobs that run at once elsewhere, over all workflows of all processes, unless a setting says otherwise.
    package static let remoteSlots = 8

    /// The most slots that a setting may name.
    package static let mostSlots = 1_000

    /// The seconds between two status checks of a job, unless its provider names a period (`semantics.md` 7, 9, 15).
    package static let pollSeconds = 10.0

    /// The least answers in a row that do not know a job before it counts as lost.
    package static let jobStrikes = 2

    /// The bytes at the end of a job's or a program's log that are kept and shown.
    package static let jobLogTailBytes = 4 << 10

    /// The most bytes of a file of keys, and of the output of a command that prints a key.
    package static let keyBytes = 4 << 10

    /// The most bytes of an output that a pattern finds in a log.
    package static let patternOutputBytes = 64 << 10

    /// How long a claim of an await is valid without renewal, in seconds (`semantics.md` 41–44).
    package static let claimSeconds = 300.0

    /// How long an await is put off if the user names no time, in seconds.
    package static let snoozeSeconds = 3600.0

    /// How often an await can be put off.
    package static let snoozes = 5

    /// The most bytes of a text, or of values, that a person gives as an answer.
    package static let answerTextBytes = 256 << 10

    /// The most choices of a question.
    package static let choices = 100

    /// The most pixels of a mask, width times height, and the largest coordinate of a shape.
    package static let maskPixels = 50_000_000

    /// The most shapes of a mask.
    package static let maskShapes = 1_000

    /// The widest soft edge of a mask, in pixels.
    package static let maskFeather = 500

    /// The longest time for which anything waits, in seconds: ten years. A longer one is a typing error, or would
    /// overflow the clock.
    package static let longestWaitSeconds = 315_360_000.0

    /// How long the earlier state of changed files is kept for undo, in seconds: 30 days.
    package static let preImagesKeptSeconds = 2_592_000.0

    /// The bytes of earlier states beyond which the oldest ones are removed sooner.
    package static let preImagesKeptBytes = 2 << 30

    /// The most names of files that a sentence about changes names.
    package static let changedNamesSaid = 5

    /// The most names of left-out entries that are reported.
    package static let leftOutNames = 10

    /// The most further paths of a file that are listed. A file with this many may have more.
    package static let otherPaths = 16

    /// The most processes of a command in the sandbox at once. With more, the command is ended.
    package static let commandProcesses = 1024

    /// How long a program may run, in seconds, unless its manifest names a time.
    package static let programSeconds = 600.0

    /// How long a command of the user or of a model may run, in seconds: one hour.
    package static let commandSeconds = 3600.0

    /// The memory of a program, in bytes, unless its manifest names a limit.
    package static let programMemoryBytes = 4 << 30

    /// The most bytes of a small file of Assent's own, such as the note of an attempt's result.
    package static let noteBytes = 16 << 20

    /// The most bytes of a file or an asset that is read into memory as a whole.
    package static let readFileBytes = 64 << 20

    /// The milliseconds between two notes, and two displays, of the progress of an undo.
    package static let undoCountMilliseconds = 200

    /// The most paths that an undo names as left unchanged.
    package static let undoNames = 10

    /// The most bytes of all cached thumbnails. Those that were used longest ago are removed first.
    package static let thumbnailsBytes = 200_000_000

    /// How long a cached preview is kept, in seconds: seven days.
    package static let previewSeconds = 7 * 86_400.0

    /// How long `cache free` leaves a content without references, in seconds. It may be on its way into a commit.
    package static let contentGraceSeconds = 3600.0

    /// The most workflows that are listed as users of space, and as ready to be run.
    package static let listedUsers = 20

    /// The most rows of a table in a bundle.
    package static let bundleRows = 2_000_000

    /// The most bytes of a text or a JSON file in a bundle.
    package static let bundleTextBytes = 64 << 20

    /// The newest workflows that doctor checks, and among which commands look for the one that is meant.
    package static let examinedWorkflows = 200

    /// How long connecting to a server may take, in seconds, unless its profile or manifest names a time.
    package static let connectSeconds = 10.0

    /// The seconds without data after which a transfer fails, unless a profile names a time.
    package static let idleSeconds = 120.0

    /// How long a whole request may take, in seconds, unless a profile or a tool names a time.
    package static let totalSeconds = 900.0

    /// The bytes of a server's error that are read for its message.
    package static let errorBodyBytes = 64 << 10

    /// The highest price or budget, in dollars.
    package static let mostPriceDollars = 1_000_000

    /// The dollars that a workflow may spend before it asks, unless a setting says otherwise.
    package static let workflowBudget = Dollars(millionths: 1_000_000)

    /// The most names that are read from a server's list of models.
    package static let listedModels = 2_000

    /// The smallest context window that is believed, in tokens.
    package static let smallestWindow = 1_024

    /// The most characters of a server's own words in a message.
    package static let serverWordsCharacters = 300

    /// The most bytes of the file of a guide.
    package static let guideBytes = 256 << 10

    /// The most pictures of one step of a guide.
    package static let guidePictures = 50

    /// The most choices, or tests of an answer, of one step of a guide.
    package static let guideChoices = 50

    /// The most bytes of an instruction or another text of a guide, and of a person's reason.
    package static let guideTextBytes = 2000

    /// How often an answer is refused before it is accepted as it is, unless the guide says otherwise.
    package static let guideAttempts = 3

    /// The most attempts that a guide may name.
    package static let mostGuideAttempts = 20
}
