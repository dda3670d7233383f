import Conversations
import Terminal

/// The view of example orders for the built-in planner, by tool (`/help say`).
enum SayingsView {
    static func lines(_ sayings: Sayings, columns: Int) -> [StyledText] {
        let head = StyledText("Examples of orders. Their files stand for yours.", .dim)
        return [head]
            + sayings.entries.flatMap { entry in
                Layout.wrapped(
                    StyledText(entry.title, .bold) + StyledText("  " + entry.examples.joined(separator: " · ")),
                    columns: columns, indent: 0, hanging: 2)
            }
    }
}
