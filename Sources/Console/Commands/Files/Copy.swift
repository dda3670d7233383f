import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

extension Limits {
    /// The most bytes of a text that is copied to the clipboard. A larger one is refused.
    fileprivate static let clipboardBytes = 64 << 10
}

package struct Copy: Verb {
    package static let description = CommandDescription(
        "copy", in: .files,
        summary: "Copy a text to the clipboard of your terminal, if the settings allow it.",
        details: """
            It needs "clipboard: true" in settings.yaml, and a terminal that takes texts this way (OSC 52).
            """,
        examples: [
            "copy w3.2",
            "copy note.txt",
        ],
        takes: [[.result, .file]])

    @Argument(help: "What to copy, as 'view' takes it. Without it, the newest result.")
    var target: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard context.viewing.hasClipboard else {
            throw Failure(
                .clipboardOff, "The clipboard is off.")
        }
        let content = try ViewFinder(context: context).find(ViewTarget(target)).content
        guard !content.isFolder, content.bytes <= Limits.clipboardBytes else {
            throw Failure(
                .tooLarge, "\(content.name) is no text of at most \(Amounts.size(Limits.clipboardBytes)).",
                remedy: "Save it instead: \(Voice.call("save"))")
        }
        let source = try context.viewing.open(content)
        let bytes = try source.read(content.bytes, at: 0)
        let decoded = try DecodedText(source, content.bytes)?.text
        guard let text = decoded ?? String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw Failure(.notText, "\(content.name) is no text.", remedy: "Save it instead: \(Voice.call("save"))")
        }
        guard output.screen.copy(text) else {
            throw Failure(
                .noTerminal, "This screen has no clipboard.", remedy: "Call it in a terminal, without --plain.")
        }
        output.show(
            [
                StyledText(
                    "Sent to the clipboard: \(content.name), \(Amounts.size(bytes.count)). Not every terminal takes it.",
                    .dim)
            ],
            json: [.of(["target": .string(content.target), "bytes": .int(bytes.count)])])
        return .succeeded
    }
}
