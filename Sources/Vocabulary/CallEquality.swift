package import JSON

/// A type whose values are compared as an approval compares them, by the bytes of their canonical text.
///
/// To a `String` the two ways to write `é` are equal. To a file system they are two names, and to a digest two calls.
/// Each stored property of these types is in its JSON, so two values are equal exactly if a yes to one is a yes to the
/// other.
package protocol ComparedByText: Hashable {
    var json: JSON { get }
}

extension ComparedByText {
    package static func == (one: Self, other: Self) -> Bool { one.json.canonical.isSameName(as: other.json.canonical) }

    package func hash(into hasher: inout Hasher) {
        var text = json.canonical
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Call: ComparedByText {}
extension Call.Input: ComparedByText {}
extension Call.Target: ComparedByText {}
extension Call.Change: ComparedByText {}
extension Call.Place: ComparedByText {}
