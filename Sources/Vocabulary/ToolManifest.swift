package import JSON

/// The description of a tool and how it is run (`assent.tool/v1`, `architecture.md`, "Files people write"). Manifests
/// reads it from YAML.
package struct ToolManifest: Hashable, Sendable {
    /// UpperCamelCase and unique: `Resize`.
    package var kind: String
    package var title: String
    package var icon: String
    package var summary: String
    /// The bare verbs and nouns of the tool, for searches. The built-in planner reads them for tools of the user.
    package var says: [String]
    /// The phrases by which the built-in planner finds the tool, by language (`en`). They are no part of its version.
    package var phrases: [String: [PlannerLanguage.Phrase]] = [:]
    package var inputs: [Port]
    package var outputs: [Port]
    /// Whether a node may declare further ports of its own (`Pass`).
    package var hasOpenPorts: Bool
    package var params: [Param]
    /// The effects that every call has. Arguments may add others, such as `overwrites` if a path exists.
    package var effects: Set<Effect>
    package var reversibility: Reversibility
    /// Whether the tool may be run twice with any parameters.
    package var isIdempotent: Bool
    /// The parameters and values with which a tool that is not idempotent may still be run twice, such as GET and HEAD
    /// of `method`.
    package var idempotentWith: [String: [String]] = [:]
    /// The price of a call, or `nil` if the provider states it.
    package var price: Dollars?
    package var queue: Queue
    package var action: Action
    package var needs: [Need]
    /// The rules for texts that the tool's programs write on standard error.
    package var errors = ErrorRules()
    /// The files that a call reads and changes, by its parameters. Steps that touch the same files run in the order of
    /// the list (`semantics.md` 215).
    package var touches = Touches.nothing
    /// The words for the parts of the input that a result lacks, such as "animation: the first frame stays".
    package var drops: [String] = []
    /// Whether the tool ships with the program. Tools from other sources get the effect `executes` if there is no
    /// sandbox.
    package var isShipped: Bool
    /// The hash of the text from which the manifest was read.
    package var version: ContentHash

    package init(
        kind: String, title: String, icon: String = "•", summary: String = "", says: [String] = [], inputs: [Port] = [],
        outputs: [Port] = [], hasOpenPorts: Bool = false, params: [Param] = [], effects: Set<Effect> = [],
        reversibility: Reversibility = .yes(how: "nothing outside the asset store changes"), isIdempotent: Bool = true,
        queue: Queue = .local, action: Action, needs: [Need] = [], isShipped: Bool = true,
        version: ContentHash = .ofNothing
    ) {
        self.kind = kind
        self.title = title
        self.icon = icon
        self.summary = summary
        self.says = says
        self.inputs = inputs
        self.outputs = outputs
        self.hasOpenPorts = hasOpenPorts
        self.params = params
        self.effects = effects
        self.reversibility = reversibility
        self.isIdempotent = isIdempotent
        self.queue = queue
        self.action = action
        self.needs = needs
        self.isShipped = isShipped
        self.version = version
    }

    /// Returns whether a call of the tool may be run twice.
    ///
    /// - Parameter params: the parameters with the defaults filled in.
    package func isIdempotent(with params: JSON.Object) -> Bool {
        isIdempotent
            || !idempotentWith.isEmpty
                && idempotentWith.allSatisfy { name, values in params[name]?.string.map(values.contains) ?? false }
    }

    /// The part of the user's files that a call of a tool may touch.
    package enum Touches: Hashable, Sendable {
        /// Any file of the workspace may be read and changed, as by a command.
        case workspace
        /// The paths that these parameters name are read or changed. A folder stands for all below it.
        case paths(reads: [String], changes: [String])

        package static let nothing = Touches.paths(reads: [], changes: [])
    }

    /// Whether the tool gives a file or a folder another name or place.
    package var movesFolders: Bool {
        guard effects.contains(.deletes), case .paths(_, let changes) = touches else { return false }
        return changes.contains("from") && changes.contains("to")
    }

    package func param(_ name: String) -> Param? { params.first { $0.name == name } }

    package enum Action: Hashable, Sendable {
        /// A function of Tools with this name.
        case builtin(String)
        /// Commands that run one after the other in the run folder. Each is a list of words with `{placeholders}`,
        /// never a shell string.
        case program(ProgramAction)
        /// A job at a provider.
        case job(JobAction)
        /// A person's work: the completion of the step's await gives the outputs (`semantics.md` 2, *produces*).
        case person(AwaitType)
    }

    package struct JobAction: Hashable, Sendable {
        /// The id of the provider's manifest.
        package var provider: String
        /// Values for the blanks of the provider's requests, each JSON with `{placeholders}` of its own for parameters
        /// and inputs.
        package var with: JSON.Object
        /// The provider's output for each port of the tool whose name differs there.
        package var outputs: [String: String]

        package init(provider: String, with: JSON.Object = JSON.Object(), outputs: [String: String] = [:]) {
            self.provider = provider
            self.with = with
            self.outputs = outputs
        }
    }

    package struct ProgramAction: Hashable, Sendable {
        package var commands: [Command]
        /// The file name in the run folder for each output port, with `{placeholders}`.
        package var files: [String: String]
        package var timeoutSeconds: Double
        package var memoryBytesLimit: Int
        /// The output port that gets the standard output of the last command, or `nil` if none does.
        package var stdout: String?
        /// Variables of the environment of the commands, with `{placeholders}`.
        package var environment: [String: String] = [:]
        /// Whether the command works on the workspace. It is then rehearsed and asked about like a shell command.
        package var isInWorkspace = false

        package init(commands: [Command], files: [String: String], timeoutSeconds: Double, memoryBytesLimit: Int) {
            self.commands = commands
            self.files = files
            self.timeoutSeconds = timeoutSeconds
            self.memoryBytesLimit = memoryBytesLimit
        }
    }

    package struct Command: Hashable, Sendable {
        package var words: [String]
        /// The parameter without which the command is skipped (null counts as missing), or `nil` if the command always
        /// runs.
        package var when: String?

        package init(words: [String], when: String? = nil) {
            self.words = words
            self.when = when
        }
    }

    /// A program that must be installed, and the Debian package that has it.
    package struct Need: Hashable, Sendable {
        package var program: String
        package var debianPackage: String

        package init(program: String, debianPackage: String) {
            self.program = program
            self.debianPackage = debianPackage
        }
    }

    package struct Param: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case text, integer, number, flag, choice, path, url, json, list
        }

        package var name: String
        package var kind: Kind
        package var isRequired: Bool
        package var defaultValue: JSON?
        package var minimum: Double?
        package var maximum: Double?
        package var choices: [String]
        /// The unit, such as `px`, `KB`, `%` or `s`. It is shown behind the value, and the planner reads it.
        package var unit: String?
        package var summary: String
        package var isSecret: Bool
        /// Whether the value must be literal, so that no port or blank fills it (`consent.md`, "Shell commands").
        package var isLiteral: Bool
        /// The value that a planner's or a model's plan gets if it states none. A workflow file gets `defaultValue`
        /// instead.
        package var plannedValue: JSON?

        package init(
            name: String, kind: Kind, isRequired: Bool = false, defaultValue: JSON? = nil, minimum: Double? = nil,
            maximum: Double? = nil,
            choices: [String] = [], unit: String? = nil, summary: String = "", isSecret: Bool = false,
            isLiteral: Bool = false
        ) {
            self.name = name
            self.kind = kind
            self.isRequired = isRequired
            self.defaultValue = defaultValue
            self.minimum = minimum
            self.maximum = maximum
            self.choices = choices
            self.unit = unit
            self.summary = summary
            self.isSecret = isSecret
            self.isLiteral = isLiteral
        }
    }
}

