import Glibc
import Harness
import Testing

/// A number that a test counts in the repository, with the places that it counts.
struct Figure {
    var name: String
    var value: Int
    /// The places, each with a path below `Sources` if it has one. Empty if the figure has none.
    var places: [String] = []
}

/// The highest values that figures may have, from a text file with one `name value` a line. They may only fall.
struct Bounds {
    /// The ways to rewrite the file, by the value of the environment variable `WRITE_FIGURES`.
    enum Rewriting: String {
        /// Lowers each bound to its figure if that is lower, adds new figures, and removes the bounds of others.
        case lower = "1"
        /// Sets each bound to its figure. For the merge of changes that were made at the same time.
        case all
    }

    /// Figures that grow with every line: their bounds are multiples of a step, and never below a least value.
    private static let coarse = ["largest-module": (step: 500, least: 10_000)]
    /// The most places that a fault lists.
    private static let mostPlaces = 40

    private(set) var most: [String: Int] = [:]
    /// The lines that do not have the form `name value`.
    private var unreadable: [String] = []

    /// Reads a file of bounds. Empty lines and notes that begin with `#` do not count.
    init(_ file: [UInt8]) {
        for (_, line) in file.lines() where !line.isEmpty && line.first != UInt8(ascii: "#") {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            if words.count == 2, let value = Int(words[1]) {
                most[String(words[0])] = value
            } else {
                unreadable.append(words.joined(separator: " "))
            }
        }
    }

    /// Returns the lowest bound under which a figure may stand.
    static func lowest(for figure: Figure) -> Int {
        guard let (step, least) = coarse[figure.name] else { return figure.value }
        return max(least, (figure.value + step - 1) / step * step)
    }

    mutating func rewrite(for figures: [Figure], _ rewriting: Rewriting) {
        let now = Dictionary(uniqueKeysWithValues: figures.map { ($0.name, Self.lowest(for: $0)) })
        unreadable = []
        switch rewriting {
        case .lower: most = now.merging(most.filter { now[$0.key] != nil }, uniquingKeysWith: min)
        case .all: most = now
        }
    }

    /// The bounds as they stand in their file, sorted.
    var text: String {
        """
        # The highest values that these figures may have (docs/design/testing.md, "Tests of the repository").
        # `make figures` lowers them to today's values.

        """ + most.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    }

    /// Returns what is wrong with the figures: those above their bounds with their places, those without a bound, and
    /// bounds without a figure.
    func faults(of figures: [Figure]) -> [String] {
        let names = Set(figures.map(\.name))
        let unknown = most.keys.filter { !names.contains($0) }.sorted()
        return unreadable.map { "\"\($0)\" does not have the form \"name value\"" }
            + unknown.map { "\($0) has a bound, but no figure: run `make figures`" }
            + figures.compactMap { figure in
                guard let bound = most[figure.name] else {
                    return "\(figure.name) has no bound: run `make figures`"
                }
                guard figure.value > bound else { return nil }
                let places = Self.newestFirst(figure.places)
                let left = places.count - Self.mostPlaces
                return
                    (["\(figure.name) is \(figure.value), at most \(bound) is allowed"]
                    + (places.isEmpty ? [] : ["  its places, those in the files that were changed last first:"])
                    + places.prefix(Self.mostPlaces).map { "  \($0)" } + (left > 0 ? ["  … \(left) more"] : []))
                    .joined(separator: "\n")
            }
    }

    /// Returns the names of the figures that are below their bounds, with both values.
    func loose(_ figures: [Figure]) -> [String] {
        figures.compactMap { figure in
            guard let bound = most[figure.name], Self.lowest(for: figure) < bound else { return nil }
            return "\(figure.name) \(bound) → \(Self.lowest(for: figure))"
        }
    }

    /// Returns places in the order in which their files were changed, the newest first.
    private static func newestFirst(_ places: [String]) -> [String] {
        var known: [Substring: Int] = [:]
        let dated = places.map { place in
            let files = place.split { $0 == " " || $0 == ":" }.filter { $0.hasSuffix(".swift") }
            let times = files.map { file in
                if let time = known[file] { return time }
                let time = House.changed("Sources/\(file)")
                known[file] = time
                return time
            }
            return (place: place, time: times.max() ?? 0)
        }
        return dated.enumerated().sorted { ($0.element.time, $1.offset) > ($1.element.time, $0.offset) }
            .map(\.element.place)
    }
}

extension Bounds {
    /// Holds figures against the file of bounds at `path`, and rewrites the file first if `WRITE_FIGURES` says so.
    static func hold(
        _ figures: [Figure], at path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var bounds = Bounds(House.bytes(at: path) ?? [])
        if let value = getenv("WRITE_FIGURES").map({ String(cString: $0) }) {
            let rewriting = try #require(
                Rewriting(rawValue: value), "WRITE_FIGURES is \"\(value)\", not 1 or all",
                sourceLocation: sourceLocation)
            bounds.rewrite(for: figures, rewriting)
            try ScratchFolder.write(bounds.text, to: "\(House.top)/\(path)")
        }
        let faults = bounds.faults(of: figures)
        #expect(faults.isEmpty, "\(path):\n\(faults.joined(separator: "\n"))", sourceLocation: sourceLocation)
        let loose = bounds.loose(figures)
        if !loose.isEmpty { print("`make figures` would lower in \(path): \(loose.joined(separator: ", "))") }
    }
}

extension House {
    /// Returns when a file was last changed, in seconds since 1970, or 0 if it does not exist.
    fileprivate static func changed(_ path: String) -> Int {
        var status = stat()
        return stat("\(top)/\(path)", &status) == 0 ? status.st_mtim.tv_sec : 0
    }
}
