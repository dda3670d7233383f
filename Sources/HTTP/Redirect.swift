/// The reaction to an answer with a `Location`, decided without sending anything (RFC 9110 §15.4, Fetch §4.4).
enum Redirect {
    /// The answer is not redirected.
    case none
    case follow(HTTPRequest)
    case refuse(HTTPFailure)

    /// The header fields that may go to another origin. All other fields are dropped, since a key may stand in a field
    /// of any name.
    private static let harmless: Set<String> = [
        "accept", "accept-language", "content-type", "range", "user-agent", "if-none-match",
    ]

    init(of response: HTTPResponse, to request: HTTPRequest, hop: Int) {
        guard request.redirects.limit > 0, [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers["location"]
        else {
            self = .none
            return
        }
        guard hop < request.redirects.limit else {
            self = .refuse(.tooManyRedirects(limit: request.redirects.limit))
            return
        }
        guard let url = resolve(location, against: request.url), let from = Origin(of: request.url),
            let to = Origin(of: url),
            from.scheme == to.scheme || to.scheme == "https", request.redirects.allows(to)
        else {
            self = .refuse(.redirectRefused(to: location))
            return
        }
        self = .follow(Self.next(request, at: url, status: response.status, staysAtHome: from == to))
    }

    private static func next(_ request: HTTPRequest, at url: String, status: Int, staysAtHome: Bool) -> HTTPRequest {
        var next = request
        next.url = url
        if !staysAtHome { next.headers = request.headers.keeping(harmless) }
        let becomesGet = status == 303 ? request.method != "HEAD" : request.method == "POST" && status <= 302
        if becomesGet {
            next.method = "GET"
            next.body = []
            next.headers["content-type"] = nil
        }
        return next
    }
}
