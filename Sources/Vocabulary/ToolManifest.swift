package import JSON

/// What a tool is and how it is run (`assent.tool/v1`, `architecture.md`, "Files people write"). Read from YAML by
/// Manifests.
package struct ToolManifest: Hashable, Sendable {
    /// UpperCamelCase and unique: `Resize`.
    package var kind: String
    package var title: String
    package var icon: String
    package var summary: String
    /// Words by which the built-in planner finds it.
    package var says: [String]
    package var inputs: [Port]
    package var outputs: [Port]
    /// Whether a node may declare ports of its own beyond these (`Pass`).
    package var hasOpenPorts: Bool
    package var params: [Param]
    /// The least effects; arguments may add to them (`overwrites` where a path exists).
    package var effects: Set<Effect>
    package var reversibility: Reversibility
    /// Whether it may be run twice, whatever its parameters are.
    package var isIdempotent: Bool
    /// If not: the values of parameters with which it may, such as GET and HEAD of `method`.
    package var idempotentWith: [String: [String]] = [:]
    /// What a call of it costs. `nil`: what its provider says.
    package var price: Dollars?
    package var queue: Queue
    package var action: Action
    package var needs: [Need]
    /// The rules for what its programs write on standard error.
    package var errors = ErrorRules()
    /// The words for what a result no longer has of its input, such as "animation: the first frame stays".
    package var drops: [String] = []
    /// Whether it ships with the program. Tools from others gain `executes` where there is no sandbox.
    package var isShipped: Bool
    /// The hash of the text it was read from.
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

    /// - Parameter params: with the defaults filled in.
    package func isIdempotent(with params: JSON.Object) -> Bool {
        isIdempotent
            || !idempotentWith.isEmpty
                && idempotentWith.allSatisfy { name, values in params[name]?.string.map(values.contains) ?? false }
    }

    package func param(_ name: String) -> Param? { params.first { $0.name == name } }

    package enum Action: Hashable, Sendable {
        /// Implemented by a function of Tools under this name.
        case builtin(String)
        /// Argument vectors run one after the other in the run folder, each word a text with `{placeholders}`; never a
        /// shell string.
        case program(ProgramAction)
        /// Bought from a provider of jobs.
        case job(JobAction)
        /// Done by a person: the step's await writes its outputs (`semantics.md` 2, *produces*).
        case person(AwaitType)
    }

    package struct JobAction: Hashable, Sendable {
        /// The id of the provider's manifest.
        package var provider: String
        /// Values for the blanks of the provider's requests, each JSON with `{placeholders}` of its own for parameters
        /// and inputs.
        package var with: JSON.Object
        /// Port of the tool → output of the provider, where they are called differently.
        package var outputs: [String: String]

        package init(provider: String, with: JSON.Object = JSON.Object(), outputs: [String: String] = [:]) {
            self.provider = provider
            self.with = with
            self.outputs = outputs
        }
    }

    package struct ProgramAction: Hashable, Sendable {
        package var commands: [Command]
        /// Output port → file name in the run folder, with `{placeholders}`.
        package var files: [String: String]
        package var timeoutSeconds: Double
        package var memoryBytesLimit: Int

        package init(commands: [Command], files: [String: String], timeoutSeconds: Double, memoryBytesLimit: Int) {
            self.commands = commands
            self.files = files
            self.timeoutSeconds = timeoutSeconds
            self.memoryBytesLimit = memoryBytesLimit
        }
    }

    package struct Command: Hashable, Sendable {
        package var words: [String]
        /// Runs only if this parameter is given (not null), or always.
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
        /// Such as `px`, `KB`, `%`, `s`: shown behind the value, read by the planner.
        package var unit: String?
        package var summary: String
        package var isSecret: Bool
        /// Literal only: never filled from a port or a blank (`consent.md`, "Shell commands").
        package var isLiteral: Bool
        /// The value that a plan of a planner or a model gets if the plan says none. A file gets `defaultValue`.
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
    /// Brings a named file in: no inputs, one required path, nothing but reading. A plan shows it as where an input
    /// comes from.
    package var isLoader: Bool {
        inputs.isEmpty && !hasOpenPorts && effects == [.reads] && outputs.count == 1
            && params.count { $0.isRequired } == 1
            && params.contains { $0.isRequired && $0.kind == .path }
    }

    /// Whether the tool changes the user's files and records each change, so that `undo` can reverse it.
    package var recordsChanges: Bool {
        guard case .builtin = action, reversibility != .no else { return false }
        return !effects.isDisjoint(with: [.creates, .overwrites, .deletes, .executes])
    }

    /// Writes what comes in to a path. A plan shows it as where the result goes.
    package var isSaver: Bool {
        inputs.count == 1 && inputs[0].type == .any && !inputs[0].isOptional && effects == [.creates]
            && param("path")?.kind == .path
    }
}

extension Reason {
    /// True where it says that nothing here does such a step: there is no tool or provider, it cannot run here, or its
    /// manifest is faulty.
    package var isAbsence: Bool {
        ["toolNotInstalled", "providerNotInstalled", "providerMismatch", "manifestFault"].contains(code)
    }

    /// Tells the first faults of a manifest, with their places.
    package init(faults: [Problem], of manifest: String) {
        let told = faults.prefix(3).map { "\($0.place): \($0.message)" }.joined(separator: " ")
        let more = faults.count > 3 ? " And \(faults.count - 3) more." : ""
        self.init("manifestFault", "\(manifest) has \(faults.count == 1 ? "a fault" : "faults"): \(told)\(more)")
    }
}

/// All tools by kind, as loaded; and why a tool that is known cannot run here.
package struct Catalogue: Sendable {
    package private(set) var tools: [String: ToolManifest]
    /// Kind → "libvips-tools is not installed: apt-get install libvips-tools". Also kinds that are not known because
    /// their manifest is faulty.
    package var unavailable: [String: Reason]
    /// Providers of jobs by id.
    package var providers: [String: JobTerms]

    package init(_ tools: [ToolManifest] = [], unavailable: [String: Reason] = [:], providers: [JobTerms] = []) {
        self.tools = Dictionary(tools.map { ($0.kind, $0) }) { _, later in later }
        self.unavailable = unavailable
        self.providers = Dictionary(providers.map { ($0.provider, $0) }) { _, later in later }
    }

    package subscript(kind: String) -> ToolManifest? { tools[kind] }

    /// Returns why nothing here does steps of a kind; `nil` if a tool does.
    package func absence(of kind: String) -> Reason? {
        if let reason = unavailable[kind] { return reason }
        return tools[kind] == nil
            ? Reason("toolNotInstalled", "Tool not installed: nothing here is called \"\(kind)\".") : nil
    }
    package var sorted: [ToolManifest] { tools.values.sorted { $0.kind < $1.kind } }
}
