import JSON
import Testing

struct ObjectTests {
    /// With few members and with many, which are found in another way.
    @Test(arguments: [1, 15, 16, 17, 40, 1_000]) func anObjectKeepsItsOrderWhateverIsSet(count: Int) {
        var object = JSON.Object()
        var expected: [(String, Int)] = []
        for number in 0..<count {
            object["k\(number)"] = .int(number)
            expected.append(("k\(number)", number))
        }
        for number in stride(from: 0, to: count, by: 3) {
            object["k\(number)"] = .int(-number)
            expected[number].1 = -number
        }
        for number in stride(from: 0, to: count, by: 7).reversed() {
            object["k\(number)"] = nil
            expected.remove(at: number)
        }
        object["again"] = 1
        expected.append(("again", 1))
        object["k1"] = 5
        if let place = expected.firstIndex(where: { $0.0 == "k1" }) {
            expected[place].1 = 5
        } else {
            expected.append(("k1", 5))
        }
        #expect(object.keys == expected.map(\.0))
        #expect(object.members.map(\.value) == expected.map { .int($0.1) })
        #expect(expected.allSatisfy { object[$0.0] == .int($0.1) } && object["none"] == nil)
        // Whether it was looked into makes it no other object.
        let same = JSON.Object(members: object.members)
        #expect(same == object && same.hashValue == object.hashValue)
    }

    @Test(.timeLimit(.minutes(10))) func manyKeysAreSetOneByOne() {
        var object = JSON.Object()
        for number in 0..<400_000 { object["k\(number)"] = .int(number) }
        for number in 0..<400_000 { object["k\(number)"] = .int(-number) }
        #expect(object.members.count == 400_000 && object["k399999"] == -399_999)
    }
}
