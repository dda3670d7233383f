import CPty
import GRDB
import Glibc
import Storage
import Vocabulary

/// What 10,000 workflows of 100 steps cost whoever opens the program, and what 1,000 open awaits cost while nobody
/// answers them.
enum ScaleBench {
    static func run() throws -> [Figure] {
        let empty = try opened { _ in }
        let large = try opened { try fill($0, workflows: 10_000, awaiting: 100) }
        let quiet = try opened(idleSeconds: 30) { _ in }
        let waiting = try opened(idleSeconds: 30) { try fill($0, workflows: 1_000, awaiting: 1_000) }
        return [
            Figure(
                name: "first prompt with 10,000 workflows of 100 steps", value: large.promptSeconds * 1000, unit: "ms",
                reference: ("with none", empty.promptSeconds * 1000), bar: .ratioAtMost(1.5)),
            Figure(
                name: "memory with them", value: large.megabytes, unit: "MB PSS",
                reference: ("with none", empty.megabytes),
                bar: .ratioAtMost(1.25)),
            // The clock of a process ticks every 10 ms, which is a third of a millisecond a second here.
            Figure(
                name:
                    "CPU of a chat for 1,000 open awaits, beyond that of none (\(Figure.short(quiet.cpuPerSecond * 1000)) ms a second)",
                value: max(0, waiting.cpuPerSecond - quiet.cpuPerSecond) * 1000, unit: "ms a second", bar: .atMost(2)),
        ]
    }

    private struct Opened {
        var promptSeconds: Double
        var megabytes: Double
        var cpuPerSecond: Double
    }

    private static func opened(idleSeconds: Double = 1.5, _ prepare: (String) throws -> Void) throws -> Opened {
        let assent = try Terminal.program()
        return try withScratchFolder { folder in
            let home = folder + "/home"
            // Once by itself: it makes its folders and its database.
            Programs.run(["sh", "-c", "ASSENT_HOME=\(home) '\(assent)' list > /dev/null"])
            try prepare(home + "/data")
            var best = Opened(promptSeconds: .infinity, megabytes: .infinity, cpuPerSecond: .infinity)
            for _ in 0..<(idleSeconds > 5 ? 1 : 5) {
                let terminal = try Terminal([assent], environment: ["ASSENT_HOME=\(home)"], in: folder)
                defer { terminal.end() }
                best.promptSeconds = min(best.promptSeconds, try terminal.wait(for: "›"))
                usleep(1_000_000)
                let before = terminal.cpuSeconds
                usleep(UInt32(idleSeconds * 1e6))
                best.cpuPerSecond = min(best.cpuPerSecond, (terminal.cpuSeconds - before) / idleSeconds)
                best.megabytes = min(best.megabytes, terminal.memoryMegabytes)
            }
            return best
        }
    }

    /// Rows as the engine leaves them, with runs, assets and events: every step done; or the last one waiting for a
    /// person, for a day at the most.
    private static func fill(_ folder: String, workflows: Int, awaiting: Int) throws {
        let nodes = (1...100).map { #"{"id":"n\#($0)","kind":"Pass"}"# }.joined(separator: ",")
        let template = #"{"schema":"app.workflow/v2","name":"w","nodes":[\#(nodes)]}"#
        let queue = try DatabaseQueue(path: folder + "/assent.db")
        try queue.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
                    INSERT INTO workflows (title, workspace, mode, on_ask, created_at, updated_at, outcome, owner, fence, rests)
                    SELECT 'w', '/tmp', 'adaptive', 'park', 1, 1, CASE WHEN n <= ?2 THEN NULL ELSE 'succeeded' END, 'gone', 1, n <= ?2 FROM numbers
                    """, arguments: [workflows, awaiting])
            try db.execute(sql: "INSERT INTO graphs SELECT id, ? FROM workflows", arguments: [template])
            try db.execute(
                sql: """
                    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100)
                    INSERT INTO steps (workflow, step, node, kind, state, attempt, tries, updated_at)
                    SELECT id, n, 'n' || n, 'Pass', CASE WHEN n = 100 AND outcome IS NULL THEN 'awaitingUser' ELSE 'succeeded' END, 1, 1, 1
                    FROM workflows, numbers
                    """)
            try db.execute(
                sql: """
                    INSERT INTO runs (workflow, step, attempt, kind, started_at, finished_at, ending, inputs, params)
                    SELECT workflow, step, 1, 'tool', 1, 1, 'succeeded', '{}', '{}' FROM steps WHERE state = 'succeeded';
                    INSERT INTO assets (workflow, step, attempt, port, type, sha256, bytes, name, meta)
                    SELECT workflow, step, 1, 'out', 'any', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 0, 'nothing', '{}'
                    FROM steps WHERE state = 'succeeded';
                    INSERT INTO events (at, workflow, step, attempt, type, body)
                    SELECT 1, workflow, step, 1, 'step.changed', json_object('state', to_state) FROM steps,
                        (SELECT 'ready' AS to_state UNION ALL SELECT 'succeeded') WHERE state = 'succeeded';
                    """)
            try db.execute(
                sql: """
                    INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at, expires_at)
                    SELECT id, 100, 'text', 'pending', 'Say something', 'It is wanted', 'normal', 1, (unixepoch() + 86400 + id) * 1000
                    FROM workflows WHERE outcome IS NULL
                    """)
        }
        try queue.close()
    }
}
