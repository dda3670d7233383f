import ArgumentParser
import Harness

/// The hidden command `assent-harness picture DIR`, which `make picture` runs.
struct DrawPicture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture", abstract: "Draw the golden transcript as SVG, light and dark.", shouldDisplay: false)

    @Argument(help: "An existing folder for the pictures.")
    var folder: String

    func run() throws {
        let picture = try SessionPicture.golden()
        for theme in SessionPicture.Theme.allCases {
            try ScratchFolder.write(picture.svg(theme), to: "\(folder)/\(theme.fileName)")
        }
    }
}
