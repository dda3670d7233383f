import Files
import Glibc
import HTTP
import Vocabulary

/// The check whether this machine has a route out of its network (`semantics.md` 66). It reads the tables of the
/// kernel, and sends nothing.
package enum Offline {
    /// Whether neither routing table has a default route. With a proxy, the machine always counts as online.
    package static func isNow() -> Bool {
        let network = NetworkSettings.ofThisProcess()
        guard network.httpsProxy.isEmpty, network.httpProxy.isEmpty else { return false }
        guard let four = readTable("/proc/net/route") else { return false }
        return !hasDefaultRoute(four) && !hasDefaultRoute6(readTable("/proc/net/ipv6_route") ?? "")
    }

    /// Whether an IPv4 table has a default route. Its lines are `Iface Destination Gateway Flags RefCnt Use Metric Mask
    /// …`, with numbers in hexadecimal.
    package static func hasDefaultRoute(_ table: String) -> Bool {
        table.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, fields[0] != "lo", let flags = UInt32(fields[3], radix: 16) else { return false }
            return fields[1] == "00000000" && fields[7] == "00000000" && flags & 1 != 0 && flags & 0x200 == 0
        }
    }

    /// Whether an IPv6 table has a default route that does not reject. Its lines are `destination prefix source prefix
    /// next-hop metric refcount use flags device`.
    package static func hasDefaultRoute6(_ table: String) -> Bool {
        table.split(separator: "\n").contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 9, fields[9] != "lo", let flags = UInt32(fields[8], radix: 16) else { return false }
            return fields[0].allSatisfy { $0 == "0" } && fields[1] == "00" && flags & 1 != 0 && flags & 0x200 == 0
        }
    }

    /// Reads a file of `/proc`, which reports no size. Returns `nil` if the file cannot be read.
    private static func readTable(_ path: String) -> String? {
        guard let file = try? OpenFile(path, O_RDONLY), let bytes = try? file.read(1 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
