import Vocabulary

/// What the database and the typed keys say about one run: the oracle of the order of lines.
struct StoredOrder {
    struct Flow {
        var id: WorkflowID
        var title: String
        /// The mark that only this workflow, its files and its words bear, such as `k007`.
        var mark: String
        var outcome: Outcome?
        /// The ends of the workflow that are stored. A retry makes another one.
        var ends: Int
        /// The titles of its steps that ended, in the order of `seq`, and the place of each open question among them.
        var rows: [Row]
        /// The names of the files that the last end lists.
        var files: [String]
        /// The console whose engine ran it last, or `nil` for another process.
        var carrier: Int?
    }

    enum Row: Equatable {
        case step(String)
        case asked(Int64)
        case end
    }

    struct Asked {
        var number: Int64
        var flow: WorkflowID
        var isOpen: Bool
        /// Whether it is about a call, so that a verb at its own console asks it at once.
        var isAboutCall: Bool
    }

    var flows: [Flow] = []
    var asked: [Asked] = []
    /// The texts of all messages of people.
    var said: Set<String> = []
}

/// A line that was typed and entered at a console.
struct TypedOrder {
    enum Kind { case sentence, run, other, key }

    var console: Int
    var line: String
    var kind: Kind
    /// The mark of the workflow that it begins, or that it is about.
    var mark: String
    /// Whether the person left a question of the workflow without an answer.
    var isLeft = false
}

struct OrderFault: Hashable, CustomStringConvertible {
    enum Kind: String {
        case early, twice, lost, intoQuestion, wrongNumber, order, resultAfterEnd, unnumbered, stranger
    }

    var kind: Kind
    var words: String
    var description: String { "\(kind.rawValue): \(words)" }
}

/// A line of a transcript, of one row or more.
struct OrderLine {
    enum Kind: Equatable {
        case entered(String), answer(String), plan, begun(Int), question, result, end(Int), need(Int), waits(Int)
        case chips([String]), words
    }

    var kind: Kind
    /// All its rows without spaces.
    var text: String
    var row: Int
    var isAtMargin: Bool
    /// The number of the workflow before the line.
    var lead: Int?

    /// The numbers after `w` in `(w3,` and `/show w3`.
    var shown: Int? { text.matches(of: /\/show(?:\w)?w?(\d+)/).last.flatMap { Int($0.1) } }
    /// The marks that the line holds.
    var marks: [String] { text.matches(of: /k\d{3}/).map { String($0.0) } }

