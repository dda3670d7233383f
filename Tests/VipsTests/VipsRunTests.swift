import CaseNames
import Files
import Glibc
import Harness
import Testing
import Vocabulary

@testable import Sandbox
@testable import Vips

/// Jobs that children of the zygote compute, beside the programs of libvips.
@Suite(.process) struct VipsRunTests {
    private static let photo = VipsImage.file("photo.jpg")
    private static let clear = VipsImage.file("clear.png")
    private static let gray = VipsImage.file("gray.png")

    /// Pictures and how they are saved. All operations of `VipsOperations` are there.
    private static let jobs: [(String, VipsImage, String, String)] = [
        ("copy", photo, "out.png", "[compression=7]"), ("webp", photo, "out.webp", "[Q=90]"),
        ("tiff", photo, "out.tif", "[compression=deflate]"), ("gif", photo, "out.gif", ""),
        ("avif", photo, "out.avif", "[Q=70]"),
        ("pgm", photo.thumbnail(width: 64, height: 64, .down), "out.pgm", "[strip]"),
        ("small", photo.thumbnail(width: 40, height: 40), "out.jpg", "[Q=92,optimize-coding]"),
        ("small png", clear.thumbnail(width: 40, height: 40, isInSRGB: true), "out.png", "[strip]"),
        ("box", photo.thumbnail(width: 30, height: 50, .force), "out.png", ""),
        ("filled", photo.thumbnail(width: 30, height: 50, fills: true), "out.png", ""),
        ("turned small", photo.upright(isCMYK: false).thumbnail(width: 40, height: 40), "out.png", ""),
        ("crop", photo.cropped(left: 3, top: 4, width: 50, height: 20), "out.jpg", "[Q=92]"),
        ("flip", photo.flipped("vertical"), "out.png", ""), ("quarter", photo.turned("d270"), "out.png", ""),
        ("upright", photo.upright(isCMYK: false), "out.png", ""), ("rotate", clear.rotated(12.5), "out.png", ""),
        ("rotate on white", photo.rotated(7, background: [255, 255, 255]), "out.jpg", ""),
        ("margin", photo.embedded(left: 5, top: 0, width: 130, height: 95, background: [1, 2, 3]), "out.png", ""),
        ("white margin", photo.embedded(left: 5, top: 5, width: 130, height: 100), "out.png", ""),
        (
            "sheet",
            .grid(
                [
                    photo.centered(width: 150, height: 150),
                    clear.flattened(background: [255, 255, 255])
                        .centered(width: 150, height: 150),
                ], columns: 2, gap: 10
            )
            .embedded(left: 10, top: 10, width: 330, height: 170), "out.jpg", "[Q=92,strip]"
        ),
        ("gray", photo.inSpace("b-w"), "out.png", ""), ("sRGB", photo.inSRGB(fallback: "srgb"), "out.png", ""),
        (
            "deep", gray.scaled(by: [257], plus: [0], isInBytes: false).cast(to: "ushort").meaning("grey16"), "out.png",
            ""
        ),
        ("contrast", photo.scaled(by: [1.25], plus: [-32]), "out.png", ""), ("invert", photo.inverted, "out.png", ""),
        (
            "sepia",
            photo.mixed(by: .matrix(width: 3, [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131]))
                .cast(to: "uchar"), "out.png", ""
        ),
        ("sharpen", photo.sharpened(amount: 3).cast(to: "uchar"), "out.png", ""),
        ("blur", clear.premultiplied.blurred(radius: 3).unpremultiplied.rounded.cast(to: "uchar"), "out.png", ""),
        ("colors alone", .joiningBands([clear.bands(0, count: 3).inverted, clear.bands(3)]), "out.png", ""),
        ("opaque", photo.withBand(255), "out.png", ""),
        ("flatten", clear.flattened(background: [9], most: 255), "out.jpg", ""),
        ("over", photo.covered(by: clear, "over", left: 4, top: -3), "out.png", ""),
        ("mask", gray.choosing(photo, photo.inverted), "out.png", ""),
        ("row", photo.joined(with: photo.flipped("horizontal"), "horizontal"), "out.png", ""),
        ("black", .black(width: 9, height: 7, bands: 3), "out.png", ""),
        ("text", .text("<span>a &lt; b</span>", font: "sans bold 20", width: 100), "out.png", ""),
        ("from webp", .file("photo.webp"), "out.png", ""), ("from gif", .file("photo.gif"), "out.png", ""),
        ("from tiff", .file("photo.tif"), "out.png", ""), ("from avif", .file("photo.avif"), "out.png", ""),
        ("from avif, small", VipsImage.file("photo.avif").thumbnail(width: 40, height: 40), "out.png", ""),
        ("pages", .file("pages.gif", hasAllPages: true).inverted, "out.png", ""),
    ]

