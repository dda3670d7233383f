import JSON
import Vocabulary

/// Calls that a model wrote as text, since its server or its template does not read them. Pure, and linear in the
/// length of the text.
///
/// The text is the model's own, so a call in it is a call like any other: the same consent is asked for it (`wire.md`
/// LLM 5).
struct TextCalls {
    /// The result of reading an answer.
    enum Reading: Hashable {
        /// The text contains no call.
        case answer
        /// The text consists of calls only, which can be run.
        case calls([ChatCall])
        /// The text has a call that cannot be run, or a call among other words.
        case unreadable
    }

    /// A call as it was written.
    private struct Written {
        var name: String
        var arguments: JSON
        /// Whether the form is used only for calls. An object in a fence or by itself may be the answer that the user
        /// asked for.
        var isMarked: Bool
    }

    /// A mark that opens a call, and the mark that closes it.
    private struct Mark {
        let open: String
        let close: String
    }

    /// The marks of models and templates. If a mark is the beginning of another, the longer one comes first.
    private static let marks = [
        Mark(open: "<tools>", close: "</tools>"), Mark(open: "<tool_call>", close: "</tool_call>"),
        Mark(open: "<tool_calls>", close: "</tool_calls>"), Mark(open: "<function_calls>", close: "</function_calls>"),
        Mark(open: "<function_call>", close: "</function_call>"), Mark(open: "<function=", close: "</function>"),
        Mark(open: "<functioncall>", close: "</functioncall>"), Mark(open: "[TOOL_CALLS]", close: ""),
        Mark(open: "<|python_tag|>", close: "<|eom_id|>"), Mark(open: "<|tool_call|>", close: "<|/tool_call|>"),
        Mark(open: "<|tool_call", close: "<|tool_calls_section_end|>"),
    ]
    private static let fence = "```"
    /// How deep forms may be nested.
    private static let deepest = 3
    /// The most lines of an answer that are tried as the beginning of a call.
    private static let mostTries = 64
    /// How many times the bytes of an answer may be read in search of objects.
    private static let mostLooks = 16
    /// The keys that hold the name of a call. The first one that exists counts.
    private static let nameKeys = ["name", "tool", "tool_name", "function", "function_name", "action"]
    private static let argumentKeys = [
        "arguments", "parameters", "args", "input", "tool_input", "action_input", "params",
    ]
    private static let otherKeys: Set<String> = ["id", "type", "index", "call_id"]

    /// The tools that were offered with the request.
    let tools: [ChatTool]

    /// Creates a reader for a request with these tools.
    init(tools: [ChatTool]) { self.tools = tools }

    // MARK: While it streams

    /// Whether the beginning of an answer may be the beginning of a call.
    enum Beginning { case undecided, perhapsCall, answer }

    /// Judges the beginning of an answer. Once it is `answer` or `perhapsCall`, more text does not change that.
    static func beginning(of text: String) -> Beginning {
        let text = text.drop { $0.isWhitespace }
        guard let first = text.first else { return .undecided }
        if first == "{" { return .perhapsCall }
        if text.hasPrefix(fence) {
            guard let line = text.firstIndex(where: \.isNewline) else {
                return text.utf8.count <= longestInfo && !text.dropFirst(fence.count).contains("`")
                    ? .undecided : .answer
            }
            guard let inner = text[line...].first(where: { !$0.isWhitespace }) else { return .undecided }
            return inner == "{" || inner == "[" || inner == "<" ? .perhapsCall : .answer
        }
        if fence.hasPrefix(text) { return .undecided }
        if marks.contains(where: { text.hasPrefix($0.open) }) { return .perhapsCall }
        if marks.contains(where: { $0.open.hasPrefix(text) }) { return .undecided }
        // An array of calls.
        guard first == "[", let second = text.dropFirst().first(where: { !$0.isWhitespace }) else {
            return first == "[" ? .undecided : .answer
        }
        return second == "{" ? .perhapsCall : .answer
    }

