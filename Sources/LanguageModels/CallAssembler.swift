import JSON
import Vocabulary

/// An assembler of the tool calls of one reply from their fragments, whatever the server means by `index`, `id` and
/// `name` (`wire.md` LLM 6: each rule is a server's quirk).
struct CallAssembler: Sendable {
    fileprivate struct Building: Sendable {
        var index: Int?
        var id: String?
        var name: String?
        var arguments = ""
        var opaque = JSON.Object()
        /// Whether the arguments came as an object, which is complete.
        var isWhole = false
    }

    fileprivate struct Fragment {
        let index: Int?
        let id: String?
        let name: String?
        let arguments: JSON?

        init(_ json: JSON) {
            let function = json["function"]
            index = json["index"]?.int
            id = (json["id"]?.string ?? function?["id"]?.string).nonEmpty
            name = (function?["name"]?.string).nonEmpty
            arguments = function?["arguments"]
        }
    }

    private let echoFields: Set<String>
    private var calls: [Building] = []

    init(echoFields: Set<String>) {
        self.echoFields = echoFields
    }

    var isEmpty: Bool { calls.isEmpty }
    var count: Int { calls.count }
    var isTooMany: Bool { calls.count > Limits.callsPerReply }

    /// Adds a fragment of a call.
    ///
    /// - Returns: the name of the call, if this fragment is the first with it.
    mutating func feed(_ json: JSON) -> String? {
        let fragment = Fragment(json)
        let place = place(of: fragment) ?? open(fragment)
        calls[place].index = calls[place].index ?? fragment.index
        calls[place].id = calls[place].id ?? fragment.id
        for member in json.object?.members ?? [] where echoFields.contains(member.key) {
            calls[place].opaque[member.key] = member.value
        }
        calls[place].append(fragment.arguments)
        guard calls[place].name == nil, let name = fragment.name else { return nil }
        calls[place].name = name
        return name
    }

    /// The calls, or nil if one of them has no name. A call whose arguments are no JSON object has a flaw in place
    /// of them.
    var named: [ChatCall]? {
        var used: Set<String> = []
        var named: [ChatCall] = []
        for (number, call) in calls.enumerated() {
            guard let name = call.name else { return nil }
            var id = call.id ?? "call_\(number + 1)"
            while !used.insert(id).inserted { id += "_\(number + 1)" }
            var made = ChatCall(id: id, name: name, arguments: [:], opaque: call.opaque)
            switch call.object {
            case .success(let arguments): made.arguments = arguments
            case .failure(let flaw): made.flaw = flaw.words
            }
            named.append(made)
        }
        return named
    }

    private mutating func open(_ fragment: Fragment) -> Int {
        calls.append(Building(index: fragment.index))
        return calls.count - 1
    }

    /// Returns the index of the call that a fragment continues, or nil if it begins a new one.
    private func place(of fragment: Fragment) -> Int? {
        if let id = fragment.id {
            let same = calls.indices.filter { calls[$0].id == id }
            let place = same.last { fragment.index != nil && calls[$0].index == fragment.index } ?? same.last
            if let place { return repeats(fragment, calls[place]) ? place : nil }
        }
        guard let index = fragment.index else {
            return fragment.id == nil && fragment.name == nil ? calls.indices.last : nil
        }
        guard let place = calls.lastIndex(where: { $0.index == index }), !begins(fragment, behind: calls[place]) else {
            return nil
        }
        return place
    }

    /// Whether a fragment with the id of `call` belongs to it, since some servers give several calls the same id. If
    /// both have a name, the fragment begins a new call if its index differs, or if `call` is complete and the fragment
    /// does not repeat it.
    private func repeats(_ fragment: Fragment, _ call: Building) -> Bool {
        guard fragment.name != nil, call.name != nil else { return true }
        if let index = fragment.index, let known = call.index, index != known { return false }
        return fragment.isBlank || !call.isWholeObject || fragment.text == call.arguments
    }

    /// Whether a fragment begins another call although its index is that of `call`, since some servers give all calls
    /// the index 0.
    private func begins(_ fragment: Fragment, behind call: Building) -> Bool {
        if let id = fragment.id, let known = call.id { return id != known }
        guard let name = fragment.name, let known = call.name else { return false }
        return name != known || (fragment.id == nil && !fragment.isBlank && call.isWholeObject)
    }
}

extension CallAssembler.Fragment {
    fileprivate var text: String? { arguments?.string ?? arguments?.text }

    fileprivate var isBlank: Bool {
        switch arguments {
        case nil, .null?: true
        case .string(let text)?: text.allSatisfy(\.isWhitespace)
        default: false
        }
    }
}

extension CallAssembler.Building {
    fileprivate mutating func append(_ piece: JSON?) {
        switch piece {
        case .object? where arguments.isEmpty:
            arguments = piece?.text ?? ""
            isWhole = true
        case .string(let text)? where !isWhole:
            // Some servers send a whole call again in their last chunk.
            guard !(text.utf8.count > 1 && text == arguments && isWholeObject) else { return }
            arguments += text
        // A list or a number in place of an object.
        case let other? where arguments.isEmpty && !other.isNull: arguments = other.text
        default: return
        }
    }

    /// The reason why arguments are not an object, and what would be right, in words for the model.
    fileprivate struct Flaw: Error {
        let words: String

        init(_ fault: String) { words = "\(fault) Send one object, such as {\"path\": \"main.py\"}." }
    }

    /// The arguments as an object, or why they are not one. Empty arguments and `null` are `{}`, a call without
    /// parameters.
    fileprivate var object: Result<JSON, Flaw> {
        guard !arguments.allSatisfy(\.isWhitespace) else { return .success([:]) }
        do throws(JSONReader.Failure) {
            switch try JSONReader.read(arguments) {
            case .object(let object): return .success(.object(object))
            case .null: return .success([:])
            case let other: return .failure(Flaw("The arguments are \(other.kindInWords), not an object."))
            }
        } catch {
            return .failure(
                Flaw("The arguments \(error.code == .badJSON ? "are no JSON" : "cannot be read"): \(error)."))
        }
    }

    fileprivate var isWholeObject: Bool {
        guard arguments.utf8.last(where: { $0 != 0x20 && $0 != 0x0A }) == UInt8(ascii: "}") else { return false }
        if case .success = object { return true }
        return false
    }
}

extension String? {
    fileprivate var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}