    @Test(arguments: jobs.indices) func aChildMakesWhatTheProgramsMake(index: Int) throws {
        let (name, image, file, options) = Self.jobs[index]
        let lab = try VipsLab()
        try lab.makePictures()
        if name == "pages" {
            try lab.shell("vips arrayjoin 'photo.jpg gray.png' p.v --across 1; vips copy 'photo.gif' pages.gif")
        }
        let job = VipsJob(image, .save(file: file, options: options))
        let run = try lab.run(job)
        #expect(run.ending == .exited(0), "\(name): \(String(decoding: run.traces.errorTail, as: UTF8.self))")
        let own = try lab.bytes(file)
        for words in try job.commands(in: RunFolder(lab.scratch.path)) {
            let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
            try lab.shell(quoted)
        }
        #expect(try lab.bytes(file) == own, "\(name)")
    }

    @Test func allOperationsAreCompared() {
        var names: Set<String> = []
        for (_, image, _, _) in Self.jobs {
            for case .step(let name, _, _, _) in VipsPlan(image).parts { names.insert(name) }
        }
        #expect(VipsImage.names.subtracting(names).isEmpty && names.isSubset(of: VipsImage.names))
    }

    @Test func theFieldsAreThoseOfVipsheader() throws {
        let lab = try VipsLab()
        try lab.makePictures()
        let printed = String(
            decoding: try lab.run(VipsJob(Self.photo, .fields)).traces.output(limit: 1 << 20), as: UTF8.self)
        try lab.shell("vipsheader -a photo.jpg > said")
        let said = String(decoding: try lab.bytes("said"), as: UTF8.self)
        for name in ["width", "height", "bands", "format", "coding", "interpretation", "xres", "yres"] {
            let line = printed.split(separator: "\n").first { $0.hasPrefix("\(name): ") }
            #expect(line.map { said.contains("\($0)\n") } == true, "\(name)")
        }
        #expect(printed.contains("width: 120\n") && printed.contains("vips-loader: jpegload_source"))
    }

    @Test(arguments: [
        ("nothing", "no picture"), ("empty", ""), ("no loader", "GARBAGE GARBAGE GARBAGE"),
    ])
    func whatIsNoPictureFails(name: String, text: String) throws {
        let lab = try VipsLab()
        try ScratchFolder.write(text, to: lab.path("x.jpg"))
        let job = VipsJob(.file("x.jpg"), .save(file: "out.png", options: ""))
        let run = try lab.run(job)
        #expect(run.ending == .exited(1))
        #expect(run.failure(of: job)?.code == .processFailed && run.traces.lastErrorLine?.isEmpty == false)
    }

    @Test func anArgumentThatDoesNotFitFails() throws {
        let lab = try VipsLab()
        try lab.makePictures(["jpg"])
        let run = try lab.run(
            VipsJob(Self.photo.cropped(left: 1000, top: 0, width: 5, height: 5), .save(file: "out.png", options: "")))
        #expect(run.ending == .exited(1))
        #expect(run.traces.lastErrorLine?.contains("extract_area") == true)
    }

    // MARK: Limits

    /// A picture that exceeds a limit fails alone.
    @Test func eachLimitEndsOnlyItsPicture() async throws {
        let lab = try VipsLab()
        try lab.makePictures()
        try lab.shell("vips black big.v 20000 20000 --bands 3 && vips copy big.v big.png && rm big.v")
        func job(_ image: VipsImage, _ change: (inout VipsJob) -> Void = { _ in }) -> VipsJob {
            var job = VipsJob(image, .save(file: "out-\(UInt32.random(in: 0 ... .max)).png", options: ""))
            change(&job)
            return job
        }
        let big = VipsImage.file("big.png").turned("d90").blurred(radius: 20)
        let limited: [(String, VipsJob)] = [
            ("memory", job(VipsImage.file("big.png").turned("d90")) { $0.memoryBytes = 600 << 20 }),
            ("processor", job(big) { $0.processorSeconds = 1 }), ("time", job(big) { $0.seconds = 0.5 }),
            ("file", job(Self.photo.thumbnail(width: 2000, height: 2000)) { $0.fileBytes = 1000 }),
        ]
        let good = job(Self.photo.inverted)
        let reference = try lab.run(good)
        #expect(reference.ending == .exited(0))
        for (name, job) in limited {
            async let neighbour = ending(of: good, lab)
            let run = try lab.run(job)
            #expect(run.failure(of: job) != nil, "\(name)")
            #expect(run.ending != .unknown, "\(name)")
            #expect(await neighbour == .exited(0), "\(name)")
        }
    }

