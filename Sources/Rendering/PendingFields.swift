import MarkupStyling
struct MarkupStyleFields { init(_ s: ComputedStyle, link: String?) {self.s = s}
 let s: ComputedStyle
 func write(to b: inout JSONBuffer) { b.beginObject(); b.endObject() } }
