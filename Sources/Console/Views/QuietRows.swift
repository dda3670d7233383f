import JSON
import Vocabulary

/// The rows of a question that say nothing new of a plain command: one that was rehearsed, and whose parts are as they
/// are by default. Each of them stays among all details.
struct QuietRows {
    /// The tool: nothing but a command is rehearsed, and the command has a row.
    let hasTool: Bool
    /// The folder in which it ran, if the person is there.
    let hasFolder: Bool
    /// The effects, if each of them stands in front of a change.
    let hasEffects: Bool
    private let isPlain: Bool

    init(_ call: Call, folder: String?) {
        if case .done = call.rehearsal { isPlain = !call.isBare } else { isPlain = false }
        hasTool = isPlain && call.params["command"]?.string != nil
        let names = Set(call.environment.members.map(\.key))
        hasFolder = isPlain && names == ["folder"] && folder != nil && call.environment["folder"]?.string == folder
        hasEffects = isPlain && !call.targets.isEmpty && call.effects == Set(call.targets.map(\.effect))
    }

    /// Parameters of a command as they are by default.
    private static let defaults: [String: JSON] = ["bare": false, "network": [], "reads": []]
    /// The usual lists of exit codes, of a plan and of a file (`semantics.md` 190).
    private static let usualExits: [JSON] = [[.string(ExitRule.any)], [0]]

    /// Returns the call without parameters that are as they are by default.
    func spoken(_ call: Call) -> Call {
        guard call.tool == "Shell" else { return call }
        var call = call
        call.params = JSON.Object(members: call.params.members.filter { !saysNothingNew($0) })
        return call
    }

    private func saysNothingNew(_ param: JSON.Object.Member) -> Bool {
        if param.key == ExitRule.parameter { return Self.usualExits.contains(param.value) }
        return isPlain && Self.defaults[param.key] == param.value
    }
}