    /// libvips would keep the pixels of such pictures in a temporary file, for which there is no place.
    @Test(arguments: ["jpg", "png"]) func aLargePictureIsReadInAnyOrder(suffix: String) throws {
        let lab = try VipsLab()
        try lab.shell(
            "vips black b.v 6500 6500 --bands 3 && vips copy b.v large.\(suffix) --interpretation srgb && rm b.v")
        let image = VipsImage.file("large.\(suffix)").turned("d90").cropped(left: 0, top: 0, width: 9, height: 9)
        let run = try lab.run(VipsJob(image, .save(file: "out.png", options: "")))
        #expect(run.ending == .exited(0), "\(run.traces.lastErrorLine ?? "")")
    }

    @Test func aCancelledJobEndsAndItsChildGoes() async throws {
        let lab = try VipsLab()
        try lab.shell("vips black big.v 20000 20000 --bands 3 && vips copy big.v big.png && rm big.v")
        let cancel = Cancellation()
        let job = VipsJob(
            VipsImage.file("big.png").turned("d90").blurred(radius: 30), .save(file: "out.png", options: ""))
        async let ending = ending(of: job, lab, cancel)
        try await #require(Harness.eventually { !Zygotes.children.isEmpty })
        cancel.cancel()
        #expect(await ending == .cancelled)
        #expect(try await Harness.eventually { Zygotes.children.isEmpty })
    }

    private func ending(of job: VipsJob, _ lab: VipsLab, _ cancel: Cancellation = Cancellation()) async -> Child.Ending?
    {
        await withCheckedContinuation { continuation in
            let isStarted = OwnThread.start { continuation.resume(returning: try? lab.run(job, cancel: cancel).ending) }
            if !isStarted { continuation.resume(returning: nil) }
        }
    }

    /// The process may be killed at any time. What runs then is computed again, and so is what comes next.
    @Test func aKilledProcessIsStartedAgain() async throws {
        let lab = try VipsLab(.none("killed"))
        try lab.makePictures()
        let job = VipsJob(Self.photo.inverted, .save(file: "out.png", options: ""))
        for _ in 0..<3 {
            #expect(try lab.run(job).ending == .exited(0))
            for id in Zygotes.bare { kill(id, SIGKILL) }
        }
        #expect(try lab.run(job).ending == .exited(0))
    }

    /// A link in the folder of a job leads nowhere, and a file that was there is replaced.
    @Test func aLinkIsNotFollowed() throws {
        let lab = try VipsLab()
        try lab.makePictures()
        try lab.shell("ln -s photo.jpg link.jpg && echo kept > kept && ln -s kept out.png")
        #expect(throws: Failure.self) { try lab.run(VipsJob(.file("link.jpg"), .fields)) }
        #expect(try lab.run(VipsJob(Self.photo, .save(file: "out.png", options: ""))).ending == .exited(0))
        #expect(String(decoding: try lab.bytes("kept"), as: UTF8.self) == "kept\n")
    }

    /// More pictures than one message has descriptors for.
    @Test func aSheetHasManyPictures() throws {
        let lab = try VipsLab()
        try lab.makePictures(width: 8, height: 8)
        try lab.shell("i=0; while [ $i -lt 400 ]; do cp photo.png p-$i.png; i=$((i + 1)); done")
        let sheet = VipsImage.grid((0..<400).map { .file("p-\($0).png") }, columns: 20, gap: 1)
        #expect(try lab.run(VipsJob(sheet, .save(file: "out.png", options: ""))).ending == .exited(0))
    }
}

/// The zygotes of this process.
enum Zygotes {
    /// Those without a sandbox, which are children of this process.
    static var bare: [Int32] { all.filter { parent($0) == getpid() } }

    /// The children that compute something.
    static var children: [Int32] {
        let zygotes = Set(all)
        return ProcessTable.ids(saying: VipsZygoteRole.word).filter { parent($0).map(zygotes.contains) ?? false }
    }

    /// Those that this process started, and not their children nor bubblewrap.
    private static var all: [Int32] {
        ProcessTable.ids(saying: VipsZygoteRole.word).filter { id in
            guard !ProcessTable.commandLine(id).contains("bwrap"), let parent = parent(id) else { return false }
            return isDescendant(id) && (parent == getpid() || ProcessTable.commandLine(parent).contains("bwrap"))
        }
    }

    /// Whether this process started it, or one that this process started. Tests beside this one have zygotes, too.
    private static func isDescendant(_ id: Int32) -> Bool {
        var id = id
        while let above = parent(id), above > 1 {
            if above == getpid() { return true }
            id = above
        }
        return false
    }

    private static func parent(_ id: Int32) -> Int32? {
        ScratchFolder.text("/proc/\(id)/stat")?.split(separator: ")").last?.split(separator: " ").dropFirst().first
            .flatMap { Int32($0) }
    }
}
