import Actions
import JSON
import Terminal
import Vocabulary

/// The assets that are pinned to stay offline, which `pin` shows without an input of a workflow.
enum KeptAssets {
    static func show(in context: CommandContext, _ output: Output) throws(Failure) {
        let pins = try context.keep.pins()
        output.show(UsageView.lines(pins, now: context.now(), columns: output.columns), json: pins.map(\.json))
    }

    static func keep(_ asset: AssetName, in context: CommandContext, _ output: Output) throws(Failure) {
        let pinned = try context.keep.pin(asset)
        let words = pinned.isChanged ? "is kept offline" : "was kept already"
        output.show(
            [StyledText("\(pinned.asset.title) \(words)")],
            json: [pinned.asset.json.adding("changed", .bool(pinned.isChanged))])
    }
}
