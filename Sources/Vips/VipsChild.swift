import CVips
import Glibc
import JSON

/// The process that computes one picture. It has the descriptors of its files, its limits and no way to anything else.
enum VipsChild {
    /// The exit code of a child that could not begin (`cvips_fork`).
    static let notBegun = 126

    /// Computes what a request says, and exits: with 0, or with 1 after the words of libvips on standard error, as its
    /// programs do.
    ///
    /// - Parameters:
    ///   - descriptors: that of the file that is made, if there is one, and those of the files that are read.
    ///   - isAlone: whether no other child runs. Beside others, more threads than one would only wait for each other.
    static func run(_ request: [UInt8], _ descriptors: [Int32], isAlone: Bool) -> Never {
        guard let (plan, json) = read(request), let threads = json["threads"]?.int else {
            fail("The request cannot be read.\n")
        }
        cvips_set_threads(isAlone ? Int32(clamping: threads) : 1)
        let suffix = json["save"]?.string
        let files = suffix == nil ? descriptors : Array(descriptors.dropFirst())
        guard let image = VipsEvaluation(plan: plan, files: files).image() else { fail() }
        let result =
            if let suffix { cvips_save(image, descriptors.first ?? -1, suffix) } else if json["print"]?.bool == true {
                cvips_print_fields(image, STDOUT_FILENO)
            } else { cvips_read(image) }
        guard result == 0 else { fail() }
        cvips_close()
        // Libraries that end in order would wait for their threads.
        _exit(0)
    }

    /// Reads a request behind its limits. Returns nil if it is none.
    static func read(_ request: [UInt8]) -> (plan: VipsPlan, json: JSON)? {
        guard let json = try? JSONReader.read(Array(request[VipsChildLimits.bytes...])),
            let plan = json["plan"].flatMap({ VipsPlan($0) })
        else { return nil }
        return (plan, json)
    }

    private static func fail(_ words: String? = nil) -> Never {
        let bytes = Array((words ?? String(cString: cvips_errors())).utf8)
        cvips_close()
        _ = write(STDERR_FILENO, bytes, bytes.count)
        _exit(1)
    }
}
