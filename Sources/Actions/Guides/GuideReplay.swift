import JSON
package import Vocabulary

/// The course of a run whose steps are answered from a file, under the same checks as a person's answers.
package struct GuideReplay: Sendable {
    private let run: GuideRun
    /// The answers, with paths as seen from this process.
    private let file: AnswersFile
    private let answers: GuideAnswers
    private var course: GuideCourse
    /// Whether stored answers that differ from the file are replaced.
    private let replaces: Bool
    private let comparison: AnswerComparison
    /// Whether the stored answers were compared with the file.
    private var isCompared = false
    /// The step that was answered last, whose notes are not stored yet.
    private var answeredStep: StepID?

    /// The place at which the file needs the person.
    package enum Place: Hashable, Sendable {
        /// - unused: the ids of the steps that have an answer in the file and were not asked.
        case ended(Outcome, unused: [String])
        /// A step that has no answer in the file.
        case unanswered(AwaitRecord)
        case elsewhere
        /// A standstill, since another process holds the run. It is reported once, and the replay can go on.
        case held(WorkflowHolder)
    }

    init(of run: GuideRun, _ file: AnswersFile, from path: String, replaces: Bool) {
        (self.run, self.file, self.replaces) = (run, file, replaces)
        (answers, course) = (GuideAnswers(run.shared, from: path), GuideCourse(of: run))
        comparison = AnswerComparison(run: run, file: file, answers: answers)
    }

    /// Answers each step that is asked, as far as the file goes.
    ///
    /// - Parameter mayPhotograph: asks the person whether the camera may be used.
    /// - Throws: `checkFailed` if an answer does not fit, and `badAnswers` if a stored answer is another one. The latter
    ///   also happens if another process answers the steps at the same time.
    package mutating func next(mayPhotograph: @Sendable () async -> Bool) async throws(Failure) -> Place {
        while true {
            let place = try await course.next()
            if case .held(let holder) = place { return .held(holder) }
            if let step = answeredStep {
                try annotate(step)
                answeredStep = nil
            }
            if try await hasReopened() { continue }
            switch place {
            case .held(let holder): return .held(holder)
            case .elsewhere: return .elsewhere
            case .ended(let outcome):
                // An answer that came after the review is looked over once more.
                if outcome == .succeeded, try course.reopenOldReview() { continue }
                try await refuseDifferences()
                return .ended(outcome, unused: try unused())
            case .asked(let record):
                guard let completion = try await completion(of: record, mayPhotograph) else {
                    try await refuseDifferences()
                    return .unanswered(record)
                }
                // Of two processes that answer at once, the later one compares at its end.
                if try answers.complete(record, completion) { answeredStep = record.step }
            }
        }
    }

    /// Compares the stored answers with the file, once, before anything is answered.
    ///
    /// - Returns: whether steps were opened again whose answers are replaced.
    private mutating func hasReopened() async throws(Failure) -> Bool {
        guard !isCompared else { return false }
        isCompared = true
        guard replaces else {
            try await refuseDifferences()
            return false
        }
        let differences = try await comparison.differences()
        for difference in differences { try course.goBack(to: difference.step.id) }
        return !differences.isEmpty
    }

    private func refuseDifferences() async throws(Failure) {
        let differences = try await comparison.differences()
        guard differences.isEmpty else { throw AnswerDifference.failure(differences, in: run.workflow) }
    }

    /// Stores the notes of the file to a step that was answered.
    private func annotate(_ step: StepID) throws(Failure) {
        let node = try run.steps().first { $0.id == step }?.node
        for note in file.notes where note.step == node {
            try answers.annotate(step, part: note.part.map(GuideStep.part), note.text)
        }
    }

    private func unused() throws(Failure) -> [String] {
        try run.record().entries.filter { $0.state == .notAsked && file[$0.step.id] != nil }.map(\.step.id)
    }

    /// Returns the completion of a step by the file, or `nil` if the file has no answer.
    private func completion(
        of record: AwaitRecord, _ mayPhotograph: @Sendable () async -> Bool
    ) async throws(Failure) -> Vocabulary.Completion? {
        guard let intake = Intake(record, answers) else { return nil }
        if intake.accept.form == .note { return .outputs([]) }
        let node = try run.node(of: record) ?? ""
        guard let step = file[node] else { return nil }
        switch step.answer {
        case .skip(let words):
            guard intake.accept.skip != nil else { throw fault(node, "it cannot be skipped.") }
            return try .skip(words)
        case .value(let value):
            let words = value.string ?? value.text
            let taken = try await intake.typed(
                words, chosen: value.array == nil ? nil : value, isExact: true, anyway: step.take)
            return .outputs(try accepted(taken, node))
        case .camera:
            let photographs = Self.photographs(intake.accept.capture, step.take)
            return .outputs(try await pictures(photographs, intake, node, mayPhotograph))
        case .pictures(let pictures):
            return .outputs(try await self.pictures(pictures, intake, node, mayPhotograph))
        }
    }

    private static func photographs(_ capture: GuideStep.Capture, _ take: String?) -> [AnswersFile.Picture] {
        guard capture.each.isEmpty else {
            return capture.each.map { AnswersFile.Picture(part: $0, path: nil, take: take) }
        }
        return (0..<capture.wanted.lowerBound).map { _ in AnswersFile.Picture(path: nil, take: take) }
    }

    private func pictures(
        _ pictures: [AnswersFile.Picture], _ intake: Intake, _ node: String,
        _ mayPhotograph: @Sendable () async -> Bool
    ) async throws(Failure) -> [Asset] {
        let capture = intake.accept.capture
        var given: [Asset] = []
        for (place, picture) in pictures.enumerated() {
            let content: AnswerContent =
                if let path = picture.path { .file(path) } else { try await photograph(mayPhotograph) }
            let own = picture.part.flatMap { capture.each.firstIndex(of: $0) } ?? place
            let taken = try await intake.picture(
                content, at: own, beside: given.filter { $0.type == .image }, anyway: picture.take)
            given += try accepted(taken, node)
        }
        guard capture.wanted.contains(pictures.count) || intake.accept.form == .code else {
            throw fault(node, "\(capture.wanted.lowerBound) to \(capture.wanted.upperBound) pictures belong there.")
        }
        return given
    }

    private func photograph(_ mayPhotograph: @Sendable () async -> Bool) async throws(Failure) -> AnswerContent {
        guard await mayPhotograph() else {
            throw Failure(
                .denied, "The camera is not used without a yes at a terminal.", remedy: "Name files in the answers.")
        }
        return try await GuideDevices(run.shared).photograph()
    }

    private func accepted(_ taken: Intake.Taken, _ node: String) throws(Failure) -> [Asset] {
        switch taken {
        case .assets(let assets): return assets
        case .refused(let refusal, _, _): throw fault(node, refusal.words)
        }
    }

    private func fault(_ node: String, _ words: String) -> Failure {
        Failure(
            .checkFailed, "The answer to \(node) is not taken: \(words)",
            remedy: "Mend the file, and go on with 'assent guide run \(run.workflow) --answers FILE'.")
    }
}
