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
        ("canvas width=60 height=20", "height:40px", "width:120px;height:40px"),
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

    @Test func embeddedPageTakesItsPlace() throws {
        #expect(
            try Self.png("a<embed src=x.html height=40 style='background:gold'>b")
                == Self.png("a<div style='display:inline-block;background:gold;width:300px;height:40px'></div>b"))
    }

    /// A percentage of a known height decides the width of a drawing, and so that of the box around it (CSS Sizing 3 §5.2.2).
    @Test(arguments: ["float:left;height:100px", "position:absolute;top:8px;bottom:132px"])
    func percentagesOfHeightsDecideWidths(_ style: String) throws {
        let drawing = "<canvas width=10 height=10 style='display:block;height:100%'></canvas>"
        #expect(
            try Self.png("<div style='background:gold;\(style)'>\(drawing)")
                == Self.png("<div style='background:gold;width:100px;height:100px'>"))
    }

    @Test func pictureWithARatioIsAsWideAsABlock() throws {
        func page(_ size: String) -> String {
            "<body style='margin:0'><svg viewBox='0 0 4 1' \(size)><rect width=2 height=1 /></svg>"
        }
        #expect(try Self.png(page("")) == Self.png(page("width=400 height=100")))
        #expect(try Self.png(page("height=20")) == Self.png(page("width=80 height=20")))
    }
}
