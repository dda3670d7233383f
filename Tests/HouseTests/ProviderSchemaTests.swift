import JSON
import Testing
import Vocabulary

/// `semantics.md` 28, 132.
@Test(arguments: [
    (#"{"width":8}"#, #"{"width":8,"providerSchema":"v1"}"#, true), (#"{}"#, #"{"providerSchema":"v1"}"#, true),
    (#"{"providerSchema":"v3","seed":1}"#, #"{"providerSchema":"v3","seed":1}"#, false),
    (#"{"providerSchema":""}"#, #"{"providerSchema":"v1"}"#, true),
    (#"{"providerSchema":7}"#, #"{"providerSchema":"v1"}"#, true),
])
func whatAProviderSaysOfAnAssetNamesItsForm(said: String, stored: String, wasMissing: Bool) throws {
    let asset = Asset(
        run: RunID(StepID(WorkflowID(1), 1), attempt: 1), port: "image", type: .image, hash: .ofNothing, bytes: 0,
        name: "x.png",
        meta: try #require(try JSONReader.read(said).object))
    let (with, missing) = asset.withProviderSchema()
    #expect(JSON.object(with.meta).text == stored && missing == wasMissing)
    var same = with
    same.meta = asset.meta
    #expect(same == asset && with.withProviderSchema() == (with, false))
}
