package import JSON

/// The exit codes of a command that are a success: those that its step lists under `exits` (`semantics.md` 190).
package struct ExitRule: Hashable, Sendable {
    /// The parameter that lists the codes.
    package static let parameter = "exits"
    /// The element of the list that stands for every code with which a command ends by itself.
    package static let any = "any"

    /// The element of the list with which every such code ends the step, and only the listed codes let the steps go on
    /// that stand after it.
    package static let told = "told"

    private let codes: Set<Int>
    private let takesAny: Bool
    private let isTold: Bool

    /// Reads the rule of a step. A step that lists nothing takes only 0.
    package init(_ params: JSON.Object) {
        let listed = params[Self.parameter]?.array ?? []
        let numbers = Set(listed.compactMap(\.int))
        takesAny = listed.contains { $0.string == Self.any }
        isTold = listed.contains { $0.string == Self.told }
        codes = numbers.isEmpty ? [0] : numbers
    }

    /// Whether a command that ended with this code has succeeded. The codes of a shell for a command that cannot be run
    /// (126), that is not found (127), or that a signal ended are failures in every list.
    package func isSuccess(_ code: Int) -> Bool {
        guard code != 126, code != 127, Self.signal(of: code) == nil else { return false }
        return takesAny || isTold || codes.contains(code)
    }

    /// Whether the steps that stand after a command which ended with this code may run. A plan of the planner or of a
    /// model means "and then, if it succeeded", and not "and then, whatever happened".
    package func letsFollow(_ code: Int) -> Bool { isSuccess(code) && (takesAny || codes.contains(code)) }

    /// Returns the number of the signal that ended a command, as a shell reports it (128 + the number). `nil` for other
    /// codes.
    package static func signal(of code: Int) -> Int? { (129...192).contains(code) ? code - 128 : nil }
}

/// A command of a workflow that ended with another exit code than 0.
package struct CommandExit: Hashable, Sendable {
    package var workflow: WorkflowID
    /// The number of the step.
    package var step: Int
    package var code: Int
    /// Whether the step lists this code among those that are no failure.
    package var isListed: Bool

    /// Creates the end of a command.
    package init(workflow: WorkflowID, step: Int, code: Int, isListed: Bool = false) {
        (self.workflow, self.step, self.code, self.isListed) = (workflow, step, code, isListed)
    }

    /// The end as JSON, in the last line of `--json`.
    package var json: JSON {
        ["workflow": .string(workflow.description), "step": .int(step), "exit": .int(code)]
    }
}

extension Reason {
    private static let exitWord = "exit "
    private static let besides = "; "

    /// Creates the reason of a step that is over, and whose command ended with another exit code than 0.
    ///
    /// - Parameter words: what else must be noticed about the step, or `nil`.
    package init(exit code: Int, besides words: String?) {
        self.init(.exited, "\(Self.exitWord)\(code)" + (words.map { Self.besides + $0 } ?? ""))
    }

    /// The exit code of a step's command, if it was another than 0. `nil` for other reasons.
    package var exitCode: Int? {
        guard code == .exited, words.hasPrefix(Self.exitWord) else { return nil }
        return Int(words.dropFirst(Self.exitWord.count).prefix { $0 != ";" })
    }

    /// The words of the reason without the exit code, or `nil` if nothing else is to be noticed.
    package var wordsBesidesExit: String? {
        guard exitCode != nil else { return words }
        return words.firstRange(of: Self.besides).map { String(words[$0.upperBound...]) }
    }
}

extension Asset {
    /// The seconds for which the command ran that printed this asset. `nil` for other assets, and for a command on the
    /// bare machine, whose attempt began and ended with it.
    package var commandSeconds: Double? { meta["ms"]?.int.map { Double($0) / 1000 } }

    /// The exit code of the command that printed this asset. `nil` for other assets, and if the command did not end by
    /// itself.
    package var exitCode: Int? { meta["exit"]?.int }

    /// Whether a command printed this asset.
    package var isOfCommand: Bool { meta.saysHowCommandEnded }

    /// Whether this asset is the standard error of a command that wrote nothing there. Views leave it out.
    package var isEmptyErrors: Bool { bytes == 0 && port == "errors" && isOfCommand }
}

extension Event.Output {
    /// Whether a command printed this output.
    package var isOfCommand: Bool { meta.saysHowCommandEnded }
}

extension JSON.Object {
    fileprivate var saysHowCommandEnded: Bool { self["exit"] != nil || self["ended"] != nil }
}
