import MarkupStyling
import MarkupSyntax
import Rendering
public struct MarkupStyle: Sendable { public var css = ""; public init() {} }
public struct TerminalOptions { public init() {}
  public enum Colors { case none, palette16, palette256, trueColor }
  public var columns = 80, isStyled = false, hasHyperlinks = false, colors = Colors.none }
enum ANSIWriter { static func write(_ t: MarkupStyling.StyledText, tree: MarkupTree, options: TerminalOptions) -> [UInt8] { t.text + [10] } }
enum MarkdownWriter { static func write(_ t: MarkupStyling.StyledText, tree: MarkupTree) -> [UInt8] { t.text + [10] } }
enum TreeDump {
 static func tokens(_ t: MarkupTree) -> String { "tokens\n" }
 static func normalized(_ t: MarkupTree) -> String { "normalized\n" }
 static func tree(_ t: MarkupTree) -> String { "tree\n" }
}
extension MarkupTree {
  func nodes(withID id: String) -> [NodeID] { [] }
  func nodes(withClass id: String) -> [NodeID] { [] }
  mutating func setText(_ n: NodeID, _ s: String) {}
  mutating func setInnerHTML(_ n: NodeID, _ s: String) {}
  mutating func append(_ s: String, to n: NodeID) {}
  mutating func setAttribute(_ n: NodeID, _ a: String, _ s: String) {}
  mutating func addClass(_ n: NodeID, _ a: String) {}
  mutating func remove(_ n: NodeID) {}
}
extension Color { public init?(css: String) { return nil } }
extension StyledTree { func dump() -> String { "" } }
