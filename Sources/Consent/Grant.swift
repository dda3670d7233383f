package import Vocabulary

/// A person's standing yes. It lowers *ask* to *allow* for what it names and for nothing else; it never lowers *deny*.
package struct Grant: Hashable, Sendable {
    /// Shown as `g3`.
    package var id: String
    package var tool: String
    /// The version it was given for: a tool that changed is asked for again.
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

    /// Effects and irreversibility must be named; no grant covers a command that is not rehearsed, or reaches
    /// out when it is.
    func covers(_ call: Call, in surroundings: Surroundings, at now: Moment) -> Bool {
        guard tool == call.tool, toolVersion == call.toolVersion, expiresAt.map({ now < $0 }) ?? true, !call.isCommand,
            !call.reachesOut
        else { return false }
        guard conditions.effects != nil, !call.isIrreversible || conditions.isIrreversible == true else { return false }
        return conditions.contains(call, in: surroundings)
    }
}
