import Files
import Pictures
import Services
import Tools
package import Vocabulary

/// The devices that a guide uses: the camera, the clipboard and the voice.
package struct GuideDevices: Sendable {
    private let shared: OpenWorkspace

    /// Creates the devices of this machine.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// The program that takes photographs, as the settings name it.
    package var camera: String { (try? shared.settings.cameraCommand())?.joined(separator: " ") ?? "the camera" }

    /// Takes a photograph into the store.
    package func photograph() async throws(Failure) -> AnswerContent {
        let settings = shared.settings
        return try await shared.withToolbox { toolbox throws(Failure) in
            let photograph = try toolbox.pictures.photograph(try settings.cameraCommand())
            return .candidate(
                AwaitRequest.Input(
                    port: "image", type: .image, name: photograph.name, hash: photograph.content.hash,
                    bytes: photograph.content.bytes, meta: photograph.meta))
        }
    }

    /// Copies the picture in the clipboard into the store.
    package func clipboard() async throws(Failure) -> AnswerContent {
        try await shared.withToolbox { toolbox throws(Failure) in
            let content = try toolbox.clipboardPicture()
            return .candidate(
                AwaitRequest.Input(
                    port: "image", type: .image, name: "clipboard.png", hash: content.hash, bytes: content.bytes))
        }
    }

    /// Speaks a text, if the machine can. Ends early if the task is cancelled.
    package func speak(_ text: String) async {
        let cancellation = Cancellation()
        await withTaskCancellationHandler {
            // A guide goes on without its voice.
            try? await shared.withToolbox { toolbox throws(Failure) in toolbox.speak(text, cancel: cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

extension OpenWorkspace {
    /// Runs work of the toolbox on a thread that may block.
    func withToolbox<Value: Sendable>(
        _ work: @escaping @Sendable (Toolbox) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let toolbox = try toolbox.get()
        return try await blocking { () throws(Failure) in try work(toolbox) }
    }
}
