import Actions
import JSON
import Synchronization
import Terminal
import Vocabulary

/// The surroundings of an editor that leads a person through steps which say what they accept.
struct Guidance: Sendable {
    let guides: GuideRuns
    /// The session that leads through the steps, or nil if only this step is asked.
    var session: (any GuideNotes)?
    /// The voice that speaks instructions and refusals. `nil` if they are only shown.
    var speaker: Speaker?
    /// The answer that the step had before, which Enter keeps. Empty if it had none.
    var earlier: [Asset] = []
    /// The unfinished work at the step, from the last time that it was asked.
    var draft: JSON?
    /// The yes to the camera, which holds for all steps with this guidance.
    var camera = CameraConsent()

    /// Whether another step follows at once. The user can then go back, and the inbox is not mentioned in between.
    var isSession: Bool { session != nil }
}

/// The session of a guide at one of its steps.
protocol GuideNotes: Sendable {
    /// Shows the list of finished steps and of steps that remain.
    func showList()

    /// Stores a text that the user writes to the step. At the review it belongs to the step whose number the text
    /// begins with.
    func annotate(_ words: String)
}

/// The voice of a guide. It speaks beside the work without holding it up, and each text ends the text before it.
final class Speaker: Sendable {
    private let devices: GuideDevices
    private let speaking = Mutex<Task<Void, Never>?>(nil)

    init(_ devices: GuideDevices) { self.devices = devices }

    func say(_ text: String) {
        let devices = devices
        speaking.withLock { current in
            current?.cancel()
            current = Task { await devices.speak(text) }
        }
    }

    func stop() { speaking.withLock { $0?.cancel() } }
}

/// The person's yes to the camera. It is asked for before the first photograph of a run, and holds for that run (effect
/// `records`).
final class CameraConsent: Sendable {
    private let answer = Mutex<Bool?>(nil)

    /// Returns whether photographs may be taken, and asks if that is not known yet.
    ///
    /// - Parameter talk: `nil` where no person can be asked: then it is a no.
    func isAllowed(_ devices: GuideDevices, _ talk: Talk?) async -> Bool {
        if let known = answer.withLock({ $0 }) { return known }
        guard let talk else { return false }
        let words =
            StyledText("   May ", .question) + StyledText(VisibleText.cut(devices.camera, to: 60))
            + StyledText(" take photographs for this guide?", .question)
        let key = await talk.key(
            Layout.wrapped(words, columns: talk.columns, indent: 0, hanging: 3) + [Talk.keys(["y": "yes", "n": "no"])],
            of: ["y", "n"])
        guard let key else { return false }
        // A no is for this photograph: the person may have meant another moment.
        guard key == "y" else { return false }
        answer.withLock { $0 = true }
        return true
    }
}
