import HTTP
import Testing

struct AddressFaultTests {
    @Test(
        arguments: [
            ("llm.example.com/v1", .noScheme), ("127.0.0.1:8080", .noScheme), ("localhost:8080/v1", .noScheme),
            ("unix:/run/x.sock", .otherScheme("unix:")), ("unix:///run/x.sock", .otherScheme("unix://")),
            ("ftp://example.com", .otherScheme("ftp://")), ("http:/example.com", .otherScheme("http:")),
            ("https://a:b@example.com", .userInfo), ("https://example.com@other.example.com/v1", .userInfo),
            ("https://", .noHost),
            ("https:///v1", .noHost), ("http://:8080/v1", .noHost), ("http://127.0.0.1:0/v1", .badPort("0")),
            ("http://127.0.0.1:65536", .badPort("65536")), ("http://127.0.0.1:http", .badPort("http")),
            ("http://[::1]:99999/v1", .badPort("99999")), ("https://example.com/a b", .whiteSpace),
            ("http://127.0.0.1:8080/v1", nil),
            ("https://example.com", nil), ("http://[::1]:8080/v1?x=a:b@c", nil),
        ] as [(String, AddressFault?)])
    func eachFormHasItsOwnFault(address: String, fault: AddressFault?) {
        #expect(AddressFault(of: address) == fault)
        #expect(AddressFault.isMeant(address))
    }

    @Test func aNameIsNoAddress() { #expect(!AddressFault.isMeant("open-ai_2")) }
}
