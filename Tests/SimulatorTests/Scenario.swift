import Harness
import Vocabulary

/// What one seed plays: workflows, what fate holds for each of their steps, providers, and the weather.
struct Scenario {
    var workflows: [Plan]
    var providers: [ProviderScript]
    var engines: Int
    var localSlots: Int
    var remoteSlots: Int
    var weather: Weather
    /// Whether the policy denies what overwrites.
    var deniesWriting = false
    /// Whether engines crash and are stopped between the words of the ledger, too.
    var isThorough = false
    /// Whether all engines share the slots, as they do: what was kept from before then has some for each.
    var sharesSlots = true
    /// In a thousand commits of the storm, those that find no room.
    var fullDisk = 0
    /// What is done to the tools meanwhile.
    var toolChanges: [ToolChange] = []
    /// How often somebody looks at another workflow, and how often an engine is told to stop.
    var looks = 0
    var stops = 0
    /// In a thousand: contents that are gone when a retry wants them, and texts that find no room, in the storm.
    var lostContents = 0
    /// In a thousand answers of providers, those that are told again when the same thing has just been asked anew.
    var echoes = 0
    /// Whether who is asked for the name of a job names another's at times.
    var isMisreading = false
    /// What is wanted at a certain time, of the workflow at that place: what the dice want besides stands in the
    /// weather.
    var orders: [Order] = []
    /// The graphs that they name.
    var revisions: [Plan] = []

    struct Order {
        var milliseconds: Int
        var workflow: Int
        var verb: Command.Verb
    }

    /// A tool that is not there, makes something else, or is a newer one, for a while.
    struct ToolChange {
        enum What: CaseIterable { case missing, otherPorts, newVersion }

        var what: What
        var kind: Plan.Kind
        var from: Int
        var to: Int
    }

    func isDenied(_ kind: Plan.Kind) -> Bool { deniesWriting && kind == .write }
}

/// A workflow as the scenario knows it: the template is written from it, the reference interpreter reads it.
struct Plan {
    var nodes: [Node]
    var isFailFast: Bool
    var local: Int
    var remote: Int
    var asksAlways: Bool
    /// Whether nothing is asked about calls.
    var isAuto = false
    var onAsk = OnAsk.park

    struct Node {
        var id: String
        var kind: Kind
        var inputs: [Input]
        /// The parameter that its content depends on.
        var value: Int
        /// Whether its content is the same whatever comes in: then a re-run of what is above it ends with it.
        var isBlunt: Bool
        var fate: Fate
        /// What the person says who is asked whether its call may happen.
        var isAllowed: Bool
        var wait: Wait?
        var seconds = 0
        var isRemoved = false
        /// Whether the step itself names what it gives where nobody answers.
        var isOffering = false
        /// The steps that have to be over before it, those whose skip takes it along, and the answer on which alone it
        /// is carried out.
        var after: [Int] = []
        var skipsWith: [Int] = []
        var when: Demand?
        /// The steps that must succeed before it, and those that must be over in any way, because of their files.
        var follows: [Int] = []
        var startsAfter: [Int] = []

        /// Whether it may be over without having been carried out.
        var mayBePassedOver: Bool { when != nil || !skipsWith.isEmpty }
    }

    /// An answer of a person that a step depends on.
    struct Demand: Hashable {
        /// The place of the step whose answer it is.
        var node: Int
        var word: String
    }

    /// Whether a person is asked before a call of this kind.
    func asks(_ kind: Kind) -> Bool {
        if case .human = kind { return false }
        return asksAlways || (kind == .write && !isAuto)
    }

    struct Input: Hashable {
        var port: String
        /// The place of its producer.
        var producer: Int
        var isOptional: Bool
    }

    enum Kind: Hashable {
        case load, work, once, write, pass, delay, ghost
        /// Reads from elsewhere, without a job: a transfer as long as it runs.
        case fetch
        /// Bought from the provider at this place.
        case job(Int)
        case human(AwaitType)

        var tool: String {
            switch self {
            case .load: "Load"
            case .work: "Work"
            case .once: "Once"
            case .write: "Write"
            case .pass: "Pass"
            case .delay: "Delay"
            case .ghost: "Ghost"
            case .fetch: "Fetch"
            case .job(let provider): "Job\(provider)"
            case .human(let type): "Human-\(type.rawValue)"
            }
        }

        var isLocal: Bool { [.load, .work, .once, .write].contains(self) }
        var isRemote: Bool { self == .fetch || provider != nil }
        /// Kinds of persons' steps that can say what they give where nobody answers.
        var mayOffer: Bool { self == .human(.choose) || self == .human(.confirmParams) }
        var isHuman: Bool { if case .human = self { true } else { false } }
        var provider: Int? { if case .job(let provider) = self { provider } else { nil } }
    }

    /// How each attempt ends, if nobody interferes.
    enum Fate: Hashable {
        case succeeds, fails
        /// Fails as often in a row with what may pass.
        case busy(Int)
        /// Its first process is killed by somebody else.
        case killed
        /// It succeeds with an exit code after which nothing that follows it runs.
        case told
        /// Of jobs: what the provider does with them.
        case refused, providerFails, providerCancels, stuckQueued, stuckRunning, forgotten, spoiled, gone
    }

    /// What a person is needed for: at a gate, or for the step itself.
    struct Wait: Hashable {
        var type: AwaitType
        var says: Says
        var expiresSeconds: Int?
        var onTimeout: OnTimeout

        enum Says: Hashable {
            /// With another value of the parameter, at a gate.
            case agrees(Int?)
            case rejects, skips, never
        }
    }

    /// Whether steps stand after others because of their files.
    var hasFollowing: Bool { nodes.contains { !$0.follows.isEmpty || !$0.startsAfter.isEmpty } }

    /// Returns the plan without the order of steps that touch the same files.
    var withoutFollowing: Plan {
        var plan = self
        for index in nodes.indices { (plan.nodes[index].follows, plan.nodes[index].startsAfter) = ([], []) }
        return plan
    }

    func consumers(of index: Int) -> [(Int, Input)] {
        nodes.indices.flatMap { other in nodes[other].inputs.filter { $0.producer == index }.map { (other, $0) } }
    }
}

struct ProviderScript {
    var terms: JobTerms
    /// Whether a key must be given before it can be asked.
    var needsKey: Bool
}

/// What may go wrong, each as a chance in a thousand where it could happen; nothing of it after the storm.
struct Weather: Hashable {
    var stormMilliseconds = 0
    var crash = 0
    var crashes = 0
    var pause = 0
    /// Whether others think that a paused engine is dead.
    var isPausedTakenOver = false
    /// Of commits: that they fail, before or after they took effect.
    var commitFault = 0
    var provider = 0
    var jumps = 0
    var offline = 0
    /// What persons want besides answering.
    var wishes: [Wish] = []
    /// Of persons: that they do something else first.
    var dawdling = 0

    enum Wish: Hashable, CaseIterable {
        case cancel, retry, retryAll, rerun, rerunBelow, rerunAll, edit, pause, resume, pin, revise
    }
}
