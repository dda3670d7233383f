import JSON
import Vocabulary

/// The last order with changes: "no, 600", "the other way", "again, but 400 px".
extension ThreadLine {
    /// The last order turned the other way.
    var turned: [String] {
        for pair in words["opposites"] ?? [] {
            let sides = pair.split(separator: "|").map(String.init)
            guard sides.count == 2 else { continue }
            for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                guard let place = thread.order.place(of: one) else { continue }
                return [thread.order.replacing(place, with: other)]
            }
        }
        return (words["turn"] ?? []).map { "\(thread.order) \($0)" }
    }

    /// Returns the last order with the figures, formats and places of a text in the place of its own.
    func changed(by text: String, in original: String? = nil) -> [String] {
        var order = original ?? thread.order
        var isChanged = false
        for new in parts(text) {
            guard let meaning = new.meaning, meaning.kind != .idle else { continue }
            if let span = span(of: new, in: parts(order), order) {
                order = order.replacing(span, with: replacing(new, text))
                isChanged = true
            } else if !meaning.gives.isEmpty || ["to", "folder", "place", "as", "name"].contains(meaning.role ?? "") {
                order += " \(new.text)"
                isChanged = true
            }
        }
        return isChanged ? [order] : []
    }

    /// Returns the words of a part that take the place of others: only the figure of "600", all of "600 px wide".
    private func replacing(_ new: Part, _ text: String) -> String {
        guard new.meaning?.gives.map(\.name) == ["bare"], let span = new.span(of: "n") else { return new.text }
        return String(Array(text)[span])
    }

    /// Returns the place in the last order of the words that a part replaces. Returns nil if there are none.
    private func span(of new: Part, in old: [Part], _ order: String) -> Range<Int>? {
        guard let meaning = new.meaning else { return nil }
        let names = meaning.gives.map(\.name)
        if names == ["bare"] {
            let figures = old.compactMap { $0.span(of: "n") ?? $0.span(of: "b") }
            let numbers = figures.filter { span in Array(order)[span].contains(where: \.isNumber) }
            return numbers.count == 1 ? numbers[0].figure(in: order) : nil
        }
        if !names.isEmpty {
            let kinds = Self.kinds(of: names)
            let twins = old.filter { part in
                part.meaning.map { !Self.kinds(of: $0.gives.map(\.name)).isDisjoint(with: kinds) } ?? false
            }
            return twins.count == 1 ? twins[0].whole : nil
        }
        let places: Set = ["to", "folder", "place", "as", "name"]
        if let role = meaning.role, places.contains(role) {
            return old.first { places.contains($0.meaning?.role ?? "") }?.whole
        }
        return nil
    }

    /// Returns the kinds of figures that take the place of each other.
    private static func kinds(of names: [String]) -> Set<String> {
        Set(
            names.map { name in
                switch name {
                case "width", "height", "side", "box", "longest", "percent", "share", "less", "more", "megapixels":
                    "size"
                case "angle", "leftward": "turn"
                default: name
                }
            })
    }
}

extension Part {
    /// The place of all its words in the line.
    fileprivate var whole: Range<Int>? {
        guard let first = spans.first, let last = spans.last else { return nil }
        return first.lowerBound..<last.upperBound
    }
}

extension Range where Bound == Int {
    /// Returns the part of the range that holds only the digits of a figure, without its unit.
    fileprivate func figure(in line: String) -> Range<Int> {
        let signs = Array(line)
        let end = self.first { !signs[$0].isNumber && !".,".contains(signs[$0]) } ?? upperBound
        return lowerBound..<end
    }
}
