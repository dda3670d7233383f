import CaseNames
import Consent
import JSON
import Testing
import Vocabulary

/// `consent.md` guarantee 1: an approval authorises one digest, for one step, under one policy, until it expires.

private let step = StepID(WorkflowID(3), 2)

private func approval(of call: Call, isPlanned: Bool = false, policyEpoch: String = "epoch") -> Approval {
    Approval(
        digest: digest(of: isPlanned ? call.planned : call), isPlanned: isPlanned, step: step, awaitNumber: 7,
        by: "person on /dev/pts/3", at: noon, expiresAt: noon + Limits.approvalSeconds, policyEpoch: policyEpoch)
}

@Test(
    arguments: [
        (0.0, nil), (86_399, nil), (-30, nil), (86_400, "approvalExpired"), (1e9, "approvalExpired"),
        (-3600, "approvalExpired"),
    ] as [(Double, String?)])
func approvalsExpire(seconds: Double, code: String?) {
    let refusal = approval(of: wholeCall).refusal(for: wholeCall, step: step, policyEpoch: "epoch", at: noon + seconds)
    #expect(refusal?.code == code)
}

@Test func approvalsAreForOneStepAndOnePolicy() {
    let yes = approval(of: wholeCall)
    #expect(yes.authorises(wholeCall, step: step, policyEpoch: "epoch", at: noon))
    #expect(
        yes.refusal(for: wholeCall, step: StepID(WorkflowID(3), 1), policyEpoch: "epoch", at: noon)?.code == "otherStep"
    )
    #expect(
        yes.refusal(for: wholeCall, step: StepID(WorkflowID(4), 2), policyEpoch: "epoch", at: noon)?.code == "otherStep"
    )
    #expect(yes.refusal(for: wholeCall, step: step, policyEpoch: "epoch2", at: noon)?.code == "policyChanged")
    let nameless = approval(of: wholeCall, policyEpoch: "")
    #expect(nameless.refusal(for: wholeCall, step: step, policyEpoch: "", at: noon)?.code == "policyChanged")
}

@Test func approvalsOfOneCallAuthoriseNoOther() throws {
    let yes = approval(of: wholeCall)
    var others = 0
    for mutant in mutations(of: wholeCall.json) {
        guard let other = try? Call(json: mutant) else { continue }
        others += 1
        #expect(yes.refusal(for: other, step: step, policyEpoch: "epoch", at: noon)?.code == "callChanged")
    }
    #expect(others > 30)
}

@Test func aPlannedCallIsRefinedByItsLateInputsOnly() {
    let plan = wholeCall.planned
    let yes = approval(of: plan, isPlanned: true)
    func isAuthorised(_ change: (inout Call) -> Void) -> Bool {
        var concrete = wholeCall
        change(&concrete)
        return yes.authorises(concrete, step: step, policyEpoch: "epoch", at: noon)
    }
    #expect(isAuthorised { _ in })
    #expect(isAuthorised { $0.inputs[0].hash = toolVersion })
    #expect(isAuthorised { $0.inputs[0].name = "other.txt" })
    #expect(isAuthorised { $0.inputs[0].bytes = 99 })

    #expect(!isAuthorised { $0.params["path"] = "x" })
    #expect(!isAuthorised { $0.toolVersion = .ofNothing })
    #expect(!isAuthorised { $0.effects.insert(.deletes) })
    #expect(!isAuthorised { $0.targets.append(.delete("/home/ana/photos/x")) })
    #expect(!isAuthorised { $0.targets[1].place = .newName(folder: "/tmp", stem: "cat", suffix: ".jpg") })
    #expect(!isAuthorised { $0.targets[0].before = .absent })
    #expect(!isAuthorised { $0.reversibility = .no })
    #expect(!isAuthorised { $0.inputs[0].from?.node = "elsewhere" })
    #expect(!isAuthorised { $0.inputs[0].from = nil })
    // An input that was there when the plan was shown is fixed by its content.
    #expect(!isAuthorised { $0.inputs[1].hash = .ofNothing })
    #expect(!isAuthorised { $0.inputs.removeLast() })
}

@Test func aConcreteApprovalDoesNotCoverOtherContentFromTheSameProducer() {
    var other = wholeCall
    other.inputs[0].hash = toolVersion
    #expect(!approval(of: wholeCall).authorises(other, step: step, policyEpoch: "epoch", at: noon))
}

@Test func epochChangesWithEverySourceAndEveryByteOfIt() {
    func epoch(_ text: String, _ source: String = "policy.yaml") throws -> String {
        Policy.read(json: try JSONReader.read(text), source: source, origin: .user).policy.epoch
    }
    func rules(_ reason: String) -> String {
        #"{"policy":"assent.policy/v1","rules":[{"tool":"A","decide":"deny","reason":"\#(reason)"}]}"#
    }
    #expect(throws: Never.self) {
        let one = try epoch(rules("a"))
        #expect(one == (try epoch(rules("a"))))
        #expect(one != (try epoch(rules("b"))))
        #expect(one != (try epoch(rules("a"), "other.yaml")))
        #expect(one != (try epoch(#"{"policy":"assent.policy/v2"}"#)))
    }
    let a = Policy(rules: [], epoch: "a")
    let b = Policy(rules: [], epoch: "b")
    #expect(Set([a, b, .joined([a]), .joined([a, b]), .joined([b, a]), .joined([])].map(\.epoch)).count == 6)
}
