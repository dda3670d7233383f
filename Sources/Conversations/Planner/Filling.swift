import JSON
import Vocabulary

/// Filling of parameters with figures, by unit and name, within the bounds of the manifest.
enum Filling {
    /// Returns the step with a figure in its parameters, or nil if none of them fits the figure. Throws if the figure
    /// is out of bounds.
    static func fill(_ measure: Measure, into step: Step) throws(Refusal) -> Step? {
        guard let values = values(of: measure, for: step) else { return nil }
        var step = step
        for (param, value) in values { step.params[param.name] = try checked(value, for: param, of: step.tool) }
        return step
    }

    private static func values(of measure: Measure, for step: Step) -> [(ToolManifest.Param, JSON)]? {
        func free(_ name: String, unit: String? = nil) -> ToolManifest.Param? {
            step.tool.param(name).flatMap { step.params[name] == nil && (unit == nil || $0.unit == unit) ? $0 : nil }
        }
        func both(_ one: String, _ x: Double, _ other: String, _ y: Double) -> [(ToolManifest.Param, JSON)]? {
            guard let first = free(one, unit: "px"), let second = free(other, unit: "px") else { return nil }
            return [(first, number(x)), (second, number(y))]
        }
        func only(unit: String, _ value: Double) -> [(ToolManifest.Param, JSON)]? {
            let params = step.tool.params.filter { $0.unit == unit && ($0.kind == .number || $0.kind == .integer) }
            guard params.count == 1, step.params[params[0].name] == nil else { return nil }
            return [(params[0], number(value))]
        }
        switch measure {
        case .width(let value): return free("width", unit: "px").map { [($0, number(value))] }
        case .height(let value): return free("height", unit: "px").map { [($0, number(value))] }
        case .longest(let value): return both("width", value, "height", value)
        case .box(let width, let height): return both("width", width, "height", height)
        case .point(let x, let y): return both("left", x, "top", y)
        case .side(let value):
            if let width = free("width", unit: "px"), free("height") != nil { return [(width, number(value))] }
            return only(unit: "px", value)
        case .bare(let value):
            if let width = free("width", unit: "px"), free("height") != nil { return [(width, number(value))] }
            let numeric = step.tool.params.filter { $0.kind == .number || $0.kind == .integer }
            guard numeric.count == 1, step.params[numeric[0].name] == nil else { return nil }
            return [(numeric[0], number(value))]
        case .bytes(let bytes, let words):
            let isMega = words.lowercased().contains { $0 == "m" || $0 == "g" }
            let params = step.tool.params.filter { ["KB", "MB"].contains($0.unit) }
            guard let param = params.first(where: { $0.unit == (isMega ? "MB" : "KB") }) ?? params.first,
                step.params[param.name] == nil
            else { return nil }
            return [(param, number(bytes / (param.unit == "MB" ? 1e6 : 1e3)))]
        case .angle(let value): return only(unit: "°", value)
        case .time(let value): return only(unit: "s", value)
        case .percent(let value): return only(unit: "%", value)
        // “by 40 %” is not a size. For a parameter of strength, it is the amount.
        case .share(let value): return step.tool.param("width") == nil ? only(unit: "%", value) : nil
        case .megapixels(let value): return only(unit: "MP", value)
        case .quality(let value): return free("quality").map { [($0, number(value))] }
        case .format(let format):
            guard
                let param = step.tool.params.first(where: {
                    $0.kind == .choice && $0.choices.contains { FileName.images.contains($0) }
                }),
                step.params[param.name] == nil
            else { return nil }
            return [(param, .string(format))]
        case .strength(let words):
            for param in step.tool.params where step.params[param.name] == nil {
                if let value = preset(words, in: param.summary) { return [(param, number(value))] }
            }
            return nil
        case .named(let name, let value): return free(name).map { [($0, number(value))] }
        case .foreign: return nil
        }
    }

    /// Returns the figure before some words in a summary: for "a little", the 1.5 of "Sigma of the blur: 1.5 a little,
    /// 3 some, 8 a lot".
    private static func preset(_ words: String, in summary: String) -> Double? {
        guard let place = summary.firstRange(of: words) else { return nil }
        return summary[..<place.lowerBound].split(separator: " ").last.flatMap { Double($0) }
    }

