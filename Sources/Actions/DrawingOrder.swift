/// The form and the size of a picture for a terminal.
package struct DrawingOrder: Hashable, Sendable {
    /// The form of the bytes.
    package enum Form: Hashable, Sendable {
        /// A picture file in the format PNG.
        case png
        /// Pixels in the text form of DEC terminals, drawn by chafa.
        case sixel
        /// Coloured characters, drawn by chafa.
        case symbols
    }

    /// A width and a height.
    package struct Size: Hashable, Sendable {
        package let width: Int
        package let height: Int

        /// Creates a size.
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    package let form: Form
    /// The most pixels of the picture.
    package let pixels: Size
    /// The most cells of the terminal that the picture fills.
    package let cells: Size

    /// Creates an order.
    package init(_ form: Form, pixels: Size, cells: Size) {
        self.form = form
        self.pixels = pixels
        self.cells = cells
    }
}
