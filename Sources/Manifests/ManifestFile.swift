import JSON
import Vocabulary

/// Reads the manifests of a file, one document each, and reports all problems at once. A manifest with a problem is
/// left out.
///
/// - Parameters:
///   - key: the field whose value names a document in problems.
///   - noun: the name for a document whose key is not known.
///   - read: reads one document. It receives the valid manifests before it.
func readManifests<Manifest>(
    _ text: some ConfigText, file: String, key: String, noun: String, read: (inout Fields, YAML, [Manifest]) -> Manifest
) -> (manifests: [Manifest], problems: [Problem]) {
    var manifests: [Manifest] = []
    var problems: [Problem] = []
    let documents: [YAML]
    do throws(Problem) {
        documents = try text.documents(file: file)
    } catch {
        var problem = error
        problem.manifests = text.namesOfManifests(by: key)
        return ([], [problem])
    }
    for document in documents where !document.isNull {
        let name = document[key]?.json.string
        guard var fields = Fields(document, file: file, subject: name ?? "The \(noun)") else {
            problems.append(Problem(.badManifest, at: "\(file):\(document.line)", "A \(noun) is an object of fields."))
            continue
        }
        let manifest = read(&fields, document, manifests)
        problems += fields.problems.map { problem in
            var own = problem
            own.manifests = [name].compactMap(\.self)
            return own
        }
        if fields.problems.isEmpty { manifests.append(manifest) }
    }
    return (manifests, problems)
}
