import Files
import JSON
import Vocabulary

extension Asset {
    /// The key under which `meta` stores the encoding of a text that is not UTF-8.
    static let encodingKey = "encoding"
    private static let markKey = "mark"

    /// Returns the metadata of a text in a form. UTF-8 needs none.
    static func meta(of form: TextForm) -> JSON.Object {
        var meta = JSON.Object()
        guard form.encoding != .utf8 else { return meta }
        meta[encodingKey] = .string(form.encoding.name)
        if form.hasMark { meta[markKey] = true }
        return meta
    }

    /// The form of the text, if it is stored and not UTF-8.
    var textForm: TextForm? {
        guard let encoding = meta[Self.encodingKey]?.string.flatMap(TextEncoding.init(rawValue:)) else { return nil }
        return TextForm(encoding, hasMark: meta[Self.markKey]?.bool ?? false)
    }
}

extension TextForm {
    /// Returns the form of a text that is made of several texts: theirs, if they have the same encoding. A text of
    /// ASCII only has every encoding.
    ///
    /// - Returns: the form, and a sentence for the user if the encodings differ.
    static func common(of texts: [EncodedText]) -> (form: TextForm, warning: String?) {
        guard let first = texts.first?.form else { return (TextForm(), nil) }
        var encodings: [TextEncoding] = []
        for text in texts {
            let isNeutral = text.form == TextForm() && text.utf8.allSatisfy { $0 < 0x80 }
            if !isNeutral, !encodings.contains(text.form.encoding) { encodings.append(text.form.encoding) }
        }
        // Windows-1252 has all signs of Latin-1.
        if encodings.contains(.windows1252) { encodings.removeAll { $0 == .latin1 } }
        guard encodings.count > 1 else {
            let encoding = encodings.first ?? .utf8
            let hasMark = texts.first { $0.form.encoding == encoding }?.form.hasMark ?? false
            return (TextForm(encoding, hasMark: encoding == first.encoding ? first.hasMark : hasMark), nil)
        }
        let names = encodings.map(\.name).joined(separator: " and ")
        return (TextForm(), "The texts are \(names), and the result is UTF-8.")
    }
}
