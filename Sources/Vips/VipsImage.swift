/// A picture that libvips reads or makes, as a value: a file, or an operation on other pictures. Nothing is computed
/// before a `VipsJob` runs.
package indirect enum VipsImage: Hashable, Sendable {
    /// A file of the job by its name.
    ///
    /// - Parameter hasAllPages: whether all frames or pages are read, one below the other.
    case file(String, hasAllPages: Bool = false)
    /// A matrix of numbers, row by row.
    case matrix(width: Int, [Double])
    case made(VipsStep)
}

/// An operation of libvips, with typed arguments under the names of libvips.
package struct VipsStep: Hashable, Sendable {
    /// The name, as `vips NAME` knows it.
    package let name: String
    let images: [Images]
    let arguments: [Argument]
    /// The suffix of the file to which a program writes the picture, for the steps that follow.
    var suffix = ".v"

    /// The pictures of one argument.
    struct Images: Hashable, Sendable {
        let name: String
        let images: [VipsImage]
        /// Whether the argument takes a list.
        var isList = false
    }

    package enum Value: Hashable, Sendable {
        case integer(Int)
        case number(Double)
        case numbers([Double])
        case flag(Bool)
        /// A text, or the name of a choice.
        case word(String)
    }

    struct Argument: Hashable, Sendable {
        let name: String
        let value: Value
        /// Whether `vips NAME` takes it as an option, and not by its place.
        var isOption = false
    }

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - arguments: the arguments that `vips NAME` takes by their places, in this order.
    ///   - options: the arguments that it takes as options.
    init(
        _ name: String, _ images: [Images], _ arguments: KeyValuePairs<String, Value> = [:],
        options: KeyValuePairs<String, Value> = [:]
    ) {
        self.init(name, images, arguments, options: options.map { ($0.key, $0.value) })
    }

    /// Creates a step whose options depend on something.
    init(
        _ name: String, _ images: [Images], _ arguments: KeyValuePairs<String, Value>, options: [(String, Value)]
    ) {
        self.name = name
        self.images = images
        self.arguments =
            arguments.map { Argument(name: $0.key, value: $0.value) }
            + options.map { Argument(name: $0.0, value: $0.1, isOption: true) }
    }
}
