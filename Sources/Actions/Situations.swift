import Conversations
import Files
import Glibc
import JSON
import Services
import Tools
import Vocabulary

extension Limits {
    /// The most bytes of `AGENTS.md` that a model receives: an eighth of its window, at 3.5 bytes a token, and of this
    /// window if its own is not known.
    fileprivate static let wishesShare = 8

    /// The most connected kinds that are named.
    fileprivate static let connectedKinds = 40
}

/// The situation of a conversation before each line of the user. It is gathered for a connected model only, since the
/// built-in planner reads nothing but the list of files.
struct Situations: Sendable {
    private let shared: OpenWorkspace
    private let front: any PlannerFront
    /// The wishes that were read last, with the stamp of their file.
    private let lastWishes = Kept<(stamp: [Int], text: String)?>(nil)

    /// Creates the situations of one conversation.
    init(_ shared: OpenWorkspace, _ front: any PlannerFront) { (self.shared, self.front) = (shared, front) }

    /// Gathers the situation as it is now. What cannot be read is left out.
    func now() async -> Situation {
        var situation = Situation(listing: Listing.ofFolder(shared.workspace))
        guard shared.connectedChoice != nil else { return situation }
        let mode = front.mode
        // The words of the mode are addressed to the person.
        let asked = mode.asksFirst.replacing("you have", with: "they have")
        situation.mode = "\(mode.rawValue). The person is asked first about \(asked)."
        situation.connected = connected
        if isThere(".git") { situation.repository = await text(of: .repositoryState) }
        situation.wishes = await wishes()
        return situation
    }

    private func isThere(_ name: String) -> Bool { status(name) != nil }

    private func status(_ name: String) -> stat? {
        var status = stat()
        return lstat(shared.workspace.child(name), &status) == 0 ? status : nil
    }

    /// The kinds that need a provider, by whether it has a key. No program is run for keys.
    private var connected: String? {
        let jobs = shared.knownTools.sorted.compactMap { tool -> (kind: String, provider: String)? in
            guard case .job(let action) = tool.action else { return nil }
            return (tool.kind, action.provider)
        }
        guard !jobs.isEmpty else { return nil }
        let ready = Set(jobs.map(\.provider)).filter(shared.hasKeyAtHand)
        let kinds = jobs.filter { ready.contains($0.provider) }.map(\.kind)
        guard !kinds.isEmpty else { return "no key is there for the kinds that need one" }
        let more = kinds.count - Limits.connectedKinds
        return "a key is there for \(kinds.prefix(Limits.connectedKinds).joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")
    }

    // MARK: Wishes

    /// Returns the text of `AGENTS.md` in the workspace, if its policy lets it be read.
    private func wishes() async -> String? {
        guard let status = status("AGENTS.md"), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let stamp = [
            Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
            front.mode == .alwaysAsk ? 1 : 0,
        ]
        if let last = lastWishes.value, last.stamp == stamp { return last.text }
        guard let manifest = shared.knownTools["ReadFile"],
            let text = await text(of: manifest, JSON.Object(members: [.init(key: "path", value: "AGENTS.md")]))
        else { return nil }
        let window = shared.contextRoom()?.window ?? Limits.assumedWindow
        let room = window * 7 / 2 / Limits.wishesShare
        let whole = text.trimmedOfBlanks
        let cut = TextCut(whole).ends(head: room, tail: 0).map { "\($0.head)… [cut here: read AGENTS.md]" }
        lastWishes.value = (stamp, cut ?? whole)
        return cut ?? whole
    }

    /// Runs a look of Assent itself, which shows nothing on the screen.
    ///
    /// - Returns: its text without keys, or nil if it cannot be done, or if the policy would ask.
    private func text(of manifest: ToolManifest, _ params: JSON.Object = JSON.Object()) async -> String? {
        let looks = LookCalls(shared, front)
        let assignment = looks.assignment(manifest, params)
        do throws(Failure) {
            let toolbox = try shared.toolbox.get()
            let call = try await shared.blocking { () throws(Failure) in try toolbox.prepare(assignment) }
            guard case .allow = looks.decision(on: call) else { return nil }
            return try await looks.text(assignment, call, toolbox)
        } catch {
            return nil
        }
    }
}

extension OpenWorkspace {
    /// Returns whether the key of a provider that needs one is at hand. It runs no program.
    fileprivate func hasKeyAtHand(_ id: String) -> Bool {
        do throws(Failure) {
            guard let auth = try providers.get()[id]?.auth, !auth.isOptional, auth.kind != .none else { return false }
            return keyRing.hasFound(auth.secret) || keyRing.held(auth.secret) != nil
                || secrets.keyAtHand(auth.secret) != nil
        } catch {
            // Providers that cannot be read are reported where one is used.
            return false
        }
    }
}