    static func number(_ value: Double) -> JSON {
        value == value.rounded() && abs(value) < 1e15 ? .int(Int(value)) : .double((value * 1e6).rounded() / 1e6)
    }

    /// Returns a value if its parameter accepts it. Throws if it is out of bounds, and never clamps it.
    static func checked(_ value: JSON, for param: ToolManifest.Param, of tool: ToolManifest) throws(Refusal) -> JSON {
        let unit = param.unit.map { " \($0)" } ?? ""
        if param.kind == .choice, let text = value.string, !param.choices.contains(text) {
            throw Refusal("\(tool.title) cannot make \(text); it can make \(param.choices.joined(separator: ", ")).")
        }
        guard let number = value.number else { return value }
        if param.kind == .integer, value.int == nil {
            throw Refusal("The \(param.name) of \(tool.title) is a whole number; \(value.text) is not.")
        }
        if let minimum = param.minimum, number < minimum {
            throw Refusal(
                "\(value.text)\(unit) is too little for \(tool.title): its \(param.name) is at least \(self.number(minimum).text)\(unit)."
            )
        }
        if let maximum = param.maximum, number > maximum {
            throw Refusal(
                "\(value.text)\(unit) is too much for \(tool.title): its \(param.name) is at most \(self.number(maximum).text)\(unit)."
            )
        }
        return value
    }

    /// Returns the tool that uses such a figure, for a clause that names no tool. Returns nil if there is none.
    static func tool(for measure: Measure, _ catalogue: Catalogue) -> ToolManifest? {
        func first(_ fits: (ToolManifest) -> Bool) -> ToolManifest? { catalogue.sorted.first(where: fits) }
        func has(_ unit: String) -> ToolManifest? { first { $0.params.contains { $0.unit == unit } } }
        switch measure {
        case .width, .height, .longest, .side, .box:
            return first { $0.param("width")?.unit == "px" && $0.param("height") != nil && $0.param("left") == nil }
        case .percent:
            return first { $0.param("width")?.unit == "px" && $0.params.contains { $0.unit == "%" } }
        case .megapixels: return has("MP")
        case .bytes: return has("KB") ?? has("MB")
        case .angle: return has("°")
        case .time: return has("s")
        case .format: return first { tool in tool.params.contains { $0.kind == .choice && $0.choices.contains("png") } }
        case .point, .share, .quality, .bare, .named, .strength, .foreign: return nil
        }
    }

    /// Returns whether a step has the figure already: "clockwise by a quarter turn".
    static func isThere(_ measure: Measure, in steps: [Step]) throws(Refusal) -> Bool {
        for step in steps {
            var empty = step
            empty.params = JSON.Object()
            guard let filled = try fill(measure, into: empty), !filled.params.members.isEmpty else { continue }
            if filled.params.members.allSatisfy({ step.params[$0.key] == $0.value }) { return true }
        }
        return false
    }

    /// Refuses a second figure for a parameter that has one.
    ///
    /// - Throws: a refusal that names the two figures, or the parameter that a figure belongs to.
    static func refuseTwice(_ measure: Measure, in steps: [Step]) throws(Refusal) {
        for step in steps {
            var empty = step
            empty.params = JSON.Object()
            guard let filled = try fill(measure, into: empty) else { continue }
            for member in filled.params.members {
                guard let known = step.params[member.key], known != member.value else { continue }
                if member.key == "format" {
                    throw Refusal(
                        "One format at a time: say \(known.string ?? "") and \(member.value.string ?? "") in two lines."
                    )
                }
                throw Refusal(
                    "The \(member.key) cannot be both \(known.text) and \(member.value.text). Say one of them.")
            }
        }
        switch measure {
        case .bare(let value):
            throw Refusal(
                "I do not know what \(number(value).text) stands for. Say it with a unit, such as px, KB or seconds.")
        case .quality:
            throw Refusal(
                "A quality goes with a format: say “convert to jpg, quality 80”, or a size such as “under 200 KB”.")
        default: break
        }
    }
}
