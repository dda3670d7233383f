package import Files
import Glibc
import JSON
import Vocabulary

extension RunFolder {
    /// The process of an attempt. A pid alone is not enough, since another process may get it later, or after a reboot.
    package struct Process: Hashable {
        var pid: pid_t
        /// Field 22 of `/proc/PID/stat`: clock ticks since the machine started.
        var startTicks: String
        package var boot: String
        /// The time at which the process is stopped, by the clock of `runningMilliseconds` of that boot.
        package var deadline: Int64
        var logBytes: Int
        /// The most processes that may run at once.
        var processes: Int?

        var isAlive: Bool { Self.startTicks(of: pid) == startTicks && boot == Self.bootNow }

        static func startTicks(of pid: pid_t) -> String? {
            // The name in parentheses may hold anything, so fields count from the last parenthesis. A zombie has ended.
            guard let text = try? String(decoding: readProc("/proc/\(pid)/stat"), as: UTF8.self),
                let end = text.lastIndex(of: ")")
            else {
                return nil
            }
            let fields = text[end...].split(separator: " ")
            guard fields.count > 20, fields[1] != "Z", fields[1] != "X" else { return nil }
            return String(fields[20])
        }

        /// A line of the record.
        var json: JSON {
            .of([
                "pid": .int(Int(pid)), "start": .string(startTicks), "boot": .string(boot),
                "until": .int(Int(deadline)),
                "logBytes": .int(logBytes), "processes": processes.map { .int($0) },
            ])
        }

        package static let bootNow =
            (try? String(decoding: readProc("/proc/sys/kernel/random/boot_id"), as: UTF8.self)) ?? ""
    }

    package var process: Process? {
        for line in TraceFiles(folder: self).recordLines {
            guard let pid = line["pid"]?.int, let ticks = line["start"]?.string, let boot = line["boot"]?.string,
                let deadline = Self.deadline(in: line), let logBytes = line["logBytes"]?.int
            else { continue }
            return Process(
                pid: pid_t(truncatingIfNeeded: pid), startTicks: ticks, boot: boot, deadline: deadline,
                logBytes: logBytes,
                processes: line["processes"]?.int)
        }
        return nil
    }

    /// Reads the deadline of a record. A record of an earlier version has it in milliseconds since 1970.
    private static func deadline(in line: JSON) -> Int64? {
        if let until = line["until"]?.int { return Int64(until) }
        return line["deadline"]?.int.map { runningMilliseconds() + Int64($0) - nowNanoseconds() / 1_000_000 }
    }
}

/// Reads a file of `/proc`, which reports no size.
private func readProc(_ path: String) throws(Failure) -> [UInt8] { try OpenFile(path, O_RDONLY).read(4096) }
