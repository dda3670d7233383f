/// A JSON value (RFC 8259) that keeps the order of its keys and distinguishes whole numbers from fractions.
///
/// Foundation's reader loses both and gives no line numbers. `JSONReader` reads a value, and `text` and `canonical`
/// write it.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent that fits 64 bits. It is written back digit by digit.
    case int(Int)
    /// Any other number. Never NaN or infinite.
    case double(Double)
    case string(String)
    case array([JSON])
    case object(Object)

    /// An object with its members in the order in which they were written. Keys are unique, since the reader refuses a
    /// second one.
    package struct Object: Hashable, Sendable {
        package struct Member: Hashable, Sendable {
            package let key: String
            package var value: JSON

            package init(key: String, value: JSON) {
                self.key = key
                self.value = value
            }

            package static func == (one: Member, other: Member) -> Bool {
                one.key.isWritten(as: other.key) && one.value == other.value
            }
        }

        package private(set) var members: [Member] = []
        /// The index of each key. It is built when a member of a large object is set, since texts from strangers may
        /// have very many keys.
        private var places: [ExactText: Int]?

        package init() {}

        package init(members: [Member]) {
            self.members = members
        }

        /// The value for a key, which is compared byte by byte. Setting `nil` removes the member. Setting a new key
        /// appends it.
        package subscript(key: String) -> JSON? {
            get { place(of: key).map { members[$0].value } }
            set {
                if places == nil, members.count >= Self.fewMembers {
                    places = Dictionary(
                        members.indices.map { (ExactText(members[$0].key), $0) },
                        uniquingKeysWith: { first, _ in first })
                }
                switch (place(of: key), newValue) {
                case (let place?, let value?): members[place].value = value
                case (let place?, nil):
                    members.remove(at: place)
                    places = nil
                case (nil, let value?):
                    places?[ExactText(key)] = members.count
                    members.append(Member(key: key, value: value))
                case (nil, nil): break
                }
            }
        }

        /// The number of members up to which a search one by one is as fast as a dictionary.
        private static let fewMembers = 16

        private func place(of key: String) -> Int? {
            if let places { return places[ExactText(key)] }
            return members.firstIndex { $0.key.isWritten(as: key) }
        }

        package static func == (one: Object, other: Object) -> Bool { one.members == other.members }

        package func hash(into hasher: inout Hasher) { hasher.combine(members) }

        package var keys: [String] { members.map(\.key) }
        package var isEmpty: Bool { members.isEmpty }

        /// Appends a member without a search for an equal key, for readers that have searched already.
        mutating func append(unchecked key: String, _ value: JSON) {
            places = nil
            members.append(Member(key: key, value: value))
        }
    }
}

extension JSON {
    /// Whether two values are equal. Texts and keys are compared byte by byte: `é` written in two ways is two texts.
    package static func == (one: JSON, other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.int(let first), .int(let second)): first == second
        case (.double(let first), .double(let second)): first == second
        case (.string(let first), .string(let second)): first.isWritten(as: second)
        case (.array(let first), .array(let second)): first == second
        case (.object(let first), .object(let second)): first == second
        case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _): false
        }
    }
}

// A literal `nil` is not supported. In `condition ? nil : value` it would mean null, although an absent member is
// meant.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Object(members: elements.map { Object.Member(key: $0.0, value: $0.1) }))
    }
}

extension JSON {
    package subscript(key: String) -> JSON? { object?[key] }

    package subscript(index: Int) -> JSON? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var int: Int? { if case .int(let value) = self { value } else { nil } }
    package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    package var object: Object? { if case .object(let value) = self { value } else { nil } }
    package var isNull: Bool { self == .null }

    /// The value of a whole number or a fraction.
    package var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The kind of the value in words for messages such as "expected a number, found text".
    package var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .int: "a whole number"
        case .double: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// Returns an object of the members that are not `nil`. `.of(["a": 1, "b": nil])` has one member.
    package static func of(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(Object(members: members.compactMap { key, value in value.map { Object.Member(key: key, value: $0) } }))
    }
}
