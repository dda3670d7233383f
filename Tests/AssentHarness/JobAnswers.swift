import JSON

/// What a provider truly says about one job, and what that does to it.
extension Job {
    mutating func status(_ now: Int, _ places: Places) -> TrueAnswer {
        polls += 1
        looks += 1
        move(now)
        return .json(view(now, places))
    }

    mutating func logs(_ now: Int) -> TrueAnswer {
        looks += 1
        move(now)
        return .json(["logs": .string(logText)])
    }

    mutating func result(_ now: Int, _ places: Places) -> TrueAnswer {
        move(now)
        guard state == .succeeded else { return .error(409, "notReady", "The job is \(state.rawValue).") }
        guard hasResult(now) else { return .error(404, "gone", "The result is no longer kept.") }
        collected += 1
        guard life.resultIsFile else { return .json(output(places)) }
        return TrueAnswer(content: .bytes(life.files[0].bytes, type: life.files[0].type))
    }

    mutating func file(_ name: String, _ now: Int) -> TrueAnswer {
        move(now)
        guard let file = life.files.first(where: { $0.name == name }), hasResult(now) else {
            return .error(404, "gone", "There is no file \(name).")
        }
        collected += 1
        return TrueAnswer(content: .bytes(file.bytes, type: file.type))
    }
}
