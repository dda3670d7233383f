package import JSON
package import Vocabulary

extension Policy {
    /// The author of a policy. A workspace may come from strangers, so its policy may only ask or deny.
    package enum Origin: Hashable, Sendable { case builtIn, user, workspace }

    /// The lines of a file of rules, if its reader knows them.
    package struct Lines: Hashable, Sendable {
        /// The line on which the document begins.
        package var document: Int?
        /// The line of each key of the document.
        package var keys: [String: Int] = [:]
        /// The line on which each rule begins.
        package var rules: [Int] = []

        package init(document: Int? = nil, rules: [Int] = []) { (self.document, self.rules) = (document, rules) }
    }

    package static let schema = "assent.policy/v1"

    /// Reads a parsed `policy.yaml`, strictly. An unknown key is an error, since it may have been meant to narrow an
    /// allow or to widen a deny.
    ///
    /// - Parameters:
    ///   - source: the name of the file for users, such as `policy.yaml` or `built-in policy`.
    ///   - lines: the lines of the document, if the reader of the file knows them.
    /// - Returns: a policy in any case. A policy with a fatal problem is `unreadable`, but keeps an epoch of its own.
    package static func read(
        json: JSON, source: String, origin: Origin, lines: Lines = Lines()
    ) -> (policy: Policy, problems: [Problem]) {
        var reader = PolicyReader(source: source, origin: origin, lines: lines)
        let rules = reader.rules(in: json)
        let epoch = sha256(of: "\(source)\n\(json.canonical)").hex
        let fatal = reader.problems.filter { $0.code != .workspaceCannotAllow }
        guard fatal.isEmpty else {
            return (
                Policy(rules: [], epoch: epoch, unreadable: fatal.map(\.description).joined(separator: "; ")),
                reader.problems
            )
        }
        return (Policy(rules: rules, epoch: epoch), reader.problems)
    }
}

private struct PolicyReader {
    let source: String
    let origin: Policy.Origin
    let lines: Policy.Lines
    var problems: [Problem] = []

    mutating func rules(in json: JSON) -> [Rule] {
        guard case .object(let object) = json else {
            problems.append(Problem(.badPolicy, at: place(), "A policy is an object, found \(json.kindInWords)."))
            return []
        }
        let version = object["policy"]?.string ?? "nothing"
        guard version == Policy.schema else {
            problems.append(
                Problem(
                    .policyVersion, at: place(of: "policy"), "Expected policy: \(Policy.schema), found \(version)."))
            return []
        }
        checkKeys(object, ["policy", "rules"], at: nil)
        guard let rules = object["rules"]?.array else {
            problems.append(Problem(.badPolicy, at: place(of: "rules"), "Expected a list of rules."))
            return []
        }
        return rules.enumerated().compactMap { rule($0.element, at: place($0.offset)) }
    }

    private func place(_ index: Int) -> String {
        lines.rules.indices.contains(index) ? "\(source):\(lines.rules[index])" : "\(source), rule \(index + 1)"
    }

    /// Returns the place of a key of the document. Without a key, or if the key is missing, it is the place of the
    /// document.
    private func place(of key: String? = nil) -> String {
        let line = key.flatMap { lines.keys[$0] } ?? lines.document
        return line.map { "\(source):\($0)" } ?? source
    }

    private static let keys = [
        "tool", "effects", "reach", "undo", "path", "host", "params", "names", "forms", "decide", "reason",
        "evenInAuto", "match", "nomatch",
    ]

    private mutating func rule(_ json: JSON, at place: String) -> Rule? {
        guard case .object(let object) = json else {
            return refuse(place, "A rule is an object, found \(json.kindInWords).")
        }
        checkKeys(object, Self.keys, at: place)
        guard let verdict = json["decide"]?.string.flatMap(Rule.Verdict.init(rawValue:)) else {
            return refuse(place, "decide is allow, ask or deny.")
        }
        guard let reason = json["reason"]?.string, !reason.isEmpty else {
            return refuse(place, "A rule has a reason in words.")
        }
        guard let conditions = conditions(object, verdict, at: place) else { return nil }
        guard let isFirm = json["evenInAuto"].map({ $0.bool }) ?? false else {
            return refuse(place, "evenInAuto is true or false.")
        }
        guard verdict == .ask || !isFirm else { return refuse(place, "evenInAuto is for rules that ask.") }
        let rule = Rule(verdict, conditions, reason: reason, isEvenInAuto: isFirm, source: place)
        problems += rule.failingExamples(object)
        guard verdict != .allow || origin != .workspace else {
            problems.append(
                Problem(
                    .workspaceCannotAllow, at: place,
                    "A workspace's policy may only ask or deny; this rule is left out.")
            )
            return nil
        }
        return rule
    }

