/// The bytes of one answer, in pieces as they arrive. One task may read it, once. The server waits while the task does
/// not read.
package struct HTTPBody: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = HTTPFailure

    /// A reference to a transfer and its client. The transfer ends when the last reference is released.
    final class Lease: Sendable {
        let delivery: Delivery
        private let client: HTTPClient

        init(_ delivery: Delivery, _ client: HTTPClient) {
            self.delivery = delivery
            self.client = client
        }

        deinit { delivery.cancel() }
    }

    let lease: Lease

    init(_ delivery: Delivery, client: HTTPClient) {
        lease = Lease(delivery, client)
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lease: lease) }

    package struct AsyncIterator: AsyncIteratorProtocol {
        let lease: Lease

        package mutating func next(isolation: isolated (any Actor)?) async throws(HTTPFailure) -> [UInt8]? {
            try await lease.delivery.bytes()
        }
    }

    /// Returns all bytes of the body.
    ///
    /// - Throws: `tooLarge` as soon as there are more bytes than `limit`.
    package func collected(upTo limit: Int) async throws(HTTPFailure) -> [UInt8] {
        var all: [UInt8] = []
        var pieces = makeAsyncIterator()
        while let piece = try await pieces.next(isolation: #isolation) {
            guard all.count + piece.count <= limit else { throw .tooLarge(limit: limit) }
            all += piece
        }
        return all
    }
}
