extension Guide {
    /// The steps that a person is asked, in order and without groups. The steps of `otherwise` follow the step that
    /// they replace.
    package var askedSteps: [GuideStep] { allSteps.filter { $0.inner.isEmpty } }

    /// How many steps have a number.
    package var numberCount: Int { numbers.values.max() ?? 0 }

    /// The numbers of the steps as users see them, by the steps' ids. Notes have none. A step that replaces another has
    /// the number of that step.
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
