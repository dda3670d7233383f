import Glibc
import Services
import Vocabulary
import Workflows

/// The checks of `doctor` about the user's files: settings, policy, templates and guides.
struct ConfigurationChecks {
    let shared: OpenWorkspace

    /// The findings about the user's files of settings, policy, templates and guides.
    var findings: [Finding] {
        let path = shared.settings.path
        let fine = Finding(
            isFine: true, name: "settings", words: path + (access(path, F_OK) == 0 ? "" : " (not there yet)"))
        // Problems of models and connections have their own findings.
        var problems = shared.configuration.faults().filter { $0.name != "connections" && $0.name != "models" }.flatMap
        { fault in
            fault.problems.map { (name: fault.name, problem: $0) }
        }
        problems += shared.shelves.policyProblems().map { ("policy", $0) }
        problems += PresetFile(folder: shared.folders.config).read().problems.map { ("presets", $0) }
        problems += shared.shelves.templateProblems { TemplateReader.read($0).1 }.map { ("template", $0) }
        let guides = GuideShelf(shared)
        problems += shared.shelves.guideProblems { guides.read($0, file: $1).problems }.map { ("guide", $0) }
        let faults = problems.map { name, problem in
            Finding(isFine: false, name: name, words: shared.keyRing.filter.cut(problem.description))
        }
        return (faults.contains { $0.name == "settings" } ? [] : [fine]) + language + faults
    }

    /// The finding about a language in the settings that this program does not have.
    private var language: [Finding] {
        guard let code = shared.settings.language, !Languages.known.contains(code.lowercased()) else { return [] }
        let words =
            "\(shared.settings.path): there is no language \(code), so sentences are read in English. There are: "
        return [Finding(isFine: false, name: "language", words: words + Languages.known.joined(separator: ", "))]
    }
}