    private mutating func conditions(_ object: JSON.Object, _ verdict: Rule.Verdict, at place: String) -> Conditions? {
        var conditions = Conditions()
        if let effects = texts(object, "effects", at: place) {
            let known = effects.compactMap(Effect.init(rawValue:))
            guard known.count == effects.count else {
                return refuse(place, "effects are: \(list(Effect.allCases.map(\.rawValue))).")
            }
            conditions.effects = Set(known)
        }
        if let written = object["reach"] {
            guard let reach = written.string.flatMap(Reach.init(rawValue:)) else {
                return refuse(place, "reach is one of: \(list(Reach.allCases.map(\.rawValue))).")
            }
            conditions.reach = reach
        }
        if let written = object["undo"] {
            guard let canUndo = written.bool else { return refuse(place, "undo is true or false.") }
            // The rule "deny what can be undone" would let a call pass because it is riskier.
            guard verdict == .allow || !canUndo else { return refuse(place, "undo: true is for rules that allow.") }
            conditions.isIrreversible = !canUndo
        }
        conditions.tools = patterns(object, "tool", .text, at: place)
        conditions.folders = patterns(object, "path", .folder, at: place)
        conditions.hosts = patterns(object, "host", .host, at: place)
        conditions.names = patterns(object, "names", .names, at: place)
        guard let forms = forms(object, verdict, at: place) else { return nil }
        conditions.forms = forms
        guard let params = paramTests(object, at: place) else { return nil }
        conditions.params = params
        return conditions
    }

    /// Reads the tests of parameters.
    private mutating func paramTests(_ object: JSON.Object, at place: String) -> [String: ParamTest]? {
        guard let params = object["params"] else { return [:] }
        guard let members = params.object?.members else { return refuse(place, "params is an object.") }
        var tests: [String: ParamTest] = [:]
        for member in members {
            guard let test = paramTest(member.value) else {
                return refuse(place, "The test of \(member.key) is not known.")
            }
            switch test {
            case .matches(let pattern): check([pattern], .text, "matches", at: place)
            case .under(let folders): check(folders, .folder, "under", at: place)
            case .oneOf, .atMost, .atLeast: break
            }
            tests[member.key] = test
        }
        return tests
    }

    /// Reads the forms of a rule. A rule that allows has none, since an executable would pass where another file would
    /// not.
    private mutating func forms(_ object: JSON.Object, _ verdict: Rule.Verdict, at place: String) -> [FileForm]? {
        guard object["forms"] != nil else { return [] }
        guard verdict != .allow else { return refuse(place, "forms is for rules that ask or deny.") }
        guard let words = texts(object, "forms", at: place) else { return nil }
        let forms = words.compactMap(FileForm.init(rawValue:))
        guard forms.count == words.count else {
            return refuse(place, "forms are: \(list(FileForm.allCases.map(\.rawValue))).")
        }
        return forms
    }

    /// Reads a test of a parameter: `800`, `[jpg, png]`, or one of `{equals} {oneOf} {atMost} {atLeast} {matches}
    /// {under}`. Returns `nil` for anything else.
    private func paramTest(_ json: JSON) -> ParamTest? {
        switch json {
        case .bool, .int, .double, .string: return .oneOf([json])
        case .array(let values): return values.isEmpty ? nil : .oneOf(values)
        case .null: return nil
        case .object(let object):
            guard object.members.count == 1, let member = object.members.first else { return nil }
            switch member.key {
            case "equals": return .oneOf([member.value])
            case "oneOf": return member.value.array.flatMap { $0.isEmpty ? nil : .oneOf($0) }
            case "atMost": return member.value.number.map { .atMost($0) }
            case "atLeast": return member.value.number.map { .atLeast($0) }
            case "matches": return member.value.string.map { .matches($0) }
            case "under": return member.value.texts.map { .under($0) }
            default: return nil
            }
        }
    }

    private mutating func refuse<Value>(_ place: String, _ message: String) -> Value? {
        problems.append(Problem(.badRule, at: place, message))
        return nil
    }

    /// Reports the unknown keys of an object.
    ///
    /// - Parameter place: the place of the rule, or `nil` for the keys of the document, which have lines of their own.
    private mutating func checkKeys(_ object: JSON.Object, _ known: [String], at place: String?) {
        for key in object.keys where !known.contains(key) {
            problems.append(
                Problem(
                    .unknownKey, at: place ?? self.place(of: key),
                    "The key \"\(key)\" is not known here. \(NearestWord.hint(for: key, among: known))"))
        }
    }

    /// Reads a text, or a list of at least one text, under a key.
    private mutating func texts(_ object: JSON.Object, _ key: String, at place: String) -> [String]? {
        guard let json = object[key] else { return nil }
        return json.texts ?? refuse(place, "\(key) is a text or a list of texts.")
    }

    private mutating func patterns(_ object: JSON.Object, _ key: String, _ grammar: PatternGrammar, at place: String)
        -> [String]
    {
        let patterns = texts(object, key, at: place) ?? []
        check(patterns, grammar, key, at: place)
        return patterns
    }

    private mutating func check(_ patterns: [String], _ grammar: PatternGrammar, _ key: String, at place: String) {
        for fault in patterns.compactMap({ grammar.fault(of: $0, in: key) }) {
            problems.append(Problem(.badRule, at: place, fault))
        }
    }

    private func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}

extension JSON {
    /// The texts of a value that is one text or a list of texts, or `nil` if it is empty or something else.
    var texts: [String]? {
        if let string { return string.isEmpty ? nil : [string] }
        guard let array, !array.isEmpty else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count && !texts.contains("") ? texts : nil
    }
}
