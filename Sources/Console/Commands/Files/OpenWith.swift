import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct OpenWith: Verb {
    package static let description = CommandDescription(
        "open-with", in: .files,
        summary: "Open a result or a file with a program of yours, in this terminal.",
        details: """
            The program runs as yours: it is not sandboxed, and nothing of it is recorded. Its words go to no shell.
            """,
        examples: [
            "open-with w3.2 gimp",
            .init("open-with \"feh --scale-down\"", note: "the newest result"),
        ],
        takes: [[.result, .file], [.free]])

    @Argument(
        help: "What to open, as 'view' takes it, and the program with its words. Without the first, the newest result.")
    var words: [String]

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func validate() throws {
        guard (1...2).contains(words.count) else {
            throw ValidationError("What to open and the program are one word each.")
        }
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let content = try ViewFinder(context: context).find(ViewTarget(words.count == 2 ? words[0] : nil)).content
        let line = words[words.count - 1]
        guard let program = PersonsProgram(line: line) else {
            throw Failure(
                .unknownProgram, "There is no program \"\(line)\".")
        }
        let ending = Kept<Int32?>(nil)
        let isLent = await output.screen.lend { terminal in ending.value = program.run([content.path], at: terminal) }
        guard isLent else {
            throw Failure(
                .noTerminal, "There is no terminal here for the program.",
                remedy: "Call it in a terminal, without a pipe.")
        }
        guard let code = ending.value else {
            throw Failure(.programFailed, "\(line) could not be run, or a signal ended it.")
        }
        if code != 0 { output.screen.show(StyledText("\(line) ended with \(code).", .warning)) }
        output.show(
            [],
            json: [.of(["target": .string(content.target), "path": .string(content.path), "exit": .int(Int(code))])])
        return code == 0 ? .succeeded : .failed
    }
}
