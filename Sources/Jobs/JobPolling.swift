import HTTP
import JSON
import Vocabulary

/// The fast path of a status check: no task, and no change of threads. There may be thousands of checks, and most of
/// them find no change.
extension JobClient {
    /// Sends a status check by the fast path, if possible.
    ///
    /// - Returns: false if the request needs the normal path. Nothing is sent then.
    func asksQuickly(_ request: JobRequest, _ reply: @escaping @Sendable (JobAnswer) -> Void) -> Bool {
        guard request.verb == .status, case .job(let action) = request.assignment.manifest.action,
            let provider = surroundings.provider(action.provider), provider.canBePolledQuickly
        else { return false }
        var secret: String?
        if let auth = provider.auth {
            guard let known = keys.known(auth.secret) else { return false }
            secret = known
        }
        let talk = JobTalk(request: request, client: self, provider: provider, action: action, secret: secret)
        guard let rendered = try? talk.blanks().render("status", read: { (_) throws(Failure) in throw .noProvider("") })
        else {
            return false
        }
        // This comes last, since it uses up a place in the rate.
        guard wire.pacing.takeNow(provider, isSubmit: false) else { return false }
        wire.sendQuickly(rendered, to: provider, secret: secret) { [self] result in
            if case .success(let answer)? = result, answer.status == 401 || answer.status == 403 {
                keys.forget(provider.auth?.secret)
            }
            switch result {
            case .success(let answer)?: reply(talk.reading.status(answer))
            case .failure(let silence)?: reply(Self.answer(to: .status, silence))
            case nil: Task { reply(await answer(request)) }
            }
        }
        return true
    }
}

extension ProviderManifest {
    /// Whether a status check is one request without a body, and is read without patterns. Patterns could block the
    /// thread that reads the reply.
    fileprivate var canBePolledQuickly: Bool {
        guard let status = requests["status"], case .none = status.body, !status.keepsAnswer,
            status.timeoutSeconds == nil,
            logs?.request == nil, errors.retryAfterPattern == nil
        else { return false }
        if case .pattern? = progress { return false }
        return !states.contains { $0.condition?.hasPattern ?? false }
    }
}

extension ProviderManifest.Condition {
    fileprivate var hasPattern: Bool {
        switch self {
        case .matches: true
        case .among, .exists: false
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.hasPattern)
        }
    }
}
