import Files
package import JSON
import Pictures
import Sandbox
package import Vocabulary

/// The value of a blank in a manifest.
package enum JobValue: Hashable {
    case json(JSON)
    /// A whole file, for forms and raw bodies.
    case file(Asset)

    /// The value as text in an address or a header field, or `nil` for a file, a list, an object and null.
    package var text: String? {
        switch self {
        case .json(.string(let text)): text
        case .json(.int(let number)): String(number)
        case .json(.double(let number)): JSON.double(number).text
        case .json(.bool(let flag)): flag ? "true" : "false"
        case .json(.null), .json(.array), .json(.object), .file: nil
        }
    }
}

/// The values that a tool gives to its provider: the members of its `with`. Their blanks are filled in only when
/// needed, so that a status check reads no pictures.
///
/// `{param}` is the parameter with its type. For an input, `{port.dataUrl}` and `{port.base64}` are its bytes,
/// `{port.text}` is its text, and `{port.json}` is its value. `{port.name}`, `{port.mime}` and `{port.sha256}` describe
/// it. `{port.file}` is the file itself, alone in a member of `with`, which is then a member of a form or the raw body.
/// A variadic port gives a list.
package struct ToolValues {
    let assignment: Assignment
    let read: (Asset) throws(Failure) -> [UInt8]

    package init(assignment: Assignment, read: @escaping (Asset) throws(Failure) -> [UInt8]) {
        self.assignment = assignment
        self.read = read
    }

    /// Returns the tool's value of a name, or `nil` if `with` has no such member, or an optional blank (`{style?}`) has
    /// no value.
    package func value(_ name: String, in with: JSON.Object) throws(Failure) -> JobValue? {
        guard let written = with[name] else { return nil }
        if let text = written.string, let hole = Blanks(text)?.only {
            return try first(of: hole) { (choice) throws(Failure) in try value(of: choice) }
        }
        return try filled(written) { (hole) throws(Failure) in try value(of: hole) }.map { .json($0) }
    }

    private func value(of hole: Blanks.Hole) throws(Failure) -> JobValue? {
        if hole.parts.isEmpty, let param = assignment.params[hole.name] { return param.isNull ? nil : .json(param) }
        guard hole.parts.count == 1 else { return nil }
        if assignment.manifest.inputs.contains(where: { $0.name == hole.name && $0.isVariadic }) {
            var values: [JSON] = []
            for asset in assignment.inputs(variadic: hole.name) {
                if case .json(let json) = try value(hole.parts[0], of: asset) { values.append(json) }
            }
            return values.isEmpty ? nil : .json(.array(values))
        }
        guard let asset = assignment.input(hole.name) else { return nil }
        return try value(hole.parts[0], of: asset)
    }

    /// Returns an input in one of the forms that a manifest can name, such as `base64`. The readers of manifests know
    /// the same forms.
    private func value(_ form: String, of asset: Asset) throws(Failure) -> JobValue {
        switch form {
        case "file": return .file(asset)
        case "name": return .json(.string(asset.name))
        case "sha256": return .json(.string(asset.hash.hex))
        case "mime": return .json(.string(mimeType(of: asset, bytes: try read(asset))))
        case "base64": return .json(.string(Base64.text(of: try read(asset))))
        case "dataUrl":
            let bytes = try read(asset)
            return .json(.string("data:\(mimeType(of: asset, bytes: bytes));base64,\(Base64.text(of: bytes))"))
        case "text":
            let text = try EncodedText(try read(asset), asset.name)
            return .json(.string(String(decoding: text.utf8, as: UTF8.self)))
        case "json":
            let bytes = try read(asset)
            do throws(JSONReader.Failure) {
                return .json(try JSONReader.read(bytes))
            } catch {
                throw Failure(
                    error.code == .repeatedKey ? .repeatedKey : .badJSON, error.sentence(about: asset.name))
            }
        default: throw Failure(.badManifest, "\(assignment.manifest.kind) asks for the \"\(form)\" of an input.")
        }
    }
}

/// Returns the media type of an asset, by its content if it is a picture, else by its name.
func mimeType(of asset: Asset, bytes: [UInt8]) -> String {
    if let image = ImageHeader(bytes) { return "image/\(image.format == "jpg" ? "jpeg" : image.format)" }
    let types = [
        ".json": "application/json", ".txt": "text/plain", ".md": "text/markdown", ".csv": "text/csv",
        ".pdf": "application/pdf",
        ".zip": "application/zip", ".mp4": "video/mp4", ".wav": "audio/wav", ".mp3": "audio/mpeg",
    ]
    return types[stemAndSuffix(asset.name).suffix.lowercased()] ?? "application/octet-stream"
}

/// Fills in the blanks of a value. A text that is a single blank becomes the value itself. A member or an element whose
/// optional blank has no value is left out.
///
/// - Returns: `nil` if the value itself is left out.
/// - Throws: `missingValue` if a required blank has no value.
func filled(_ json: JSON, _ value: (Blanks.Hole) throws(Failure) -> JobValue?) throws(Failure) -> JSON? {
    switch json {
    case .null, .bool, .int, .double: return json
    case .string(let text):
        guard let blanks = Blanks(text) else {
            throw Failure(.badManifest, "A text of the manifest has a brace without its partner.")
        }
        if let only = blanks.only {
            switch try first(of: only, value) {
            case .json(let json): return json
            case .file:
                throw Failure(
                    .badManifest, "{\(only)} is a whole file, which cannot stand in JSON: use its dataUrl or base64.")
            case nil: return try leftOut(only)
            }
        }
        return try filled(blanks, value).map { .string($0) }
    case .array(let elements):
        var filledElements: [JSON] = []
        for element in elements {
            if let element = try filled(element, value) { filledElements.append(element) }
        }
        return .array(filledElements)
    case .object(let object):
        var members: [JSON.Object.Member] = []
        for member in object.members {
            if let value = try filled(member.value, value) {
                members.append(JSON.Object.Member(key: member.key, value: value))
            }
        }
        return .object(JSON.Object(members: members))
    }
}

/// Fills in the blanks of a text. Returns `nil` if an optional blank has no value.
func filled(_ blanks: Blanks, _ value: (Blanks.Hole) throws(Failure) -> JobValue?) throws(Failure) -> String? {
    var text = ""
    for piece in blanks.pieces {
        switch piece {
        case .text(let words): text += words
        case .hole(let hole):
            guard let found = try first(of: hole, value) else { return try leftOut(hole) }
            switch found {
            case .json(let json): text += found.text ?? json.text
            case .file: throw Failure(.badManifest, "{\(hole)} is a whole file, which cannot stand in a text.")
            }
        }
    }
    return text
}

/// Returns the value of the first choice in `{this|or.that}` that has one, or `nil`.
func first(of hole: Blanks.Hole, _ value: (Blanks.Hole) throws(Failure) -> JobValue?) throws(Failure) -> JobValue? {
    for choice in hole.choices {
        if let found = try value(choice) { return found }
    }
    return nil
}

private func leftOut<Value>(_ hole: Blanks.Hole) throws(Failure) -> Value? {
    if hole.isOptional { return nil }
    throw Failure(
        .missingValue, "The request needs \"\(hole)\", and there is none.",
        remedy: "Give the parameter or the input that it comes from.")
}
