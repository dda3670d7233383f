package import JSON

/// Returns a workflow of `app.workflow/v2`.
package func workflow(_ name: String, _ nodes: [JSON], _ edges: [JSON] = [], options: JSON? = nil) -> JSON {
    .of([
        "schema": "app.workflow/v2", "name": .string(name), "nodes": .array(nodes), "edges": .array(edges),
        "options": options,
    ])
}

package func node(_ id: String, _ kind: String, _ params: JSON = [:]) -> JSON {
    ["id": .string(id), "kind": .string(kind), "params": params]
}

/// Returns an edge between ports that are written as `a.image`.
package func edge(_ from: String, _ to: String) -> JSON {
    func end(_ text: String) -> JSON { .array(text.split(separator: ".", maxSplits: 1).map { .string(String($0)) }) }
    return ["from": end(from), "to": end(to)]
}

/// Returns a node that asks a person.
package func asking(_ id: String, _ kind: String, _ ask: JSON? = nil, _ params: JSON = [:]) -> JSON {
    .of(["id": .string(id), "kind": .string(kind), "params": params, "await": ask])
}
