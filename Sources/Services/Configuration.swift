package import Vocabulary

/// The files of the config folder that decide how much Assent asks, which hosts it may use, and with which model. While
/// one of them has a problem, only `doctor`, help and the commands that look run.
package struct Configuration: Sendable {
    /// The problems of one file.
    package struct Fault: Sendable {
        /// The name of the file's subject, as `doctor` shows it.
        package let name: String
        package let problems: [Problem]
    }

    private let settings: Settings
    private let models: ModelFiles
    private let hosts: HostConsents
    private let programs: ProgramConsents
    private let keyRing: KeyRing
    private let shelves: Shelves

    /// Creates the view of a config folder. No file is read yet.
    package init(
        settings: Settings, models: ModelFiles, hosts: HostConsents, programs: ProgramConsents, keyRing: KeyRing,
        shelves: Shelves
    ) {
        self.programs = programs
        self.settings = settings
        self.models = models
        self.hosts = hosts
        self.keyRing = keyRing
        self.shelves = shelves
    }

    /// Reads all files, and returns those with problems. An absent file has none.
    package func faults() -> [Fault] {
        let all = [
            Fault(name: "settings", problems: settings.read().problems),
            Fault(name: "hosts", problems: hosts.read().problems),
            Fault(name: "programs", problems: programs.read().problems),
            Fault(name: "models", problems: models.ownModelProblems()),
            Fault(name: "prompt", problems: shelves.promptProblem().map { [$0] } ?? []),
            Fault(name: "connections", problems: models.connections(keyRing).problems),
        ]
        return all.filter { !$0.problems.isEmpty }
    }

    /// Throws if one of the files exists and cannot be used.
    ///
    /// - Throws: `badSettings` with the file, the line and the problem.
    package func require() throws(Failure) {
        let problems = faults().flatMap(\.problems)
        guard problems.isEmpty else { throw .badSettings(problems) }
    }
}
