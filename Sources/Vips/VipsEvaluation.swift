import CVips
import Glibc

/// The computation of a plan, in a process that has the files as descriptors. It is over at the first error, whose
/// words libvips keeps (`cvips_errors`).
struct VipsEvaluation {
    let plan: VipsPlan
    /// The descriptors of the files, by their numbers.
    let files: [Int32]

    /// Returns the picture of the plan, or nil if it cannot be made. Most pixels are computed only when it is saved.
    func image() -> cvips_object? {
        var operations: [cvips_object?] = []
        for part in plan.parts {
            guard case .step(let name, _, _, _) = part, name != "thumbnail" else {
                operations.append(nil)
                continue
            }
            guard let operation = name.withCString(cvips_operation) else { return nil }
            operations.append(operation)
        }
        // A file that only thumbnails read has none, since they open it themselves.
        var images: [cvips_object?] = []
        for (place, part) in plan.parts.enumerated() {
            let image: cvips_object?
            switch part {
            case .file where !isReadAsPicture(place):
                images.append(nil)
                continue
            case .file(let name, let hasAllPages):
                image = load(name, hasAllPages, inOrder: isReadInOrder(place, operations))
            case .matrix(let width, let numbers):
                image = cvips_matrix(Int32(width), Int32(numbers.count / width), numbers)
            case .step("thumbnail", let inputs, let arguments, _):
                image = thumbnail(inputs[0].parts[0], images, arguments, isLast: place == plan.parts.count - 1)
            case .step(_, let inputs, let arguments, _):
                image = operations[place].flatMap { made($0, inputs, images, arguments) }
            }
            guard let image else { return nil }
            images.append(image)
        }
        return images.last ?? nil
    }

    /// Whether a part is the picture itself, or read by another step than a thumbnail.
    private func isReadAsPicture(_ place: Int) -> Bool {
        place == plan.parts.count - 1
            || plan.parts.contains { part in
                guard case .step(let name, let inputs, _, _) = part, name != "thumbnail" else { return false }
                return inputs.contains { $0.parts.contains(place) }
            }
    }

    /// Whether a file is read once, from top to bottom, by all that is made of it. libvips then needs no memory for all
    /// of its pixels.
    private func isReadInOrder(_ place: Int, _ operations: [cvips_object?]) -> Bool {
        var place = place
        while place < plan.parts.count - 1 {
            guard plan.uses(of: place) == 1,
                let reader = plan.parts.indices.first(where: { reads($0, place) }), let operation = operations[reader],
                cvips_is_in_order(operation) == 1
            else { return false }
            place = reader
        }
        return true
    }

    private func reads(_ reader: Int, _ place: Int) -> Bool {
        guard case .step(_, let inputs, _, _) = plan.parts[reader] else { return false }
        return inputs.contains { $0.parts.contains(place) }
    }

    private func source(_ name: String) -> cvips_object? {
        guard let number = Int(name), files.indices.contains(number) else { return nil }
        return cvips_source(files[number])
    }

    private func load(_ name: String, _ hasAllPages: Bool, inOrder: Bool) -> cvips_object? {
        guard let source = source(name) else { return nil }
        return cvips_load(source, hasAllPages ? "n=-1" : "", inOrder ? 1 : 0)
    }

    private func thumbnail(
        _ input: Int, _ images: [cvips_object?], _ arguments: [VipsStep.Argument], isLast: Bool
    ) -> cvips_object? {
        let operation: cvips_object?
        if case .file(let name, let hasAllPages) = plan.parts[input] {
            guard let source = source(name) else { return nil }
            operation = cvips_thumbnail(source, hasAllPages ? "n=-1" : "")
        } else {
            operation = cvips_operation("thumbnail_image")
            guard let operation, let image = images[input], cvips_set_image(operation, "in", image) == 0 else {
                return nil
            }
        }
        guard let operation, set(arguments, of: operation), let image = cvips_made(operation) else { return nil }
        // What comes after it may read the pixels in any order, which a decoder cannot give.
        return isLast ? image : cvips_in_memory(image)
    }

    private func made(
        _ operation: cvips_object, _ inputs: [VipsPlan.Inputs], _ images: [cvips_object?],
        _ arguments: [VipsStep.Argument]
    ) -> cvips_object? {
        for input in inputs {
            let given = input.parts.compactMap { images[$0] }
            guard given.count == input.parts.count else { return nil }
            let result =
                input.isList
                ? cvips_set_images(operation, input.name, given, Int32(given.count))
                : cvips_set_image(operation, input.name, given[0])
            guard result == 0 else { return nil }
        }
        return set(arguments, of: operation) ? cvips_made(operation) : nil
    }

    private func set(_ arguments: [VipsStep.Argument], of operation: cvips_object) -> Bool {
        arguments.allSatisfy { argument in
            switch argument.value {
            case .integer(let value):
                Int32(exactly: value).map { cvips_set_integer(operation, argument.name, $0) == 0 } ?? false
            case .number(let value): cvips_set_number(operation, argument.name, value) == 0
            case .numbers(let values): cvips_set_numbers(operation, argument.name, values, Int32(values.count)) == 0
            case .flag(let value): cvips_set_integer(operation, argument.name, value ? 1 : 0) == 0
            case .word(let value): cvips_set_word(operation, argument.name, value) == 0
            }
        }
    }
}
