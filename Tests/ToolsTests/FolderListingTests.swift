@testable import Files
import Glibc
import Testing

/// The kernel gives the names of a folder in full buffers, of which an entry may be the last: nothing behind it may be
/// read. The bug that this guards against crashed in about one of twenty readings.
@Test func namesAreReadToTheEndOfTheirBuffer() throws {
    let lab = try Lab()
    let names = (1_000..<2_200).map { "f\($0).txt" }
    for name in names { try lab.write("d/\(name)", "") }
    for _ in 0..<60 {
        let folder = try OpenFolder(following: lab.path("d"))
        #expect(try folder.names() == names)
    }
}
