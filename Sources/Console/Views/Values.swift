import JSON
import Terminal
import Vocabulary

/// Parameters and places as text.
enum Values {
    /// Returns a JSON value that stands alone. A text has no quotes, unless it would look like another value.
    static func text(_ value: JSON) -> String {
        guard case .string(let string) = value else { return SealedValue(value)?.shown ?? withoutSeals(value).text }
        return isAmbiguous(string) ? "\"\(string)\"" : string
    }

    /// Returns a value in which each seal is replaced by the text that is shown for it.
    private static func withoutSeals(_ value: JSON) -> JSON {
        if let seal = SealedValue(value) { return .string(seal.shown) }
        guard SealedValue.isIn(value) else { return value }
        return switch value {
        case .array(let elements): .array(elements.map(withoutSeals))
        case .object(let object):
            .object(JSON.Object(members: object.members.map { .init(key: $0.key, value: withoutSeals($0.value)) }))
        case .null, .bool, .int, .double, .string: value
        }
    }

    private static func isAmbiguous(_ string: String) -> Bool {
        guard let first = string.first, let last = string.last else { return true }
        if first == " " || last == " " || first == "\"" { return true }
        // No number has as many digits.
        return ["true", "false", "null", "{}", "[]"].contains(string)
            || string.utf8.count < 400 && Double(string) != nil
    }

    /// Returns parameters in short, such as `width=800 px`. Of a secret it only shows that there is one.
    static func digest(_ params: JSON.Object, of tool: ToolManifest?, except hidden: Set<String> = []) -> StyledText {
        var text = StyledText()
        for member in params.members where !hidden.contains(member.key) && !member.value.isNull {
            // A parameter with its usual value, in a plan or in a file, is left out.
            if let param = tool?.param(member.key), let planned = param.plannedValue,
                [planned, param.defaultValue].contains(member.value)
            {
                continue
            }
            if !text.isEmpty { text.append("  ") }
            text.append("\(member.key)=", .dim)
            text.append(short(member.value, tool?.param(member.key)))
        }
        return text
    }

    /// The most cells of one value in a row of several.
    private static let valueCells = 48

    /// Returns whether `digest` shows the whole value.
    static func isShownWhole(_ value: JSON) -> Bool {
        VisibleText.cut(inRow(value), to: valueCells) == VisibleText.line(inRow(value))
    }

    /// Returns a value for a row in which two spaces separate values.
    private static func inRow(_ value: JSON) -> String {
        if case .string(let text) = value, text.contains("  ") { return NameWords.quoted(text) }
        return VisibleText.unforged(text(value))
    }

    private static func short(_ value: JSON, _ param: ToolManifest.Param?) -> String {
        if param?.isSecret == true { return "•••" }
        let unit = param?.unit.map { $0 == "%" || $0 == "°" ? $0 : " \($0)" } ?? ""
        return VisibleText.cut(inRow(value), to: valueCells) + unit
    }

    /// Returns a path relative to the workspace, such as `./cat-1.jpg`, or the whole path if it is elsewhere.
    static func path(_ path: String, in workspace: String?) -> String {
        guard let workspace, !workspace.isEmpty, let below = path.path(below: workspace), !below.isEmpty else {
            return path
        }
        return "./\(below)"
    }

    static func short(_ hash: ContentHash) -> String { String(hash.hex.prefix(12)) }
}
