import GRDB
import JSON
package import Vocabulary

extension Archive {
    /// Returns whether commands may read the repository around the folder of a workflow without a question: a person
    /// has approved a command in the same folder that reads the same paths, under the same rules, and the yes has not
    /// expired.
    ///
    /// Only yeses that were given on this machine count, since a bundle has none.
    package func mayReadRepository(
        _ call: Call, for id: WorkflowID, policyEpoch: String, at now: Moment
    ) throws(Failure) -> Bool {
        guard let repository = call.repository, !policyEpoch.isEmpty else { return false }
        let readings = call.readings
        return try read { db in
            let calls = try String.fetchAll(
                db,
                sql: """
                    SELECT decisions.call FROM approvals
                    JOIN decisions ON decisions.workflow = approvals.workflow AND decisions.step = approvals.step
                        AND decisions.digest = approvals.digest AND decisions.decision = 'allow'
                    JOIN workflows ON workflows.id = approvals.workflow
                    WHERE workflows.workspace = (SELECT workspace FROM workflows WHERE id = ?1)
                        AND approvals.policy_epoch = ?2 AND approvals.expires_at > ?3 AND approvals.used_at IS NOT NULL
                        AND json_valid(decisions.call)
                        AND json_extract(decisions.call, '$.environment.repository') = ?4
                    """, arguments: [id.number, policyEpoch, now.milliseconds, repository])
            return calls.contains { call in
                (try? Call(json: JSONReader.read(call)))?.readings == readings
            }
        }
    }
}
