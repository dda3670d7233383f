import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary
import Workflows

/// What is proposed passes the same check as anybody's template.
@Test func aPlanPassesTheCheckOfTemplates() {
    expectNoFaults(in: Sentence.answered) { sentence, answer in
        guard case .workflow(let plan) = answer else { return [] }
        let (template, problems) = TemplateReader.read(plan)
        guard let template, problems.isEmpty else { return ["\(sentence.testDescription): \(problems)"] }
        let (graph, faults) = check(template, against: catalogue)
        return graph != nil && faults.isEmpty ? [] : ["\(sentence.testDescription): \(faults)"]
    }
}
