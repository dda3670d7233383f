package import JSON
package import Vocabulary

extension Template {
    /// The template in the form `app.workflow/v2`, which `TemplateReader` reads back to an equal value.
    package var json: JSON {
        .of([
            "schema": .string(Template.schema), "name": .string(name), "nodes": .array(nodes.map(\.json)),
            "edges": edges.isEmpty ? nil : .array(edges.map(\.json)),
            "inputs": inputs.isEmpty
                ? nil
                : .object(
                    JSON.Object(
                        members: inputs.map { input in
                            JSON.Object.Member(
                                key: input.name,
                                value: .of([
                                    "type": .string(input.type.name), "to": .array(input.to.map(\.json)),
                                    "optional": input.isOptional ? true : nil,
                                ]))
                        })),
            "options": options.json, "guide": guide.map { .string($0) },
        ])
    }
}

extension Template {
    /// The text of `json`. The values of the edges are never held together.
    package var text: String {
        var rest = self
        rest.edges = []
        var bytes: [UInt8] = []
        bytes.reserveCapacity(nodes.count * 64 + edges.count * 64)
        for member in rest.json.object?.members ?? [] {
            bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
            JSON.string(member.key).write(into: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(into: &bytes)
            if member.key == "nodes", !edges.isEmpty { writeEdges(into: &bytes) }
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private func writeEdges(into bytes: inout [UInt8]) {
        bytes.append(contentsOf: #","edges":["#.utf8)
        for (index, edge) in edges.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            edge.json.write(into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

extension Template.Edge {
    fileprivate var json: JSON { ["from": from.json, "to": to.json] }
}

extension Template.Node {
    fileprivate var json: JSON {
        .of([
            "id": .string(id), "kind": .string(kind), "params": params.isEmpty ? nil : .object(params),
            "inputs": inputs.map(Self.json),
            "outputs": outputs.map(Self.json), "await": awaits?.json,
            "resources": queue.map { ["class": .string($0.rawValue)] },
            "after": Self.names(after), "when": `when`.map { .string($0.description) },
            "skipsWith": Self.names(skipsWith), "follows": Self.names(follows),
            "startsAfter": Self.names(startsAfter), "folded": folded.map { .int($0) },
        ])
    }

    private static func names(_ nodes: [String]) -> JSON? { nodes.isEmpty ? nil : .array(nodes.map { .string($0) }) }

    private static func json(_ ports: [Port]) -> JSON {
        .object(
            JSON.Object(
                members: ports.map {
                    JSON.Object.Member(key: $0.isOptional ? "\($0.name)?" : $0.name, value: .string($0.type.name))
                }))
    }
}

extension Template.Endpoint {
    fileprivate var json: JSON { [.string(node), .string(port)] }
}

extension Template.AwaitSpec {
    fileprivate var json: JSON {
        .of([
            "type": .string(type.rawValue), "urgency": .string(urgency.rawValue),
            "expiresIn": expiresInSeconds.map { .string("PT\(JSON.double($0).text)S") },
            "resumePolicy": ["onTimeout": .string(onTimeout.rawValue)], "title": title.map { .string($0) },
            "detail": detail.map { .string($0) }, "accept": accept?.json,
        ])
    }
}

extension Template.Options {
    fileprivate var json: JSON {
        .of([
            "concurrency": ["local": .int(localConcurrency), "remote": .int(remoteConcurrency)],
            "errorPolicy": .string(errorPolicy.rawValue), "order": order == .list ? nil : .string(order.rawValue),
        ])
    }
}
