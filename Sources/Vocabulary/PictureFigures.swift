package import JSON

/// The figures of a picture by which it is judged whether it shows enough. They stay with the asset.
package struct PictureFigures: Hashable, Sendable {
    /// The size as people see the picture, in pixels.
    package var width: Int
    package var height: Int
    /// The amount of fine detail relative to coarse detail: some 200 in a sharp photograph, and below 90 in a blurred
    /// one, whatever its light.
    package var sharp: Int
    /// The fine detail of the poorest direction relative to the one at right angles, in percent. It is small if the
    /// picture was moved.
    package var motion: Int
    /// The mean brightness, of 255.
    package var bright: Int
    /// The shares of pixels that are wholly white or black, in percent.
    package var white: Int
    package var black: Int
    /// The difference hash, by which two pictures of one scene are recognised.
    package var hash: UInt64

    /// Creates figures.
    package init(width: Int, height: Int, sharp: Int, motion: Int, bright: Int, white: Int, black: Int, hash: UInt64) {
        (self.width, self.height, self.sharp, self.motion) = (width, height, sharp, motion)
        (self.bright, self.white, self.black, self.hash) = (bright, white, black, hash)
    }

    /// Returns how many of 64 bits differ between two pictures.
    package func distance(to other: PictureFigures) -> Int { (hash ^ other.hash).nonzeroBitCount }

    package var json: JSON {
        [
            "width": .int(width), "height": .int(height), "sharp": .int(sharp), "motion": .int(motion),
            "bright": .int(bright),
            "white": .int(white), "black": .int(black), "hash": .string(String(hash, radix: 16)),
        ]
    }

    /// Reads figures. Returns `nil` if the JSON has another form.
    package init?(json: JSON) {
        func number(_ key: String) -> Int? { json[key]?.int }
        guard let width = number("width"), let height = number("height"), let sharp = number("sharp"),
            let motion = number("motion"),
            let bright = number("bright"), let white = number("white"), let black = number("black"),
            let hash = json["hash"]?.string.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        self.init(
            width: width, height: height, sharp: sharp, motion: motion, bright: bright, white: white, black: black,
            hash: hash)
    }
}
