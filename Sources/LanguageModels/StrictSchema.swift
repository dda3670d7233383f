import JSON

/// A check whether a schema of arguments is strict, so that a server can enforce it: each object is closed, and each of
/// its members required.
enum StrictSchema {
    static func isOne(_ schema: JSON) -> Bool {
        if schema["type"]?.string == "array" { return schema["items"].map(isOne) ?? false }
        guard schema["type"]?.string == "object" else { return true }
        guard schema["additionalProperties"]?.bool == false, let members = schema["properties"]?.object?.members else {
            return false
        }
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        return members.allSatisfy { required.contains($0.key) && isOne($0.value) }
    }
}
