import Glibc
import Synchronization

/// `make bench`: every figure beside its reference in the same run (a ratio), never a bare number.
@main
struct Bench {
    static func main() {
        let wanted = Set(CommandLine.arguments.dropFirst())
        let unknown = wanted.subtracting(groups.map(\.name))
        guard unknown.isEmpty else {
            print(
                "There is no \(unknown.sorted().joined(separator: ", ")): \(groups.map(\.name).joined(separator: " "))."
            )
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
        // First, while this process is as small as an engine: its pages are copied where one begins.
        ("rehearsal", true, RehearsalBench.run),
        ("check", true, CheckBench.run), ("guide", true, GuideBench.run), ("engine", true, EngineBench.run),
        ("first", true, FirstRequestBench.run), ("graphs", true, GraphBench.run),
        ("looks", true, LooksBench.run), ("peers", true, DurablePeers.run),
        ("pictures", true, PictureBench.run),
        ("picture", true, OnePictureBench.run), ("plan", true, PlanBench.run),
        ("poll", true, PollBench.run), ("relaunch", true, RelaunchBench.run),
        ("resize", true, ResizeBench.run),
        ("scale", true, ScaleBench.run), ("search", true, SearchBench.run),
        ("spawn", true, { try SpawnBench.run() }),
        ("spawn-plain", false, { try SpawnBench.run(withSandbox: false) }), ("start", true, StartBench.run),
        ("stream", true, StreamBench.run), ("view", true, ViewBench.run),
    ]
}

/// One measured thing, its reference, and the bar that it should hold. A thing that was measured several times is its
/// median, and says how far the others were from it.
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
    /// The least and the most of the ratio where there is one, else of the value.
    var spread: ClosedRange<Double>?
    /// The number of measurements.
    var count: Int?
    var unit: String
    var reference: (name: String, value: Double)?
    /// The median of ratios that were measured pair by pair: two medians may come of different moments.
    var pairedRatio: Double?
    var bar: Bar

    init(name: String, value: Double, unit: String, reference: (name: String, value: Double)? = nil, bar: Bar) {
        (self.name, self.value, self.unit, self.reference, self.bar) = (name, value, unit, reference, bar)
    }

    /// - Parameter reference: the name of the other side.
    init(name: String, _ pairs: Pairs, unit: String, reference: String, bar: Bar) {
        self.init(name: name, value: pairs.value, unit: unit, reference: (reference, pairs.reference), bar: bar)
        (pairedRatio, spread, count) = (pairs.ratio, pairs.spread, pairs.ratios.count)
    }

    init(name: String, _ samples: [Double], unit: String, bar: Bar) {
        self.init(name: name, value: samples.median, unit: unit, bar: bar)
        (spread, count) = ((samples.min() ?? 0)...(samples.max() ?? 0), samples.count)
    }

    var ratio: Double? { pairedRatio ?? reference.map { value / $0.value } }

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
        let apart =
            spread.map { " (\(Self.short($0.lowerBound))–\(Self.short($0.upperBound)), median of \(count ?? 0))" } ?? ""
        let beside =
            reference.map { "   \($0.name): \(Self.short($0.value)) \(unit)   ratio \(Self.short(ratio ?? 0))" } ?? ""
        let words =
            switch bar {
            case .ratioAtLeast(let bar): "ratio ≥ \(Self.short(bar))"
            case .ratioAtMost(let bar): "ratio ≤ \(Self.short(bar))"
            case .atLeast(let bar): "≥ \(Self.short(bar)) \(unit)"
            case .atMost(let bar): "≤ \(Self.short(bar)) \(unit)"
            case .none: "none"
            }
        let sign = if case .none = bar { "·" } else { holds ? "✓" : "✗" }
        return "\(sign) \(name): \(Self.short(value)) \(unit)\(beside)\(apart)   (bar: \(words))"
    }

    static func short(_ number: Double) -> String {
        if number >= 1000 { return String(Int(number.rounded())) }
        return String((number * 1000).rounded() / 1000)
    }
}

/// Two sides that are measured in turns, so that what disturbs the machine disturbs both: now the one first, now the
/// other. A ratio is one of two neighbours, and the bar is held against the median of the ratios, which one bad moment
/// does not move.
struct Pairs {
    /// The results of the sides, in their unit.
    private(set) var values: [Double] = []
    private(set) var references: [Double] = []
    private(set) var ratios: [Double] = []

    /// - Parameters:
    ///   - count: odd, so that there is a middle. One more goes before them and counts for nothing: it warms up.
    ///   - amount: the work of one measurement, to give it a second instead of the seconds themselves.
    init(
        _ count: Int = 11, amount: Double? = nil, _ seconds: () throws -> Double, _ reference: () throws -> Double
    ) rethrows {
        for number in 0...count {
            var (own, other) = (0.0, 0.0)
            if number.isMultiple(of: 2) {
                own = try seconds()
                other = try reference()
            } else {
                other = try reference()
                own = try seconds()
            }
            guard number > 0 else { continue }
            values.append(amount.map { $0 / own } ?? own)
            references.append(amount.map { $0 / other } ?? other)
            ratios.append(values.last! / references.last!)
        }
    }

    init(_ pairs: [(value: Double, reference: Double)]) {
        (values, references) = (pairs.map(\.value), pairs.map(\.reference))
        ratios = pairs.map { $0.value / $0.reference }
    }

    var value: Double { values.median }
    var reference: Double { references.median }
    var ratio: Double { ratios.median }
    var spread: ClosedRange<Double> { (ratios.min() ?? 0)...(ratios.max() ?? 0) }
}

extension [Double] {
    var median: Double { isEmpty ? 0 : sorted()[count / 2] }
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
}

/// Small files.
enum BenchFiles {
    /// Its first megabyte; nothing if it is not there.
    static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
            count = fread(buffer.baseAddress, 1, 1 << 20, file)
        }
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

/// A folder that is gone when the benchmark ends, and not sooner: on ext4 a new file costs more for each that was
/// deleted just before.
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
