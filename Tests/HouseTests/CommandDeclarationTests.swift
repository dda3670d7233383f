import CaseNames
import Console
import Testing

/// What each command declares of itself. The lists of verbs are computed from it (`architecture.md`, "The program as
/// others see it").
@Suite struct CommandDeclarationTests {
    private static let folder = "Sources/Console/Commands"

    /// The names of the types of commands that a file declares.
    private static func commands(in path: String) -> [String] {
        House.lines(of: path).compactMap { line in
            guard line.hasPrefix("package struct "), line.hasSuffix(": Verb {") else { return nil }
            return String(line.dropFirst("package struct ".count).dropLast(": Verb {".count))
        }
    }

    @Test func everyCommandHasAFileOfItsOwnInTheFolderOfItsGroup() {
        let paths = House.files(under: "Sources").filter { !Self.commands(in: $0).isEmpty }
        expectNoFaults(in: paths) { path in
            let parts = path.dropFirst(Self.folder.count + 1).split(separator: "/")
            let names = Self.commands(in: path)
            guard path.hasPrefix(Self.folder + "/"), parts.count == 2, names.count == 1, parts[1] == "\(names[0]).swift"
            else {
                return ["\(path) declares \(names.joined(separator: ", "))"]
            }
            guard let verb = Root.verbs.first(where: { "\($0)" == names[0] }) else {
                return ["\(names[0]) is not in Root.verbs"]
            }
            let group = verb.description.group.rawValue
            return parts[0].lowercased() == group ? [] : ["\(path) is in group \(group)"]
        }
        #expect(paths.count == Root.verbs.count)
    }

    @Test func everyCommandHasASummaryAndExamplesThatParse() {
        expectNoFaults(in: Root.verbs) { verb in
            let description = verb.description
            var faults: [String] = []
            if description.summary.last != "." { faults.append("the summary is no sentence") }
            if description.examples.isEmpty { faults.append("there is no example") }
            for example in description.examples {
                if !(example.words + " ").hasPrefix(description.name + " ") {
                    faults.append("\(example.words) is of another command")
                }
                let parsed = Root.verb(calledBy: example.words).map { type(of: $0) }
                if parsed.map({ $0 == verb }) != true { faults.append("\(example.words) does not parse") }
            }
            return faults.map { "\(description.name): \($0)" }
        }
    }

    @Test func noTwoVerbsHaveOneName() {
        let names = Root.verbs.map { $0.description.name } + ChatVerb.allCases.map(\.rawValue)
        #expect(Set(names).count == names.count)
    }

    @Test func everySlashVerbIsACommandOrHasAReason() {
        expectNoFaults(in: SlashVerb.all) { verb in
            if let command = Root.verb(named: verb.name) {
                return command.description.notInChat == nil && command.description.isListed
                    ? [] : ["\(verb.name) is no verb of the chat"]
            }
            return ChatVerb(verb.name)?.reason.last == "." ? [] : ["\(verb.name) has no reason"]
        }
        expectNoFaults(in: Root.verbs.map { $0.description }.filter(\.isListed)) { command in
            let isSlash = SlashVerb.all.contains { $0.name == command.name }
            return isSlash == (command.notInChat == nil) ? [] : ["\(command.name) is in one list only"]
        }
    }

    @Test func everyGroupHasCommands() {
        expectNoFaults(in: HelpGroup.allCases) { group in
            Root.verbs.contains { $0.description.group == group } ? [] : [group.rawValue]
        }
    }

    /// A list of verbs beside the declarations would be forgotten when a verb is added.
    @Test func noOtherFileListsVerbs() {
        let names = Set(SlashVerb.all.flatMap { ["\"\($0.name)\"", "\"/\($0.name)\""] })
        let paths = ["Sources/Console", "Sources/assent"].flatMap { House.files(under: $0) }
        expectNoFaults(in: paths.filter { !$0.hasPrefix(Self.folder + "/") }) { path in
            House.lines(of: path).enumerated().compactMap { number, line in
                let words = line.split(whereSeparator: { " ,[](){}:".contains($0) }).map(String.init)
                return Set(words).intersection(names).count >= 3 ? "\(path):\(number + 1): \(line)" : nil
            }
        }
    }
}
