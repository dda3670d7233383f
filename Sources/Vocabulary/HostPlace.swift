/// The place of a host, as far as its name or address alone shows it. No name is resolved, since a name server may give
/// another answer a second later.
package enum HostPlace: Hashable, Sendable {
    /// The local machine, in any notation: loopback (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3), the unspecified address,
    /// `localhost` (RFC 6761, 6.3).
    case thisMachine
    /// The metadata service of a rented machine, which gives the machine's keys to every program that asks from it.
    case metadata
    /// An address that is private (RFC 1918, RFC 4193), link-local (RFC 3927, RFC 4291), shared behind a provider (RFC
    /// 6598), or for another special purpose (RFC 6890). Its destination depends on the network.
    case privateNetwork
    /// A public address, or a name that none of the other cases covers.
    case elsewhere

    /// Finds the place of a host.
    ///
    /// - Parameter host: a name or an address without a port, an IPv6 address with or without brackets.
    package init(_ host: some StringProtocol) {
        var name = host.lowercased()[...]
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if let zone = name.firstIndex(of: "%") { name = name[..<zone] }
        if let four = IPAddress.four(name) {
            self = Self.of(four)
        } else if let groups = IPAddress.six(name) {
            self = Self.of(groups)
        } else if name.hasSuffix(".") {
            // A name with a dot at its end is resolved by name servers only, which may give any answer.
            name.removeLast()
            self = Self.metadataNames.contains(String(name)) ? .metadata : .elsewhere
        } else if name == "localhost" || name.hasSuffix(".localhost") {
            self = .thisMachine
        } else {
            self = Self.metadataNames.contains(String(name)) ? .metadata : .elsewhere
        }
    }

    /// Returns an address in canonical notation. An IPv6 address that stands for an IPv4 address is returned as that
    /// address (RFC 4291, 2.5.5.2). Returns a name unchanged.
    ///
    /// - Parameter host: a name or an address in lower case without a port, an IPv6 address with or without brackets.
    package static func oneSpelling(of host: String) -> String {
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        if let four = IPAddress.four(name) {
            return [24, 16, 8, 0].map { String(four >> $0 & 0xFF) }.joined(separator: ".")
        }
        guard let groups = IPAddress.six(name) else { return host }
        guard groups.starts(with: [0, 0, 0, 0, 0, 0xFFFF]) else {
            return "[\(groups.map { String($0, radix: 16) }.joined(separator: ":"))]"
        }
        return groups.suffix(2).map { "\($0 >> 8).\($0 & 0xFF)" }.joined(separator: ".")
    }

    /// Returns the place of a host with a port.
    ///
    /// - Parameter hostAndPort: the host as the target of a call names it, such as `127.0.0.1:80` or `[::1]:80`.
    package static func ofTarget(_ hostAndPort: String) -> HostPlace {
        let end = hostAndPort.lastIndex(of: "]") ?? hostAndPort.startIndex
        guard let colon = hostAndPort[end...].lastIndex(of: ":") else { return HostPlace(hostAndPort) }
        return HostPlace(hostAndPort[..<colon])
    }

    private static let metadataNames: Set = [
        "metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal",
        "metadata.azure.internal",
    ]
    /// The metadata addresses of large providers. 169.254.169.254 is the most common one. Others serve containers and
    /// pods, or belong to a single provider.
    private static let metadataAddresses = Set(
        ["169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16", "100.100.100.200", "192.0.0.192"]
            .compactMap { IPAddress.four($0) })
    private static let metadataGroups = Set(
        ["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"].compactMap { IPAddress.six($0) })

    /// A network of IPv4: its first address, and the number of leading bits that its addresses have in common.
    private struct Network {
        let first: UInt32, bits: UInt32
        func contains(_ four: UInt32) -> Bool { four >> (32 - bits) == first >> (32 - bits) }
    }

    private static let specialNetworks = [
        ("0.0.0.0", 8), ("10.0.0.0", 8), ("100.64.0.0", 10), ("169.254.0.0", 16), ("172.16.0.0", 12), ("192.0.0.0", 24),
        ("192.168.0.0", 16),
        ("198.18.0.0", 15), ("224.0.0.0", 4), ("240.0.0.0", 4),
    ].map { first, bits in Network(first: IPAddress.four(first)!, bits: bits) }

    private static func of(_ four: UInt32) -> HostPlace {
        if four == 0 || four >> 24 == 127 { return .thisMachine }
        if metadataAddresses.contains(four) { return .metadata }
        return specialNetworks.contains { $0.contains(four) } ? .privateNetwork : .elsewhere
    }

    private static func of(_ groups: [UInt16]) -> HostPlace {
        if groups.prefix(7).allSatisfy({ $0 == 0 }), groups[7] <= 1 { return .thisMachine }
        // ::ffff:a.b.c.d is that IPv4 address (RFC 4291, 2.5.5.2). Other embedded addresses are reached through a
        // gateway.
        if groups.starts(with: [0, 0, 0, 0, 0, 0xFFFF]) { return of(UInt32(groups[6]) << 16 | UInt32(groups[7])) }
        if let place = embedded(in: groups).map({ of($0) }) { return place == .thisMachine ? .privateNetwork : place }
        if metadataGroups.contains(groups) { return .metadata }
        // Unique local addresses, link-local and the older site-local ones, multicast groups, and the local prefix of
        // translators (RFC 8215).
        let isSpecial =
            groups[0] & 0xFE00 == 0xFC00 || groups[0] & 0xFF80 == 0xFE80 || groups[0] & 0xFF00 == 0xFF00
            || groups.starts(with: [0x64, 0xFF9B, 1])
        return isSpecial ? .privateNetwork : .elsewhere
    }

    /// Returns the IPv4 address to which an IPv6 address may be forwarded: compatible (RFC 4291, 2.5.5.1), translated
    /// (RFC 2765, 2.1; RFC 6052, 2.1), and through a tunnel (RFC 3056, 2). Returns `nil` for other addresses.
    private static func embedded(in groups: [UInt16]) -> UInt32? {
        if groups[0] == 0x2002 { return UInt32(groups[1]) << 16 | UInt32(groups[2]) }
        let heads: [[UInt16]] = [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0xFFFF, 0], [0x64, 0xFF9B, 0, 0, 0, 0]]
        return heads.contains(Array(groups.prefix(6))) ? UInt32(groups[6]) << 16 | UInt32(groups[7]) : nil
    }
}

