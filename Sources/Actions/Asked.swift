package import JSON
package import Vocabulary
import Workflows

extension Limits {
    /// The most bytes of a choice that a person types.
    fileprivate static let choiceBytes = 4 << 10
}

/// An await with the step and tool by which its answer is checked. It turns the typed words of editors and of
/// `complete` into answers, and does no I/O.
package struct Asked: Hashable, Sendable {
    /// The await.
    package var record: AwaitRecord
    /// The request of the await, which is empty for a question of the engine itself.
    package var request: AwaitRequest
    /// The manifest of the step's kind, or nil if the tool is no longer installed.
    package var tool: ToolManifest?
    /// The values that are shown for confirmation.
    package var proposed: JSON.Object

    /// Creates the await with its step and tool.
    ///
    /// - Parameter given: the incoming values, for a `confirmParams` that a person does as a step.
    package init(_ record: AwaitRecord, tool: ToolManifest?, given: JSON.Object? = nil) {
        self.record = record
        request = record.request ?? AwaitRequest()
        self.tool = tool
        proposed = request.isPerson ? given ?? request.params["values"]?.object ?? request.params : request.params
    }

    /// An answer in the form in which it is passed on.
    package enum Made: Hashable, Sendable {
        /// A completion that needs no content.
        case completion(Completion)
        /// Content for an output, which must still be checked and stored.
        case content(AnswerContent, Port)
        /// The outputs of a step that has conditions for its answers. They are in the store.
        case outputs([Asset])
        /// The wish to answer an earlier step again: the step of this name, or else the one before.
        case back(to: String?)
    }

    /// The output that receives the content of the answer.
    package var output: Port { request.outputs.first ?? Port("out", .any) }

    package var choices: [String] { request.choices }

    /// The question in the step's parameters, or nil if they have none.
    package var prompt: String? {
        ["question", "subject"].lazy.compactMap { request.params[$0]?.string }.first { !$0.isEmpty }
    }

    // MARK: Answers

    /// Returns the answer for a file.
    ///
    /// - Throws: `badUsage` if the answer is no file.
    package func asset(_ path: String) throws(Failure) -> Made {
        switch record.type {
        case .drawMask, .selectAsset, .capture:
            guard !path.isEmpty else { throw bad("The name of the file is empty.") }
            return .content(.file(path), output)
        case .confirmParams, .confirmCall, .choose, .text, .connect, .submitUnknown: throw misplaced("--asset")
        }
    }

    /// Returns the answer for a text.
    ///
    /// - Throws: `badAnswer` if it is empty or too long, and `badUsage` if the answer is no text.
    package func text(_ text: String) throws(Failure) -> Made {
        guard record.type == .text || record.type == .choose && request.takesWords else { throw misplaced("--text") }
        guard !text.allSatisfy(\.isWhitespace) else { throw bad("The text is empty.") }
        guard text.utf8.count <= Limits.answerTextBytes else {
            throw bad("The text has \(text.utf8.count) bytes; at most \(Limits.answerTextBytes) are taken.")
        }
        return .content(request.takesWords ? .json(WordsOrChoices(words: text).json) : .text(text), output)
    }

    /// Returns the answer for a choice, which is typed as its name or as its number in the list.
    ///
    /// - Throws: `badAnswer` if it is no choice.
    package func choice(_ word: String) throws(Failure) -> Made {
        guard word.utf8.count <= Limits.choiceBytes else { throw bad("That is too long for a choice.") }
        switch record.type {
        case .choose: return try chosen(word)
        case .selectAsset:
            let named = request.inputs.filter { $0.name == word || $0.port == word }
            guard named.count <= 1 else {
                throw bad("More than one candidate is called \"\(word)\": choose by number.")
            }
            guard let chosen = named.first ?? Self.numbered(word, request.inputs) else {
                let names = request.inputs.map(\.name).joined(separator: ", ")
                throw bad(
                    "\"\(word)\" is none of the candidates" + (names.isEmpty ? "; there are none." : ": \(names)."))
            }
            return .content(.candidate(chosen), output)
        case .submitUnknown: return .completion(try submission(word))
        case .connect:
            guard word == "done" else { throw bad("The choice here is done.") }
            return .completion(.agreed(edits: nil))
        case .drawMask, .confirmParams, .confirmCall, .text, .capture: throw misplaced("--choice")
        }
    }

    private func chosen(_ word: String) throws(Failure) -> Made {
        if request.takesWords { return .content(.json(try words(or: word).json), output) }
        // A choice that is itself a number is chosen by its name.
        guard let chosen = choices.first(where: { $0 == word }) ?? Self.numbered(word, choices) else {
            throw bad("\"\(word)\" is none of the choices: \(choices.joined(separator: ", ")).")
        }
        return .content(output.type == .json ? .json(.string(chosen)) : .text(chosen), output)
    }

    /// Returns the answer to a question that takes choices or other words. Numbers stand for choices.
    private func words(or typed: String) throws(Failure) -> WordsOrChoices {
        let isSeveral = request.params["several"] == true
        guard !typed.trimmedOfBlanks.isEmpty else { throw bad("The answer is empty.") }
        guard let answer = WordsOrChoices(typed, choices: choices, isSeveral: isSeveral) else {
            throw bad("There are the choices 1 to \(choices.count)\(isSeveral ? "" : ", and one of them is wanted").")
        }
        return answer
    }

    /// Returns the answer that confirms values, with changes.
    ///
    /// - Parameter edits: only the values that change. It is empty to confirm all values as they are.
    /// - Throws: `badAnswer` with the first problem, and `badUsage` if the answer confirms no values.
    package func params(_ edits: JSON.Object) throws(Failure) -> Made {
        guard record.type == .confirmParams else { throw misplaced("--params") }
        for member in edits.members { if let fault = fault(of: member) { throw bad(fault) } }
        guard request.isPerson else { return .completion(.agreed(edits: edits.isEmpty ? nil : edits)) }
        return .content(.json(.object(confirmed(with: edits))), output)
    }

    /// Returns the values with some of them changed.
    package func confirmed(with edits: JSON.Object) -> JSON.Object {
        edits.members.reduce(into: proposed) { $0[$1.key] = $1.value }
    }

    // MARK: Rules

    /// Returns the problem of one value, or nil if it has none.
    package func fault(of member: JSON.Object.Member) -> String? {
        let known = request.isPerson ? proposed.keys : tool?.params.filter { !$0.isSecret }.map(\.name) ?? proposed.keys
        guard known.contains(member.key) else {
            return "There is no value \"\(member.key)\" here; "
                + (known.isEmpty ? "there is none." : "there is \(known.joined(separator: ", ")).")
        }
        guard request.isPerson else { return tool?.param(member.key)?.fault(of: member.value) }
        guard let old = proposed[member.key], !old.isNull, Self.kind(of: old) != Self.kind(of: member.value) else {
            return nil
        }
        return "\(member.key) is \(old.kindInWords); \(member.value.text.prefix(60)) is \(member.value.kindInWords)."
    }

    /// Returns the value that a text stands for. It stays a text if the parameter expects one or if it is not JSON.
    package func value(_ text: String, for name: String) -> JSON {
        let isText: Bool
        if !request.isPerson, let param = tool?.param(name) {
            switch param.kind {
            case .text, .path, .url, .choice: isText = true
            case .integer, .number, .flag, .json, .list: isText = false
            }
        } else {
            isText = proposed[name]?.string != nil
        }
        return isText ? .string(text) : (try? JSONReader.read(text)) ?? .string(text)
    }

    private static func kind(of json: JSON) -> String {
        if case .int = json { return "number" }
        if case .double = json { return "number" }
        return json.kindInWords
    }

    private static func numbered<Item>(_ word: String, _ list: [Item]) -> Item? {
        guard let number = Int(word), list.indices.contains(number - 1) else { return nil }
        return list[number - 1]
    }

    private func submission(_ word: String) throws(Failure) -> Completion {
        guard submissionChoices.contains(word.hasPrefix("found=") ? "found" : word) else {
            throw bad("The choices here are \(submissionWords()).")
        }
        switch word {
        case "again": return .submitAgain
        case "look": return .lookAgain
        case "fail": return .rejected(reason: "It is given up.")
        default:
            let id = String(word.dropFirst("found=".count))
            let isID =
                !id.isEmpty
                && id.unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control && !$0.properties.isWhitespace
                }
            guard isID else { throw bad("The id of the job is missing, or has spaces in it.") }
            return .submittedAs(id: id)
        }
    }

    /// The words for the actions that are possible for a job that may exist. Not every provider can search for the job,
    /// and its id is not enough everywhere.
    private var submissionChoices: [String] {
        record.question?["choices"]?.array?.compactMap(\.string) ?? ["again", "look", "found", "fail"]
    }

    /// Returns the possible words as a list, such as `again, look, found=ID or fail`.
    package func submissionWords(found: String = "found=ID") -> String {
        let words = submissionChoices.map { $0 == "found" ? found : $0 }
        return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "fail")
    }

    private func bad(_ words: String) -> Failure {
        Failure(.badAnswer, words, remedy: "See 'assent open \(record.number)'.")
    }

    private func misplaced(_ option: String) -> Failure {
        Failure(
            .badUsage, "\(record.number) is not answered with \(option): it asks to \(record.type.words).",
            remedy: howToAnswer)
    }

    /// The command that answers the await, as a remedy.
    package var howToAnswer: String {
        let number = record.number
        switch record.type {
        case .drawMask, .capture: return "Use 'assent complete \(number) --asset FILE'."
        case .selectAsset: return "Use 'assent complete \(number) --choice NUMBER' or --asset FILE."
        case .confirmParams:
            return "Use 'assent complete \(number)', with --params NAME=VALUE for what is to be another value."
        case .confirmCall: return "Use 'assent approve \(number)'."
        case .choose:
            return "Use 'assent complete \(number) --choice NAME'\(request.takesWords ? " or --text WORDS" : "")."
        case .text: return "Use 'assent complete \(number) --text TEXT'."
        case .connect: return "Use 'assent complete \(number) --choice done' once it is connected."
        case .submitUnknown: return "Use 'assent complete \(number) --choice WORD': \(submissionWords())."
        }
    }
}

extension AwaitType {
    /// The task of the person, such as "draw a mask".
    package var words: String {
        switch self {
        case .drawMask: "draw a mask"
        case .selectAsset: "pick a file"
        case .confirmParams: "confirm values"
        case .confirmCall: "approve"
        case .choose: "choose"
        case .text: "write a text"
        case .capture: "take a picture"
        case .connect: "connect"
        case .submitUnknown: "say what became of a job"
        }
    }
}
