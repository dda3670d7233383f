package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Cache: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Show what takes room, or free some.",
        discussion: """
            Examples:

              assent cache
              assent cache free --dry-run
            """)

    package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable { case free }

    @Argument(help: "free: take away what can be made again and what nobody needs.")
    var action: Action?

    @Flag(help: "Only say what would go.")
    var dryRun = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        switch action {
        case nil:
            guard !dryRun else { throw Failure("badUsage", "--dry-run belongs to 'free'.", remedy: "assent cache free --dry-run") }
            let usage = try await house.keep.usage()
            output.show(UsageView.lines(usage, columns: output.columns), json: [usage.json])
        case .free:
            let freed = try await house.keep.free(dryRun)
            output.show(UsageView.lines(freed, columns: output.columns), json: [freed.json])
        }
        return .succeeded
    }
}

/// `pin` without a workflow's input: what is kept offline.
enum KeptAssets {
    static func show(in house: House, _ output: Output) throws(Failure) {
        let pins = try house.keep.pins()
        output.show(UsageView.lines(pins, now: house.now(), columns: output.columns), json: pins.map(\.json))
    }

    static func keep(_ asset: AssetName, in house: House, _ output: Output) throws(Failure) {
        let pinned = try house.keep.pin(asset)
        let words = pinned.isChanged ? "is kept offline" : "was kept already"
        output.show(
            [StyledText("\(pinned.asset.title) \(words)")], json: [pinned.asset.json.adding("changed", .bool(pinned.isChanged))])
    }
}

package struct Unpin: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Keep an asset no longer than others.",
        discussion: """
            Example:

              assent unpin w3.2.1.image
            """)

    @Argument(help: "An asset: WORKFLOW.STEP.ATTEMPT.PORT, or the first digits of its SHA-256.")
    var asset: AssetName

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let pinned = try house.keep.unpin(asset)
        let words = pinned.isChanged ? "is no longer kept" : "was not kept"
        output.show(
            [StyledText("\(pinned.asset.title) \(words)")], json: [pinned.asset.json.adding("changed", .bool(pinned.isChanged))])
        return .succeeded
    }
}

package struct Preview: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Make a picture of an asset to look at, and say where it is.",
        discussion: """
            Example:

              assent preview w3.2.1.image --thumbnail
            """)

    @Argument(help: "An asset: WORKFLOW.STEP.ATTEMPT.PORT, or the first digits of its SHA-256.")
    var asset: AssetName

    @Flag(help: "A small one.")
    var thumbnail = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let preview = try await house.keep.preview(asset, thumbnail)
        output.show(
            [StyledText(preview.path)],
            json: [preview.asset.json.adding(thumbnail ? "thumbnail" : "preview", .string(preview.path))])
        return .succeeded
    }
}

package struct Export: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Write a workflow with its history and its assets into one file.",
        discussion: """
            Example:

              assent export w3 stylize.zip
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "The file to make; it must not be there yet.")
    var file: String

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        _ = try Find.workflow(workflow, in: house)
        let bundled = try await house.keep.exportBundle(workflow, file)
        output.show(UsageView.lines(bundled, isExport: true, columns: output.columns), json: [bundled.json])
        return .succeeded
    }
}

package struct Import: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Take a workflow in that was exported. It does nothing until you say so.",
        discussion: """
            Example:

              assent import stylize.zip
            """)

    @Argument(help: "A file that 'assent export' has made.")
    var file: String

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let bundled = try await house.keep.importBundle(file)
        output.show(UsageView.lines(bundled, isExport: false, columns: output.columns), json: [bundled.json])
        return .succeeded
    }
}

package struct Release: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Let a workflow go on that is set aside: imported, or damaged and mended.",
        discussion: """
            Example:

              assent release w3
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Flag(help: "Take it as it is now, though a bit of the file has changed. Look at it first.")
    var asItIs = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        try house.keep.release(workflow, asItIs)
        output.show(
            [
                StyledText(
                    "\(workflow) goes on: \(Voice.call("show \(workflow)"))"
                        + (house.look.hasEngine() ? "" : " · to go on now: assent work --until-idle"))
            ],
            json: [["workflow": .string(workflow.description), "released": true]])
        return .succeeded
    }
}

extension AssetName: ExpressibleByArgument {
    package init?(argument: String) { self.init(parsing: argument) }
}
