import GRDB
package import Vocabulary

extension Archive {
    /// Deletes a workflow and all rows about it, in one transaction. The results of its runs stay in the asset store
    /// until that is freed, and pinned assets stay pinned. Its numbers are never used again. On a full disk, the
    /// reserve is deleted to make space.
    ///
    /// - Throws: `unknownWorkflow`, or `workflowUnderWay` if it has not ended or if a command for it waits. A workflow
    ///   in quarantine can be deleted, since no engine owns it.
    package func delete(_ id: WorkflowID) throws(Failure) {
        try withReserve { () throws(Failure) in try deleteRows(of: id) }
    }

    private func deleteRows(of id: WorkflowID) throws(Failure) {
        try write(isPrecious: true) { db in
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT outcome FROM workflows WHERE id = ?", arguments: [id.number])
            else {
                throw Failure(.unknownWorkflow, "There is no workflow \(id).", remedy: "See 'assent list'.")
            }
            let waiting = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM commands WHERE workflow = ? AND taken_at IS NULL", arguments: [id.number]
            )
            let isAside = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM quarantine WHERE workflow = ?)", arguments: [id.number])
            guard isAside == true || (row["outcome"] as String? != nil && waiting == 0) else {
                throw Failure(
                    .workflowUnderWay, "\(id) is under way.", remedy: "Cancel it first: 'assent cancel \(id)'")
            }
            for table in Self.tablesOfWorkflow {
                try db.execute(sql: "DELETE FROM \(table) WHERE workflow = ?", arguments: [id.number])
            }
            try db.execute(sql: "DELETE FROM workflows WHERE id = ?", arguments: [id.number])
        }
    }

    /// The tables whose rows are deleted with a workflow. A table that refers to another one stands before it. A test
    /// holds that no table with a column `workflow` is missing.
    static let tablesOfWorkflow = [
        "approvals", "awaits", "decisions", "pins", "assets", "runs", "commands", "graph_revisions", "events", "steps",
        "quarantine", "imports", "heard", "told", "graphs",
    ]

    /// Archives a workflow, which hides it from lists, or takes it out of the archive. Its engine is not asked.
    ///
    /// - Returns: false if the workflow was in that state already.
    package func archive(_ id: WorkflowID, _ isArchived: Bool, by: String, at now: Moment) throws(Failure) -> Bool {
        try write { db in
            try db.execute(
                sql: "UPDATE workflows SET archived_at = ? WHERE id = ? AND (archived_at IS NULL) = ?",
                arguments: [isArchived ? now.milliseconds : nil, id.number, isArchived])
            guard db.changesCount == 1 else { return false }
            let reason =
                isArchived
                ? Reason(.archived, "It was archived.") : Reason(.unarchived, "It was taken out of the archive.")
            try Self.insert([Event(at: now, workflow: id, .workflowChanged(reason, by: by))], db)
            return true
        }
    }
}
