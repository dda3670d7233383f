package import Files
import Glibc
package import HTTP
import Synchronization
import Vocabulary

/// Returns the function by which a `Toolbox` sends requests, through the HTTP module. The function blocks its thread
/// until the whole answer is in its file.
package func fetching(through client: HTTPClient) -> @Sendable (FetchRequest, Cancellation) -> FetchAnswer {
    { request, cancel in
        let outcome = Outcome()
        let task = Task {
            let answer = await fetch(request, through: client)
            outcome.answer.withLock { $0 = answer }
            outcome.done.raise()
        }
        var waits = [outcome.done.descriptor, cancel.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while !outcome.done.isRaised, !cancel.isCancelled { poll(&waits, 2, -1) }
        guard cancel.isCancelled else { return outcome.answer.withLock { $0 } ?? .failed(wasCancelled) }
        task.cancel()
        // The folder must not be removed until the transfer has closed the file.
        while !outcome.done.isRaised { poll(&waits, 1, -1) }
        return .failed(wasCancelled)
    }
}

private final class Outcome: Sendable {
    let answer = Mutex<FetchAnswer?>(nil)
    let done = Flag()
}

private let wasCancelled = Failure(.cancelled, "Cancelled.")

private func fetch(_ request: FetchRequest, through client: HTTPClient) async -> FetchAnswer {
    do throws(Failure) {
        return try await answer(to: request, through: client)
    } catch {
        return .failed(error)
    }
}

private func answer(to request: FetchRequest, through client: HTTPClient) async throws(Failure) -> FetchAnswer {
    var headers = HTTPHeaders()
    for field in request.fields { headers.append(field.name, field.value) }
    let sent = HTTPRequest(
        request.url, method: request.method, headers: headers,
        body: try request.body.map { path throws(Failure) in try readWhole(path, limit: Limits.readFileBytes) } ?? [],
        timeouts: .init(connect: Limits.connectSeconds, idle: Limits.idleSeconds, total: request.timeoutSeconds),
        redirects: .none)
    let file = try OpenFile(request.saveTo, O_WRONLY | O_CREAT | O_TRUNC)
    let response: HTTPResponse
    var received = 0
    do throws(HTTPFailure) {
        let (head, body) = try await client.send(sent)
        response = head
        for try await piece in body {
            received += piece.count
            guard received <= request.bytesLimit else { throw .tooLarge(limit: request.bytesLimit) }
            do throws(Failure) { try file.write(piece) } catch { throw .other(code: 23, words: error.message) }
        }
    } catch {
        throw error.failure
    }
    return .answered(
        status: response.status, fields: response.headers.fields.map { FetchRequest.Field($0.name, $0.value) },
        retryAfter: response.retryAfter)
}

extension HTTPFailure {
    /// The failure with our code and the description of the HTTP module. A failure that may not occur at the next
    /// attempt is transient.
    fileprivate var failure: Failure {
        switch self {
        case .cancelled: wasCancelled
        case .tooLarge, .headTooLarge: Failure(.outputLimit, description)
        case .connectTimeout, .idleTimeout, .totalTimeout: Failure(.timedOut, description, isTransient: true)
        case .refused, .truncated, .resolve: Failure(.networkFailed, description, isTransient: true)
        case .invalidRequest: Failure(.badURL, description)
        case .tls, .redirectRefused, .tooManyRedirects, .other: Failure(.networkFailed, description)
        }
    }
}
