import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Check: Verb {
    package static let description = CommandDescription(
        "check", in: .workflow,
        summary: "Check workflows; changes nothing.",
        examples: ["check shrink.json", "check shrink.json --json"],
        takes: [[.template, .file]])

    @Argument(help: "Files of app.workflow/v2, or names of templates.")
    var files: [String]

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        var isFine = true
        for file in files {
            var problems: [Problem]
            var remedy: String?
            do throws(Failure) {
                let found = context.act.check(try Find.template(file, in: context))
                problems = found.problems
                if let checked = found.checked {
                    problems = context.act.missingTools(checked.template)
                    remedy = Problems.ofTools
                }
            } catch {
                problems = [Problem(error.code, error.message)]
            }
            if !problems.isEmpty { isFine = false }
            Problems.show(problems, of: file, remedy: remedy, output)
        }
        return isFine ? .succeeded : .badUsage
    }
}
