import GRDB
package import Vocabulary

extension Limits {
    /// The most lessons from a server's refusals that are read for one model.
    fileprivate static let keptLessons = 50
}

/// Storage of what the refusals of servers taught about models, by address and model.
extension Archive {
    /// Returns the lessons about a model, oldest first.
    ///
    /// - Parameter address: the base of the server's addresses, as the user wrote it.
    package func lessons(at address: String, model: String) throws(Failure) -> [ModelLesson] {
        try read { db in
            try String.fetchAll(
                db, sql: "SELECT lesson FROM model_lessons WHERE address = ? AND model = ? ORDER BY at, lesson LIMIT ?",
                arguments: [address, model, Limits.keptLessons]
            ).compactMap { ModelLesson(text: $0) }
        }
    }

    /// Stores a lesson. It replaces an earlier lesson of the same kind, such as another window.
    package func learn(_ lesson: ModelLesson, at address: String, model: String, on now: Moment) throws(Failure) {
        try write { db in
            let kind = String(lesson.text.prefix { $0 != " " })
            try db.execute(
                sql:
                    "DELETE FROM model_lessons WHERE address = ? AND model = ? AND (lesson = ? OR lesson LIKE ? || ' %')",
                arguments: [address, model, kind, kind])
            try db.execute(
                sql: "INSERT INTO model_lessons (address, model, lesson, at) VALUES (?, ?, ?, ?)",
                arguments: [address, model, lesson.text, now.milliseconds])
        }
    }

    /// Deletes lessons.
    ///
    /// - Parameter model: the model whose lessons are deleted, or nil for those of all models.
    /// - Returns: how many were deleted.
    package func forgetLessons(ofModel model: String?) throws(Failure) -> Int {
        try write { db in
            try db.execute(sql: "DELETE FROM model_lessons WHERE ?1 IS NULL OR model = ?1", arguments: [model])
            return db.changesCount
        }
    }

    // MARK: A session's model

    /// Returns the model that the last `/model` of a session chose, in the user's words, or nil if none was chosen.
    package func model(ofSession id: SessionID) throws(Failure) -> String? {
        try read { db in try String.fetchOne(db, sql: "SELECT model FROM sessions WHERE id = ?", arguments: [id.number])
        }
    }

    package func setModel(_ word: String?, ofSession id: SessionID) throws(Failure) {
        try write { db in
            try db.execute(sql: "UPDATE sessions SET model = ? WHERE id = ?", arguments: [word, id.number])
        }
    }
}
