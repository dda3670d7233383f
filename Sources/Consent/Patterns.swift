package import JSON
import Vocabulary

/// A typed test of one parameter.
package enum ParamTest: Hashable, Sendable {
    case oneOf([JSON])
    case atMost(Double)
    case atLeast(Double)
    /// A pattern for the whole text, in which `*` stands for any characters.
    case matches(String)
    /// A path under one of these folders.
    case under([String])
}

extension ParamTest {
    /// Returns whether a value passes the test. A missing parameter passes no test. The result is unclear for a value
    /// that cannot be compared.
    ///
    /// - Parameter isAllowing: whether the rule allows calls. In that case a path that is a link must pass together
    ///   with the path to which it leads.
    func match(_ value: JSON?, of call: Call, _ surroundings: Surroundings, isAllowing: Bool = false) -> Match {
        guard let value, !value.isNull else { return .no }
        switch self {
        case .oneOf(let values): return oneOf(values, value)
        case .atMost(let limit): return value.number.map { Match($0 <= limit) } ?? .unclear
        case .atLeast(let limit): return value.number.map { Match($0 >= limit) } ?? .unclear
        case .matches(let pattern): return value.string.map { Match(Glob(pattern).matches($0)) } ?? .unclear
        case .under(let folders):
            guard let path = value.string.flatMap({ surroundings.expanded($0) }) else { return .unclear }
            let named = call.targets.filter { $0.otherPaths.contains { $0.isSameName(as: path) } }
            let all = [TouchedPath.one(path)] + named.flatMap { $0.paths(isAllowing: isAllowing) }
            guard isAllowing else { return folderMatch(all, folders, surroundings, isAllowing: false) }
            return all.map { folderMatch([$0], folders, surroundings, isAllowing: true) }.first { $0 != .yes } ?? .yes
        }
    }

    private func oneOf(_ values: [JSON], _ value: JSON) -> Match {
        // Canonical bytes, so that 1 and 1.0 are one number, and é in two spellings (equal for String) are two texts,
        // as for a file system.
        if values.contains(where: { $0.canonical.utf8.elementsEqual(value.canonical.utf8) }) { return .yes }
        return values.contains { $0.kindInWords == value.kindInWords || ($0.number != nil && value.number != nil) }
            ? .no : .unclear
    }
}

/// A pattern in which `*` stands for any bytes. Matching never takes exponential time, since there is only one place to
/// return to.
struct Glob {
    private let pattern: [UInt8]
    private let isLiteral: Bool

    init(_ pattern: String) { self.init(Array(pattern.utf8)) }

    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        isLiteral = !self.pattern.contains(UInt8(ascii: "*"))
    }

    func matches(_ text: String) -> Bool { matches(Array(text.utf8)) }

    func matches(_ text: [UInt8]) -> Bool {
        if isLiteral { return text == pattern }
        var place = (pattern: 0, text: 0)
        var back: (pattern: Int, text: Int)?
        while place.text < text.count {
            if place.pattern < pattern.count, pattern[place.pattern] == UInt8(ascii: "*") {
                back = (place.pattern + 1, place.text)
                place.pattern += 1
            } else if place.pattern < pattern.count, pattern[place.pattern] == text[place.text] {
                place = (place.pattern + 1, place.text + 1)
            } else if let last = back {
                back = (last.pattern, last.text + 1)
                place = (last.pattern, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[place.pattern...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// A pattern for hosts: `example.org` (any port), `example.org:8080` or `*.example.org`, regardless of case.
struct HostPattern {
    let name: String
    let port: Substring?

    init(_ written: String) { (name, port) = Self.split(written) }

    /// Returns whether a host fits the pattern.
    ///
    /// - Parameters:
    ///   - host: `host:port`, or `[::1]:8080`.
    ///   - isAllowing: whether the rule allows calls. If it does not, every name of this machine matches every other
    ///     one.
    func matches(_ host: String, isAllowing: Bool) -> Bool {
        let (otherName, otherPort) = Self.split(host)
        guard port == nil || port == otherPort else { return false }
        if !isAllowing, HostPlace(otherName) == .thisMachine {
            // A program that listens on all addresses of this machine answers at each of its names.
            if HostPlace(name) == .thisMachine || Self.namesOfThisMachine.contains(where: Glob(name).matches) {
                return true
            }
        }
        // The name is compared as it is written, too, since a partial address has no other notation.
        return Glob(name).matches(otherName) || Glob(Self.plain(name)).matches(Self.plain(otherName))
    }

    private static let namesOfThisMachine = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"]

    private static func split(_ written: String) -> (String, Substring?) {
        let text = written.lowercased()
        guard let colon = text.lastIndex(of: ":"),
            text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : text.firstIndex(of: ":") == colon
        else { return (withoutDot(text[...]), nil) }
        return (withoutDot(text[..<colon]), text[text.index(after: colon)...])
    }

    /// Returns a name without the dot at its end. `example.org.` is the same host as `example.org`.
    private static func withoutDot(_ name: Substring) -> String { String(name.hasSuffix(".") ? name.dropLast() : name) }

    /// Returns a host in canonical notation, since `[::ffff:127.0.0.1]` and 127.0.0.1 are the same machine.
    private static func plain(_ name: String) -> String { HostPlace.oneSpelling(of: name) }
}

extension Glob {
    /// Returns whether the pattern matches a text of `start`, digits and `end`, either for all digits (`anyDigits`) or
    /// for at least some.
    func matches(_ start: [UInt8], anyDigits: Bool, _ end: [UInt8]) -> Bool {
        var places = behind([0])
        for byte in start { places = step(places) { $0 == byte } }
        if anyDigits {
            // Only `*` takes whatever comes.
            places = behind(places.filter { $0 < pattern.count && pattern[$0] == UInt8(ascii: "*") })
        } else {
            let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            places = step(places, isDigit)
            var more = step(places, isDigit)
            while !more.isSubset(of: places) {
                places.formUnion(more)
                more = step(places, isDigit)
            }
        }
        for byte in end { places = step(places) { $0 == byte } }
        return places.contains(pattern.count)
    }

    /// Returns the places in the pattern that are possible after one more byte.
    private func step(_ places: Set<Int>, _ takes: (UInt8) -> Bool) -> Set<Int> {
        var next: Set<Int> = []
        for place in places where place < pattern.count {
            if pattern[place] == UInt8(ascii: "*") {
                next.insert(place)
            } else if takes(pattern[place]) {
                next.insert(place + 1)
            }
        }
        return behind(next)
    }

    /// Returns the places together with those behind a `*`, since `*` may match no byte.
    private func behind(_ places: Set<Int>) -> Set<Int> {
        var all = places
        for var place in places {
            while place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                place += 1
                all.insert(place)
            }
        }
        return all
    }
}
