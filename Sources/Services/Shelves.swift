import Consent
import Embedded
import Manifests
package import Tools
package import Vocabulary

/// What is read from `Config/` and the person's folders: tools, policies, templates, prompts. The person's own files win.
package struct Shelves: Sendable {
    let folders: Folders
    let workspace: String

    /// Creates the shelves of a person in a workspace; nothing is read yet.
    package init(folders: Folders, workspace: String) {
        self.folders = folders
        self.workspace = workspace
    }

    /// Shipped tools, then the person's, with what of them cannot run here.
    ///
    /// - Returns: also the faults of the person's manifests, for `doctor`.
    /// - Parameter known: the providers and their faults, where they were read already.
    package func tools(_ toolbox: Toolbox, _ known: (found: [String: ProviderManifest], faults: [Problem])? = nil) -> (
        Catalogue, [Problem]
    ) {
        var tools: [ToolManifest] = []
        var problems: [Problem] = []
        func add(_ text: String, file: String, isShipped: Bool) {
            let read = readTools(text, file: file, isShipped: isShipped) { sha256(of: $0) }
            tools += read.tools
            problems += read.problems
        }
        for path in Embedded.paths where path.hasPrefix("Config/tools/") {
            let name = String(path.dropFirst("Config/tools/".count))
            let own = "\(folders.config)/tools/\(name)"
            if let text = Files.text(own) {
                add(text, file: own, isShipped: false)
            } else {
                add(Embedded.text(at: path)!, file: name, isShipped: true)
            }
        }
        let shippedNames = Set(Embedded.paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 })
        for name in Files.names(in: "\(folders.config)/tools") where name.hasSuffix(".yaml") && !shippedNames.contains(name) {
            add(Files.text("\(folders.config)/tools/\(name)") ?? "", file: "\(folders.config)/tools/\(name)", isShipped: false)
        }
        let (providers, faults) = known ?? providers()
        let missing = Self.missing(of: tools, providers, faults).merging(Self.faulty(problems, beside: tools)) { $1 }
        return (
            Catalogue(
                tools, unavailable: toolbox.unavailable(tools).merging(missing) { $1 }, providers: providers.values.map(\.terms)),
            problems + faults
        )
    }

    /// Returns the kinds whose manifest cannot be used. A shipped tool does not take its place: that is not what the
    /// person has written.
    private static func faulty(_ problems: [Problem], beside tools: [ToolManifest]) -> [String: Reason] {
        var reasons: [String: Reason] = [:]
        let own = Set(tools.filter { !$0.isShipped }.map(\.kind))
        for (kind, faults) in byManifest(problems) where !own.contains(kind) {
            reasons[kind] = Reason(faults: faults, of: "The manifest of \(kind)")
        }
        return reasons
    }

    private static func byManifest(_ problems: [Problem]) -> [String: [Problem]] {
        var named: [String: [Problem]] = [:]
        for problem in problems {
            for name in problem.manifests { named[name, default: []].append(problem) }
        }
        return named
    }

    // MARK: Providers of jobs

    /// Shipped ones, then the person's, which win by their id; with the faults of the person's manifests and of their fixtures, for `doctor`.
    /// One with a fault is missing, also where there is a shipped one of its id: nothing is sent elsewhere than the
    /// person has written.
    package func providers() -> (found: [String: ProviderManifest], faults: [Problem]) {
        let settings = Settings(folder: folders.config)
        var found: [String: ProviderManifest] = [:]
        var problems: [Problem] = []
        func add(_ text: String, file: String, isShipped: Bool) {
            let read = readProviders(text, file: file, isShipped: isShipped, variables: settings.variables) { sha256(of: $0) }
            problems += read.problems
            for provider in read.providers { found[provider.id] = provider }
            // Those that ship are played by the tests. What the person has set since is no part of a fixture.
            guard !isShipped else { return }
            let asWritten = readProviders(text, file: file, isShipped: false) { sha256(of: $0) }.providers
            problems += asWritten.flatMap { $0.fixtureProblems(file: file) }
        }
        for path in Embedded.paths where path.hasPrefix("Config/providers/") {
            // Their fixtures come last, are most of the text, and are for tests.
            let text = Embedded.text(at: path)!
            let rules = text.firstRange(of: "\nfixtures:").map { String(text[..<$0.lowerBound]) } ?? text
            add(rules, file: String(path.dropFirst("Config/providers/".count)), isShipped: true)
        }
        for name in Files.names(in: "\(folders.config)/providers") where name.hasSuffix(".yaml") {
            let path = "\(folders.config)/providers/\(name)"
            guard let text = Files.text(path) else {
                problems.append(Problem("unknownFile", at: path, "The manifest cannot be read as a text."))
                continue
            }
            add(text, file: path, isShipped: false)
        }
        for id in Self.byManifest(problems).keys where found[id]?.isShipped ?? false { found[id] = nil }
        return (found, problems)
    }

    /// Kinds whose provider is not there, or does not take what they say.
    private static func missing(
        of tools: [ToolManifest], _ providers: [String: ProviderManifest], _ problems: [Problem]
    ) -> [String: Reason] {
        let faults = byManifest(problems)
        var reasons: [String: Reason] = [:]
        for tool in tools {
            guard case .job(let action) = tool.action else { continue }
            guard let provider = providers[action.provider] else {
                reasons[tool.kind] =
                    faults[action.provider].map {
                        Reason(faults: $0, of: "The manifest of the provider \(action.provider)")
                    }
                    ?? Reason("providerNotInstalled", "There is no provider of jobs \"\(action.provider)\".")
                continue
            }
            guard let fault = provider.fault(of: action, in: tool) else { continue }
            reasons[tool.kind] = Reason("providerMismatch", "\(provider.title) \(fault).")
        }
        return reasons
    }

    /// The built-in policy, the person's and the workspace's, joined: the strictest wins.
    func policy(of workspace: String) -> Policy {
        let builtIn = read(Embedded.text(at: "Config/policy.yaml"), source: "built-in policy", origin: .builtIn)
        let origins: [Policy.Origin] = [.user, .workspace]
        let own = zip(policyFiles(of: workspace), origins).compactMap { path, origin -> Policy? in
            switch FileMark(of: path) {
            case .missing: nil
            case .unreadable: .unreadable("\(path) cannot be read")
            case .file: self.own(path, origin: origin)
            }
        }
        return Policy.joined([builtIn] + own)
    }

    /// The person's, and the workspace's.
    func policyFiles(of workspace: String) -> [String] { ["\(folders.config)/policy.yaml", "\(workspace)/.assent/policy.yaml"] }

    private func own(_ path: String, origin: Policy.Origin) -> Policy {
        do throws(Failure) { return read(try Files.strangersText(path), source: path, origin: origin) } catch {
            return .unreadable(error.message)
        }
    }

    private func read(_ text: String?, source: String, origin: Policy.Origin) -> Policy {
        guard let text else { return .unreadable("\(source) cannot be read") }
        do throws(Problem) {
            guard let document = try YAML.read(text, file: source).first else { return .unreadable("\(source) is empty") }
            var lines: [Int] = []
            if case .list(let rules)? = document["rules"]?.value { lines = rules.map(\.line) }
            return Policy.read(json: document.json, source: source, origin: origin, lines: lines).policy
        } catch {
            return .unreadable(error.description)
        }
    }

    /// Returns the text of the planner's prompt.
    package func prompt() -> String {
        Files.text("\(folders.config)/prompts/planner.md") ?? Embedded.text(at: "Prompts/planner.md")!
    }

    // MARK: Templates

    /// Name, where it is, and its bytes.
    package func templates() -> [(name: String, path: String, bytes: [UInt8])] {
        let own = Files.names(in: "\(folders.config)/templates").filter { $0.hasSuffix(".json") }.compactMap { name in
            let path = "\(folders.config)/templates/\(name)"
            return (try? Files.bytes(path)).map { (String(name.dropLast(5)), path, $0) }
        }
        let shipped = Embedded.paths.filter { $0.hasPrefix("Config/templates/") && $0.hasSuffix(".json") }.map { path in
            (String(path.dropFirst("Config/templates/".count).dropLast(5)), "embedded:\(path)", Embedded.bytes(at: path)!)
        }
        return own + shipped.filter { entry in !own.contains { $0.0 == entry.0 } }
    }

    /// Returns the bytes of a template that `templates()` names.
    package func templateFile(_ path: String) throws(Failure) -> [UInt8] {
        if path.hasPrefix("embedded:"), let bytes = Embedded.bytes(at: String(path.dropFirst("embedded:".count))) { return bytes }
        return try Files.bytes(path)
    }
}
