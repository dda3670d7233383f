import Actions
import JSON
import Terminal
import Vocabulary

/// The report of a file's problems, or of their absence.
enum Problems {
    static let ofTools = "See 'assent tools' for what there is, 'assent doctor' for what is wrong with one."

    /// Reports the problems of a file that is refused: as lines of JSON, or as rows for people.
    ///
    /// - Parameter remedy: the remedy if the file itself needs no fix.
    static func refuse(
        _ problems: [Problem], of file: String, remedy: String? = nil, in context: CommandContext, _ output: Output
    ) {
        guard output.isJSON else { return show(problems, of: file, remedy: remedy, output) }
        for problem in problems {
            let place = problem.place.isEmpty ? "" : "\(problem.place): "
            output.fail(
                Failure(
                    problem.code, place + problem.message,
                    remedy: remedy ?? "Mend \(file); 'assent check' shows all of it."),
                at: context.now())
        }
    }

    /// Shows all problems of a file.
    ///
    /// - Parameter text: the text of the file, for showing the changes that would fix it. It is empty to show none.
    static func show(_ problems: [Problem], of file: String, text: String = "", remedy: String? = nil, _ output: Output)
    {
        output.show(
            problems.isEmpty
                ? [StyledText("✓ ", .success) + StyledText("\(file) is fine")]
                : [
                    StyledText("✗ ", .failure)
                        + StyledText("\(file) has \(problems.count) problem\(problems.count == 1 ? "" : "s")")
                ]
                    + problems.flatMap { [StyledText("  \($0)")] + fix($0, text) }
                    + (remedy.map { [StyledText("  \($0)", .dim)] } ?? []),
            json: [
                .of([
                    "file": .string(file), "ok": .bool(problems.isEmpty),
                    "problems": .array(
                        problems.map { problem in
                            .of([
                                "code": .string(problem.code.text), "place": .string(problem.place),
                                "message": .string(problem.message),
                                "fix": problem.fix?.lines(of: text).map {
                                    .of(["old": .string($0.old), "new": .string($0.new)])
                                },
                            ])
                        }),
                ])
            ])
    }

    /// Draws a line of the file as it is, and as it should be.
    private static func fix(_ problem: Problem, _ text: String) -> [StyledText] {
        guard let (old, new) = problem.fix?.lines(of: text) else { return [] }
        return [("- ", old, Style.failure), ("+ ", new, .success)].map { sign, line, style in
            StyledText("      " + sign + VisibleText.cut(line, to: Limits.guideTextBytes), style)
        }
    }
}
