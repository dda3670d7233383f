import JSON

/// A picture and all that it is made of, in an order in which each part comes after those that it needs. Equal parts
/// are there once.
package struct VipsPlan: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case file(String, hasAllPages: Bool)
        case matrix(width: Int, [Double])
        /// - Parameter inputs: the parts of each argument with pictures.
        case step(String, inputs: [Inputs], arguments: [VipsStep.Argument], suffix: String = ".v")
    }

    struct Inputs: Hashable, Sendable {
        let name: String
        let parts: [Int]
        let isList: Bool
    }

    /// The last one is the picture.
    private(set) var parts: [Part] = []

    package init(_ image: VipsImage) {
        var places: [Part: Int] = [:]
        add(image, &places)
    }

    @discardableResult
    private mutating func add(_ image: VipsImage, _ places: inout [Part: Int]) -> Int {
        let part: Part
        switch image {
        case .file(let name, let hasAllPages): part = .file(name, hasAllPages: hasAllPages)
        case .matrix(let width, let numbers): part = .matrix(width: width, numbers)
        case .made(let step):
            var inputs: [Inputs] = []
            for argument in step.images {
                inputs.append(
                    Inputs(
                        name: argument.name, parts: argument.images.map { add(Self.read($0, by: step), &places) },
                        isList: argument.isList))
            }
            part = .step(step.name, inputs: inputs, arguments: step.arguments, suffix: step.suffix)
        }
        if let place = places[part] { return place }
        places[part] = parts.count
        parts.append(part)
        return parts.count - 1
    }

    /// Returns what a step reads. A thumbnail turns a file by itself, and can then make it smaller while it is decoded.
    private static func read(_ image: VipsImage, by step: VipsStep) -> VipsImage {
        guard step.name == "thumbnail", case .made(let inner) = image, inner.name == "autorot",
            let file = inner.images.first?.images.first, case .file = file
        else { return image }
        return file
    }

    /// The names of all files, each once, in their order.
    package var files: [String] {
        var names: [String] = []
        for case .file(let name, _) in parts where !names.contains(name) { names.append(name) }
        return names
    }

    /// Returns how often the picture of a part is used by others.
    func uses(of place: Int) -> Int {
        parts.reduce(0) { count, part in
            guard case .step(_, let inputs, _, _) = part else { return count }
            return count + inputs.reduce(0) { $0 + $1.parts.count { $0 == place } }
        }
    }
}

// MARK: Between processes

extension VipsPlan {
    /// The plan as a message. Files are numbers, in the order of `files`.
    var json: JSON {
        let files = files
        return .array(
            parts.map { part in
                switch part {
                case .file(let name, let hasAllPages):
                    .of(["file": .int(files.firstIndex(of: name) ?? 0), "all": .bool(hasAllPages)])
                case .matrix(let width, let numbers):
                    .of(["width": .int(width), "matrix": .array(numbers.map { .double($0) })])
                case .step(let name, let inputs, let arguments, _):
                    .of([
                        "do": .string(name),
                        "in": .array(
                            inputs.map {
                                .of([
                                    "name": .string($0.name), "parts": .array($0.parts.map { .int($0) }),
                                    "list": .bool($0.isList),
                                ])
                            }),
                        "with": .array(
                            arguments.map { .of(["name": .string($0.name), "value": $0.value.json]) }),
                    ])
                }
            })
    }

    /// Reads a message. Returns nil if it is none, or names an operation that is not known here. Its files have their
    /// numbers as names.
    init?(_ json: JSON) {
        guard let array = json.array else { return nil }
        for value in array {
            if let file = value["file"]?.int {
                parts.append(.file("\(file)", hasAllPages: value["all"]?.bool ?? false))
            } else if let width = value["width"]?.int, let numbers = value["matrix"]?.array {
                guard width > 0, !numbers.isEmpty, numbers.count % width == 0 else { return nil }
                parts.append(.matrix(width: width, numbers.compactMap(\.number)))
            } else {
                guard let step = step(value) else { return nil }
                parts.append(step)
            }
        }
        guard !parts.isEmpty else { return nil }
    }

    private func step(_ json: JSON) -> Part? {
        guard let name = json["do"]?.string, VipsImage.names.contains(name), let inputs = json["in"]?.array,
            let arguments = json["with"]?.array
        else { return nil }
        var read: [Inputs] = []
        for input in inputs {
            guard let name = input["name"]?.string, let parts = input["parts"]?.array?.compactMap(\.int),
                let isList = input["list"]?.bool, parts.allSatisfy({ self.parts.indices.contains($0) }),
                isList || parts.count == 1
            else { return nil }
            read.append(Inputs(name: name, parts: parts, isList: isList))
        }
        var given: [VipsStep.Argument] = []
        for argument in arguments {
            guard let name = argument["name"]?.string, let value = argument["value"].flatMap({ VipsStep.Value($0) })
            else { return nil }
            given.append(VipsStep.Argument(name: name, value: value))
        }
        return .step(name, inputs: read, arguments: given)
    }
}

extension VipsStep.Value {
    fileprivate var json: JSON {
        switch self {
        case .integer(let value): .int(value)
        case .number(let value): .double(value)
        case .numbers(let values): .array(values.map { .double($0) })
        case .flag(let value): .bool(value)
        case .word(let value): .string(value)
        }
    }

    fileprivate init?(_ json: JSON) {
        switch json {
        case .int(let value): self = .integer(value)
        case .double(let value): self = .number(value)
        case .bool(let value): self = .flag(value)
        case .string(let value): self = .word(value)
        case .array(let values): self = .numbers(values.compactMap(\.number))
        case .null, .object: return nil
        }
    }
}
