import CVips
import Files
import Glibc
import JSON
package import Sandbox
import Synchronization
import Vocabulary

extension Limits {
    /// The most time that starting the process may take, in seconds.
    fileprivate static let startSeconds: Int32 = 30

    /// How long a request waits for a process that has much to do, in seconds.
    fileprivate static let sendSeconds: Int32 = 10

    /// The seconds after which a start that failed is tried again.
    fileprivate static let retrySeconds: Int64 = 60

    /// The seconds after which the process is ended, so that a new one takes its place.
    fileprivate static let zygoteSeconds = 3600.0
}

/// The process of this process that computes pictures (`VipsZygoteRole`): started in the sandbox when the first picture
/// comes, and started again when it has ended.
package final class VipsZygote: Sendable {
    private let sandbox: Isolation
    private let state = Mutex(State())

    private struct State {
        /// The socket of the running process, or nil.
        var socket: OpenSocket?
        /// The version of libvips, or an empty text before the first start.
        var version = ""
        /// The reason why it cannot be started.
        var fault: String?
        /// The time from which it is tried again (`runningMilliseconds`), or nil if that would not help.
        var nextTry: Int64?
    }

    /// A socket that is closed with its last reference.
    private final class OpenSocket: Sendable {
        let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }

    private init(_ sandbox: Isolation) { self.sandbox = sandbox }

    private static let all = Mutex<[Isolation: VipsZygote]>([:])

    /// Returns the one for a sandbox.
    package static func of(_ sandbox: Isolation) -> VipsZygote {
        all.withLock { all in
            if let known = all[sandbox] { return known }
            let new = VipsZygote(sandbox)
            all[sandbox] = new
            return new
        }
    }

    /// The reason why pictures cannot be computed by the process, or nil if they can. It is started if it does not run.
    package var fault: String? { state.withLock { connect(&$0) == nil ? $0.fault ?? "It cannot be started." : nil } }

    package var version: String { state.withLock { $0.version } }

    /// Has the programs of libvips compute all pictures from now on, as where the process cannot be started.
    package func disable(because reason: String) {
        state.withLock { ($0.socket, $0.fault, $0.nextTry) = (nil, reason, nil) }
    }

    /// Sends a request.
    ///
    /// - Parameter descriptors: those of the request, in its order.
    /// - Returns: whether it was sent. Otherwise the process cannot be started, or no more descriptors fit.
    func send(_ request: [UInt8], _ descriptors: [Int32]) -> Bool {
        guard request.count <= Limits.vipsMessageBytes, descriptors.count <= Limits.vipsDescriptors else {
            return false
        }
        return state.withLock { state in
            for _ in 0..<2 {
                guard let socket = connect(&state) else { return false }
                switch Self.send(request, descriptors, socket.descriptor) {
                case .done: return true
                case .refused: return false
                // The process takes up what it has, and ends.
                case .broken: state.socket = nil
                }
            }
            return false
        }
    }

    private enum Sending {
        case done
        /// The message was not sent, and the socket is as it was.
        case refused
        /// The process has ended, does not answer, or has only a part of the request.
        case broken
    }

    private static func send(_ request: [UInt8], _ descriptors: [Int32], _ socket: Int32) -> Sending {
        let most = Int(CVIPS_MESSAGE_DESCRIPTORS)
        var rest = descriptors[...]
        while rest.count > most {
            let part = sent([0], Array(rest.prefix(most)), socket)
            guard part == .done else { return rest.count == descriptors.count ? part : .broken }
            rest = rest.dropFirst(most)
        }
        let last = sent(request, Array(rest), socket)
        return last == .refused && rest.count < descriptors.count ? .broken : last
    }

    /// Sends one message. Waits a while for a process that has much to do.
    private static func sent(_ bytes: [UInt8], _ descriptors: [Int32], _ socket: Int32) -> Sending {
        while cvips_send(socket, bytes, bytes.count, descriptors, Int32(descriptors.count)) != 0 {
            switch errno {
            case EAGAIN:
                var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
                guard retrying({ Int(poll(&wait, 1, Limits.sendSeconds * 1000)) }) == 1 else { return .broken }
            case EPIPE, ECONNRESET, ENOTCONN: return .broken
            default: return .refused
            }
        }
        return .done
    }

    // MARK: Start

    private func connect(_ state: inout State) -> OpenSocket? {
        if let socket = state.socket { return socket }
        if state.fault != nil {
            guard let next = state.nextTry, runningMilliseconds() >= next else { return nil }
        }
        do throws(Failure) {
            (state.socket, state.version) = try start()
            state.fault = nil
        } catch {
            state.fault = error.message
            state.nextTry =
                error.code == .toolNotInstalled ? nil : runningMilliseconds() + Limits.retrySeconds * 1000
        }
        return state.socket
    }

    private func start() throws(Failure) -> (OpenSocket, version: String) {
        guard let program = VipsProgram.path else {
            throw Failure(
                .processFailed, "The program of Assent is not where it was started from: it was moved or replaced.")
        }
        var ends: (mine: Int32, other: Int32) = (-1, -1)
        guard cvips_socket_pair(&ends.mine, &ends.other) == 0 else { throw fileFailure("make", "a socket") }
        let socket = OpenSocket(ends.mine)
        let other = OpenFile(adopting: ends.other)
        var command = ProgramCommand([program, VipsZygoteRole.word], in: "/")
        command.view = .system
        // There is no place for the files in which libvips would keep pixels of large pictures. The memory has a limit.
        command.variables = ["VIPS_DISC_THRESHOLD=1000g"]
        command.readable = [program] + VipsProgram.libraries
        command.input = other.descriptor
        command.processes = nil
        command.timeoutSeconds = Limits.zygoteSeconds
        try launch(command)
        // If the process ends before it says anything, its socket is closed then.
        _ = consume other
        return (socket, try greet(socket))
    }

    /// Starts the process on a thread of its own. The kernel ends it with the thread that started it, which therefore
    /// waits for its end.
    private func launch(_ command: ProgramCommand) throws(Failure) {
        let (begun, fault) = (Flag(), Fault())
        let isThread = OwnThread.start { [sandbox] in
            do throws(Failure) {
                let child = try Child.start(command, sandbox: sandbox, in: RunFolder("/"))
                begun.raise()
                _ = child.wait(cancel: Cancellation())
            } catch {
                fault.kept.withLock { $0 = error }
                begun.raise()
            }
        }
        guard isThread else { throw Failure(.processFailed, "No thread can be started.", isTransient: true) }
        var wait = pollfd(fd: begun.descriptor, events: Int16(POLLIN), revents: 0)
        _ = retrying { Int(poll(&wait, 1, -1)) }
        if let failure = fault.kept.withLock({ $0 }) { throw failure }
    }

    private final class Fault: Sendable {
        let kept = Mutex<Failure?>(nil)
    }

    /// Waits for the first word of the process.
    ///
    /// - Returns: the version of libvips.
    private func greet(_ socket: OpenSocket) throws(Failure) -> String {
        var wait = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 4096)
        var (descriptors, count) = ([Int32](repeating: -1, count: Int(CVIPS_MESSAGE_DESCRIPTORS)), Int32(0))
        guard retrying({ Int(poll(&wait, 1, Limits.startSeconds * 1000)) }) == 1 else {
            throw Failure(.timedOut, "It did not begin within \(Limits.startSeconds) s.")
        }
        let got = cvips_receive(socket.descriptor, &bytes, bytes.count, &descriptors, &count)
        for descriptor in descriptors.prefix(Int(count)) { close(descriptor) }
        guard got > 0, let greeting = try? JSONReader.read(Array(bytes.prefix(got))) else {
            throw Failure(.sandboxFailed, "It ended before it began.")
        }
        if let fault = greeting["fault"]?.string {
            throw Failure(.toolNotInstalled, fault.withSignsForControls)
        }
        guard greeting["version"]?.int == VipsZygoteRole.version else {
            throw Failure(.processFailed, "\(VipsProgram.path ?? "") is of another version of Assent.")
        }
        return greeting["vips"]?.string?.withSignsForControls ?? ""
    }
}
