import Consent
package import Files
import Glibc
package import JSON
package import Vocabulary

/// The private files of sealed values: `sealed` in the data folder, 0600 in 0700. A value is stored before the row that
/// names it, so a crash in between loses nothing. `cache free` deletes values that no row names any more.
package struct SealedValues: Sendable {
    let folder: String
    let keys: KeyRing

    /// Creates the store of sealed values of a folder.
    ///
    /// - Parameter keys: learns the secrets that are opened.
    package init(folder: String, keys: KeyRing) {
        self.folder = folder
        self.keys = keys
    }

    // MARK: In

    /// Returns the parameters with each value sealed that is secret or contains a key.
    ///
    /// - Throws: `secretGone` for a seal that was not made here, `storageFull` and similar failures.
    package func sealed(_ params: JSON.Object, of tool: ToolManifest?, kind: String) throws(Failure) -> JSON.Object {
        var sealed = JSON.Object()
        for member in params.members {
            let place = Place(kind: kind, param: member.key)
            sealed[member.key] = try self.sealed(
                member.value, place, tool?.param(member.key), isPerson: tool?.isPerson ?? false)
        }
        return sealed
    }

    /// Returns the problem of a template in which the name of a node, a parameter, a port or an input contains a key,
    /// since names cannot be sealed. Returns nil if there is none.
    package func problem(withNamesOf template: Template) -> Problem? {
        let filter = keys.filter
        guard let name = template.names.first(where: { filter.cut($0) != $0 }) else { return nil }
        return Problem(
            .keyInName, at: filter.cut(name),
            "It has a name that holds a key. A key belongs into the value of a parameter, where it is kept sealed.")
    }

    /// Returns the template with its secret parameters sealed, and without keys in its texts.
    ///
    /// - Throws: `keyInName`.
    package func sealed(_ template: Template, _ catalogue: Catalogue) throws(Failure) -> Template {
        if let problem = problem(withNamesOf: template) { throw Failure(problem.code, problem.description) }
        let filter = keys.filter
        var template = template
        template.name = filter.cut(template.name)
        for index in template.nodes.indices {
            let node = template.nodes[index]
            template.nodes[index].params = try sealed(node.params, of: catalogue[node.kind], kind: node.kind)
            template.nodes[index].awaits?.title = node.awaits?.title.map(filter.cut)
            template.nodes[index].awaits?.detail = node.awaits?.detail.map(filter.cut)
        }
        return template
    }

    /// The parameter to which a value belongs. The value is opened for no other.
    private struct Place: Hashable {
        var kind: String
        var param: String
    }

    private func sealed(_ value: JSON, _ place: Place, _ param: ToolManifest.Param?, isPerson: Bool) throws(Failure)
        -> JSON
    {
        if value.isNull { return value }
        if let seal = SealedValue(value) {
            // The seal comes from a workflow that is edited or made again.
            _ = try opened(seal, place)
            return value
        }
        if param?.isSecret ?? false { return try kept(value, shown: KeyFilter.secretParameter, place) }
        // A question to a person is only shown, and a path must stay as it is.
        if isPerson { return keys.filter.cut(value) }
        if param?.kind == .path { return value }
        if param?.isLiteral ?? false, let text = value.string,
            keys.filter.keys(in: text).contains(where: Self.couldHide)
        {
            throw Failure(
                .keyInCommand, "The command holds a key in which a part of the command could be hidden.")
        }
        return try withoutKeys(value, place)
    }

    /// Returns whether sealing this key could hide a part of a command. A known value may be any text, since the author
    /// of a plan chooses its secrets. Any other key hides nothing if all its signs are those of a word.
    private static func couldHide(_ found: KeyFilter.FoundKey) -> Bool {
        found.isKnown
            || !found.key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "_.-+=~".utf8.contains(byte)
                }
            }
    }

    private func withoutKeys(_ value: JSON, _ place: Place) throws(Failure) -> JSON {
        if let seal = SealedValue(value) {
            _ = try opened(seal, place)
            return value
        }
        switch value {
        case .string(let text):
            let shown = keys.filter.cut(text)
            guard shown != text else { return value }
            // A line of such a key may be a command of a shell, and the text may become a file that is run.
            if keys.filter.keys(in: text).contains(where: \.isOfBlock) {
                throw Failure(
                    .keyInText, "The text holds a key of several lines, in which one that is run could be hidden.")
            }
            return try kept(value, shown: shown, place)
        case .array(let elements):
            var clean: [JSON] = []
            for element in elements { clean.append(try withoutKeys(element, place)) }
            return .array(clean)
        case .object(let object):
            var clean = JSON.Object()
            for member in object.members { clean[member.key] = try withoutKeys(member.value, place) }
            return .object(clean)
        case .null, .bool, .int, .double: return value
        }
    }

    private func kept(_ value: JSON, shown: String, _ place: Place) throws(Failure) -> JSON {
        try Folders.make(folder)
        let content = Self.content(value, shown, place, try salt())
        let seal = SealedValue(hash: sha256(of: content.canonical), shown: shown)
        try FileSystem.replace(path(seal.hash), with: Array((content.text + "\n").utf8))
        FileSystem.sync(folder: folder)
        return seal.json
    }

    private static func content(_ value: JSON, _ shown: String, _ place: Place, _ salt: String) -> JSON {
        [
            "kind": .string(place.kind), "param": .string(place.param), "value": value, "shown": .string(shown),
            "salt": .string(salt),
        ]
    }

    /// Returns the random salt of this data folder, and makes it at the first call. It prevents finding a short secret
    /// by trying which one has this name.
    private func salt() throws(Failure) -> String {
        let path = "\(folder)/salt"
        if let salt = FileSystem.text(path), salt.utf8.count == 64 { return salt }
        let salt = (0..<4).map { _ in UInt64.random(in: .min ... .max) }.map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        try FileSystem.replace(path, with: Array(salt.utf8))
        return salt
    }

    private func path(_ hash: ContentHash) -> String { "\(folder)/\(hash.hex)" }

    // MARK: Out

    /// Returns an assignment with the values in place of their seals, for the tool that runs. It must never be stored.
    ///
    /// - Parameter isRun: whether the tool runs now. From then on, its secrets are cut out of texts, since the tool may
    ///   print them. Before, no person has approved it, and a plan could choose words that disappear from texts.
    /// - Throws: `secretGone`.
    package func opened(_ assignment: Assignment, isRun: Bool = false) throws(Failure) -> Assignment {
        guard SealedValue.isIn(.object(assignment.params)) else { return assignment }
        var open = assignment
        for member in assignment.params.members {
            let place = Place(kind: assignment.manifest.kind, param: member.key)
            let value = try opened(member.value, place)
            open.params[member.key] = value
            if isRun, let text = value.string, SealedValue(member.value)?.shown == KeyFilter.secretParameter {
                keys.learn(text, called: "of \(place.kind).\(place.param)")
            }
        }
        return open
    }

    private func opened(_ value: JSON, _ place: Place) throws(Failure) -> JSON {
        if let seal = SealedValue(value) { return try opened(seal, place) }
        switch value {
        case .array(let elements):
            var open: [JSON] = []
            for element in elements { open.append(try opened(element, place)) }
            return .array(open)
        case .object(let object):
            var open = JSON.Object()
            for member in object.members { open[member.key] = try opened(member.value, place) }
            return .object(open)
        case .null, .bool, .int, .double, .string: return value
        }
    }

    private func opened(_ seal: SealedValue, _ place: Place) throws(Failure) -> JSON {
        guard let bytes = try? FileSystem.bytes(path(seal.hash)), let content = try? JSONReader.read(bytes),
            let value = content["value"],
            let salt = content["salt"]?.string,
            sha256(of: Self.content(value, seal.shown, place, salt).canonical) == seal.hash
        else {
            throw Failure(
                .secretGone, "The secret value of \(place.kind).\(place.param) is not kept here.",
                remedy: "Give it anew: 'assent edit WORKFLOW --set STEP.\(place.param)=VALUE'")
        }
        return value
    }

    // MARK: Away

    /// The files of sealed values, by the hashes of the values.
    package var files: [(hash: ContentHash, file: Keepsake)] {
        FileSystem.names(in: folder).compactMap { name in
            guard let hash = ContentHash(checking: name), let file = Keepsake("\(folder)/\(name)") else { return nil }
            return (hash, file)
        }
    }
}

extension ToolManifest {
    fileprivate var isPerson: Bool { if case .person = action { true } else { false } }
}

extension FileSystem {
    /// Syncs a folder, so that the names in it survive a power cut.
    static func sync(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}

extension Template {
    /// The seals in the template's parameters.
    package var seals: Set<SealedValue> {
        nodes.reduce(into: []) { $0.formUnion(SealedValue.all(in: .object($1.params))) }
    }

    /// All names in the template: of inputs, nodes, kinds, parameters and ports.
    fileprivate var names: [String] {
        var names = inputs.map(\.name)
        for node in nodes {
            names += [node.id, node.kind]
            names += node.params.members.map(\.key)
            names += (node.inputs ?? []).map(\.name)
            names += (node.outputs ?? []).map(\.name)
        }
        return names
    }
}
