import CVips
import Files
import Glibc
import JSON
import Vocabulary

extension Limits {
    /// The seconds without work after which the process ends.
    fileprivate static let idleSeconds: Int32 = 30

    /// The most bytes of a message to it, and the most descriptors of a request.
    package static let vipsMessageBytes = 128 << 10
    package static let vipsDescriptors = 1000
}

/// The process that has libvips open and forks a child for each picture, so that no picture shares a process with another
/// one. It opens no picture itself, and has one thread. Its standard input is the socket of the requests.
///
/// A request is one message or several with descriptors, of which the last one has the request itself: the descriptors of
/// the child's standard output and standard error, of the record of its end, of the file that is made, if there is one, and
/// of the files that are read. How the child ended stands in the record (`{ "exit-code": 0 }`). If the reader of the record
/// is gone, the child is ended.
package struct VipsZygoteRole {
    /// The word that makes the program take this role.
    static let word = "picture-zygote"

    /// Whether this process was started for the role.
    package static var isAsked: Bool { cvips_is_asked(word) == 1 }

    /// The version of what is said between the processes. It changes with the messages.
    static let version = 1

    private var children: [pid_t: Int32] = [:]
    /// The descriptors that came for the next request.
    private var arrived: [Int32] = []

    /// Takes the role until there is no more to do, and exits.
    package static func run() -> Never {
        var role = VipsZygoteRole()
        signal(SIGPIPE, SIG_IGN)
        if let reason = cvips_open().map({ String(cString: $0) }) {
            role.say(.of(["version": .int(version), "fault": .string(reason)]))
            _exit(1)
        }
        role.say(.of(["version": .int(version), "vips": .string(String(cString: cvips_version()))]))
        role.serve()
        _exit(0)
    }

    private func say(_ greeting: JSON) {
        let bytes = Array(greeting.text.utf8)
        _ = cvips_send(STDIN_FILENO, bytes, bytes.count, [], 0)
    }

    private mutating func serve() {
        let childEnded = cvips_open_signals()
        while true {
            // A record whose reader is gone shows as an error.
            let watched = Array(children)
            var waits =
                [STDIN_FILENO, childEnded].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                + watched.map { pollfd(fd: $0.value, events: 0, revents: 0) }
            let ready = poll(&waits, nfds_t(waits.count), children.isEmpty ? Limits.idleSeconds * 1000 : -1)
            if ready == 0 { return }
            if ready < 0 { continue }
            for (wait, child) in zip(waits[2...], watched) where wait.revents != 0 { kill(child.key, SIGKILL) }
            if waits[1].revents != 0 { cvips_clear_signals(childEnded) }
            reap()
            if waits[0].revents != 0, !take() { return }
        }
    }

    /// Writes the records of the children that have ended.
    private mutating func reap() {
        var code: Int32 = 0
        while true {
            let pid = cvips_reap(&code)
            guard pid > 0 else { return }
            guard let record = children.removeValue(forKey: pid) else { continue }
            Self.end(record, code)
        }
    }

    private static func end(_ record: Int32, _ code: Int32) {
        let line = Array("{ \"exit-code\": \(code) }\n".utf8)
        _ = write(record, line, line.count)
        close(record)
    }

    /// Takes a message, and forks if it is a whole request.
    ///
    /// - Returns: whether there may be more.
    private mutating func take() -> Bool {
        var bytes = [UInt8](repeating: 0, count: Limits.vipsMessageBytes)
        var descriptors = [Int32](repeating: -1, count: Int(CVIPS_MESSAGE_DESCRIPTORS))
        var count: Int32 = 0
        let got = cvips_receive(STDIN_FILENO, &bytes, bytes.count, &descriptors, &count)
        guard got != 0 else { return false }
        guard got > 0 else { return errno == EAGAIN || errno == EINTR || errno == EMSGSIZE }
        arrived += descriptors.prefix(Int(count))
        // A message of one byte has descriptors only.
        guard got > 1 else {
            if arrived.count > Limits.vipsDescriptors { return false }
            return true
        }
        let request = Array(bytes.prefix(got))
        defer {
            for descriptor in arrived where !children.values.contains(descriptor) { close(descriptor) }
            arrived = []
        }
        guard arrived.count >= 3, let limits = VipsChildLimits(request) else { return false }
        let record = arrived[2]
        let kept = Array(arrived[3...])
        let pid = kept.withUnsafeBufferPointer { kept in
            var child = cvips_child(
                output: arrived[0], errors: arrived[1], descriptors: kept.baseAddress ?? UnsafePointer(bitPattern: 8)!,
                count: Int32(kept.count), memory_bytes: limits.memoryBytes, file_bytes: limits.fileBytes,
                cpu_seconds: limits.processorSeconds)
            return cvips_fork(&child)
        }
        if pid == 0 { VipsChild.run(request, kept) }
        guard pid > 0 else {
            Self.end(record, 126)
            arrived.remove(at: 2)
            return true
        }
        children[pid] = record
        return true
    }
}

/// The limits of a child, which the zygote reads from the first bytes of a request: three numbers, each of eight bytes. It
/// reads nothing else of it.
struct VipsChildLimits {
    static let bytes = 24
    let memoryBytes: Int
    let fileBytes: Int
    let processorSeconds: Int

    init(memoryBytes: Int, fileBytes: Int, processorSeconds: Int) {
        (self.memoryBytes, self.fileBytes, self.processorSeconds) = (memoryBytes, fileBytes, processorSeconds)
    }

    init?(_ request: [UInt8]) {
        guard request.count > Self.bytes else { return nil }
        let numbers = stride(from: 0, to: Self.bytes, by: 8).map { start in
            request[start..<start + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        guard numbers.allSatisfy({ $0 <= Int.max }) else { return nil }
        (memoryBytes, fileBytes, processorSeconds) = (Int(numbers[0]), Int(numbers[1]), Int(numbers[2]))
    }

    var message: [UInt8] {
        [memoryBytes, fileBytes, processorSeconds].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }
}
