import Consent
import Embedded
import JSON
import Jobs
import Manifests
package import Tools
package import Vocabulary

/// The shelves from which tools, policies, templates and prompts are read: the embedded `Config/` and the user's
/// folders. The user's own files win.
package struct Shelves: Sendable {
    let folders: Folders
    let workspace: String

    /// Creates the shelves of a user in a workspace. No file is read yet.
    package init(folders: Folders, workspace: String) {
        self.folders = folders
        self.workspace = workspace
    }

    /// Returns the shipped tools, then the user's own, with the reasons why some of them cannot run here.
    ///
    /// - Parameter known: the providers and their problems, if they were read already.
    /// - Returns: the tools, and the problems of the user's manifests, for `doctor`.
    package func tools(_ toolbox: Toolbox, _ known: (found: [String: ProviderManifest], faults: [Problem])? = nil) -> (
        Catalogue, [Problem]
    ) {
        let own = ownTools()
        var (tools, problems) = ([ToolManifest](), own.problems)
        for path in Embedded.paths where path.hasPrefix("Config/tools/") {
            let name = String(path.dropFirst("Config/tools/".count))
            let ownPath = "\(folders.config)/tools/\(name)"
            let isAbsent = ConfigFile.isAbsent(ownPath)
            // A file of the user's replaces a shipped file of the same name.
            guard isAbsent || !own.usable.contains(ownPath) else { continue }
            let shipped = readTools(PlacedJSON(shipped: path), file: name, isShipped: true) { sha256(of: $0) }
            tools += shipped.tools
            problems += shipped.problems
            // An unusable file also replaces it: its shipped tools are known, so that the problem can be reported, but
            // they cannot run.
            let fault = isAbsent ? nil : problems.firstIndex { ($0.place + ":").hasPrefix(ownPath + ":") }
            if let fault { problems[fault].manifests += shipped.tools.map(\.kind) }
        }
        tools += own.tools
        let (providers, faults) = known ?? providers()
        let missing = Self.missing(of: tools, providers, faults).merging(Self.faulty(problems, beside: tools)) { $1 }
        return (
            Catalogue(
                tools, unavailable: toolbox.unavailable(tools).merging(missing) { $1 },
                providers: providers.values.map(\.terms)),
            problems + faults
        )
    }

    /// Returns the user's tools, the problems of their files, and the paths of the usable files: those with a tool, or
    /// without problems.
    private func ownTools() -> (tools: [ToolManifest], problems: [Problem], usable: Set<String>) {
        var (tools, problems, usable) = ([ToolManifest](), [Problem](), Set<String>())
        let unread = addOwn(in: "tools", key: "kind") { text, path in
            let read = readTools(text, file: path, isShipped: false) { sha256(of: $0) }
            tools += read.tools
            problems += read.problems
            if !read.tools.isEmpty || read.problems.isEmpty { usable.insert(path) }
        }
        return (tools, problems + unread, usable)
    }

    /// Returns the kinds whose manifest cannot be used. A shipped tool does not replace such a manifest, since the user
    /// has written another one.
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

    /// Returns the providers of jobs by id: the shipped ones, and the user's own, which replace shipped ones of the
    /// same id. Also returns the problems of the user's manifests and their fixtures, for `doctor`. A provider with a
    /// problem is missing, even if a shipped one has its id: nothing may be sent elsewhere than the user wrote.
    package func providers() -> (found: [String: ProviderManifest], faults: [Problem]) {
        let settings = Settings(folder: folders.config).providers()
        var found: [String: ProviderManifest] = [:]
        var problems: [Problem] = []
        func add(_ text: some ConfigText, file: String, isShipped: Bool) {
            let read = readProviders(
                text, file: file, isShipped: isShipped, variables: { id in settings.first { $0.id == id } }
            ) {
                sha256(of: $0)
            }
            problems += read.problems
            for provider in read.providers { found[provider.id] = provider }
            // Tests play the fixtures of shipped manifests. Later settings of the user are not part of a fixture.
            guard !isShipped else { return }
            let asWritten = readProviders(text, file: file, isShipped: false) { sha256(of: $0) }.providers
            problems += asWritten.flatMap { $0.fixtureProblems(file: file) }
        }
        for path in Embedded.paths where path.hasPrefix("Config/providers/") {
            add(PlacedJSON(shipped: path), file: String(path.dropFirst("Config/providers/".count)), isShipped: true)
        }
        problems += addOwn(in: "providers", key: "id") { text, path in add(text, file: path, isShipped: false) }
        let faulty = Set(Self.byManifest(problems).keys)
        for own in settings where found[own.id] == nil && !faulty.contains(own.id) {
            let hint = NearestWord.hint(for: own.id, among: found.keys)
            problems.append(
                Problem(.unknownProvider, at: own.place, "There is no provider of jobs \"\(own.id)\". \(hint)"))
        }
        for id in faulty where found[id]?.isShipped ?? false { found[id] = nil }
        return (found, problems)
    }

    /// Returns the names of the keys of all providers of jobs. While the user has no manifests of their own, the names
    /// are found without reading what a provider is, which would take as long as the rest of a start.
    ///
    /// - Parameter found: returns all providers.
    package func providerKeyNames(_ found: () -> [String: ProviderManifest]) -> Set<String> {
        let own = try? ConfigFolder.paths(in: folders.config + "/providers", suffix: ".yaml")
        guard own?.isEmpty ?? false else { return Set(found().values.compactMap { $0.auth?.secret }) }
        return Set(
            Embedded.paths.filter { $0.hasPrefix("Config/providers/") }.flatMap { path in
                // The lines of the values are not needed.
                let documents = (try? JSONReader.read(Embedded.text(at: path) ?? ""))?.array ?? []
                return documents.compactMap { $0["auth"]?["secret"]?.string }
            })
    }

    /// Returns why tools cannot run, by kind: their provider is missing, or does not accept their action.
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
                    ?? Reason(.providerNotInstalled, "There is no provider of jobs \"\(action.provider)\".")
                continue
            }
            guard let fault = provider.fault(of: action, in: tool) else { continue }
            reasons[tool.kind] = Reason(.providerMismatch, "\(provider.title) \(fault).")
        }
        return reasons
    }

    /// Returns the built-in policy, the user's and the workspace's, joined. The strictest rule wins.
    func policy(of workspace: String) -> Policy {
        let builtIn = read(PlacedJSON(shipped: "Config/policy.yaml"), source: "built-in policy", origin: .builtIn)
        return Policy.joined([builtIn.policy] + ownPolicies(of: workspace))
    }

    /// Returns the user's policy and the workspace's, if they exist.
    func ownPolicies(of workspace: String) -> [Policy] {
        zip(policyFiles(of: workspace), [Policy.Origin.user, .workspace]).compactMap { path, origin in
            ownPolicy(path, origin)?.policy
        }
    }

    /// Returns the problems of the user's and the workspace's policy. While there are any, effects are refused.
    package func policyProblems() -> [Problem] {
        zip(policyFiles(of: workspace), [Policy.Origin.user, .workspace]).flatMap { path, origin -> [Problem] in
            guard let own = ownPolicy(path, origin), own.policy.unreadable != nil else { return [] }
            return own.problems
        }
    }

    /// Returns the paths of the user's and the workspace's policy.
    func policyFiles(of workspace: String) -> [String] {
        ["\(folders.config)/policy.yaml", "\(workspace)/.assent/policy.yaml"]
    }

    private func ownPolicy(_ path: String, _ origin: Policy.Origin) -> (policy: Policy, problems: [Problem])? {
        switch FileMark(of: path) {
        case .missing: return nil
        case .unreadable:
            do throws(Problem) { _ = try ConfigFile(path).contents() } catch { return Self.unreadable(error) }
            return Self.unreadable(Problem(.unreadableFile, at: path, "The file cannot be read."))
        case .file:
            // A workspace may be a stranger's. Its policy only makes Assent ask more.
            do throws(Problem) { if origin == .user { _ = try ConfigFile(path).contents() } } catch {
                return Self.unreadable(error)
            }
            do throws(Failure) { return read(try FileSystem.strangersText(path), source: path, origin: origin) } catch {
                return Self.unreadable(Problem(.unreadableFile, at: "", error.message))
            }
        }
    }

    private static func unreadable(_ problem: Problem) -> (policy: Policy, problems: [Problem]) {
        (.unreadable(problem.description), [problem])
    }

    private func read(_ text: some ConfigText, source: String, origin: Policy.Origin) -> (
        policy: Policy, problems: [Problem]
    ) {
        do throws(Problem) {
            guard let document = try readConfigDocument(text, file: source) else {
                return Self.unreadable(Problem(.badPolicy, at: source, "The file is empty."))
            }
            return Policy.read(json: document.json, source: source, origin: origin, lines: document.policyLines)
        } catch {
            return Self.unreadable(error)
        }
    }
}

extension YAML {
    /// The lines of the rules in a document.
    fileprivate var policyLines: Policy.Lines {
        var lines = Policy.Lines(document: line)
        if case .mapping(let members) = value { for member in members { lines.keys[member.key] = member.line } }
        if case .list(let rules)? = self["rules"]?.value { lines.rules = rules.map(\.line) }
        return lines
    }
}
