extension Limits {
    /// The most bytes of a line pattern as it is written.
    fileprivate static let patternBytes = 256
}

/// A regular expression that is tried on one line of a stranger's text, in bounded time.
///
/// All ways to match are followed side by side (Thompson's machine with Pike's captures). So a search costs at most
/// the length of the line times the size of the pattern, whatever the line says. The standard library's `Regex` goes
/// one way and back again: `a*a*a*a*a*b` takes ten seconds on 64 letters, and can be neither bounded nor stopped.
package struct LinePattern: Hashable, Sendable {
    /// An instruction of the machine.
    enum Instruction: Hashable {
        /// Reads one sign of the line.
        case read(LinePatternSign)
        case at(Anchor)
        /// Remembers where the first group begins, and where it ends.
        case open, close
        /// Continues at both places. The first is preferred.
        case split(Int, Int)
        case jump(Int)
        case match
    }

    enum Anchor: Hashable { case start, end, word, noWord }

    fileprivate let ops: [Instruction]
    private let hasGroup: Bool
    private let isAnchored: Bool
    /// The plain signs with which every match begins.
    private let beginning: [Unicode.Scalar]

    /// Creates a pattern that a part of a line may match.
    ///
    /// - Throws: the error in the text, as the rest of a sentence that begins with "it".
    package init(_ text: String) throws(LinePatternFault) { try self.init(text, isWhole: false) }

    /// Creates a pattern that must match a whole line.
    ///
    /// - Throws: the error in the text, as the rest of a sentence that begins with "it".
    package init(whole text: String) throws(LinePatternFault) {
        // Alone first: a text that closes a group of its own would else close the group around it.
        _ = try LinePattern(text)
        try self.init(text, isWhole: true)
    }

    private init(_ text: String, isWhole: Bool) throws(LinePatternFault) {
        guard !text.isEmpty, text.utf8.count <= Limits.patternBytes else {
            throw LinePatternFault(words: "is empty, or longer than \(Limits.patternBytes) bytes")
        }
        var reader = LinePatternReader(isWhole ? "^(" + text + ")$" : text)
        (ops, hasGroup) = try reader.program()
        var beginning: [Unicode.Scalar] = []
        var isAnchored = false
        walk: for op in ops {
            switch op {
            case .open, .close: break
            case .at(.start) where beginning.isEmpty: isAnchored = true
            case .read(.one(let scalar)): beginning.append(scalar)
            case .read, .at, .split, .jump, .match: break walk
            }
        }
        (self.beginning, self.isAnchored) = (beginning, isAnchored)
    }

    package struct Hit: Hashable, Sendable {
        package var range: Range<Int>
        /// The range of the first group, or of the whole match if there are no groups. It is `nil` if the group took no
        /// part in the match.
        package var group: Range<Int>?
    }

    package enum Search: Hashable, Sendable {
        case match(Hit)
        /// No match was found.
        ///
        /// - isBegun: whether the line ends inside a possible match: at least three of the plain signs with which every
        ///   match begins are there.
        case none(isBegun: Bool)
        /// The steps were used up before the answer was known.
        case unfinished
    }

    /// Returns the first match at or behind `start`. If several begin at the same place, the pattern decides which is
    /// preferred.
    ///
    /// - Parameters:
    ///   - line: the scalars of a line.
    ///   - steps: the number of steps that the machine may still make. It is reduced by the steps that were made.
    package func first(in line: [Unicode.Scalar], from start: Int = 0, steps: inout Int) -> Search {
        guard start == 0 || !isAnchored else { return .none(isBegun: false) }
        var machine = Machine(ops: ops, line: line)
        var found: Hit?
        for place in start...max(start, line.count) {
            if found == nil, place == start || !isAnchored {
                // Most lines have nothing to do with it.
                let canBegin = beginning.first.map { place < line.count && line[place] == $0 } ?? true
                if canBegin { machine.add(Thread(op: 0, from: place), at: place) }
            }
            if let thread = machine.step(at: place) {
                let isClosed = thread.open >= 0 && thread.close >= thread.open
                let group = isClosed ? thread.open..<thread.close : nil
                found = Hit(range: thread.from..<place, group: hasGroup ? group : thread.from..<place)
            }
            if machine.isIdle, found != nil || isAnchored { break }
            guard steps > machine.steps + place - start else {
                steps = 0
                return .unfinished
            }
        }
        steps -= machine.steps + line.count - start
        if let found { return .match(found) }
        return .none(
            isBegun: beginning.count >= Self.leastBeginning
                && machine.cutOff.contains { line.count - $0 >= beginning.count })
    }

    /// The number of plain signs from which on the beginning of a match is significant.
    private static let leastBeginning = 3
}

/// A partial match that the machine follows, beside others.
private struct Thread {
    var op: Int
    var from: Int
    var open = -1
    var close = -1
}

private struct Machine {
    let ops: [LinePattern.Instruction]
    let line: [Unicode.Scalar]
    /// The threads that read the sign at the current place, the preferred ones first. `ready` holds those that read the
    /// next sign.
    private var current: [Thread] = []
    private var ready: [Thread] = []
    private var waiting: [Thread] = []
    /// The last place at which each instruction was reached.
    private var reached: [Int]
    private(set) var steps = 0
    /// The beginnings of the threads that could have read beyond the end of the line.
    private(set) var cutOff: [Int] = []

    init(ops: [LinePattern.Instruction], line: [Unicode.Scalar]) {
        (self.ops, self.line) = (ops, line)
        reached = [Int](repeating: -1, count: ops.count)
    }

    var isIdle: Bool { current.isEmpty }

    mutating func add(_ thread: Thread, at place: Int) {
        follow(thread, at: place)
        current += ready
        ready.removeAll(keepingCapacity: true)
    }

    /// Reads the sign at a place.
    ///
    /// - Returns: the thread that matched, if there is one. Less preferred threads end with it.
    mutating func step(at place: Int) -> Thread? {
        var matched: Thread?
        for thread in current {
            steps += 1
            guard case .read(let sign) = ops[thread.op] else {
                matched = thread
                break
            }
            if place == line.count {
                cutOff.append(thread.from)
            } else if sign.matches(line[place]) {
                var further = thread
                further.op += 1
                follow(further, at: place + 1)
            }
        }
        (current, ready) = (ready, current)
        ready.removeAll(keepingCapacity: true)
        return matched
    }

    /// Follows a thread up to whatever reads a sign, or matches. Each instruction is reached once at a place, by the
    /// preferred way.
    private mutating func follow(_ thread: Thread, at place: Int) {
        waiting.append(thread)
        while var thread = waiting.popLast() {
            steps += 1
            guard reached[thread.op] != place else { continue }
            reached[thread.op] = place
            switch ops[thread.op] {
            case .read, .match:
                ready.append(thread)
                continue
            case .at(let edge):
                guard isAt(edge, place) else { continue }
            case .open: thread.open = place
            case .close: thread.close = place
            case .split(let preferred, let other):
                var second = thread
                second.op = other
                waiting.append(second)
                thread.op = preferred - 1
            case .jump(let target): thread.op = target - 1
            }
            thread.op += 1
            waiting.append(thread)
        }
    }

    private func isAt(_ edge: LinePattern.Anchor, _ place: Int) -> Bool {
        func isWord(_ place: Int) -> Bool {
            line.indices.contains(place) && LinePatternSign.Kind.word.holds(line[place])
        }
        switch edge {
        case .start: return place == 0
        case .end: return place == line.count
        case .word: return isWord(place - 1) != isWord(place)
        case .noWord: return isWord(place - 1) == isWord(place)
        }
    }
}
