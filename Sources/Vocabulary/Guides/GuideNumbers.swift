extension Guide {
    /// The steps that a person is asked: no groups, in their order, each with what replaces it behind it.
    package var askedSteps: [GuideStep] { allSteps.filter { $0.inner.isEmpty } }

    /// How many steps have a number.
    package var numberCount: Int { numbers.values.max() ?? 0 }

    /// The numbers of the steps as a person counts them, by their ids: notes have none, and a step that replaces
    /// another has its number.
    package var numbers: [String: Int] {
        var numbers: [String: Int] = [:]
        var count = 0
        func number(_ step: GuideStep) {
            guard step.inner.isEmpty else { return step.inner.forEach(number) }
            if step.kind != .note { count += 1 }
            for one in [step] + step.otherwise where one.kind != .note { numbers[one.id] = count }
        }
        steps.forEach(number)
        return numbers
    }
}

extension Guide {
    /// The id of the node at which everything is looked over. No step can be called so.
    package static let reviewID = "guide.review"
}
