import CVips
import Glibc
import JSON

/// The process that computes one picture. It has the descriptors of its files, its limits and no way to anything else.
enum VipsChild {
    /// Computes what a request says, and exits: with 0, or with 1 after the words of libvips on standard error, as its
    /// programs do.
    ///
    /// - Parameter descriptors: that of the file that is made, if there is one, and those of the files that are read.
    static func run(_ request: [UInt8], _ descriptors: [Int32]) -> Never {
        guard let json = try? JSONReader.read(Array(request[VipsChildLimits.bytes...])),
            let plan = json["plan"].flatMap({ VipsPlan($0) }), let threads = json["threads"]?.int
        else { fail("The request cannot be read.\n") }
        cvips_set_threads(Int32(clamping: threads))
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

    private static func fail(_ words: String? = nil) -> Never {
        let bytes = Array((words ?? String(cString: cvips_errors())).utf8)
        cvips_close()
        _ = write(STDERR_FILENO, bytes, bytes.count)
        _exit(1)
    }
}
