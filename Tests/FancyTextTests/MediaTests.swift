// Elements whose contents no still picture shows: each must take the same place as a plain box.

import Testing

@testable import FancyText

@Suite struct MediaTests {
    private static func png(_ html: String) throws -> [UInt8] {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        var options = RenderOptions()
        (options.width, options.height, options.writesMetadata) = (.pixels(400), .pixels(240), false)
        var document = MarkupParser().parse("<!DOCTYPE html>" + html)
        return try Renderer(fonts: fonts).png(&document, options)
    }

    @Test(arguments: [
        ("canvas width=60 height=20", "", "width:60px;height:20px"), ("canvas", "", "width:300px;height:150px"),
        ("canvas width=60 height=20", "width:120px", "width:120px;height:40px"),
        ("video", "", "width:300px;height:150px"), ("video width=80 height=40", "", "width:80px;height:40px"),
        ("video width=80 height=40", "max-width:40px;height:auto", "width:40px;height:20px"),
        ("iframe width=80 height=40", "", "width:80px;height:40px;border:2px inset"),
        ("iframe frameborder=0 height=10%", "height:30px", "width:300px;height:30px"),
        ("audio controls", "", "width:300px;height:54px"), ("audio", "", "display:none"),
        ("video hidden", "", "display:none"),
    ])
    func takesItsPlace(_ tag: String, _ css: String, _ box: String) throws {
        func page(_ element: String) -> String { "<div>a\(element)b<p>c" }
        let name = tag.split(separator: " ")[0]
        #expect(
            try Self.png(page("<\(tag) style='background:gold;\(css)'><b>none</b></\(name)>"))
                == Self.png(page("<div style='display:inline-block;background:gold;\(box)'></div>")), "\(tag) \(css)")
    }

    @Test func pictureWithARatioIsAsWideAsABlock() throws {
        func page(_ size: String) -> String {
            "<body style='margin:0'><svg viewBox='0 0 4 1' \(size)><rect width=2 height=1 /></svg>"
        }
        #expect(try Self.png(page("")) == Self.png(page("width=400 height=100")))
        #expect(try Self.png(page("height=20")) == Self.png(page("width=80 height=20")))
    }
}
