package import Vocabulary

/// A person's standing yes. It turns *ask* into *allow* for the calls that it describes, and never affects *deny*.
package struct Grant: Hashable, Sendable {
    /// Shown as `g3`.
    package var id: String
    package var tool: String
    /// The version of the tool at the time of the grant. A changed tool needs a new one.
    package var toolVersion: ContentHash
    package var conditions: Conditions
    package var expiresAt: Moment?

    package init(id: String, tool: String, toolVersion: ContentHash, conditions: Conditions, expiresAt: Moment? = nil) {
        self.id = id
        self.tool = tool
        self.toolVersion = toolVersion
        self.conditions = conditions
        self.expiresAt = expiresAt
    }

    /// Returns whether the grant covers a call. Effects and irreversibility must be named. No grant covers a command
    /// without a rehearsal, or one whose rehearsal would reach hosts or hidden files.
    func covers(_ call: Call, in surroundings: Surroundings, at now: Moment) -> Bool {
        guard tool == call.tool, toolVersion == call.toolVersion, expiresAt.map({ now < $0 }) ?? true, !call.isCommand,
            !call.reachesOut
        else { return false }
        guard conditions.effects != nil, !call.isIrreversible || conditions.isIrreversible == true else { return false }
        return conditions.contains(call, in: surroundings)
    }
}
