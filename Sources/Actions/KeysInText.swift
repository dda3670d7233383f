import JSON
import Services
package import Vocabulary

/// The keys in lines that users type, and in templates that are shown.
package struct KeysInText: Sendable {
    let shared: OpenWorkspace

    /// Creates a search with the keys of one process.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// Returns the name of the first key in a line, such as "a GitHub token", or nil if there is none.
    package func first(in line: String) -> String? { shared.keyRing.filter.keys(in: line).first?.name }

    /// Returns a template for the screen, before it is a workflow. Paths stay, since they say what is touched.
    package func cut(_ template: Template) -> Template {
        var template = template
        let (filter, tools) = (shared.keyRing.filter, shared.knownTools)
        template.name = filter.cut(template.name)
        for index in template.nodes.indices {
            let node = template.nodes[index]
            for member in node.params.members where tools[node.kind]?.param(member.key)?.kind != .path {
                template.nodes[index].params[member.key] = filter.cut(member.value)
            }
        }
        return template
    }
}
