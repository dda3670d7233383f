import JSON
package import Vocabulary

extension Limits {
    /// The most servers in a file of profiles (`models.yaml`).
    package static let modelServers = 200

    /// The most rules for models of one server.
    package static let modelRules = 200

    /// The most patterns of names in a rule for models.
    fileprivate static let modelRuleNames = 50
}

/// Reads the servers of a `models.yaml` (`assent.models/v1`) and adds them to a shelf. A server of a known name changes
/// only the settings that the file names. All problems are reported to the shelf at once, and a server with a problem
/// is removed from it.
///
/// - Parameters:
///   - file: the name of the file in problems (`models.yaml:12`).
///   - host: the host of an address, or `nil` if the address is not valid. The caller passes this function, since
///     Manifests cannot parse addresses.
package func readModels(
    _ text: some ConfigText, file: String, into shelf: inout ModelShelf, host: (String) -> RemoteHost?
) {
    let read: YAML?
    do throws(Problem) { read = try readConfigDocument(text, file: file) } catch { return shelf.report([error]) }
    guard let document = read else { return }
    guard var fields = Fields(document, file: file, subject: "The file") else {
        let words = "One object with \"models\" and \"profiles\" is expected."
        return shelf.report([Problem(.badManifest, at: "\(file):\(document.line)", words)])
    }
    if let schema = fields.take("models"), schema.json != "assent.models/v1" {
        fields.report(
            .badSchema, line: schema.line, "\"models\" must be assent.models/v1; this version reads no other.")
    } else if fields.take("models") == nil {
        fields.report(.missingField, "\"models: assent.models/v1\" is missing.")
    }
    let members = fields.mappingIfSaid("profiles")
    if members.count > Limits.modelServers {
        fields.report(.tooLarge, at: "profiles", "There are more than \(Limits.modelServers).")
    }
    fields.refuseTheRest()
    shelf.report(fields.problems)
    for member in members.prefix(Limits.modelServers) {
        let (server, problems) = server(member, file: file, over: shelf[member.key], host: host)
        if let server { shelf.put(server) }
        shelf.report(
            problems.map { problem in
                var own = problem
                own.manifests = [member.key]
                return own
            })
    }
}

private func server(
    _ member: YAML.Member, file: String, over known: ServerProfile?, host: (String) -> RemoteHost?
) -> (ServerProfile?, [Problem]) {
    let name = member.key
    guard ModelConnection.isName(name) else {
        return (
            nil, [Problem(.badField, at: "\(file):\(member.line)", "A profile's name \(ModelConnection.nameRule).")]
        )
    }
    guard var fields = Fields(member.value, file: file, subject: name) else {
        return (
            nil, [Problem(.badManifest, at: "\(file):\(member.line)", "\(name): A profile is an object of fields.")]
        )
    }
    var server = known ?? ServerProfile(name: name, title: name)
    server.title = fields.text("title") ?? server.title
    if let (url, host) = fields.address("url", host: host) { (server.url, server.host) = (url, host) }
    server.keyName = fields.keyName("key") ?? server.keyName
    server.settings = server.settings.merged(with: fields.modelSettings())
    let rules = fields.list("models")
    if rules.count > Limits.modelRules {
        fields.report(.tooLarge, at: "models", "There are more than \(Limits.modelRules) rules.")
    }
    for yaml in rules.prefix(Limits.modelRules) {
        guard var rule = Fields(yaml, file: file, subject: "\(name), models") else {
            fields.report(
                .badField, line: yaml.line, "A rule is an object such as {name: \"gpt-5*\", window: 400000}.")
            continue
        }
        let names = rule.patterns("name")
        server.rules.append(ServerProfile.Rule(names: names, settings: rule.modelSettings()))
        rule.refuseTheRest()
        fields.add(rule.problems)
    }
    fields.refuseTheRest()
    return (fields.problems.isEmpty ? server : nil, fields.problems)
}

extension Fields {
    /// Returns the patterns under a key: one, or a list of them.
    fileprivate mutating func patterns(_ key: String) -> [NamePattern] {
        guard let yaml = take(key) else {
            report(.missingField, "\"\(key)\" is missing: the names of models, such as \"gpt-5*\".")
            return []
        }
        let written = yaml.json.array ?? [yaml.json]
        let patterns = written.compactMap { $0.string.flatMap { NamePattern($0) } }
        if patterns.count != written.count || patterns.isEmpty || patterns.count > Limits.modelRuleNames {
            report(
                .badField, line: yaml.line,
                "\"\(key)\" must be a name of models such as \"gpt-5*\", or a list of some.")
        }
        return patterns
    }
}
