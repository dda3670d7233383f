import Pictures
import Sandbox
import Vips
import Vocabulary

extension ImageTools {
    /// Writes a text on a picture, in white on a dark strip.
    static func caption(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let words = try bench.assignment.requiredText("text")
        guard !words.allSatisfy(\.isWhitespace) else { throw Failure(.badParam, "There is no text to write.") }
        let picture = try input("image", 1, &bench)
        let (width, height) = (picture.width, picture.height)
        let size = bench.assignment.integer("size") ?? max(10, min(width, height) / 14)
        let pad = size / 2
        let mask = VipsImage.text(
            "<span>\(markup(words))</span>", font: "sans bold \(size)", width: max(1, width - 2 * pad))
        let (textWidth, textHeight) = try bench.measure(mask)
        let strip = textHeight + 2 * pad
        guard textWidth <= width, strip <= height else {
            throw Failure(
                .badParam, "The text does not fit on the picture: it is too long, or its letters are too large.")
        }
        let top =
            switch bench.assignment.text("position") {
            case "top": 0
            case "middle": (height - strip) / 2
            default: height - strip
            }
        let base = picture.colors.kind == .cmyk ? picture.image.inSRGB(fallback: "cmyk") : picture.image.inSpace("srgb")
        let bands = try bench.fields(of: base)["bands"].flatMap { Int($0) } ?? 3
        let dark = VipsImage.black(width: width, height: strip).scaled(by: [1], plus: [140])
        let ground = VipsImage.joiningBands([.black(width: width, height: strip, bands: 3), dark]).meaning("srgb")
        let white = mask.scaled(by: [0], plus: [255])
        let letters = VipsImage.joiningBands([white, white, white, mask]).meaning("srgb")
        let sign = ground.covered(by: letters, "over", left: (width - textWidth) / 2, top: pad)
        return try finish(picture, bench) { _ in
            let both = base.covered(by: sign, "over", left: 0, top: top)
            return (bands == 4 ? both : both.bands(0, count: 3)).cast(to: "uchar")
        }
    }

    /// Returns a text in which nothing is markup.
    private static func markup(_ words: String) -> String {
        words.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
