import Files
import JSON
import Services
package import Vocabulary

/// The use cases of the user's own programs: which of their folders commands see. Failures are `programsBroken` and
/// `badPath`.
package struct ProgramPermissions: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of programs.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    private var consents: ProgramConsents { ProgramConsents(folder: shared.folders.config) }
    private var programs: UserPrograms { get throws(Failure) { try shared.userPrograms.get() } }

    /// A folder with programs, and the answer of the user about it. There is none for a folder that is still to be
    /// asked about.
    package struct Entry: Sendable {
        package let folder: ProgramFolder
        package let answer: ProgramConsent?
        /// Whether commands see it. An allowed folder may be missing, or be another one.
        package let isSeen: Bool
    }

    /// Returns the answered folders, and those that the next command asks about.
    package func list() throws(Failure) -> [Entry] {
        let (answers, programs) = (try consents.list(), try programs)
        return answers.map {
            Entry(folder: programs.folder(of: $0), answer: $0, isSeen: $0.isAllowed && programs.isSeen($0))
        }
            + (try programs.unanswered(in: shared.workspace)).map { Entry(folder: $0, answer: nil, isSeen: false) }
    }

    /// Returns a path with `~` for the home.
    package func shortened(_ path: String) -> String {
        path.shortened(home: Folders.environment("HOME").map(realPath))
    }

    /// Lets commands see a folder, or no longer.
    ///
    /// - Parameter written: the folder as the user types it.
    /// - Returns: the folder.
    package func answer(_ written: String, isAllowed: Bool) throws(Failure) -> ProgramFolder {
        // A folder that is not there any more can be revoked.
        let old = try consents.list().first { $0.folder == written || shortened($0.folder) == written }
        let programs = try programs
        if !isAllowed, let old {
            try store([programs.folder(of: old)], isAllowed: false)
            return programs.folder(of: old)
        }
        let folder = try programs.folder(written)
        try store([folder], isAllowed: isAllowed)
        return folder
    }

    /// Stores the answers of the user to a question.
    ///
    /// - Parameter allowed: the places in the list of the folders that commands may see. The others are refused.
    package func answer(_ question: ProgramQuestion, allowing allowed: Set<Int>) throws(Failure) {
        let numbered = question.folders.enumerated()
        try store(numbered.filter { allowed.contains($0.offset) }.map(\.element), isAllowed: true)
        try store(numbered.filter { !allowed.contains($0.offset) }.map(\.element), isAllowed: false)
    }

    private func store(_ folders: [ProgramFolder], isAllowed: Bool) throws(Failure) {
        guard !folders.isEmpty else { return }
        try consents.store(
            folders.map {
                ProgramConsent(
                    folder: $0.path, isAllowed: isAllowed, shown: $0.shown, searched: $0.searched,
                    at: OpenWorkspace.now())
            })
    }

    /// Asks the user about the folders that a command would be the first to need, if the user can be asked. Without an
    /// answer commands run without these folders, and their results say so.
    ///
    /// - Parameter confirm: asks the person, and stores the answer.
    package func ask(for template: Template, _ confirm: (ProgramQuestion) async -> Void) async throws(Failure) {
        let catalogue = try shared.catalogue.get()
        let commands = template.nodes.filter { catalogue[$0.kind]?.isCommand ?? false }
        // Edits without a check run no command.
        guard commands.contains(where: { $0.kind != "Edit" || $0.params["check"] != nil }) else { return }
        let folders = try programs.unanswered(in: shared.workspace)
        if !folders.isEmpty { await confirm(ProgramQuestion(folders)) }
    }

    /// Returns the words of `status` and of `doctor`: the folders that commands see, and those that they do not.
    package func words(_ entries: [Entry]) -> String {
        func names(_ isAllowed: Bool) -> [String] {
            entries.filter { ($0.answer?.isAllowed ?? false) == isAllowed && $0.isSeen == isAllowed }.map {
                shortened($0.folder.path)
            }
        }
        let (seen, unseen) = (names(true), names(false))
        let gone = entries.filter { $0.answer?.isAllowed ?? false && !$0.isSeen }.map { shortened($0.folder.path) }
        let rest = [("not allowed", unseen), ("allowed, but not there", gone)].filter { !$0.1.isEmpty }.map {
            words, names in
            "; \(words): \(NameList.words(names))"
        }.joined()
        return (seen.isEmpty ? "the system's only" : "the system's, \(NameList.words(seen))") + rest
    }
}
