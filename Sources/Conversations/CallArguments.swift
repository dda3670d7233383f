import JSON
import Vocabulary

/// The arguments of a call of a model, read one after the other. Numbers may be written as texts, since many models
/// do so, and `null` counts as absent.
struct CallArguments {
    private let tool: String
    private let json: JSON

    /// - Throws: `badArguments` for an argument that the tool does not have.
    init(_ call: ChatCall, of tool: ChatTool) throws(Failure) {
        self.init(call)
        let known = (tool.schema["properties"]?.object?.members ?? []).map(\.key)
        for member in call.arguments.object?.members ?? [] where !known.contains(member.key) {
            throw Failure(
                .badArguments,
                "\(call.name) has no argument \"\(member.key)\". \(NearestWord.hint(for: member.key, among: known))")
        }
    }

    /// Takes the arguments as they are, for a tool that has no schema.
    init(_ call: ChatCall) { (tool, json) = (call.name, call.arguments) }

    subscript(_ key: String) -> JSON? {
        guard let value = json[key], !value.isNull else { return nil }
        return value
    }

    /// Returns a text that must be there.
    func text(_ key: String) throws(Failure) -> String {
        guard let text = try optionalText(key), !text.isEmpty else {
            throw Failure(.badArguments, "\(tool) needs \"\(key)\", a text.")
        }
        return text
    }

    func optionalText(_ key: String) throws(Failure) -> String? {
        switch self[key] {
        case nil: return nil
        case .string(let text)?: return text
        case .int(let number)?: return String(number)
        case let other?: throw Failure(.badArguments, "\"\(key)\" of \(tool) is a text, not \(other.kindInWords).")
        }
    }

    /// Returns a whole number in a range, or nil if it is absent.
    func number(_ key: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let value = self[key] else { return nil }
        guard let number = value.wholeNumber, range.contains(number) else {
            throw Failure(
                .badArguments,
                "\"\(key)\" of \(tool) is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func flag(_ key: String) throws(Failure) -> Bool {
        switch self[key] {
        case nil: return false
        case .bool(let flag)?: return flag
        case .string("true")?: return true
        case .string("false")?: return false
        default: throw Failure(.badArguments, "\"\(key)\" of \(tool) is true or false.")
        }
    }

    /// Returns a list of texts, for which one text may stand.
    func texts(_ key: String) throws(Failure) -> [String] {
        guard let value = self[key] else { return [] }
        let texts = (value.array ?? [value]).map(\.string)
        guard !texts.contains(nil) else { throw Failure(.badArguments, "\"\(key)\" of \(tool) is a list of texts.") }
        return texts.compactMap(\.self)
    }

    func workflow() throws(Failure) -> WorkflowID {
        let text = try text("workflow")
        guard let id = WorkflowID(parsing: text) else {
            throw Failure(.badArguments, "\"\(text)\" is not the name of a workflow, such as w3.")
        }
        return id
    }
}

extension JSON {
    /// The whole number of a value, also of one that is written as a text.
    var wholeNumber: Int? { int ?? string.flatMap { Int($0) } }
}
