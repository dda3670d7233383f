import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
@testable import Pictures
import Testing
@testable import Tools
import Vocabulary

/// The camera, by the path that a real one takes, with a picture that ffmpeg draws in place of a device.
@Suite(.process, .timeLimit(.minutes(20))) struct CameraTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private func photograph(
        _ command: [String], seconds: Double = patienceSeconds, cancel: Cancellation = Cancellation()
    ) async -> Result<Photograph, Failure> {
        let toolbox = lab.toolbox
        return await onThread {
            do throws(Failure) {
                return .success(try toolbox.pictures.photograph(command, seconds: seconds, cancel: cancel))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The usual command with another source.
    private func usual(_ source: String...) -> [String] {
        var words = CameraCommand.usual
        let place = words.firstIndex(of: "-f") ?? 0
        words.replaceSubrange(place..<place + 4, with: source)
        return words
    }

    @Test func aPhotographIsTakenAndStored() async throws {
        let photograph = try await photograph(usual("-f", "lavfi", "-i", "testsrc2=size=1280x720")).get()
        #expect(photograph.name == "camera.jpg" && photograph.meta["width"] == 1280 && photograph.meta["height"] == 720)
        #expect(FileManager.default.fileExists(atPath: lab.store.path(photograph.content.hash)))
    }

    @Test func whatFailsIsToldInWords() async throws {
        func says(_ words: String, code: Int = 1) -> [String] {
            ["sh", "-c", "echo \"$1\" >&2; exit \(code)", "sh", words, "{file}"]
        }
        let rows: [(command: [String], code: String, words: String)] = [
            (
                usual("-f", "v4l2", "-i", "/dev/video99"), "noCamera",
                "There is no camera: /dev/video99: No such file or directory"
            ),
            (
                says("[video4linux2,v4l2 @ 0x55] ioctl(VIDIOC_STREAMON): Device or resource busy"), "cameraBusy",
                "Another program uses"
            ),
            (says("/dev/video0: Permission denied"), "cameraDenied", "/dev/video0: Permission denied"),
            (says("/dev/video0: Inappropriate ioctl for device"), "noCamera", "no camera"),
            (says("\u{1B}[31mstrange"), "cameraFailed", "took no photograph"),
            (["sh", "-c", "exit 0", "{file}"], "noFrame", "no picture"),
            (["sh", "-c", ": > \"$1\"", "sh", "{file}"], "noFrame", "no picture"),
            (["sh", "-c", "echo text > \"$1\"", "sh", "{file}"], "noFrame", "no picture"),
            (["no-such-camera", "{file}"], "toolNotInstalled", "no-such-camera is not installed"),
            (["true"], "badSettings", "no {file}"),
            ([], "badSettings", "no {file}"),
        ]
        for row in rows {
            guard case .failure(let failure) = await photograph(row.command) else {
                Issue.record("\(row.command)")
                continue
            }
            #expect(failure.code == row.code && failure.message.contains(row.words), "\(row.command): \(failure)")
            #expect(!failure.description.unicodeScalars.contains { $0.value < 0x20 })
        }
    }

    /// Words of the command are words of the program, whatever a shell would make of them.
    @Test func noShellReadsTheCommand() async throws {
        let made = lab.path("pwned")
        _ = await photograph(["true", "; touch \(made)", "$(touch \(made))", "{file}"])
        #expect(!lab.exists("pwned"))
    }

    @Test func aCameraThatGivesNothingIsEnded() async throws {
        guard case .failure(let late) = await photograph(["sh", "-c", "sleep 60", "{file}"], seconds: 2) else {
            Issue.record("It was not ended.")
            return
        }
        #expect(late.code == "noFrame" && late.message == "The camera gave no picture in 2 seconds.")
    }

    @Test func aPhotographIsCancelled() async throws {
        let cancel = Cancellation()
        async let result = photograph(["sh", "-c", "sleep 60", "{file}"], cancel: cancel)
        try await Task.sleep(for: .milliseconds(200))
        cancel.cancel()
        guard case .failure(let failure) = await result else {
            Issue.record("It was not cancelled.")
            return
        }
        #expect(failure.code == "cancelled")
    }
}
