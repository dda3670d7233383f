package import HTTP
package import Vocabulary

extension WebAddress {
    /// Reads an address that a call, a provider or a server names.
    ///
    /// - Throws: `badURL`.
    package init(named text: String) throws(Failure) {
        do throws(Refusal) { try self.init(text) } catch { throw Failure(.badURL, error.words) }
    }

    /// Returns the address to which a `Location` leads.
    ///
    /// - Throws: `badURL`.
    package func redirected(to location: String) throws(Failure) -> WebAddress {
        do throws(Refusal) { return try following(location) } catch { throw Failure(.badURL, error.words) }
    }
}