    static func all(in rows: [String]) -> [OrderLine] {
        var lines: [OrderLine] = []
        for (index, whole) in rows.enumerated() where !whole.isEmpty {
            let led = whole.wholeMatch(of: #/  w(\d+)(  .*)/#)
            let row = led.map { String($0.2) } ?? whole
            let lead = led.flatMap { Int($0.1) }
            let squeezed = row.filter { $0 != " " }
            if let kind = kind(of: row) {
                lines.append(
                    OrderLine(kind: kind, text: squeezed, row: index, isAtMargin: row.first != " ", lead: lead))
            } else if row.first != " " || lines.isEmpty {
                lines.append(OrderLine(kind: .words, text: squeezed, row: index, isAtMargin: row.first != " "))
            } else {
                lines[lines.count - 1].text += squeezed
            }
        }
        return lines
    }

    /// Returns the kind of a row that begins a line, or nil for a row that goes on or says other words.
    private static func kind(of row: String) -> Kind? {
        if let found = row.wholeMatch(of: /(?:\[\d+⚑\] )?(?:\d+ orders? waiting )?(?:\S+ )?› ?(.*)/), row.first != " " {
            return .entered(String(found.1).trimmed)
        }
        if let found = row.firstMatch(of: /^   › (.*)/) { return .answer(String(found.1).trimmed) }
        if let found = row.firstMatch(of: /^[✓✗⊘!] w(\d+)\b/) { return .end(Int(found.1) ?? 0) }
        if let found = row.firstMatch(of: /^⚑ w(\d+) waits/) { return .waits(Int(found.1) ?? 0) }
        // What became of an entry that was news before.
        if row.firstMatch(of: #/^⚑ \d+ ".*" \(w\d+\)/#) != nil { return .words }
        if row.hasPrefix("⚑ ") { return .need(0) }
        if row.hasPrefix("  plan  \"") { return .plan }
        if let found = row.firstMatch(of: /^  w(\d+) has begun/) { return .begun(Int(found.1) ?? 0) }
        if row.hasPrefix(" why not?") { return .words }
        if row.hasPrefix(" ? ") { return .question }
        if row.firstMatch(of: #/^  [▣▤▢◧] /#) != nil { return .result }
        if row.firstMatch(of: /^  [✓✗⊘!] \S/) != nil { return .chips(chips(in: row)) }
        return nil
    }

    /// Returns the titles of the steps in a row such as `  ✓ Resize 0.1 s   ✓ Grayscale 0.1 s`.
    private static func chips(in row: String) -> [String] {
        row.matches(of: /[✓✗⊘!] ([A-Z][A-Za-z ]*?)(?: cancelled)?(?::| \d| ·| exit|$|   )/).map { String($0.1) }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

/// Holds the transcript of one console against what is stored.
struct OrderOracle {
    let stored: StoredOrder
    let typed: [TypedOrder]
    let console: Int

    private struct Place {
        var plan: Int?
        var began: Int?
        var rows: [Int] = []
        var results: [Int] = []
        var ends: [Int] = []
        var needs: [Int64: [Int]] = [:]
        var questions: [Int] = []
        var waits: [Int] = []
        /// The rows that are still expected, in their order.
        var expected: [StoredOrder.Row] = []
    }

    /// Returns what is wrong with the rows that the console shows.
    func faults(in rows: [String]) -> [OrderFault] {
        let lines = OrderLine.all(in: rows)
        var faults: Set<OrderFault> = []
        func fault(_ kind: OrderFault.Kind, _ words: String) { faults.insert(OrderFault(kind: kind, words: words)) }
        var places: [Int: Place] = [:]
        let flows = Dictionary(stored.flows.map { (Int($0.id.number), $0) }, uniquingKeysWith: { first, _ in first })
        let numbers = Dictionary(
            stored.flows.map { ($0.mark, Int($0.id.number)) }, uniquingKeysWith: { first, _ in first })
        let asked = Dictionary(stored.asked.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        for flow in stored.flows { places[Int(flow.id.number), default: Place()].expected = flow.rows }
        /// The workflow of the marks in a line, which its number must agree with.
        func check(_ number: Int?, _ line: OrderLine) -> Int? {
            let marked = line.marks.first.flatMap { numbers[$0] }
            if let number, flows[number] == nil || marked.map({ $0 != number }) ?? false {
                fault(.wrongNumber, line.text)
                return nil
            }
            return number ?? marked
        }
        /// The workflows at whose questions keys were typed here.
        let keys = typed.filter { $0.console == console && $0.kind == .key }
        // A question that was left has no answer below it.
        let keyed = Set(keys.map(\.mark)).subtracting(keys.filter { $0.line == "\u{1B}" }.map(\.mark))
        var open: Int?
        for (index, line) in lines.enumerated() {
            // Between a question and its answer stands nothing else at the margin.
            if open != nil {
                switch line.kind {
                case .answer: open = nil
                case .question: open = line.marks.first.map(keyed.contains) ?? false ? index : nil
                case .end, .need, .waits, .chips, .result, .plan, .begun:
                    fault(.intoQuestion, "\(line.text) after \(lines[open!].text.prefix(40))")
                case .words: if line.isAtMargin { open = nil }
                case .entered: open = nil
                }
            } else if line.kind == .question, !line.text.hasPrefix("?cends"),
                line.marks.first.map(keyed.contains) ?? false
            {
                open = index
            }
            switch line.kind {
            case .plan:
                if let id = check(nil, line), places[id]?.plan == nil {
                    places[id]?.plan = index
                } else {
                    fault(.twice, line.text)
                }
            case .begun(let id):
                guard let id = check(id, line) else { break }
                if places[id]?.began != nil { fault(.twice, line.text) }
                places[id]?.began = index
            case .question: if let id = check(nil, line) { places[id]?.questions.append(index) }
            case .end(let id): if let id = check(id, line) { places[id]?.ends.append(index) }
            case .waits(let id): if let id = check(id, line) { places[id]?.waits.append(index) }
            case .need:
                let id = line.text.firstMatch(of: /\(w(\d+),/).flatMap { Int($0.1) }
                let number = line.text.firstMatch(of: /\/(?:open|approve)(\d+)$/).flatMap { Int64($0.1) }
                guard let id = check(id, line), let number else {
                    fault(.stranger, line.text)
                    break
                }
                guard asked[number]?.flow.number == Int64(id) else {
                    fault(.wrongNumber, line.text)
                    break
                }
                places[id]?.needs[number, default: []].append(index)
            case .result:
                let id = line.shown
                if id == nil { fault(.stranger, line.text) }
                if let lead = line.lead, let id, lead != id { fault(.wrongNumber, "w\(lead) before \(line.text)") }
                if let id = check(id, line) {
                    if let before = places[id]?.results, before.contains(where: { lines[$0].text == line.text }) {
                        fault(.twice, line.text)
                    }
                    places[id]?.results.append(index)
                }
            case .chips(let titles):
                if titles.isEmpty { fault(.stranger, line.text) }
                if line.lead != nil, check(line.lead, line) == nil { break }
                for title in titles { take(title, at: index) }
            case .entered, .answer, .words: break
            }
        }
        /// Gives a finished step to the followed workflow that expects it next.
        func take(_ title: String, at index: Int) {
            let lead = lines[index].lead
            // Rows of verbs bear their number.
            let open = places.filter { $1.plan != nil && isFollowed($0) && (lead ?? $0) == $0 }.keys
                .sorted { (isVerb($0) && lead == nil ? 1 : 0, $0) < (isVerb($1) && lead == nil ? 1 : 0, $1) }
            let next = open.first { id in
                places[id]!.expected.first { if case .step = $0 { true } else { false } } == .step(title)
            }
            guard let id = next ?? open.first(where: { places[$0]!.expected.contains(.step(title)) }) else {
                return fault(.stranger, "\(title): \(lines[index].text)")
            }
            let place = places[id]!.expected.firstIndex(of: .step(title))!
            let isInOrder = places[id]!.expected[..<place].allSatisfy { if case .step = $0 { false } else { true } }
            if !isInOrder { fault(.order, "\(lines[index].text) of w\(id)") }
            places[id]!.expected.remove(at: place)
            places[id]!.rows.append(index)
            // A step that ended before its workflow asked stands above the question.
            let asks = flows[id]!.rows
            if let at = asks.firstIndex(of: .step(title)), asks.filter({ $0 == .step(title) }).count == 1,
                let question = places[id]!.questions.first,
                asks[at...].contains(where: { if case .asked = $0 { true } else { false } }), question < index,
                !asks[..<at].contains(where: { if case .asked = $0 { true } else { false } })
            {
                fault(.order, "\(lines[index].text) of w\(id) below its question")
            }
        }
        func isVerb(_ id: Int) -> Bool {
            typed.contains { $0.console == console && $0.mark == flows[id]?.mark && $0.kind == .run }
        }
        func isFollowed(_ id: Int) -> Bool {
            guard let mark = flows[id]?.mark else { return false }
            return typed.contains {
                $0.console == console && $0.mark == mark && ($0.kind == .sentence || $0.kind == .run)
            }
        }
        for (id, place) in places {
            let flow = flows[id]!
            let own = typed.first {
                $0.console == console && $0.mark == flow.mark && ($0.kind == .sentence || $0.kind == .run)
            }
            let begins = own.flatMap { own in lines.firstIndex { $0.kind == .entered(own.line) } }
            let needs = place.needs.values.flatMap { $0 }
            let all = place.rows + place.results + place.ends + needs + place.questions + place.waits
            // Early.
            for index in all + [place.plan, place.began].compactMap(\.self) {
                if let begins, index < begins { fault(.early, lines[index].text) }
                if own?.kind == .run, let plan = place.plan, index < plan { fault(.early, lines[index].text) }
            }
            if let last = place.ends.last {
                for index in place.results where index > last {
                    fault(.resultAfterEnd, lines[index].text)
                }
                for index in place.rows + needs where index > last && place.ends.count == flow.ends {
                    fault(.early, "\(lines[last].text) above \(lines[index].text)")
                }
            }
            for end in place.ends.prefix(1) {
                for index in needs where index > end && flow.ends == 1 {
                    fault(.early, "\(lines[end].text) above \(lines[index].text)")
                }
            }
            // Twice.
            if place.ends.count > max(flow.ends, 0) { fault(.twice, lines[place.ends.last!].text) }
            for (number, told) in place.needs {
                if told.count > 1 { fault(.twice, lines[told[1]].text) }
                // Asked here at once, it is no news.
                if let own,
                    stored.asked.first(where: { $0.number == number })?.isAboutCall ?? false || own.kind == .sentence,
                    let question = place.questions.first,
                    isFirst(number, of: flow), abs(question - told[0]) <= 3
                {
                    fault(.twice, "\(lines[told[0]].text), and asked here")
                }
            }
            // Lost.
            let isLeft = own.map {
                $0.isLeft || $0.kind == .run && stored.asked.contains { $0.flow == flow.id && !$0.isAboutCall }
            }
            if own != nil, begins != nil {
                if place.plan == nil { fault(.lost, "the plan of w\(id)") }
                if isLeft == false, flow.outcome == .succeeded, flow.ends == 1 {
                    for row in place.expected { if case .step(let title) = row { fault(.lost, "\(title) of w\(id)") } }
                    for file in flow.files where !place.results.contains(where: { lines[$0].text.contains(file) }) {
                        fault(.lost, "the result \(file) of w\(id)")
                    }
                }
            }
            // A verb that follows its workflow to the end shows its rows instead of news.
            let isShown = own?.kind == .run && isLeft == false && !(place.rows + place.results).isEmpty
            if flow.outcome != nil, flow.carrier == console, own?.kind != .sentence, place.ends.isEmpty, !isShown {
                fault(.lost, "the end of w\(id)")
            }
            for ask in stored.asked where ask.flow == flow.id && ask.isOpen {
                if place.needs[ask.number] == nil, place.questions.isEmpty {
                    fault(.lost, "the question \(ask.number)")
                }
            }
            // Without its number in the block of a turn.
            for other in stored.flows where other.id != flow.id && own != nil {
                guard typed.contains(where: { $0.console == console && $0.mark == other.mark && $0.kind == .sentence }),
                    let last = places[Int(other.id.number)]?.results.last, let plan = places[Int(other.id.number)]?.plan
                else { continue }
                for index in place.rows + place.results where index > plan && index < last && lines[index].lead == nil {
                    fault(.unnumbered, "\(lines[index].text) of w\(id) in the turn of w\(other.id.number)")
                }
            }
        }
        // Each line that was entered stands there, once.
        for own in typed where own.console == console && own.kind != .key {
            let count = lines.count { $0.kind == .entered(own.line) || $0.kind == .answer(own.line) }
            if count == 0 { fault(.lost, "the line \(own.line)") }
            let times = typed.count { $0.console == console && $0.line == own.line }
            if count > times { fault(.twice, "the line \(own.line)") }
            if own.kind == .sentence, !stored.said.contains(own.line),
                !lines.contains(where: { $0.kind == .answer(own.line) })
            {
                fault(.lost, "the words \(own.line)")
            }
        }
        return faults.sorted { $0.description < $1.description }
    }

    private func isFirst(_ number: Int64, of flow: StoredOrder.Flow) -> Bool {
        stored.asked.filter { $0.flow == flow.id }.map(\.number).min() == number
    }
}
