extension PlannerTools {
    private static let looks: Set<String> = [
        "read", "search", "list", "results", "find_tools", "wait", "list_workflows", "show_workflow", "read_inbox",
        "read_mode",
    ]

    /// Returns whether the tool of a name only looks, so that a call of it changes nothing.
    package static func isLook(_ name: String) -> Bool { looks.contains(name) }
}
