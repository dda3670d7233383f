import GRDB
package import Vocabulary

extension Limits {
    /// What is known of one model from its server's refusals.
    fileprivate static let keptLessons = 50
}

/// What refusals have taught about models, by address and model.
extension Archive {
    /// - Parameter address: the base of the server's addresses, as the person has it.
    package func lessons(at address: String, model: String) throws(Failure) -> [ModelLesson] {
        try read { db in
            try String.fetchAll(
                db, sql: "SELECT lesson FROM model_lessons WHERE address = ? AND model = ? ORDER BY at, lesson LIMIT ?",
                arguments: [address, model, Limits.keptLessons]
            ).compactMap { ModelLesson(text: $0) }
        }
    }

    /// Keeps one; what it says anew takes the place of what was said before, such as another window.
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

    /// - Parameter model: `nil` for all.
    /// - Returns: how many were known.
    package func forgetLessons(ofModel model: String?) throws(Failure) -> Int {
        try write { db in
            try db.execute(sql: "DELETE FROM model_lessons WHERE ?1 IS NULL OR model = ?1", arguments: [model])
            return db.changesCount
        }
    }

    // MARK: A session's model

    /// What `/model` said last in a session, in the person's words.
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
