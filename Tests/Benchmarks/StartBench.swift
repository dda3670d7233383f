import CPty
import Glibc

/// How soon the program is there, and how much memory it takes: beside curl and the interactive sqlite3.
enum StartBench {
    static func run() throws -> [Figure] {
        let assent = try Terminal.program()
        let version = Pairs(21) {
            1000 * Clock.measure { Programs.run(["sh", "-c", "'\(assent)' --version > /dev/null"]) }
        } _: {
            1000 * Clock.measure { Programs.run(["sh", "-c", "curl --version > /dev/null"]) }
        }
        var memory: [Double] = []
        let prompt = try withScratchFolder { folder in
            try Pairs {
                let terminal = try Terminal([assent], environment: ["ASSENT_HOME=\(folder)/home"], in: folder)
                defer { terminal.end() }
                let seconds = try terminal.wait(for: "›")
                // Idle, with its database open.
                usleep(1_500_000)
                memory.append(terminal.memoryMegabytes)
                return 1000 * seconds
            } _: {
                let terminal = try Terminal(["/usr/bin/sqlite3"], environment: [], in: folder)
                defer { terminal.end() }
                return 1000 * (try terminal.wait(for: "sqlite> "))
            }
        }
        return [
            Figure(name: "assent --version", version, unit: "ms", reference: "curl --version", bar: .ratioAtMost(1.5)),
            Figure(name: "first prompt", prompt, unit: "ms", reference: "sqlite3", bar: .ratioAtMost(10)),
            Figure(name: "memory at the prompt", memory, unit: "MB of its own", bar: .atMost(6)),
        ]
    }
}

/// A program on a pseudo-terminal, read as raw bytes.
final class Terminal {
    struct Failed: Error { let words: String }

    private let master: Int32
    private let child: pid_t
    private let start = Clock.seconds()
    private(set) var bytes: [UInt8] = []

    /// - Parameter home: the home folder of the program, if it is not the folder in which it starts.
    init(_ words: [String], environment: [String], in folder: String, home: String? = nil) throws {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let kept = ["PATH=/usr/bin:/bin", "TERM=xterm-256color", "LANG=C.UTF-8", "HOME=\(home ?? folder)"]
        var variables: [UnsafeMutablePointer<CChar>?] = (kept + environment).map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var master: Int32 = -1
        var child = pid_t()
        guard cpty_spawn(words[0], &arguments, &variables, folder, 24, 100, &master, &child) == 0 else {
            throw Failed(words: "\(words[0]) cannot be started")
        }
        self.master = master
        self.child = child
    }

    /// The release program beside this one.
    static func program() throws -> String {
        let own = realpath("/proc/self/exe", nil)!
        defer { free(own) }
        let path = String(cString: own).split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/assent"
        guard access(path, X_OK) == 0 else { throw Failed(words: "\(path) is not built: make build") }
        return path
    }

    /// Reads what has come, so that the program never waits for this end.
    func drain() {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 0) > 0, read(master, &piece, piece.count) > 0 {}
    }

    func send(_ text: String) { _ = write(master, text, text.utf8.count) }

    /// Reads until the text has come.
    /// - Returns: seconds from the start of the program.
    @discardableResult
    func wait(for text: String, seconds: Double = 60, onBytes: (ArraySlice<UInt8>, Double) -> Void = { _, _ in }) throws
        -> Double
    {
        let wanted = Array(text.utf8)
        var searched = 0
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let limit = Clock.seconds() + seconds
        while Clock.seconds() < limit {
            if let found = find(wanted, from: searched) {
                bytes.removeFirst(found)
                return Clock.seconds() - start
            }
            searched = max(0, bytes.count - wanted.count)
            var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 1000) > 0 else { continue }
            let count = read(master, &piece, piece.count)
            guard count > 0 else { throw Failed(words: "the program ended before \"\(text)\" came") }
            onBytes(piece[..<count], Clock.seconds())
            bytes.append(contentsOf: piece[..<count])
        }
        throw Failed(words: "\"\(text)\" did not come")
    }

    private func find(_ wanted: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= start + wanted.count else { return nil }
        return (start...bytes.count - wanted.count).first { place in
            bytes[place] == wanted[0] && bytes[place..<place + wanted.count].elementsEqual(wanted)
        }.map { $0 + wanted.count }
    }

    /// The memory that exists only for this program: pages that are anonymous, or that were changed. How many of the
    /// pages of files it maps count elsewhere depends on who else maps them.
    var memoryMegabytes: Double {
        var sizes: [String: Double] = [:]
        guard let file = fopen("/proc/\(child)/smaps_rollup", "r") else { return .infinity }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 200)
        while fgets(&line, 200, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split(separator: " ")
            if words.count > 1, let size = Double(words[1]) { sizes[String(words[0])] = size / 1000 }
        }
        guard let anonymous = sizes["Anonymous:"], let own = sizes["Private_Dirty:"],
            let shared = sizes["Shared_Dirty:"]
        else { return .infinity }
        return max(anonymous, own + shared)
    }

    /// User and system time so far.
    var cpuSeconds: Double {
        // The name may hold spaces; the fields after it do not.
        let fields = BenchFiles.text("/proc/\(child)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            return .infinity
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    func end() {
        kill(child, SIGTERM)
        close(master)
        var status: Int32 = 0
        waitpid(child, &status, 0)
    }
}
