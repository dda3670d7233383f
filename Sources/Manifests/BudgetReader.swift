import JSON
package import Vocabulary

/// Reads `budget: {workflow: 0.5}` of the settings: what a workflow may spend before it asks, in dollars.
///
/// - Parameter file: how the file is called in problems (`settings.yaml:3`).
/// - Returns: `nil` where nothing is said, or nothing that can be believed; then there are problems.
package func readBudget(_ text: String, file: String) -> (limit: Dollars?, problems: [Problem]) {
    let documents: [YAML]
    do throws(Problem) { documents = try YAML.read(text, file: file) } catch { return (nil, [error]) }
    guard let document = documents.first(where: { !$0.json.isNull }),
        var settings = Fields(document, file: file, subject: "The settings")
    else { return (nil, []) }
    var limit: Dollars?
    settings.nested("budget") { limit = $0.dollars("workflow") }
    return (limit, settings.problems)
}
