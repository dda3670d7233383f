import Actions
import JSON
import Vocabulary

extension InboxEntry {
    /// Returns the whole await as JSON, without the draft of a person's answer.
    func json(at now: Moment) -> JSON {
        let status = record.status(at: now)
        let isOver = status == .done
        return .of([
            "number": .int(Int(record.number)), "kind": .string(record.type.rawValue),
            "status": .string(status.rawValue),
            "workflow": .string(record.step.workflow.description), "step": .int(record.step.index),
            "node": node.isEmpty ? nil : .string(node), "title": .string(record.title),
            "reason": .string(record.reason),
            "urgency": .string(record.urgency.rawValue), "digest": record.digest.map { .string($0.hex) },
            "link": .string(record.link),
            "created": .string(record.createdAt.description),
            "expires": record.expiresAt.map { .string($0.description) },
            "until": status == .pending || isOver ? nil : record.until.map { .string($0.description) },
            "claim": record.claim == 0 ? nil : .int(record.claim),
            "claimedBy": status == .claimed ? record.claimedBy.map { .string($0) } : nil,
            "snoozes": .int(record.snoozes),
            "hasDraft": record.draft == nil ? nil : true, "blocking": .bool(!blocked.isEmpty),
            "blocks": .array(
                blocked.map { ["step": .int($0.step), "node": .string($0.node), "title": .string($0.title)] }),
            "resolution": record.resolution.map { .string($0) }, "answeredBy": record.answeredBy.map { .string($0) },
            "closed": record.closedAt.map { .string($0.description) }, "call": record.question?["call"],
            "request": record.isAboutCall ? nil : record.request?.json ?? record.question,
        ])
    }
}
