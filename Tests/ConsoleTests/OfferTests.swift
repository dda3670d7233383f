import Actions
import CaseNames
import Terminal
import Testing
import Vocabulary

@testable import Console

/// The verbs that are offered after a failure. `OfferProgramTests` carries one of each kind out.
struct OfferTests {
    private let workflow = WorkflowID(3)

    /// All circumstances: a file that holds up the rest, a provider, and an entry that waits.
    private var circumstances: [Offer.Circumstances] {
        var all: [Offer.Circumstances] = []
        for isTransient in [false, true] {
            for file in [nil, "p 30.jpg"] {
                for provider in [nil, "replicate"] {
                    var circumstances = Offer.Circumstances()
                    (circumstances.isTransient, circumstances.gatheredFile) = (isTransient, file)
                    circumstances.provider = provider
                    all.append(circumstances)
                    circumstances.waiting = 7
                    all.append(circumstances)
                }
            }
        }
        return all
    }

    /// For each code there is an offer that can be typed, in the chat and in a shell.
    @Test(arguments: Code.allCases) func everyCodeHasAnOfferThatCanBeTyped(code: Code) {
        for circumstances in circumstances {
            let offer = Offer(.ours(code), of: workflow, circumstances)
            let line = offer.command.map(Words.quoted).joined(separator: " ")
            #expect(Root.verb(calledBy: line) != nil, "\(line)")
            for isShell in [false, true] {
                let typed = Voice.$isShell.withValue(isShell) { EndNews.call(offer) }
                let words = typed.trimmingPrefix(isShell ? "assent " : "/")
                #expect(Words.split(String(words)) == offer.command, "\(typed)")
            }
        }
    }

    @Test func theOfferIsTheOneThatHelps() {
        func offer(_ code: Code, _ change: (inout Offer.Circumstances) -> Void = { _ in }) -> Offer {
            var circumstances = Offer.Circumstances()
            change(&circumstances)
            return Offer(.ours(code), of: workflow, circumstances)
        }
        #expect(offer(.fileNotFound) == .retry(workflow) && offer(.badParam) == .why(workflow))
        #expect(offer(.rejected) == .why(workflow) && offer(.submitUnknown) == .why(workflow))
        #expect(offer(.badParam) { $0.isTransient = true } == .retry(workflow))
        #expect(offer(.fileDamaged) { $0.gatheredFile = "p.jpg" } == .without(workflow, file: "p.jpg"))
        #expect(offer(.networkFailed) { ($0.isTransient, $0.gatheredFile) = (true, "p.jpg") } == .retry(workflow))
        #expect(offer(.keyMissing) { $0.provider = "replicate" } == .connect(provider: "replicate"))
        #expect(offer(.keyRefused) == .connect(provider: nil))
        #expect(offer(.badParam) { $0.waiting = 7 } == .open(7))
        #expect(Offer(.other("theirs"), of: workflow) == .why(workflow) && Offer(nil, of: workflow) == .why(workflow))
    }

    /// A code that only says that another try cannot help offers no other try.
    @Test func whatIsForbiddenIsNotOfferedAgain() {
        let refusals = Code.allCases.filter { $0.exit == .badUsage && ![.fileNotFound, .unreadableFile].contains($0) }
        for code in refusals + [.rejected, .declined, .denied, .notByChild, .exited] {
            #expect(Offer(.ours(code), of: workflow) != .retry(workflow), "\(code)")
        }
    }
}
