import Files
import JSON
import Pictures
import Sandbox
import Vocabulary

extension Limits {
    /// The least share of fine detail, in percent, of a picture that was certainly not moved (`motionLeast`). An
    /// accepted picture below it is reported as doubtful.
    fileprivate static let motionSure = 80
}

/// The tools that look at a picture and make none: `PictureCheck` and `ReadCode`.
struct PictureTools {
    private let context: Builtin.Context
    private let cancel: Cancellation

    init(_ context: Builtin.Context, cancel: Cancellation) { (self.context, self.cancel) = (context, cancel) }

    private var assignment: Assignment { context.assignment }

    /// Measures a picture, and holds the figures against the parameters.
    ///
    /// - Throws: the first limit that the picture does not keep, such as `blurred`, unless the parameter `fail` is off.
    func check() throws(Failure) -> [Asset] {
        let picture = try assignment.requiredInput("image")
        let figures = try context.toolbox.pictures.figures(
            of: picture.hash, named: picture.name, errors: assignment.manifest.errors, cancel: cancel)
        let refusal = try limits().refusal(of: figures)
        let isDoubtful = refusal == nil && figures.motion < Limits.motionSure && assignment.integer("sharp") != 0
        let verdict = JSON.of([
            "fits": .bool(refusal == nil), "figures": figures.json, "doubt": isDoubtful ? "moved" : nil,
            "refusal": refusal.map {
                .of(["code": .string($0.code.text), "words": .string($0.words), "figures": $0.figures])
            },
        ])
        let assets = try context.told(verdict, words(picture, figures, refusal, isDoubtful), of: picture.name, "check")
        guard let refusal, assignment.flag("fail") else { return assets }
        var failure = Failure(refusal.code, "\(picture.name.withSignsForControls) does not fit: \(refusal.words).")
        failure.left = assets
        throw failure
    }

    private func words(_ picture: Asset, _ figures: PictureFigures, _ refusal: Refusal?, _ isDoubtful: Bool) -> String {
        let fits = refusal.map { "does not fit: \($0.words)" } ?? (isDoubtful ? "fits, but was perhaps moved" : "fits")
        return
            "\(picture.name) \(fits). Sharpness \(figures.sharp), motion \(figures.motion) %, brightness \(figures.bright) of 255, "
            + "\(figures.white) % white, \(figures.black) % black, \(figures.width)×\(figures.height) pixels"
    }

    /// Returns the limits that the parameters say. 0 switches one off.
    private func limits() throws(Failure) -> Acceptance {
        func limit(_ name: String) -> Int? { assignment.integer(name).flatMap { $0 > 0 ? $0 : nil } }
        var limits = GuideStep.Accept.Picture()
        (limits.sharp, limits.clipped) = (limit("sharp"), limit("clipped"))
        let (darkest, brightest) = (assignment.integer("darkest") ?? 0, assignment.integer("brightest") ?? 255)
        guard darkest <= brightest else {
            throw Failure(.badParam, "The darkest brightness of a picture is above its brightest.")
        }
        limits.bright = darkest...brightest
        if let minimum = assignment.text("minimum") {
            let sides = minimum.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard sides.count == 2, sides.allSatisfy({ (1...Limits.pictureSide).contains($0) }) else {
                throw Failure(.badParam, "The least size of a picture is two numbers, such as 1280x960.")
            }
            (limits.width, limits.height) = (sides[0], sides[1])
        }
        var acceptance = Acceptance(.media)
        acceptance.demands.picture = limits
        return acceptance
    }

    /// Reads the codes of a picture, a line each.
    func readCode() throws(Failure) -> [Asset] {
        let picture = try assignment.requiredInput("image")
        let codes = try context.toolbox.pictures.codes(
            of: picture.hash, named: picture.name, errors: assignment.manifest.errors, cancel: cancel)
        return try context.text(
            codes.joined(separator: "\n"), name: Builtin.Context.name(after: picture.name, "code", ".txt"))
    }
}