extension ToolManifest {
    /// Whether a call of the tool is a command on the workspace, which is rehearsed before it changes anything.
    package var isCommand: Bool {
        switch action {
        case .builtin(let name): name == "shell" || name == "edit"
        case .program(let action): action.isInWorkspace
        case .job, .person: false
        }
    }

    /// Whether the tool loads a named file: it has no inputs, one required path, and only reads. A plan shows it as the
    /// source of an input.
    package var isLoader: Bool {
        if action == .builtin(Self.loadsResults) { return true }
        return inputs.isEmpty && !hasOpenPorts && effects == [.reads] && outputs.count == 1
            && params.count { $0.isRequired } == 1
            && params.contains { $0.isRequired && $0.kind == .path }
    }

    /// The built-in function of the loader of earlier results. Only Assent itself makes a step of it.
    package static let loadsResults = "loadResult"

    /// Whether the tool changes the user's files and records each change, so that `undo` can reverse it.
    package var recordsChanges: Bool {
        guard case .builtin = action, reversibility != .no else { return false }
        return !effects.isDisjoint(with: [.creates, .overwrites, .deletes, .executes])
    }

    /// Whether the tool saves its input at a path. A plan shows it as the destination of the result.
    package var isSaver: Bool {
        inputs.count == 1 && inputs[0].type == .any && !inputs[0].isOptional && effects == [.creates]
            && param("path")?.kind == .path
    }
}

extension Reason {
    /// Whether the reason says that a step of this kind cannot be done here: the tool or provider is missing, cannot
    /// run, or has a faulty manifest.
    package var isAbsence: Bool {
        code.isOne(of: .toolNotInstalled, .providerNotInstalled, .providerMismatch, .manifestFault)
    }

    /// Tells the first faults of a manifest, with their places.
    package init(faults: [Problem], of manifest: String) {
        let told = faults.prefix(3).map { "\($0.place): \($0.message)" }.joined(separator: " ")
        let more = faults.count > 3 ? " And \(faults.count - 3) more." : ""
        self.init(.manifestFault, "\(manifest) has \(faults.count == 1 ? "a fault" : "faults"): \(told)\(more)")
    }
}

/// The loaded tools by kind, and the reasons why known tools cannot run here.
package struct Catalogue: Sendable {
    package let tools: [String: ToolManifest]
    /// The tools in the order of their kinds.
    package let sorted: [ToolManifest]
    /// The reason for each kind that cannot run, such as "libvips-tools is not installed: apt-get install
    /// libvips-tools". Kinds with a faulty manifest are listed, too.
    package var unavailable: [String: Reason]
    /// Providers of jobs by id.
    package var providers: [String: JobTerms]

    package init(_ tools: [ToolManifest] = [], unavailable: [String: Reason] = [:], providers: [JobTerms] = []) {
        let known = Dictionary(tools.map { ($0.kind, $0) }) { _, later in later }
        self.tools = known
        sorted = known.keys.sorted().compactMap { known[$0] }
        self.unavailable = unavailable
        self.providers = Dictionary(providers.map { ($0.provider, $0) }) { _, later in later }
    }

    package subscript(kind: String) -> ToolManifest? { tools[kind] }

    /// Returns the reason why no tool here does steps of a kind, or `nil` if a tool does.
    package func absence(of kind: String) -> Reason? {
        if let reason = unavailable[kind] { return reason }
        return tools[kind] == nil
            ? Reason(.toolNotInstalled, "Tool not installed: nothing here is called \"\(kind)\".") : nil
    }
}
