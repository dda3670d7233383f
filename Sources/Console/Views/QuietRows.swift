import JSON
import Vocabulary

/// The rows of a question that can be left out, since they say nothing new. They belong to a plain command, which was
/// rehearsed with default settings. The expanded form shows them.
struct QuietRows {
    /// Whether the row of the tool can be left out. Only commands are rehearsed, and the command has its own row.
    let hasTool: Bool
    /// Whether the row of the folder can be left out, since the person is in that folder.
    let hasFolder: Bool
    /// Whether the row of effects can be left out, since each effect stands before a change.
    let hasEffects: Bool
    private let isPlain: Bool

    init(_ call: Call, folder: String?) {
        if case .done = call.rehearsal { isPlain = !call.isBare } else { isPlain = false }
        hasTool = isPlain && (call.params["command"]?.string != nil || call.tool == "Edit")
        let names = Set(call.environment.members.map(\.key))
        // A remark about programs says nothing of the place.
        hasFolder =
            isPlain && names.subtracting(["notAllowed"]) == ["folder"] && folder != nil
            && call.environment["folder"]?.string == folder
        hasEffects = isPlain && !call.targets.isEmpty && call.effects == Set(call.targets.map(\.effect))
    }

    /// Returns the facts of a call that have rows.
    func environment(of call: Call) -> JSON.Object {
        JSON.Object(members: call.environment.members.filter { !hasFolder || $0.key != "folder" })
    }

    /// The default parameters of a command.
    private static let defaults: [String: JSON] = ["askAnyway": false, "bare": false, "network": [], "reads": []]
    /// The usual lists of exit codes, in a plan and in a file (`semantics.md` 190).
    private static let usualExits: [JSON] = [[.string(ExitRule.any)], [0]]

    /// Returns the call without its default parameters.
    func spoken(_ call: Call) -> Call {
        guard ["Edit", "Shell"].contains(call.tool) else { return call }
        var call = call
        call.params = JSON.Object(members: call.params.members.filter { !saysNothingNew($0) })
        return call
    }

    private func saysNothingNew(_ param: JSON.Object.Member) -> Bool {
        if param.key == ExitRule.parameter { return Self.usualExits.contains(param.value) }
        return isPlain && Self.defaults[param.key] == param.value
    }
}
