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

/// The process that has libvips open and forks a child for each picture, so that no picture shares a process with
/// another one. It opens no picture itself, and has one thread. Its standard input is the socket of the requests.
///
/// A request is one message or several with descriptors, of which the last one has the request itself: the descriptors
/// of the child's standard output and standard error, of the record of its end, of the file that is made, if there is
/// one, and of the files that are read. How the child ended stands in the record (`{ "exit-code": 0 }`). If the record
/// has no reader any more, the child is ended.
package struct VipsZygoteRole {
    /// The word that makes the program take this role.
    static let word = "picture-zygote"

    /// Whether this process was started for the role.
    package static var isAsked: Bool { cvips_is_asked(word) == 1 }

    /// The version of the messages between the processes.
    static let version = 1

    /// The writing ends of the records of the children that run.
    private var children: [pid_t: Int32] = [:]
    private var isWarm = false
    /// Whether there may be more requests. At their end, the children that run are waited for.
    private var isOpen = true
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
        guard role.say(.of(["version": .int(version), "vips": .string(String(cString: cvips_version()))])) else {
            let words = Array("\(word) is started by Assent itself, for pictures.\n".utf8)
            _ = write(STDERR_FILENO, words, words.count)
            _exit(2)
        }
        role.serve()
        _exit(0)
    }

    /// Sends the first message.
    ///
    /// - Returns: whether there is a socket to send it to.
    @discardableResult
    private func say(_ greeting: JSON) -> Bool {
        let bytes = Array(greeting.text.utf8)
        return cvips_send(STDIN_FILENO, bytes, bytes.count, [], 0) == 0
    }

    private mutating func serve() {
        let childEnded = cvips_open_signals()
        while true {
            // A record without a reader shows as an error.
            let watched = Array(children)
            var waits =
                [isOpen ? STDIN_FILENO : -1, childEnded].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                + watched.map { pollfd(fd: $0.value, events: 0, revents: 0) }
            let ready = poll(&waits, nfds_t(waits.count), children.isEmpty ? Limits.idleSeconds * 1000 : -1)
            if ready == 0 { return }
            guard ready > 0 else {
                if errno == EINTR { continue }
                return
            }
            for (wait, child) in zip(waits[2...], watched) where wait.revents != 0 { kill(child.key, SIGKILL) }
            if waits[1].revents != 0 { cvips_clear_signals(childEnded) }
            reap()
            if waits[0].revents != 0, !take() { isOpen = false }
            if !isOpen, children.isEmpty { return }
        }
    }

    /// Prepares, while the first child computes, what each of the others would have to prepare.
    private mutating func warm() {
        guard !isWarm else { return }
        isWarm = true
        cvips_warm()
        let sample = VipsJob(VipsImage.file("a").thumbnail(width: 1, height: 1), .save(file: "a.png", options: ""))
        _ = VipsChild.read(sample.request)
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

    /// Overwrites memory.
    private static func clear(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
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
        // No later child finds the words of this request in its memory.
        defer { bytes.withUnsafeMutableBytes { Self.clear($0) } }
        var descriptors = [Int32](repeating: -1, count: Int(CVIPS_MESSAGE_DESCRIPTORS))
        var count: Int32 = 0
        let got = cvips_receive(STDIN_FILENO, &bytes, bytes.count, &descriptors, &count)
        guard got != 0 else { return false }
        // A message that was cut off leaves a part of a request, with which no other one may be mixed.
        guard got > 0 else { return errno == EAGAIN || errno == EINTR }
        arrived += descriptors.prefix(Int(count))
        // A message of one byte has descriptors only.
        guard got > 1 else {
            if arrived.count > Limits.vipsDescriptors { return false }
            return true
        }
        var request = Array(bytes.prefix(got))
        defer { request.withUnsafeMutableBytes { Self.clear($0) } }
        defer {
            for descriptor in arrived where !children.values.contains(descriptor) { close(descriptor) }
            arrived = []
        }
        guard arrived.count >= 3, let limits = VipsChildLimits(request) else { return false }
        let record = arrived[2]
        let kept = Array(arrived[3...])
        // Never empty, so that there is a pointer.
        let pid = (kept + [-1]).withUnsafeBufferPointer { list in
            guard let start = list.baseAddress else { return -1 as pid_t }
            var child = cvips_child(
                output: arrived[0], errors: arrived[1], descriptors: start,
                count: Int32(kept.count), memory_bytes: limits.memoryBytes, file_bytes: limits.fileBytes,
                cpu_seconds: limits.processorSeconds)
            return cvips_fork(&child)
        }
        if pid == 0 { VipsChild.run(request, kept, isAlone: children.isEmpty) }
        guard pid > 0 else {
            Self.end(record, Int32(VipsChild.notBegun))
            arrived.remove(at: 2)
            return true
        }
        children[pid] = record
        warm()
        return true
    }
}

/// The limits of a child, which the zygote reads from the first bytes of a request: three numbers, each of eight bytes.
/// It reads nothing else of it.
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
