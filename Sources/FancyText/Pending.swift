import MarkupStyling
import MarkupSyntax
import Rendering
public struct MarkupStyle: Sendable { public var css = ""; public init() {} }
enum TreeDump {
 static func tokens(_ t: MarkupTree) -> String { "tokens\n" }
 static func normalized(_ t: MarkupTree) -> String { "normalized\n" }
 static func tree(_ t: MarkupTree) -> String { "tree\n" }
}
extension Color { public init?(css: String) { return nil } }
extension StyledTree { func dump() -> String { "" } }
