/// Every bound of the program, in one place. Sizes are bytes, times are seconds.
package enum Limits {
    // Templates.
    package static let templateBytes = 64 << 20
    package static let templateNodes = 200_000
    package static let templateDepth = 64
    /// Of an id of a node, of a kind, a port or an input that comes in.
    package static let nameBytes = 128
    /// Of one port that takes many: as many as an archive takes files.
    package static let variadicPorts = 10_000
    /// Of a file of YAML: places where a list or a mapping may be a key, which is refused once it is read. Each is
    /// hashed with all that is in it.
    package static let yamlFlowKeys = 1_000

    /// The bytes of one file of the config folder that has no limit of its own.
    package static let configBytes = 4 << 20
    /// The known keys that are named where a key is unknown and none is near.
    package static let namedKeys = 12
    /// How often a change of a file starts over because another program saved the file in the meantime.
    package static let configTries = 5

    // Hosts that are allowed: the file that names them, and one of them as it is written.
    package static let hostsBytes = 1 << 20
    package static let hostBytes = 2048

    // Models that are connected: the file that names them, how many it may name, and a name of one; of `models.yaml`
    // the servers, the rules of one, the names of a rule and the fields that come back; of a name of a model, of a
    // server's word such as that for effort. Tokens and dollars are looked at only for slips of the pen.
    package static let connectionsBytes = 256 << 10
    package static let connections = 100
    package static let connectionNameBytes = 64
    package static let modelServers = 200
    package static let modelRules = 200
    package static let modelRuleNames = 50
    package static let echoedFields = 16
    package static let modelNameBytes = 256
    package static let modelWordBytes = 64
    package static let mostTokens = 100_000_000
    package static let mostDollars = 100_000.0

    // Keys that are cut out of texts, in bytes: the least that counts as one of the person's; how far one is looked at
    // before it is known to be none; a whole block, and a line of it.
    package static let leastKeyBytes = 8
    package static let longestKeyBytes = 2048
    /// A key by itself, where a name could stand as well.
    package static let leastLoneKeyBytes = 20
    package static let leastQueryKeyBytes = 16
    package static let keyBlockBytes = 16 << 10
    package static let keyBlockLineBytes = 80
    package static let keyBlockWordBytes = 16
    package static let keyBlockOtherLines = 8
    /// Keys of the person that one process knows.
    package static let knownKeys = 1_000

    // Slots, over all workflows of all processes.
    package static let localSlots = 2
    package static let remoteSlots = 8
    package static let mostSlots = 1_000
    /// How often a process asks for a slot that others have, and how long it may go on with its own while others wait.
    package static let slotPollMilliseconds: Int64 = 50
    package static let slotTurnMilliseconds: Int64 = 500

    /// Steps that cannot block and touch nothing outside: so many may share a commit.
    package static let instantRunsPerCommit = 64

    /// How long the engine's thread, and one that ran a step, look for the next thing before they sleep: a short step,
    /// and the commit that says how it ended, also where both take three times as long as on a quiet machine.
    package static let mailboxSpinMicroseconds = 150
    package static let workerSpinMicroseconds = 500
    /// Times that they look in vain before they sleep at once, and how often they look again then.
    package static let spinMisses = 4
    package static let spinTry = 16
    /// So long a thread that the machine refuses is asked for again.
    package static let refusedThreadMilliseconds = 10_000

    // Retries of a step whose failure is transient (`semantics.md` 5): 1 try and 3 retries.
    package static let retries = 3
    /// Repeats at once of a step whose program somebody else killed.
    package static let killedRetries = 1
    /// How often in a row a step is run again whose process was lost with the engine: what ends both would do so for
    /// ever. By chance nobody kills a machine so often at one step.
    package static let lostRuns = 100
    package static let retryBaseSeconds = 30.0
    package static let retryFactor = 4.0
    package static let retryCapSeconds = 600.0
    package static let retryJitter = 0.25
    /// Above this the run fails with `cooldown` (`semantics.md` 6).
    package static let retryAfterSeconds = 900.0

    // Remote jobs (`semantics.md` 7, 9, 15).
    package static let pollSeconds = 10.0
    /// Until the first status check of a job; each later one after twice the time, until its provider's period.
    package static let firstPollSeconds = 0.25
    package static let pollJitter = 0.05
    package static let pollGridSeconds = 0.25
    package static let pollBackoffSeconds = [10.0, 20.0, 40.0, 60.0]
    /// Answers in a row of a provider that does not know a job, until it is lost.
    package static let jobStrikes = 2
    /// Answers in a row that nothing can be done with, until the run ends.
    package static let jobStuckAnswers = 5
    /// Searches in a row for a job that may exist that come to nothing, until a person is asked.
    package static let jobSearches = 10
    /// After a crash: how long a submission that its engine had sent may take until the provider lists the job.
    package static let onItsWaySeconds = 30.0
    /// How long a provider may take to confirm a cancel.
    package static let cancelSettleSeconds = 600.0
    package static let cancelPollSeconds = 2.0
    /// The part of a provider's retention after which status checks that were paused go on (`semantics.md` 10).
    package static let pausedRetentionPart = 0.8
    package static let statusBytes = 1 << 20
    package static let jobLogTailBytes = 4 << 10
    package static let submitBytes = 64 << 20
    /// A status of more bytes is not read on the thread that all transfers share.
    package static let quickAnswerBytes = 32 << 10
    package static let jobLogBytes = 4 << 20
    package static let jobAnswerDepth = 64
    package static let jobCapturedBytes = 16 << 10
    package static let jobPathSteps = 16
    package static let jobPathValues = 1_000
    /// Files that one job may bring.
    package static let jobItems = 64
    package static let jobRedirects = 5
    /// How long a key is kept in memory after it was looked up: a thousand polls ask no keyring a thousand times.
    package static let keySeconds = 60.0
    package static let keyBytes = 4 << 10
    package static let keyCommandSeconds = 10.0
    // A manifest's pattern: its size as it is written and in instructions, and how far a stranger's text is looked
    // through at each status check.
    package static let patternBytes = 256
    package static let patternOps = 1_000
    package static let patternLineBytes = 1_024
    package static let patternLines = 200
    package static let patternSteps = 20_000_000
    /// The largest value of an output by pattern, and the steps through a whole log: one or two seconds.
    package static let patternOutputBytes = 64 << 10
    package static let patternOutputSteps = 200_000_000
    /// Further looks at a log that lacks what a job must have printed: it may come after the job's end.
    package static let lateLogLooks = 3
    /// Refusals of the key with which a job was taken, without a good answer between them, until the person is asked
    /// for another. It is looked up anew after each.
    package static let keyRefusals = 2

    // Awaits (`semantics.md` 41–44).
    package static let claimSeconds = 300.0
    package static let claimRenewalSeconds = 60.0
    package static let snoozeSeconds = 3600.0
    /// 30 days: whoever wants longer says no.
    package static let longestSnoozeSeconds = 30.0 * 86_400
    package static let snoozes = 5
    package static let doneAwaitSeconds = 7 * 86_400.0
    package static let answerTextBytes = 256 << 10
    package static let choices = 100
    package static let answerFileBytes = 512 << 20
    /// Of a name or an id that a person types, and of one value.
    package static let answerWordBytes = 4 << 10
    /// Width times height.
    package static let maskPixels = 50_000_000
    package static let maskShapes = 1_000
    package static let maskFeather = 500
    /// Of all steps that wait for one await, those that are named.
    package static let blockedSteps = 1_000
    /// Of a picture that is drawn in characters.
    package static let sketchSeconds = 5.0
    package static let sketchBytes = 64 << 10

    // Causes, as `why` tells them.
    package static let causeDepth = 16
    package static let causeRoots = 8
    package static let causeLines = 64

    // Looking back.
    package static let timelineEvents = 200_000
    package static let logTailLines = 200

    /// Ten years: what is longer is a slip of the pen, or meant to break the arithmetic of clocks.
    package static let longestWaitSeconds = 315_360_000.0

    // Children.
    /// Of a rehearsed command: the changes that are looked at, their bytes, and how deep folders may lie in folders.
    package static let rehearsedEntries = 200_000
    package static let rehearsedBytes = 4 << 30
    package static let rehearsedDepth = 100
    /// The changes that are told one by one; and those in a folder that comes or goes whole before it is told in one.
    package static let rehearsedTargets = 5000
    package static let rehearsedFolderTargets = 1000
    /// Of a folder that is told in one, new names that are told all the same because they are asked about.
    package static let rehearsedOddNames = 20
    /// Rehearsals that wait for an answer are kept for a week and while they are fewer bytes than that; what was there
    /// before changes that were applied for thirty days.
    package static let rehearsalsKeptSeconds = 604_800.0
    package static let rehearsalsKeptBytes = 1 << 30
    package static let preImagesKeptSeconds = 2_592_000.0
    package static let preImagesKeptBytes = 2 << 30
    /// Of what a command says while it is rehearsed: the bytes that are kept to be looked at, and the lines that are
    /// shown.
    package static let liveOutputBytes = 16 << 10
    package static let liveOutputLines = 6
    /// Seconds after which it is said once that a command still runs and has written nothing.
    package static let longRehearsalSeconds = 60.0
    /// Texts that a question compares with what is there, and bytes of each.
    package static let comparedTexts = 50
    package static let comparedTextBytes = 256 << 10
    /// The names of changed files that are kept of each kind of change of a command, and those that a line names.
    package static let changedNames = 10
    package static let changedNamesSaid = 5
    /// The names that stand with what a tool left out.
    package static let leftOutNames = 10
    /// The frames or pages of a picture that a tool keeps. Of more it takes the first one.
    package static let keptPages = 1000
    /// The files of a folder that the planner looks into for frames and pages.
    package static let lookedIntoFiles = 200
    /// The characters of a command that are the title of its workflow.
    package static let commandTitleCharacters = 40
    /// Things that a command must not leave that are told.
    package static let rehearsedRefusals = 20
    /// Names in a workspace that are looked at for what may hold keys, and for links.
    package static let lookedAtFiles = 1_000_000
    package static let hiddenFiles = 2000
    /// What the kernel says of all mounts of a machine.
    package static let mountListBytes = 4_000_000
    /// Names that the links of a workspace lead through, all together; and the files, folders and links that are
    /// Assent's own.
    package static let followedNames = 4_000_000
    package static let ownPaths = 1_000
    /// Other paths of a file that are told. One that has as many may have more.
    package static let otherPaths = 16
    /// Bytes each in `/tmp` and in `/dev/shm` of a sandbox: they lie in memory.
    package static let sandboxMemoryFiles = 1 << 30
    package static let rehearsalPlanBytes = 256 << 20
    /// Files that are known to be as Assent made them: 32 bytes each. Of more, the older are forgotten, and asked
    /// about.
    package static let ownWrites = 200_000
    /// Processes that a command in the sandbox may have at once; more end it. How many processes and threads the kernel
    /// gives a rehearsed one.
    package static let commandProcesses = 1024
    package static let commandTasks = 2048
    /// Hosts that a command may name, and files and folders to read: all of them are shown.
    package static let namedHosts = 16
    package static let namedReads = 16
    /// The proxy of a command with hosts: its connections at once; bytes of a request before its body; all bytes that
    /// go through, both ways; bytes that wait on one side for the other; how long nothing need come; how long a
    /// connection may take; the addresses of a name that are tried; and what is noted of hosts.
    package static let proxyConnections = 64
    package static let proxyHeadBytes = 16 << 10
    package static let proxyBytes = 4 << 30
    package static let proxyBufferBytes = 64 << 10
    package static let proxyIdleSeconds = 120.0
    package static let proxyConnectSeconds = 15.0
    package static let proxyAddresses = 4
    package static let proxyNotes = 32
    /// Of what holds less than usual, that is remembered as said.
    package static let saidNotices = 16
    /// Of a command that only tries whether commands can be rehearsed.
    package static let probeSeconds = 10.0
    /// How often a child is looked after.
    package static let lookAfterMilliseconds: Int32 = 100
    package static let programSeconds = 600.0
    package static let programMemoryBytes = 4 << 30
    package static let programFileBytes = 4 << 30
    package static let programLogBytes = 1 << 20
    /// Of standard error, for the line that says what was wrong.
    package static let errorTailBytes = 4096
    package static let exitRecordBytes = 4096
    package static let spareFolders = 16
    /// Of folders in folders that a program made and that are removed after it.
    package static let emptiedDepth = 128
    /// Of an attempt's result as it is noted beside its folder.
    package static let noteBytes = 16 << 20
    package static let termToKillSeconds = 2.0

    // Tools.
    package static let readFileBytes = 64 << 20
    package static let listedFiles = 10_000
    package static let zippedFiles = 10_000
    /// Of a file that a tool replaces, moves or deletes: a question names its content by hash.
    package static let hashedFileBytes = 64 << 30
    package static let undoCopyBytes = 256 << 20
    /// How often an undo may have been undone in turn before nobody follows that any more.
    package static let undoChain = 100
    /// Changes of an undo that are prepared together, with one sync for all; and the bytes from which on no more are
    /// added.
    package static let undoBatch = 64
    package static let undoBatchBytes: Int64 = 64 << 20
    /// How long an undo runs before the terminal shows how far it is, and how often an undo notes that.
    package static let undoQuietSeconds = 1.0
    package static let undoCountMilliseconds = 200
    /// Paths that a refusal of undo names.
    package static let undoNames = 10
    package static let fetchBytes = 512 << 20
    package static let newNames = 10_000
    /// Names in a folder with which a new one is compared, for those that differ by case or Unicode form only.
    package static let comparedNames = 20_000

    // Keeping: contents, pictures of them, what is left over.
    package static let hashPrefixDigits = 6
    package static let thumbnailsBytes = 200_000_000
    package static let thumbnailPixels = 256
    package static let previewPixels = 4096
    package static let previewSeconds = 7 * 86_400.0
    /// How long `cache free` leaves a content that nothing refers to: it may be on its way into a commit.
    package static let contentGraceSeconds = 3600.0
    /// Taken from the disk while there is room, and given up by what makes room where there is none: the log of a large
    /// deletion fits in.
    package static let reserveBytes = 512 << 10
    /// A database that can only be looked at in a copy is copied into memory up to this size.
    package static let copiedDatabaseBytes = 256 << 20
    /// Between two looks for previews that are too old.
    package static let purgeSeconds = 3600.0
    package static let pictureSeconds = 30.0
    package static let pictureMemoryBytes = 1 << 30
    /// Under one hold of the store's lock.
    package static let freedTogether = 100
    package static let listedUsers = 20
    // Bundles: without the long forms of the zip format.
    package static let bundleBytes = 4_000_000_000
    package static let bundleEntries = 60_000
    package static let bundleRows = 2_000_000
    package static let bundleTableBytes = 256 << 20
    package static let bundleTextBytes = 64 << 20
    // Doctor.
    package static let examinedWorkflows = 200
    package static let examinedContents = 200
    package static let examinedBytes = 256 << 20
    package static let supportEvents = 500
    package static let logBytes = 1 << 20
    package static let logLineBytes = 1000

    // Consent.
    package static let approvalSeconds = 86_400.0

    // The writers' lock: how long it is waited for where its holder stands still, and where it moves.
    package static let lockStoppedSeconds = 5.0
    package static let lockSeconds = 900.0
    /// Of what the kernel tells of locks and processes.
    package static let procBytes = 1 << 20

    // A chat whose store has failed: seconds until its engine is started again, the first time and at most, and until
    // that is believed.
    package static let reviveTicks = 1
    package static let reviveMostTicks = 60
    package static let reviveTrialTicks = 3

    // HTTP.
    package static let connectSeconds = 10.0
    package static let idleSeconds = 120.0
    package static let totalSeconds = 900.0
    package static let replyBytes = 16 << 20
    /// The longest answer of a model that may be a call written as text.
    package static let textCallBytes = 256 << 10
    package static let errorBodyBytes = 64 << 10

    // Models: tries again before anything was received (`wire.md` LLM 4).
    package static let modelRetries = 3
    package static let modelRetryBaseSeconds = 0.5
    package static let modelRetryCapSeconds = 8.0
    /// A server that asks for more is not waited for.
    package static let modelRetryAfterSeconds = 30.0
    /// How long doctor waits for a model's server.
    package static let doctorModelSeconds = 5.0
    /// How often a key is asked for, and how many models are shown at once to choose from.
    package static let keyTries = 3
    /// How long a picker waits for the list of models of a server, in seconds.
    package static let modelListSeconds = 5.0
    /// The most that a price or a budget may be, in dollars.
    package static let mostPriceDollars = 1_000_000
    /// What a workflow may spend before it asks, where the settings say nothing.
    package static let workflowBudget = Dollars(millionths: 1_000_000)
    package static let shownModels = 20
    /// Workflows and days that `status` looks at.
    package static let statusRows = 10
    /// Problems of an edited file that are shown at once.
    package static let shownProblems = 8
    /// How often an input of a template is asked for before nothing is started.
    package static let inputTries = 5
    /// What is known of one model from its server's refusals.
    package static let keptLessons = 50
    /// Names that are taken from a server's list of models, and the bytes of the list.
    package static let listedModels = 2_000
    package static let modelListBytes = 4 << 20
    /// Of a result that stands in a line of JSON itself, beside its path.
    package static let inlineTextBytes = 2_000
    /// What a model is told of a plan's size; the reader takes larger ones.
    package static let planNameCharacters = 120
    package static let planNodes = 200
    /// Tokens of one answer where the dialect wants a number and the profile has none.
    package static let messagesMaxTokens = 8_192
    /// Parts of one message that must come back, and their bytes: beyond that they do not.
    package static let opaqueBlocks = 256
    package static let opaqueBytes = 1 << 20
    /// What a server's refusals may teach within one request.
    package static let modelLessons = 4
    /// Tokens below which no window is believed.
    package static let smallestWindow = 1_024
    /// Tokens of the window that is asked of Ollama where nobody has set one: it is held in memory.
    package static let ollamaWindow = 32_768
    package static let callsPerReply = 256
    /// Of a server's own words in a message.
    package static let serverWordsCharacters = 300
}
