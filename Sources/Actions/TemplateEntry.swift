/// A template that can be run by name.
package struct TemplateEntry: Hashable, Sendable {
    package var name: String
    package var path: String
    package var title: String

    package init(name: String, path: String, title: String) {
        self.name = name
        self.path = path
        self.title = title
    }
}