/// Readers of addresses that follow the rules of libc.
private enum IPAddress {
    /// Reads an IPv4 address as `inet_aton` does: one to four numbers, decimal, octal (`0177`) or hexadecimal (`0x7f`).
    /// The last number fills all remaining bytes.
    static func four(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            guard let number = number(part) else { return nil }
            numbers.append(number)
        }
        let last = numbers.removeLast()
        guard numbers.allSatisfy({ $0 < 256 }), last < 1 << UInt64(8 * (4 - numbers.count)) else { return nil }
        let head = numbers.enumerated().reduce(UInt64(0)) { $0 | $1.element << UInt64(24 - 8 * $1.offset) }
        return UInt32(head | last)
    }

    private static func number(_ part: some StringProtocol) -> UInt64? {
        guard part.utf8.allSatisfy({ ($0 >= 0x30 && $0 < 0x3A) || ($0 >= 0x61 && $0 < 0x67) || $0 == 0x78 }) else {
            return nil
        }
        if part.hasPrefix("0x") { return part.count == 2 ? 0 : UInt64(part.dropFirst(2), radix: 16) }
        return part.hasPrefix("0") && part.count > 1 ? UInt64(part, radix: 8) : UInt64(part)
    }

    /// Reads the eight groups of an IPv6 address. One run of zeros may be left out, and the last two groups may be
    /// written as an IPv4 address (RFC 4291, 2.2).
    static func six(_ text: some StringProtocol) -> [UInt16]? {
        guard text.contains(":"), !text.contains(":::") else { return nil }
        let halves = String(text).split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = groups(halves[0]) else { return nil }
        guard halves.count == 2 else { return head.count == 8 ? head : nil }
        guard let tail = groups(halves[1]), head.count + tail.count < 8 else { return nil }
        return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part.contains(".") {
                guard index == parts.count - 1, let four = four(part) else { return nil }
                groups += [UInt16(four >> 16), UInt16(four & 0xFFFF)]
            } else {
                guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}