    private static let longestInfo = 40

    // MARK: Whole

    /// Reads a whole answer.
    func reading(of text: String) -> Reading {
        guard text.utf8.count <= Limits.textCallBytes else { return .answer }
        let whole = text.drop { $0.isWhitespace }
        guard Self.beginning(of: String(whole.prefix(4 * Self.longestInfo))) != .answer else { return mixed(in: text) }
        var rest = whole
        var written: [Written] = []
        while !rest.isEmpty {
            guard let calls = Self.take(from: &rest) else { break }
            written += calls
            rest = rest.drop { $0.isWhitespace }
        }
        let isMarked = Self.marks.contains { whole.hasPrefix($0.open) }
        guard !written.isEmpty else { return isMarked ? .unreadable : mixed(in: text) }
        guard rest.isEmpty else {
            return isMarked || written.contains(where: fits) ? .unreadable : mixed(in: text)
        }
        guard !tools.isEmpty else { return isMarked ? .unreadable : .answer }
        guard written.count <= Limits.callsPerReply, written.allSatisfy(agrees) else { return .unreadable }
        return .calls(
            written.enumerated().map {
                ChatCall(id: "text_\($0.offset + 1)", name: $0.element.name, arguments: $0.element.arguments)
            })
    }

    /// Searches for a call among other words. Only a call of an offered tool that could be run counts, since an answer
    /// may hold data, and may quote such forms.
    private func mixed(in text: String) -> Reading {
        !tools.isEmpty && (hasFormedCall(in: text) || hasObjectCall(in: text)) ? .unreadable : .answer
    }

