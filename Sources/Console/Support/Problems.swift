import JSON
import Terminal
import Vocabulary

/// The problems of a file, or that it is fine.
enum Problems {
    static let ofTools = "See 'assent tools' for what there is, 'assent doctor' for what is wrong with one."

    /// Whoever reads lines of events gets the problems as such.
    ///
    /// - Parameter remedy: what to do where the file itself needs no mending.
    static func refuse(_ problems: [Problem], of file: String, remedy: String? = nil, in house: House, _ output: Output) {
        guard output.isJSON else { return show(problems, of: file, remedy: remedy, output) }
        for problem in problems {
            let place = problem.place.isEmpty ? "" : "\(problem.place): "
            output.fail(
                Failure(problem.code, place + problem.message, remedy: remedy ?? "Mend \(file); 'assent check' shows all of it."),
                at: house.now())
        }
    }

    static func show(_ problems: [Problem], of file: String, remedy: String? = nil, _ output: Output) {
        output.show(
            problems.isEmpty
                ? [StyledText("✓ ", .success) + StyledText("\(file) is fine")]
                : [StyledText("✗ ", .failure) + StyledText("\(file) has \(problems.count) problem\(problems.count == 1 ? "" : "s")")]
                    + problems.map { StyledText("  \($0)") } + (remedy.map { [StyledText("  \($0)", .dim)] } ?? []),
            json: [
                .of([
                    "file": .string(file), "ok": .bool(problems.isEmpty),
                    "problems": .array(
                        problems.map { .of(["code": .string($0.code), "place": .string($0.place), "message": .string($0.message)]) }),
                ])
            ])
    }
}
