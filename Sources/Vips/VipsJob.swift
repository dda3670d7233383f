package import Files
import Glibc
import JSON
package import Vocabulary

/// A picture that is to be computed, what becomes of it, and the limits.
package struct VipsJob: Sendable {
    package enum Goal: Hashable, Sendable {
        /// The picture is written to a file.
        ///
        /// - Parameters:
        ///   - file: the name of the file, whose suffix is that of the format.
        ///   - options: how libvips saves it, such as `[Q=92]`.
        case save(file: String, options: String)
        /// The fields of its header are printed as lines, as `vipsheader -a` does.
        case fields
        /// All its pixels are read, so that damage shows.
        case read
    }

    package let plan: VipsPlan
    package let goal: Goal
    /// The most time that it may take, in seconds.
    package var seconds = Limits.programSeconds
    /// The most processor time in seconds, or 0 for no limit.
    package var processorSeconds = 0
    /// The address space of the process that computes it, and the most bytes of the file.
    package var memoryBytes = Limits.programMemoryBytes
    package var fileBytes = 4 << 30
    /// The most bytes of messages.
    package var logBytes = 1 << 20
    /// The threads, or 0 for as many as the machine has processors.
    package var threads = 0

    package init(_ image: VipsImage, _ goal: Goal) {
        plan = VipsPlan(image)
        self.goal = goal
    }

    /// The suffix by which libvips saves the picture, such as `.jpg[Q=92]`, or nil if it is not saved.
    private var saved: String? {
        guard case .save(let file, let options) = goal else { return nil }
        return file.lastIndex(of: ".").map { file[$0...] + options }
    }

    /// The job as a message for a process that has the descriptors of its files.
    var request: [UInt8] {
        let limits = VipsChildLimits(memoryBytes: memoryBytes, fileBytes: fileBytes, processorSeconds: processorSeconds)
        let json = JSON.of([
            "plan": plan.json, "save": saved.map { .string($0) }, "print": goal == .fields ? true : nil,
            "threads": .int(threads),
        ])
        return limits.message + Array(json.text.utf8)
    }
}

// MARK: Programs

extension VipsJob {
    /// Returns the job as command lines of libvips' programs, one after another in the folder of the files, for a
    /// machine where no process can compute it.
    ///
    /// - Parameter folder: gets the files that the commands read besides.
    package func commands(in folder: RunFolder) throws(Failure) -> [[String]] {
        let threads = threads == 0 ? [] : ["--vips-concurrency=\(threads)"]
        var names: [String] = []
        var lines: [[String]] = []
        for (place, part) in plan.parts.enumerated() {
            switch part {
            case .file(let name, let hasAllPages): names.append(name + (hasAllPages ? "[n=-1]" : ""))
            case .matrix(let width, let numbers):
                names.append("step-\(place).mat")
                let rows = stride(from: 0, to: numbers.count, by: width).map { start in
                    numbers[start..<start + width].map { "\($0)" }.joined(separator: " ")
                }
                let text = "\(width) \(rows.count)\n" + rows.map { $0 + "\n" }.joined()
                let path = "\(folder.path)/\(names[place])"
                unlink(path)
                try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW).write(Array(text.utf8))
            case .step(let name, let inputs, let arguments, let suffix):
                var out = "step-\(place)\(suffix)"
                if place == plan.parts.count - 1, case .save(let file, let options) = goal { out = file + options }
                names.append(out)
                let read = inputs.map { $0.parts.map { names[$0] }.joined(separator: " ") }
                lines.append(["vips", name] + threads + Self.words(name, read, out, arguments))
            }
        }
        guard let last = names.last else { return [] }
        switch goal {
        case .save(let file, let options):
            if lines.isEmpty { lines.append(["vips", "copy"] + threads + [last, file + options]) }
        case .fields: lines.append(["vipsheader", "-a", last])
        case .read: lines.append(["vips", "avg"] + threads + [last])
        }
        return lines
    }

    /// Returns the words behind the name of an operation. The picture that it makes stands behind those that it reads.
    /// Only a matrix comes after it.
    private static func words(_ name: String, _ read: [String], _ out: String, _ arguments: [VipsStep.Argument])
        -> [String]
    {
        let places = name == "recomb" ? [read[0], out] + read[1...] : read + [out]
        return places + arguments.filter { !$0.isOption }.map(\.value.word)
            + arguments.filter(\.isOption).flatMap(\.option)
    }
}

extension VipsStep.Value {
    /// The value as a word of a command line. A number below zero among others must not begin the word.
    fileprivate var word: String {
        switch self {
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .numbers(let values):
            (values.first.map { $0 < 0 } == true ? " " : "") + values.map { "\($0)" }.joined(separator: " ")
        case .flag(let value): value ? "true" : "false"
        case .word(let value): value
        }
    }
}

extension VipsStep.Argument {
    fileprivate var option: [String] {
        switch value {
        case .flag(let isSet): isSet ? ["--\(name)"] : []
        default: ["--\(name)", value.word]
        }
    }
}
