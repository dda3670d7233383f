import Files
import Glibc
import HTTP
import Vocabulary

extension Limits {
    /// The most bytes of a status that is read on the thread that all transfers share. A longer one is requested again
    /// by a worker.
    fileprivate static let quickAnswerBytes = 32 << 10

    /// The most redirects of a provider that are followed for one request.
    package static let jobRedirects = 5
}

/// The requests to providers, on the one thread of the HTTP module. Each hop needs an allowed host, the key goes only
/// to hosts that may get it, and bodies are bounded. It waits, and makes no decisions about jobs.
struct JobWire: Sendable {
    let client: HTTPClient
    let pacing: JobPacing
    let isOffline: @Sendable () -> Bool

    /// Sends a request and returns the whole reply. A body of more than `limit` bytes is a failure.
    func send(
        _ request: RenderedRequest, to provider: ProviderManifest, secret: String?, limit: Int,
        timeoutSeconds: Double? = nil
    ) async -> Result<JobReply, JobSilence> {
        do throws(JobSilence) {
            let seconds = timeoutSeconds ?? provider.timeouts.request
            let (response, body, _) = try await follow(request, to: provider, secret, seconds) {
                (sent) throws(HTTPFailure) in
                var sent = sent
                sent.maxBodyBytes = limit
                return try await client.collect(sent)
            }
            return .success(JobReply(response, body))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request without a task and without following redirects.
    ///
    /// - Parameter then: gets `nil` for a redirect or a reply of more than `Limits.quickAnswerBytes`. It runs on the
    ///   thread of curl.
    func sendQuickly(
        _ request: RenderedRequest, to provider: ProviderManifest, secret: String?,
        then: @escaping @Sendable (Result<JobReply, JobSilence>?) -> Void
    ) {
        do throws(Failure) {
            let address = try provider.allowed(request.url)
            var sent = signed(request, at: address, provider, secret, provider.timeouts.request)
            sent.maxBodyBytes = Limits.statusBytes
            client.collect(sent) { result in
                switch result {
                case .success((let response, _)) where (300..<400).contains(response.status): then(nil)
                case .success((_, let body)) where body.count > Limits.quickAnswerBytes: then(nil)
                case .success((let response, let body)): then(.success(JobReply(response, body)))
                case .failure(let failure): then(.failure(silence(failure, provider, address)))
                }
            }
        } catch {
            then(.failure(JobSilence(error)))
        }
    }

    /// Downloads a body into a file. If the status is not among `ok`, nothing is written, and the result contains the
    /// reply.
    func download(
        _ request: RenderedRequest, from provider: ProviderManifest, secret: String?, ok: [Int], into path: String
    ) async -> Result<(HTTPResponse, JobReply?), JobSilence> {
        do throws(JobSilence) {
            let (response, body, address) = try await follow(request, to: provider, secret, Limits.totalSeconds) {
                (sent) throws(HTTPFailure) in
                try await client.send(sent)
            }
            do throws(HTTPFailure) {
                guard ok.contains(response.status) else {
                    return .success(
                        (response, JobReply(response, try await body.collected(upTo: Limits.errorBodyBytes))))
                }
                try await write(body, to: path)
                return .success((response, nil))
            } catch {
                throw silence(error, provider, address)
            }
        } catch {
            return .failure(error)
        }
    }

    private func write(_ body: HTTPBody, to path: String) async throws(HTTPFailure) {
        func failed(_ failure: Failure) -> HTTPFailure { .other(code: JobSilence.notWritten, words: failure.message) }
        let file: OpenFile
        do throws(Failure) { file = try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC) } catch { throw failed(error) }
        var received = 0
        for try await piece in body {
            received += piece.count
            guard received <= Limits.fetchBytes else { throw .tooLarge(limit: Limits.fetchBytes) }
            do throws(Failure) { try file.write(piece) } catch { throw failed(error) }
        }
    }

    /// Sends a request and follows redirects. A request that could buy twice is repeated only if the server handed it
    /// back unprocessed (307, 308).
    private func follow<Body>(
        _ request: RenderedRequest, to provider: ProviderManifest, _ secret: String?, _ seconds: Double,
        _ once: (HTTPRequest) async throws(HTTPFailure) -> (HTTPResponse, Body)
    ) async throws(JobSilence) -> (HTTPResponse, Body, WebAddress) {
        let isRead = request.method == "GET" || request.method == "HEAD"
        var url = request.url
        for _ in 0...Limits.jobRedirects {
            let address: WebAddress
            do throws(Failure) { address = try provider.allowed(url) } catch { throw JobSilence(error) }
            let response: HTTPResponse
            let body: Body
            do throws(HTTPFailure) {
                (response, body) = try await once(signed(request, at: address, provider, secret, seconds))
            } catch {
                throw silence(error, provider, address)
            }
            guard (isRead ? [301, 302, 303, 307, 308] : [307, 308]).contains(response.status),
                let location = response.headers["location"]
            else { return (response, body, address) }
            do throws(Failure) { url = try address.redirected(to: location).text } catch { throw JobSilence(error) }
        }
        throw JobSilence(.tooManyRedirects(limit: Limits.jobRedirects), from: provider.title) { false }
    }

    private func signed(
        _ request: RenderedRequest, at address: WebAddress, _ provider: ProviderManifest, _ secret: String?,
        _ seconds: Double
    ) -> HTTPRequest {
        var headers = request.headers
        var url = address.text
        if request.isSigned, let secret { provider.sign(&headers, &url, for: address, secret: secret) }
        return HTTPRequest(
            url, method: request.method, headers: headers, body: request.body,
            timeouts: .init(
                connect: provider.timeouts.connect, idle: min(seconds, Limits.longestWaitSeconds), total: seconds),
            redirects: .none)
    }

    private func silence(_ failure: HTTPFailure, _ provider: ProviderManifest, _ address: WebAddress) -> JobSilence {
        JobSilence(failure, from: provider.title) { !address.isLoopback && isOffline() }
    }
}
