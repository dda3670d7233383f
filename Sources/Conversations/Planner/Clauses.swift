import Vocabulary

/// An order of a sentence: its phrases, by their numbers among the parts.
struct Clause {
    var parts: [Int] = []
    /// Whether "then" stands before the clause. Its figures are then not for a step of an earlier clause.
    var isNext = false
}

/// The division of a sentence into its orders.
struct Clauses {
    private let parts: [Part]
    private(set) var all: [Clause] = []
    /// The numbers of the joints that a clause or a list has used.
    private(set) var used: Set<Int> = []
    /// The roles of files whose own phrase has none, since they continue a list.
    private(set) var roles: [Int: String] = [:]

    private enum Joint: Int { case none, comma, and, then }

    init(_ parts: [Part]) {
        self.parts = parts
        split()
    }

    private mutating func split() {
        var clause = Clause()
        var joint = Joint.none
        var joints: [Int] = []
        var isNext = false
        for (number, part) in parts.enumerated() {
            switch part.kind {
            case .idle, .unknown: continue
            case .pause(let isStop):
                joint = Joint(rawValue: max(joint.rawValue, (isStop ? Joint.then : .comma).rawValue)) ?? .then
                continue
            case .phrase(let meaning):
                if meaning.kind == .idle { continue }
                if meaning.kind == .start {
                    if clause.parts.isEmpty || joint != .none { used.insert(number) }
                    continue
                }
                if meaning.kind == .and || meaning.kind == .then {
                    joint =
                        Joint(rawValue: max(joint.rawValue, (meaning.kind == .then ? Joint.then : .and).rawValue))
                        ?? .then
                    // The same joint twice has no further effect.
                    if !joints.contains(where: { parts[$0].meaning?.kind == meaning.kind }) { joints.append(number) }
                    isNext = isNext || meaning.kind == .then
                    continue
                }
                if !clause.parts.isEmpty,
                    joint == .then
                        || joint != .none && begins(meaning, after: clause) && !(joint == .comma && isOpen(clause))
                {
                    all.append(clause)
                    clause = Clause(isNext: isNext)
                } else if let last = clause.parts.last, let role = role(of: last),
                    meaning.role == "object" || meaning.set != nil,
                    joint != .none
                {
                    // A list of files has one role.
                    roles[number] = role
                }
                // A joint joins orders, files, or their attributes. Elsewhere it joins nothing.
                if clause.parts.isEmpty ? !all.isEmpty : clause.parts.last.map({ isLike($0, meaning) }) ?? false {
                    used.formUnion(joints)
                }
                (joints, joint, isNext) = ([], .none, false)
                clause.parts.append(number)
            }
        }
        if !clause.parts.isEmpty { all.append(clause) }
    }

    /// Whether a clause is only a verb that saves, so that its object must follow.
    private func isOpen(_ clause: Clause) -> Bool {
        clause.parts.allSatisfy { parts[$0].meaning?.kind == .save && parts[$0].meaning?.role == nil }
    }

    private func role(of number: Int) -> String? {
        roles[number] ?? parts[number].meaning.flatMap { $0.role ?? ($0.set == nil ? nil : "object") }
    }

    private func isLike(_ number: Int, _ meaning: Meaning) -> Bool {
        guard let last = parts[number].meaning, isFileAlone(last) == isFileAlone(meaning) else { return false }
        return !isFileAlone(meaning) || meaning.set != nil || meaning.role == last.role && meaning.kind != .pronoun
            || meaning.role == "object" || meaning.role == "except"
    }

    private func isFileAlone(_ meaning: Meaning) -> Bool {
        (meaning.role != nil && meaning.kind == nil || meaning.set != nil || meaning.kind == .pronoun)
            && meaning.gives.isEmpty
            && (meaning.tools.isEmpty || meaning.joins)
    }

    /// Whether a phrase after a comma or an "and" begins a new order.
    private func begins(_ meaning: Meaning, after clause: Clause) -> Bool {
        if !meaning.tools.isEmpty || meaning.template != nil { return true }
        switch meaning.kind {
        case .light, .save, .copy, .overwrite, .look: return true
        case .kept, .pronoun, .originals, .copied, .part, .and, .then, .start, .idle, nil: break
        }
        guard meaning.role == "object" || meaning.set != nil, let last = clause.parts.last else { return false }
        let hasFiles = clause.parts.contains { role(of: $0) != nil }
        return hasFiles && role(of: last) == nil
    }
}