    /// Whether an object among other words is a call: after words in its line, in a list, or after invisible
    /// characters.
    private func hasObjectCall(in text: String) -> Bool {
        var rest = text[...]
        var steps = Self.mostLooks * text.utf8.count
        while steps > 0, let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            rest = rest[open...]
            // A text in braces that is not a JSON object, such as a block of code, may contain one.
            guard Self.opensObject(rest), let end = Self.jsonEnd(in: rest) else {
                steps -= Self.opensObject(rest) ? rest.utf8.count : 1
                rest = rest[rest.utf8.index(after: open)...]
                continue
            }
            steps -= rest.utf8.distance(from: open, to: end)
            if let json = try? JSONReader.read(String(rest[..<end])) {
                if let calls = Self.calls(json, isMarked: false), calls.contains(where: fits) { return true }
                rest = rest[end...]
            } else {
                rest = rest[rest.utf8.index(after: open)...]
            }
        }
        return false
    }

    /// Whether a text that begins with a brace continues as a JSON object does.
    private static func opensObject(_ text: Substring) -> Bool {
        text.utf8.dropFirst().first { $0 > 0x20 } == UInt8(ascii: "\"")
    }

    /// Whether a call in one of the forms stands at the beginning of a line, or in a fence.
    private func hasFormedCall(in text: String) -> Bool {
        var rest = text[...]
        var isFenced = false
        var tries = 0
        while tries < Self.mostTries, let line = rest.first.map({ _ in rest.prefix { !$0.isNewline } }) {
            let words = line.drop { $0 == " " || $0 == "\t" }
            let opensFence = words.hasPrefix(Self.fence)
            if opensFence && !isFenced || !isFenced && Self.marks.contains(where: { words.hasPrefix($0.open) }) {
                tries += 1
                var from = rest[words.startIndex...]
                if let calls = Self.take(from: &from), calls.contains(where: fits) { return true }
            }
            if opensFence { isFenced.toggle() }
            rest = rest[line.endIndex...].dropFirst()
        }
        return false
    }

    /// The names of plans and calls that are taken although they are not offered any more.
    private static let formerNames: Set<String> = ["propose_workflow", "call_tool"]

    private func fits(_ call: Written) -> Bool {
        (tool(of: call) != nil || Self.formerNames.contains(call.name)) && agrees(call)
    }

    private func tool(of call: Written) -> ChatTool? { tools.first { $0.name == call.name } }

    /// Returns whether the arguments agree with the tool, if there is such a tool. An unknown name is reported to
    /// the model later.
    private func agrees(_ call: Written) -> Bool {
        guard let tool = tool(of: call) else { return true }
        let required = (tool.schema["required"]?.array ?? []).compactMap(\.string)
        guard required.allSatisfy({ call.arguments[$0].map { !$0.isNull } ?? false }) else { return false }
        return (tool.schema["properties"]?.object?.members ?? []).allSatisfy { property in
            guard let value = call.arguments[property.key], let type = property.value["type"]?.string, !value.isNull
            else { return true }
            return value.isOfType(type)
        }
    }

    // MARK: Forms

    /// Takes one form of calls off the beginning of a text, and returns the calls. Returns nil if the text does not
    /// begin with one.
    private static func take(from text: inout Substring, depth: Int = 0) -> [Written]? {
        guard depth < deepest else { return nil }
        if text.hasPrefix(fence) { return takeFence(from: &text, depth: depth) }
        if let mark = marks.first(where: { text.hasPrefix($0.open) }) {
            return takeMarked(mark, from: &text, depth: depth)
        }
        var rest = text
        guard let json = takeJSON(from: &rest), let calls = calls(json, isMarked: false) else { return nil }
        text = rest
        return calls
    }

    private static func takeFence(from text: inout Substring, depth: Int) -> [Written]? {
        guard let line = text.firstIndex(where: \.isNewline) else { return nil }
        var rest = text[line...].drop { $0.isWhitespace }
        var calls: [Written] = []
        while !rest.isEmpty, !rest.hasPrefix(fence) {
            guard !rest.hasPrefix("`"), let more = take(from: &rest, depth: depth + 1) else { return nil }
            calls += more
            rest = rest.drop { $0.isWhitespace }
        }
        guard !calls.isEmpty else { return nil }
        text = rest.hasPrefix(fence) ? rest.dropFirst(fence.count) : rest
        return calls
    }

    /// Reads the calls between two marks: objects, arrays of them, or a name with its parameters. The closing mark may
    /// be missing.
    private static func takeMarked(_ mark: Mark, from text: inout Substring, depth: Int) -> [Written]? {
        var rest = text.dropFirst(mark.open.count)
        var calls: [Written] = []
        if mark.open == "<function=" {
            guard let call = takeNamed(from: &rest) else { return nil }
            calls = [call]
        }
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            if !mark.close.isEmpty, rest.hasPrefix(mark.close) {
                rest = rest.dropFirst(mark.close.count)
                break
            }
            if let json = takeJSON(from: &rest) {
                guard let more = Self.calls(json, isMarked: true) else { return nil }
                calls += more
            } else if rest.hasPrefix("<function=") || rest.hasPrefix(fence),
                let more = take(from: &rest, depth: depth + 1)
            {
                // The form contains another one.
                calls += more
            } else if mark.open == "[TOOL_CALLS]", let call = takeNamed(from: &rest) {
                calls.append(call)
            } else {
                break
            }
        }
        guard !calls.isEmpty else { return nil }
        text = rest
        return calls.map { Written(name: $0.name, arguments: $0.arguments, isMarked: true) }
    }

    /// Reads `NAME>{…}`, `NAME[ARGS]{…}`, `NAME{…}`, or `NAME>` with `<parameter=KEY>VALUE</parameter>` for each
    /// parameter.
    private static func takeNamed(from text: inout Substring) -> Written? {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }
        guard !name.isEmpty else { return nil }
        var rest = text[name.endIndex...]
        for separator in ["[ARGS]", ">"] where rest.hasPrefix(separator) { rest = rest.dropFirst(separator.count) }
        rest = rest.drop { $0.isWhitespace }
        var arguments = JSON.Object()
        if let json = takeJSON(from: &rest) {
            guard let object = json.object else { return nil }
            arguments = object
        } else {
            while rest.hasPrefix("<parameter="), let close = rest.firstRange(of: "</parameter>"),
                let end = rest.firstIndex(of: ">"),
                end < close.lowerBound
            {
                let key = String(rest[..<end].dropFirst("<parameter=".count))
                let value = rest[rest.index(after: end)..<close.lowerBound].trimmedOfSpace
                // Numbers, objects and lists are JSON. Any other value is a text.
                arguments[key] = (try? JSONReader.read(value)) ?? .string(value)
                rest = rest[close.upperBound...].drop { $0.isWhitespace }
            }
            if arguments.isEmpty, !rest.hasPrefix("</function>") { return nil }
        }
        text = rest
        return Written(name: String(name), arguments: .object(arguments), isMarked: true)
    }

    /// Returns the calls in a JSON value, or nil if any part of it is not a call.
    private static func calls(_ json: JSON, isMarked: Bool) -> [Written]? {
        if let list = json.array {
            let calls = list.map { Self.calls($0, isMarked: isMarked) }
            return list.isEmpty || calls.contains { $0 == nil } ? nil : calls.flatMap { $0 ?? [] }
        }
        guard let object = json.object else { return nil }
        if let list = json["tool_calls"], list.array != nil { return calls(list, isMarked: isMarked) }
        if let inner = json["function_call"] ?? json["tool_call"], inner.object != nil {
            return calls(inner, isMarked: isMarked)
        }
        if let inner = json["function"], inner.object != nil { return calls(inner, isMarked: true) }
        // The value is a plan, without a call around it.
        if json["nodes"]?.array != nil,
            json["schema"]?.string?.hasPrefix("app.workflow/") == true || json["edges"]?.array != nil
        {
            return [Written(name: "propose_workflow", arguments: json, isMarked: isMarked)]
        }
        if let steps = json["steps"]?.array, !steps.isEmpty, steps.allSatisfy({ $0["kind"]?.string != nil }) {
            return [Written(name: "workflow", arguments: json, isMarked: isMarked)]
        }
        guard let nameKey = nameKeys.first(where: { json[$0]?.string?.isEmpty == false }),
            let name = json[nameKey]?.string
        else {
            return nil
        }
        let argumentKey = argumentKeys.first { json[$0] != nil }
        guard isMarked || argumentKey != nil,
            object.members.allSatisfy({ $0.key == nameKey || $0.key == argumentKey || otherKeys.contains($0.key) }),
            let arguments = argumentKey.map({ arguments(json[$0]) }) ?? .some([:])
        else { return nil }
        return [Written(name: name, arguments: arguments, isMarked: isMarked)]
    }

    /// Returns the arguments of a call: an object, or a text that is one.
    private static func arguments(_ json: JSON?) -> JSON? {
        switch json {
        case .object?: json
        case nil, .null?: [:]
        case .string(let text)?: (try? JSONReader.read(text)).flatMap { $0.object == nil ? nil : $0 }
        default: nil
        }
    }

    /// Takes an object or an array off the beginning of a text, or returns nil if there is none.
    private static func takeJSON(from text: inout Substring) -> JSON? {
        guard let end = jsonEnd(in: text), let json = try? JSONReader.read(String(text[..<end])) else { return nil }
        text = text[end...]
        return json
    }

    /// Returns the index after the object or array at the beginning of a text, or nil if there is none.
    private static func jsonEnd(in text: Substring) -> Substring.Index? {
        guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        var depth = 0
        var isInText = false
        var isEscaped = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return text.utf8.index(after: index) }
            default: break
            }
        }
        return nil
    }
}

extension JSON {
    fileprivate func isOfType(_ type: String) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .array), ("string", .string), ("integer", .int), ("number", .int),
            ("number", .double),
            ("boolean", .bool):
            true
        case ("object", _), ("array", _), ("string", _), ("integer", _), ("number", _), ("boolean", _): false
        default: true
        }
    }
}

extension Substring {
    fileprivate var trimmedOfSpace: String {
        var text = drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
