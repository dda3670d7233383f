import JSON
import Manifests

/// The form in which a file of YAML is embedded (`PlacedJSON`): its documents as a list of JSON, in which every key and
/// value stands on its line of the file. Comments leave empty lines.
struct EmbeddedForm {
    /// The text, without its last line break.
    private(set) var text = ""
    private var line = 1

    /// Creates the form of some documents.
    ///
    /// - Parameter dropped: a key of the documents that is left out.
    init(of documents: [YAML], without dropped: String? = nil) {
        list(documents, "[", "]") {
            $0.line
        } _: { form, document in
            form.add(document, without: dropped)
        }
    }

    private mutating func add(_ yaml: YAML, without dropped: String? = nil) {
        goDown(to: yaml.line)
        switch yaml.value {
        case .scalar(.double(let number)):
            let text = JSON.double(number).text
            // Without a fraction, it would be read as a whole number.
            self.text += text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 } ? text + ".0" : text
        case .scalar(let scalar): text += scalar.text
        case .list(let elements):
            list(elements, "[", "]") {
                $0.line
            } _: { form, element in
                form.add(element)
            }
        case .mapping(let members):
            list(members.filter { $0.key != dropped }, "{", "}") {
                $0.line
            } _: { form, member in
                form.text += JSON.string(member.key).text + ":"
                form.add(member.value)
            }
        }
    }

    private mutating func list<Element>(
        _ elements: [Element], _ open: String, _ close: String, line: (Element) -> Int,
        _ add: (inout Self, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            goDown(to: line(element))
            add(&self, element)
        }
        text += close
    }

    private mutating func goDown(to line: Int) {
        guard line > self.line else { return }
        text += String(repeating: "\n", count: line - self.line)
        self.line = line
    }
}
