import JSON
import Vocabulary

extension JobReading {
    // MARK: Log and progress

    func logTail(_ reply: JobReply, _ log: JobReply?) -> String? {
        guard let logs = provider.logs, let json = logs.request == nil ? reply.json : log?.json else { return nil }
        let found = logs.path.values(in: json)
        guard !found.isEmpty else { return nil }
        let text: String
        switch logs.mode {
        case .whole: text = found[0].string ?? ""
        case .append: text = job.logTail + (found[0].string ?? "")
        case .list:
            let entries = found.flatMap { $0.array ?? [$0] }.suffix(Limits.patternLines)
            text = entries.map { entry in (logs.text?.first(in: entry) ?? entry).string ?? "" }.joined(separator: "\n")
        }
        return tail(text.hiding(secret))
    }

    /// Returns the whole log in an answer, for outputs by pattern, or `nil` if it has none.
    func log(in json: JSON, at path: JobPath?) -> String? {
        func texts(at path: JobPath) -> [JSON] { path.values(in: json, atMost: .max).flatMap { $0.array ?? [$0] } }
        if let path {
            let own = texts(at: path).compactMap(\.string)
            if !own.isEmpty { return own.joined(separator: "\n") }
        }
        guard let logs = provider.logs else { return nil }
        let entries = texts(at: logs.path).compactMap { entry in (logs.text?.first(in: entry) ?? entry).string }
        return entries.isEmpty ? nil : entries.joined(separator: "\n")
    }

    func progress(_ reply: JobReply, _ logTail: String?) -> Double? {
        let part: Double?
        switch provider.progress {
        case nil: return nil
        case .path(let path, let scale)?: part = reply.json.flatMap { path.first(in: $0) }?.number.map { $0 / scale }
        case .ratio(let done, let total)?:
            guard let json = reply.json, let done = done.first(in: json)?.number,
                let total = total.first(in: json)?.number, total > 0
            else {
                return nil
            }
            part = done / total
        case .pattern(let pattern, let source, let scale)?:
            let text: String?
            switch source {
            case .logs: text = logTail
            case .path(let path): text = reply.json.flatMap { path.first(in: $0) }?.string
            }
            // An unchanged text is not searched again, since most checks find no change.
            if let text, text == job.logTail, let known = job.progress { return known }
            part = text.flatMap { JobPattern(pattern)?.lastGroup(in: $0) }.flatMap { Double($0) }.map { $0 / scale }
        }
        return part.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    }
}
