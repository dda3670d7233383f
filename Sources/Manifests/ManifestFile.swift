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
    _ text: String, file: String, key: String, noun: String, read: (inout Fields, YAML, [Manifest]) -> Manifest
) -> (manifests: [Manifest], problems: [Problem]) {
    var manifests: [Manifest] = []
    var problems: [Problem] = []
    let documents: [YAML]
    do throws(Problem) {
        documents = try YAML.read(text, file: file)
    } catch {
        var problem = error
        problem.manifests = namesOfManifests(in: text, key)
        return ([], [problem])
    }
    for document in documents where !document.json.isNull {
        guard var fields = Fields(document, file: file, subject: document[key]?.json.string ?? "The \(noun)") else {
            problems.append(Problem(.badManifest, at: "\(file):\(document.line)", "A \(noun) is an object of fields."))
            continue
        }
        let manifest = read(&fields, document, manifests)
        problems += fields.problems.map { problem in
            var own = problem
            own.manifests = [document[key]?.json.string].compactMap(\.self)
            return own
        }
        if fields.problems.isEmpty { manifests.append(manifest) }
    }
    return (manifests, problems)
}

/// Returns the names of the documents in a text that is not valid YAML, as far as lines that begin with the key show
/// them.
package func namesOfManifests(in text: String, _ key: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
        guard line.hasPrefix("\(key):") else { return nil }
        let name = line.dropFirst(key.count + 1).prefix { $0 != "#" }.filter {
            !$0.isWhitespace && $0 != "\"" && $0 != "'"
        }
        return name.isEmpty ? nil : name
    }
}
