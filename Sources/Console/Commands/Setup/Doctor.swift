import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Doctor: Verb {
    package static let description = CommandDescription(
        "doctor", in: .setup,
        summary: "Look whether everything is as it should be, and mend what is not.",
        examples: [
            "doctor", "doctor --thorough", "doctor --repair", "doctor --salvage ~/salvaged",
            "doctor --support report.zip",
        ],
        values: ["--salvage": [.file], "--support": [.file]])

    @Flag(help: "Read every asset whole, not some of them.")
    var thorough = false

    @Flag(help: "Let workflows go on that were set aside and are sound again.")
    var repair = false

    @Flag(help: "Make the states of all workflows anew from their events.")
    var rebuild = false

    @Option(
        help: "Write what can be read of a damaged database into a new one in this folder, which must be new or empty.")
    var salvage: String?

    @Option(help: "Write a file for whoever helps you: versions, settings and events; no secrets, no texts, no media.")
    var support: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    /// Doctor needs no valid settings, since it examines them. Its role stays `decides`, since it always sends a
    /// request to the model's server.
    package var needsSettings: Bool { false }

    /// A call without an option that writes something only looks.
    package var endsWithEndLine: Bool { repair || rebuild || salvage != nil || support != nil }

    package func validate() throws {
        guard [repair, rebuild, salvage != nil, support != nil, thorough].count(where: { $0 }) <= 1 else {
            throw ValidationError("One of --thorough, --repair, --rebuild, --salvage and --support at a time.")
        }
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let diagnostics = context.diagnostics
        let findings: [Finding]
        if repair {
            findings = try await diagnostics.repair()
        } else if rebuild {
            findings = try await diagnostics.rebuild()
        } else if let salvage {
            findings = try await diagnostics.salvage(into: salvage)
        } else if let support {
            findings = try await diagnostics.support(support)
        } else {
            findings = await diagnostics.examine(isThorough: thorough)
        }
        output.show(
            findings.map { finding in
                StyledText(finding.isRemark ? "! " : finding.isFine ? "✓ " : "✗ ", finding.isFine ? .success : .failure)
                    + StyledText("\(finding.name): \(Voice.worded(finding.words))")
            },
            json: findings.map { .of(["ok": .bool($0.isFine), "name": .string($0.name), "words": .string($0.words)]) })
        return .gravest(findings.map(\.status))
    }
}
