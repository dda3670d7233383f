import Conversations
import JSON
import Testing
import Vocabulary
import Workflows

/// What is proposed passes the same check as anybody's template.
@Test(arguments: Sentence.all) func aPlanPassesTheCheckOfTemplates(_ sentence: Sentence) {
    let planner = BuiltInPlanner(catalogue: catalogue)
    guard case .workflow(let plan) = planner.answer(sentence.text, listing: listing(sentence.files)) else { return }
    let (template, problems) = TemplateReader.read(plan)
    #expect(problems.isEmpty, "\(sentence.text)")
    guard let template else { return }
    let (graph, faults) = check(template, against: catalogue)
    #expect(graph != nil && faults.isEmpty, "\(sentence.text): \(faults)")
}
