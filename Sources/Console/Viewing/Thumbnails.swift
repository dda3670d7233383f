import Actions
import JSON
import Synchronization
import Terminal
import Vocabulary

extension Limits {
    /// The most columns of a small picture beside a result or a question, and the most rows.
    fileprivate static let thumbnailColumns = 32
    fileprivate static let thumbnailRows = 8

    /// The most small pictures that are shown for a result or a question.
    fileprivate static let thumbnails = 8
}

/// The small pictures beside results and questions. They are made in the background and shown when they are ready. A
/// picture that cannot be made is left out.
struct Thumbnails: Sendable {
    let viewing: Looks
    let screen: any Screen

    /// A content that may be a picture.
    struct Subject: Hashable, Sendable {
        /// The words above its picture.
        var caption: StyledText
        var hash: ContentHash
    }

    /// Shows the picture of a file of the user. A file that may hold keys is left out.
    func show(file path: String, caption: StyledText) async {
        guard let form = viewing.thumbnailProtocol, let room, let content = try? viewing.content(at: path),
            content.picture != nil,
            !content.isPrivate, let picture = try? await viewing.picture(of: content, page: nil, by: form, in: room),
            !Task.isCancelled
        else { return }
        screen.illustrate(Layout.wrapped(caption, columns: screen.columns, indent: 4), picture)
    }

    private var room: PictureRoom? {
        screen.pictureRoom?.atMost(columns: Limits.thumbnailColumns, rows: Limits.thumbnailRows)
    }

    /// Shows one picture after the other, `Limits.thumbnails` at most, until the task is cancelled.
    func show(_ subjects: [Subject]) async {
        guard !subjects.isEmpty, let form = viewing.thumbnailProtocol, let room else { return }
        for subject in subjects.prefix(Limits.thumbnails) {
            guard !Task.isCancelled else { return }
            guard let picture = await viewing.thumbnail(of: subject.hash, by: form, in: room), !Task.isCancelled else {
                continue
            }
            screen.illustrate(Layout.wrapped(subject.caption, columns: screen.columns, indent: 4), picture)
        }
    }

    /// Returns the pictures that a question is about, each with the number by which it is chosen.
    static func subjects(_ inputs: [AwaitRequest.Input], areNumbered: Bool) -> [Subject] {
        inputs.enumerated().filter { $0.element.mayBePicture }.map { index, input in
            Subject(
                caption: StyledText(areNumbered ? "\(index + 1)  " : "", .accent) + StyledText(input.name, .dim),
                hash: input.hash)
        }
    }

    static func subjects(_ call: Call) -> [Subject] {
        call.inputs.compactMap { input in
            input.hash.map { Subject(caption: StyledText(input.name ?? input.port, .dim), hash: $0) }
        }
    }
}

extension AwaitRequest.Input {
    fileprivate var mayBePicture: Bool { type == .image || type == .mask || meta["width"]?.int != nil }
}

/// The small pictures of results that are being made.
final class ComingPictures: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func add(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        tasks.withLock { $0.append(task) }
    }

    /// Waits until all of them are shown. Each of them ends by itself after `Limits.drawingSeconds`.
    func finish() async {
        for task in tasks.withLock({ $0 }) { await task.value }
    }
}
