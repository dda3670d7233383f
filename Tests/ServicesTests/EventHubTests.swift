import Testing
import Vocabulary

@testable import Services

@Suite struct EventHubTests {
    /// A listener that is cancelled while an event is handed out once stopped the whole program: two locks in two
    /// orders.
    @Test(.timeLimit(.minutes(10))) func listenersMayBeCancelledWhileEventsArePosted() async {
        let hub = EventHub()
        let event = Event(at: Moment(milliseconds: 0), .messageDelta("x"))
        for _ in 0..<300 {
            let listeners = (0..<4).map { _ in
                let events = hub.listen()
                return Task { for await _ in events {} }
            }
            let posting = Task { for _ in 0..<20 { hub.post(event) } }
            for listener in listeners { listener.cancel() }
            await posting.value
            for listener in listeners { await listener.value }
        }
    }

    @Test func everybodyHearsEverythingInOneOrder() async {
        let hub = EventHub()
        let events = hub.listen()
        let posting = Task {
            for number in 0..<1000 { hub.post(Event(at: Moment(milliseconds: Int64(number)), .messageDelta("x"))) }
            hub.post(Event(at: Moment(milliseconds: -1), .end(exit: 0)))
        }
        var heard: [Int64] = []
        for await event in events {
            if case .end = event.kind { break }
            heard.append(event.at.milliseconds)
        }
        await posting.value
        #expect(heard == Array(0..<1000))
    }
}
