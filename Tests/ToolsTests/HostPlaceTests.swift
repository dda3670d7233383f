import HTTP
import Testing
import Vocabulary

/// Where a host is, in every notation that a resolver or libcurl would take.
@Suite struct HostPlaceTests {
    @Test(
        arguments: [
            ("127.0.0.1", .thisMachine), ("127.1", .thisMachine), ("127.0.1", .thisMachine),
            ("127.255.255.254", .thisMachine),
            ("2130706433", .thisMachine), ("0x7f000001", .thisMachine), ("0X7F.1", .thisMachine),
            ("017700000001", .thisMachine),
            ("0177.0.0.01", .thisMachine), ("0.0.0.0", .thisMachine), ("0", .thisMachine), ("0x0", .thisMachine),
            ("[::]", .thisMachine), ("[::1]", .thisMachine), ("::1", .thisMachine), ("[0:0:0:0:0:0:0:1]", .thisMachine),
            ("[::ffff:127.0.0.1]", .thisMachine), ("[::ffff:7f00:1]", .thisMachine), ("[::FFFF:0.0.0.0]", .thisMachine),
            ("[0:0:0:0:0:ffff:127.1.2.3]", .thisMachine), ("localhost", .thisMachine), ("LocalHost.", .elsewhere),
            ("a.localhost", .thisMachine), ("a.b.localhost.", .elsewhere), ("[::1%lo]", .thisMachine),
            ("169.254.169.254", .metadata), ("0xa9fea9fe", .metadata), ("2852039166", .metadata),
            ("0251.0376.0251.0376", .metadata),
            ("[::ffff:169.254.169.254]", .metadata), ("[fd00:ec2::254]", .metadata), ("[fd00:0ec2:0::0254]", .metadata),
            ("metadata.google.internal", .metadata), ("Metadata.Google.Internal.", .metadata),
            ("169.254.170.2", .metadata),
            ("168.63.129.16", .metadata), ("100.100.100.200", .metadata),
            ("10.0.0.1", .privateNetwork), ("10.1", .privateNetwork), ("0xa.1.2.3", .privateNetwork),
            ("172.16.0.1", .privateNetwork),
            ("172.31.255.255", .privateNetwork), ("192.168.1.1", .privateNetwork), ("169.254.1.1", .privateNetwork),
            ("3232235777", .privateNetwork), ("[fe80::1]", .privateNetwork), ("[fe80::1%25eth0]", .privateNetwork),
            ("[fd12:3456::1]", .privateNetwork), ("[fc00::]", .privateNetwork),
            ("[::ffff:192.168.0.1]", .privateNetwork),
            // Shared, special and reserved ones, and those that somebody leads on.
            ("100.64.0.1", .privateNetwork), ("100.127.255.255", .privateNetwork), ("198.18.0.1", .privateNetwork),
            ("198.19.255.255", .privateNetwork), ("192.0.0.8", .privateNetwork), ("0.1.2.3", .privateNetwork),
            ("224.0.0.251", .privateNetwork),
            ("255.255.255.255", .privateNetwork), ("[fec0::1]", .privateNetwork), ("[ff02::1]", .privateNetwork),
            ("[64:ff9b:1::1]", .privateNetwork), ("[::127.0.0.1]", .privateNetwork),
            ("[64:ff9b::7f00:1]", .privateNetwork),
            ("[64:ff9b::10.0.0.1]", .privateNetwork), ("[2002:a00:1::1]", .privateNetwork),
            ("[::ffff:0:192.168.0.1]", .privateNetwork),
            ("[64:ff9b::a9fe:a9fe]", .metadata),
            ("172.15.0.1", .elsewhere), ("172.32.0.1", .elsewhere), ("11.0.0.1", .elsewhere), ("8.8.8.8", .elsewhere),
            ("1.1", .elsewhere), ("[2001:db8::1]", .elsewhere), ("[64:ff9b::808:808]", .elsewhere),
            ("[2002:808:808::1]", .elsewhere),
            ("100.63.255.255", .elsewhere), ("100.128.0.0", .elsewhere), ("198.17.0.1", .elsewhere),
            ("198.20.0.1", .elsewhere),
            ("example.org", .elsewhere), ("127.0.0.1.example.org", .elsewhere), ("localhost.example.org", .elsewhere),
            ("notlocalhost", .elsewhere), ("127.0.0.1.nip.io", .elsewhere), ("256.1.1.1", .elsewhere),
            ("1.2.3.4.5", .elsewhere),
            ("4294967296", .elsewhere), ("127.0.0.256", .elsewhere), ("09.1.1.1", .elsewhere),
            ("127.0.0.1.", .elsewhere),
            ("localhost..", .elsewhere), ("nas.local", .elsewhere),
            ("", .elsewhere), (".", .elsewhere), ("[]", .elsewhere), ("[:::1]", .elsewhere), ("[1::2::3]", .elsewhere),
        ] as [(String, HostPlace)])
    func isKnownByItsNameAlone(host: String, place: HostPlace) {
        #expect(HostPlace(host) == place)
        #expect(HostPlace.ofTarget("\(host):8080") == place || host.contains("::") && !host.hasPrefix("["))
    }

    /// The room that sends and the rooms that ask agree, on the host as libcurl will read it.
    @Test(arguments: [
        "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.1", "0.0.0.0", "0", "[::]", "[::1]", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "localhost", "localhost.", "a.localhost", "LOCALHOST", "10.0.0.1", "169.254.169.254", "example.org",
        "127.0.0.1.example.org",
        "8.8.8.8", "[fe80::1]", "[2001:db8::1]", "127.0.0.1.", "%31%32%37.0.0.1",
    ])
    func theSenderSeesTheSameMachine(host: String) {
        guard let origin = Origin(of: "http://\(host):81/") else { return }
        #expect(origin.isLoopback == (HostPlace(origin.host) == .thisMachine), "\(origin)")
    }

    @Test(arguments: [
        ("https://api.example.com:443", "https://api.example.com:443", true),
        ("https://*.example.com:443", "https://a.b.example.com:443", true),
        ("https://api.example.com:443", "http://api.example.com:443", false),
        ("https://api.example.com:443", "https://api.example.com:8443", false),
        ("https://*.example.com:443", "https://example.com:443", false),
        ("https://*.example.com:443", "https://badexample.com:443", false),
    ])
    func aYesIsForOneHostPortAndWay(given: String, wanted: String, isCovered: Bool) throws {
        #expect(try host(given).covers(host(wanted)) == isCovered)
    }

    private func host(_ text: String) throws -> RemoteHost {
        let parts = text.split(separator: "://")
        let colon = try #require(parts[1].lastIndex(of: ":"))
        return RemoteHost(
            isEncrypted: parts[0] == "https", host: String(parts[1][..<colon]),
            port: try #require(Int(parts[1][parts[1].index(after: colon)...])))
    }
}
