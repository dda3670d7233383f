import JSON
package import Vocabulary

extension Limits {
    /// The most models that `connections.yaml` may connect.
    package static let connections = 100
}

/// Reads the connections of a `connections.yaml` and reports all problems at once. A connection with a problem is left
/// out, and the problem names it.
///
/// - Parameters:
///   - file: the name of the file in problems (`connections.yaml:3`).
///   - shelf: the known profiles.
///   - holdsKey: whether a text contains a key.
///   - host: the host of an address, or `nil` if the address is not valid. The caller passes this function, since
///     Manifests cannot parse addresses.
package func readConnections(
    _ text: String, file: String, shelf: ModelShelf, holdsKey: (String) -> Bool, host: (String) -> RemoteHost?
) -> ModelConnections {
    var found = ModelConnections()
    let read: YAML?
    do throws(Problem) {
        read = try readConfigDocument(text, file: file)
    } catch {
        found.problems = [error]
        return found
    }
    guard let document = read else { return found }
    guard var fields = Fields(document, file: file, subject: "The file") else {
        found.problems = [
            Problem(
                .badManifest, at: "\(file):\(document.line)",
                "One object with \"connections\" and \"default\" is expected.")
        ]
        return found
    }
    found.defaultName = fields.text("default")
    let members = fields.mappingIfSaid("connections")
    if members.count > Limits.connections {
        fields.report(.tooLarge, at: "connections", "There are more than \(Limits.connections).")
    }
    fields.refuseTheRest()
    for member in members.prefix(Limits.connections) {
        let (connection, problems) = connection(member, file: file, shelf: shelf, holdsKey: holdsKey, host: host)
        if let connection { found.all.append(connection) }
        found.problems += problems.map { problem in
            var own = problem
            own.manifests = [member.key]
            return own
        }
    }
    let names = Set(members.map(\.key))
    if let name = found.defaultName, name != ModelConnection.builtIn, !names.contains(name) {
        fields.report(.unknownConnection, at: "default", "\"default\" names no connection of this file.")
    }
    found.problems = fields.problems + found.problems + fallbackProblems(found.all, members, names, file)
    return found
}

private func connection(
    _ member: YAML.Member, file: String, shelf: ModelShelf, holdsKey: (String) -> Bool, host: (String) -> RemoteHost?
) -> (ModelConnection?, [Problem]) {
    // The check for keys comes first, so that no other message repeats the key.
    if let line = member.value.line(where: holdsKey) ?? (holdsKey(member.key) ? member.line : nil) {
        let words =
            "This is a key itself. Write under \"key\" how the key is called; it belongs into the environment, a file keys/NAME "
            + "with mode 0600, or a keyring."
        return (nil, [Problem(.keyInFile, at: "\(file):\(line)", words)])
    }
    let name = member.key
    guard ModelConnection.isName(name) else {
        return (
            nil, [Problem(.badField, at: "\(file):\(member.line)", "A connection's name \(ModelConnection.nameRule).")]
        )
    }
    guard var fields = Fields(member.value, file: file, subject: name) else {
        return (
            nil, [Problem(.badManifest, at: "\(file):\(member.line)", "\(name): A connection is an object of fields.")]
        )
    }
    let profile = fields.text("profile")
    if let profile, shelf[profile] == nil {
        // A profile that exists but has a problem is reported at its own place.
        if !shelf.problems.contains(where: { $0.manifests.contains(profile) }) {
            fields.report(.unknownProfile, at: "profile", "There is no such profile; 'assent model list' names them.")
        }
    }
    let address = fields.address("url", host: host)
    let model = fields.requiredText("model")
    if model.utf8.count > Limits.modelNameBytes {
        fields.report(.badField, at: "model", "\"model\" is longer than any model's name.")
    }
    var connection = ModelConnection(
        name: name, profile: profile, url: address?.url, model: model, keyName: fields.keyName("key"),
        fallback: fields.text("fallback"))
    if connection.keyName == ModelSources.keyVariable {
        fields.report(
            .badField, at: "key",
            "\(ModelSources.keyVariable) is for the environment alone; give the key of this connection its own name."
        )
    }
    connection.settings = fields.modelSettings()
    if address == nil, fields.take("url") == nil {
        if profile == nil {
            fields.report(.missingField, "A \"profile\" or a \"url\" is missing.")
        } else if let server = profile.flatMap({ shelf[$0] }), server.url == nil {
            fields.report(.missingField, "\"url\" is missing: the address of \(server.title) is your own.")
        }
    }
    fields.refuseTheRest()
    return (fields.problems.isEmpty ? connection : nil, fields.problems)
}

/// Returns the problems of fallbacks that name no connection, or lead back in a circle.
private func fallbackProblems(_ all: [ModelConnection], _ members: [YAML.Member], _ names: Set<String>, _ file: String)
    -> [Problem]
{
    let next = Dictionary(
        all.compactMap { one in one.fallback.map { (one.name, $0) } }, uniquingKeysWith: { first, _ in first })
    return all.compactMap { one in
        guard let fallback = one.fallback, let member = members.first(where: { $0.key == one.name }) else { return nil }
        var seen: Set = [one.name]
        var name: String? = fallback
        while let step = name, seen.insert(step).inserted { name = next[step] }
        // A connection whose fallback leads into another's circle is not at fault itself.
        let words =
            !names.contains(fallback)
            ? "\"fallback\" names no connection of this file."
            : name == one.name ? "\"fallback\" leads back here." : nil
        guard let words else { return nil }
        let line = member.value["fallback"]?.line ?? member.line
        var problem = Problem(.badFallback, at: "\(file):\(line)", "\(one.name): \(words)")
        problem.manifests = [one.name]
        return problem
    }
}

extension YAML {
    /// Returns the line of the first text or key in the value for which `holds` is true.
    fileprivate func line(where holds: (String) -> Bool) -> Int? {
        switch value {
        case .scalar(let scalar): scalar.string.map(holds) ?? false ? line : nil
        case .list(let elements): elements.compactMap { $0.line(where: holds) }.first
        case .mapping(let members):
            members.compactMap { holds($0.key) ? $0.line : $0.value.line(where: holds) }.first
        }
    }
}
