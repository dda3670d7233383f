import Glibc
import Synchronization

/// `make bench`: every figure beside its reference in the same run (a ratio), never a bare number.
@main
struct Bench {
    static func main() {
        let wanted = Set(CommandLine.arguments.dropFirst())
        let unknown = wanted.subtracting(groups.map(\.name))
        guard unknown.isEmpty else {
            print("There is no \(unknown.sorted().joined(separator: ", ")): \(groups.map(\.name).joined(separator: " ")).")
            exit(2)
        }
        var allHold = true
        for group in groups where wanted.isEmpty ? group.isUsual : wanted.contains(group.name) {
            do {
                for figure in try group.run() {
                    print(figure.line)
                    allHold = allHold && figure.holds
                }
                fflush(nil)
            } catch {
                print("✗ \(group.name) could not be run: \(error)")
                allHold = false
            }
        }
        exit(allHold ? 0 : 1)
    }

    private static let groups: [(name: String, isUsual: Bool, run: @Sendable () throws -> [Figure])] = [
        ("check", true, CheckBench.run), ("engine", true, EngineBench.run), ("peers", true, DurablePeers.run),
        ("poll", true, PollBench.run), ("scale", true, ScaleBench.run), ("spawn", true, { try SpawnBench.run() }),
        ("spawn-plain", false, { try SpawnBench.run(withSandbox: false) }), ("start", true, StartBench.run),
        ("stream", true, StreamBench.run),
    ]
}

/// One measured thing, its reference, and the bar that it should hold.
struct Figure {
    enum Bar {
        /// The ratio of the figure to its reference.
        case ratioAtLeast(Double), ratioAtMost(Double)
        case atLeast(Double), atMost(Double)
        /// Shown only.
        case none
    }

    var name: String
    var value: Double
    var unit: String
    var reference: (name: String, value: Double)?
    var bar: Bar

    var ratio: Double? { reference.map { value / $0.value } }

    var holds: Bool {
        switch bar {
        case .ratioAtLeast(let bar): (ratio ?? 0) >= bar
        case .ratioAtMost(let bar): (ratio ?? .infinity) <= bar
        case .atLeast(let bar): value >= bar
        case .atMost(let bar): value <= bar
        case .none: true
        }
    }

    var line: String {
        let beside = reference.map { "   \($0.name): \(Self.short($0.value)) \(unit)   ratio \(Self.short(ratio!))" } ?? ""
        let words =
            switch bar {
            case .ratioAtLeast(let bar): "ratio ≥ \(Self.short(bar))"
            case .ratioAtMost(let bar): "ratio ≤ \(Self.short(bar))"
            case .atLeast(let bar): "≥ \(Self.short(bar)) \(unit)"
            case .atMost(let bar): "≤ \(Self.short(bar)) \(unit)"
            case .none: "none"
            }
        let sign = if case .none = bar { "·" } else { holds ? "✓" : "✗" }
        return "\(sign) \(name): \(Self.short(value)) \(unit)\(beside)   (bar: \(words))"
    }

    static func short(_ number: Double) -> String {
        if number >= 1000 { return String(Int(number.rounded())) }
        return String((number * 1000).rounded() / 1000)
    }
}

enum Clock {
    static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func measure(_ body: () throws -> Void) rethrows -> Double {
        let start = seconds()
        try body()
        return seconds() - start
    }

    /// The best of several: what the machine can do when nobody disturbs it. The same number is taken of both sides.
    static func best(of count: Int, _ body: () throws -> Double) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<count { best = min(best, try body()) }
        return best
    }
}

/// Small files.
enum Files {
    /// Its first megabyte; nothing if it is not there.
    static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in count = fread(buffer.baseAddress, 1, 1 << 20, file) }
    }

    static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

    static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }
}

/// How often something was done, counted from any thread.
final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}

/// A folder that is gone when the benchmark ends, and not sooner: on ext4 a new file costs more for each that was deleted just before.
func withScratchFolder<Value>(_ body: (String) throws -> Value) rethrows -> Value {
    var name = Array((Scratch.root + "/XXXXXX").utf8CString)
    precondition(mkdtemp(&name) != nil, "no scratch folder")
    return try body(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
}

private enum Scratch {
    /// Beside the program, on the disk that is measured.
    static let root: String = {
        let program = realpath("/proc/self/exe", nil)!
        defer { free(program) }
        var name = Array("\(String(cString: program))-scratch-XXXXXX".utf8CString)
        precondition(mkdtemp(&name) != nil, "no scratch folder")
        atexit { remove(tree: Scratch.root) }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()
}

private func remove(tree path: String) {
    if let directory = opendir(path) {
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove(tree: "\(path)/\(name)") }
        }
        closedir(directory)
    }
    _ = Glibc.remove(path)
}
