// The document's styles inside of inline `svg` elements: each picture must look like one whose attributes say the same.

import Testing

@testable import FancyText

@Suite struct InlinePictureTests {
    private static func png(_ html: String) throws -> [UInt8] {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        var options = RenderOptions()
        (options.width, options.height, options.writesMetadata) = (.pixels(120), .pixels(60), false)
        var document = MarkupParser().parse("<!DOCTYPE html>" + html)
        return try Renderer(fonts: fonts).png(&document, options)
    }

    private static func check(_ html: String, _ expected: String, _ other: String = "<p>") throws {
        #expect(try png(html) == png(expected), "\(html)")
        #expect(try png(html) != png(other), "\(html)")
    }

    /// SVG 2 §8.2: without a view box, the coordinates are CSS pixels of the box.
    @Test(arguments: [
        (
            "<div style='zoom:2'><svg style='display:block;width:20px;height:10px'>@</svg></div>",
            "style='display:block' width=40 height=20 viewBox='0 0 20 10'"
        ),
        ("<svg width=20 height=20 style='width:40px'>@</svg>", "width=40 height=20"),
    ])
    func coordinatesArePixelsOfTheBox(_ html: String, _ same: String) throws {
        let shape = "<rect width=8 height=8 />"
        try Self.check(html.replacing("@", with: shape), "<svg \(same)>\(shape)</svg>")
    }

    @Test(arguments: ["style='overflow:visible'", "overflow=visible", "overflow=visible viewBox='0 0 10 20'"])
    func overflowShows(_ attributes: String) throws {
        let shape = "<rect width=18 height=8 />"
        try Self.check("<svg width=10 height=20 \(attributes)>\(shape)</svg>", "<svg width=20 height=20>\(shape)</svg>")
    }

    /// An attribute with a wrong value counts as absent.
    @Test(arguments: [
        ("", "<line x1=NaN x2=20 y2=20 stroke=red />", "<line x2=20 y2=20 stroke=red />"),
        ("", "<polygon points='0 0 20 0 20 20 9' />", "<polygon points='0 0 20 0 20 20' />"),
        ("preserveAspectRatio=foo viewBox='0 0 20 20'", "<rect width=9 height=9 />", "<rect width=9 height=9 />"),
        ("viewBox='0 0 10'", "<rect width=9 height=9 />", "<rect width=9 height=9 />"),
    ])
    func wrongValuesAreLeftOut(_ attributes: String, _ shape: String, _ same: String) throws {
        let (html, expected) = (
            "<svg width=20 height=20 \(attributes)>\(shape)</svg>", "<svg width=20 height=20>\(same)</svg>"
        )
        try Self.check(html, expected)
        var document = MarkupParser().parse(html)
        _ = try Renderer().png(&document, RenderOptions())
        #expect(document.diagnostics.contains { $0.message.hasSuffix("has no effect in an inline svg here") })
    }

    private static func svg(_ attributes: String, _ content: String = "<path class=k d='M4 4h16v16H4z' />") -> String {
        "<div class=w><svg \(attributes) width=40 height=40 viewBox='0 0 24 24'>\(content)</svg></div>"
    }

    @Test(arguments: [
        "@layer u{.f{fill:#06c}}", "@media all{.f{fill:#06c}}", "@supports (display:grid){.f{fill:#06c}}",
        ".w{.f{fill:#06c}}", ":root{--c:#06c}.f{fill:var(--c)}", ".w>.f path{fill:#06c}", ".w{fill:#06c}",
        ".f{fill:currentcolor;color:#06c}", ".f{fill:rgb(from #0066cc r g b)}", ".k{fill:#06c;stroke:none}",
        ".f{fill:color-mix(in srgb,#06c 100%,red)}", ".f{fill:hsl(210deg 100% 40%)}", "svg *{fill:#06c}",
        ".k{fill:url(#none) #06c}", ".k{fill:red}.w .k{fill:#06c}", ".k{fill:#06c !important}.k.k{fill:red}",
    ])
    func rulesOfTheDocumentApply(_ css: String) throws {
        try Self.check("<style>\(css)</style>" + Self.svg("class=f"), Self.svg("fill=#0066cc"), Self.svg(""))
    }

    @Test(arguments: [
        ("fill=var(--c)", "--c:#06c", "fill=#0066cc"), ("fill='rgb(0 102 204)'", "", "fill=#0066cc"),
        ("stroke='oklch(1 0 0)' fill=#0066cc", "", "stroke=#ffffff fill=#0066cc"),
        ("color='hsl(210deg 100% 40%)' fill=currentColor", "", "fill=#0066cc"),
        ("fill=red class=s", "fill:none", "fill=#0066cc"), ("fill=#0066cc", "fill:red", "fill=#0066cc"),
    ])
    func attributesAreProperties(_ attributes: String, _ css: String, _ expected: String) throws {
        try Self.check(
            "<style>.w{\(css)}.s{fill:#06c}</style>" + Self.svg(attributes), Self.svg(expected), Self.svg(""))
    }

    @Test(arguments: [
        (".k{display:none}", ""), (".k{opacity:.5}", "<path opacity=.5 d='M4 4h16v16H4z' />"),
        (".k{stroke:red;stroke-width:calc(1px + 1px)}", "<path stroke=#ff0000 stroke-width=2 d='M4 4h16v16H4z' />"),
        (
            ".k{stroke:red;stroke-dasharray:2 4px,3}",
            "<path stroke=#ff0000 stroke-dasharray='2 4 3' d='M4 4h16v16H4z' />"
        ),
        (
            ".k{transform:rotate(45deg);transform-origin:12px 12px}",
            "<path transform='rotate(45 12 12)' d='M4 4h16v16H4z' />"
        ),
        (
            ".k{transform:rotate(45deg);transform-origin:center}",
            "<path transform='rotate(45 12 12)' d='M4 4h16v16H4z' />"
        ),
        (".k{transform:scale(.5)}", "<path transform='scale(.5)' d='M4 4h16v16H4z' />"),
        (".k{scale:.5;transform-box:fill-box;transform-origin:100% 0}", "<path d='M12 4h8v8H12z' />"),
        (".k{d:path('M4 4h9v9H4z')}", "<path d='M4 4h9v9H4z' />"), (".k{visibility:hidden}", ""),
    ])
    func valuesOfOneElement(_ css: String, _ expected: String) throws {
        try Self.check("<style>\(css)</style>" + Self.svg(""), Self.svg("", expected), Self.svg(""))
    }

    @Test(arguments: [
        ("<use href=#s x=2 y=3 />", "<use href=#s x=2 y=3 width=9 height=12 />"),
        ("<use href=#s width=6 />", "<use href=#s width=6 height=12 />"),
    ])
    func symbolsHaveASize(_ used: String, _ expected: String) throws {
        let symbol = "<symbol id=s width=9 height=12 viewBox='0 0 3 4'><path d='M0 0h3v4z'/></symbol>"
        try Self.check(Self.svg("", symbol + used), Self.svg("", symbol + expected))
    }

    @Test(arguments: [
        ("<path d='M2 9h20' pathLength=10 class=k", "<path d='M2 9h20'"),
        ("<rect x=2 y=2 width=6 height=4 pathLength=10 class=k", "<rect x=2 y=2 width=6 height=4"),
    ])
    func dashesCountPathLengths(_ shape: String, _ expected: String) throws {
        try Self.check(
            "<style>.k{stroke-dasharray:3 1;stroke-dashoffset:.5}</style>" + Self.svg("stroke=red", shape + " />"),
            Self.svg("stroke=red", expected + " stroke-dasharray='6 2' stroke-dashoffset=1 />"))
    }

    @Test func geometryIsProperties() throws {
        try Self.check(
            "<style>circle{r:9px;cx:12px;cy:50%}rect{x:1px;width:5px;height:1em}</style>"
                + Self.svg("", "<circle r=1 /><rect />"),
            Self.svg("", "<circle r=9 cx=12 cy=12 /><rect x=1 width=5 height=16 />"))
    }

    @Test func dropShadowsAreDrawn() throws {
        func filter(_ primitives: String) -> String {
            Self.svg("", "<filter id=f>\(primitives)</filter><rect x=4 y=4 width=9 height=9 filter='url(#f)' />")
        }
        try Self.check(
            filter("<feDropShadow dx=4 dy=5 stdDeviation=1 flood-color='rgb(255 0 0)' flood-opacity=.5 />"),
            filter(
                "<feGaussianBlur stdDeviation=1 /><feOffset dx=4 dy=5 result=b /><feFlood flood-color=#f00 flood-opacity=.5 />"
                    + "<feComposite operator=in in2=b /><feMerge><feMergeNode/><feMergeNode in=SourceGraphic /></feMerge>"
            ),
            filter(""))
    }

    @Test func lettersHavePlaces() throws {
        func text(_ content: String) -> String { Self.svg("", content) }
        let font = "font-family=monospace font-size=10"
        try Self.check(
            text("<text y=9 \(font) dx='0 5,4'>a&amp;cd</text>"),
            // Letters of the font are 6.0205078 pixels wide.
            text("<text y=9 \(font) x='0 11.0205078 21.0410156 27.0615234'>a&amp;cd</text>"),
            text("<text y=9 \(font)>a&amp;cd</text>"))
        try Self.check(
            text("<text y=9 font-size=9 x='0 9 18 27'>\n a<!-- -->b<tspan>c</tspan>d</text>"),
            text(
                "<text y=9 font-size=9><tspan x=0>a</tspan><tspan x=9>b</tspan><tspan x=18>c</tspan><tspan x=27>d</tspan></text>"
            ),
            text("<text y=9 font-size=9>abcd</text>"))
        try Self.check(
            text("<style>text{dominant-baseline:hanging}</style><text font-size=9>a<tspan x=12 y=9>b</tspan></text>"),
            text("<text dy=.74em font-size=9>a<tspan x=12 y=9 dy=.74em>b</tspan></text>"),
            text("<text font-size=9>a<tspan x=12 y=9>b</tspan></text>"))
    }

    @Test func fontsAndDecorationsOfRulesApply() throws {
        try Self.check(
            "<style>.t{font:italic 700 9px monospace;letter-spacing:1px;text-decoration:underline}</style>"
                + Self.svg("", "<text y=9 class=t font-size=4>ab</text>"),
            Self.svg(
                "",
                "<text y=9 font-family=monospace font-style=italic font-weight=700 font-size=9 letter-spacing=1 text-decoration=underline>ab</text>"
            ), Self.svg("", "<text y=9 font-size=4>ab</text>"))
    }

    @Test func linksOfPicturesKeepTheirColor() throws {
        let content = "<text y=9 font-size=9 fill=currentColor>ab</text>"
        try Self.check(Self.svg("", "<a href=x>\(content)</a>"), Self.svg("", content))
    }

    private static func box(_ css: String) -> String { "<div style='width:50px;height:30px;\(css)'></div>" }

    @Test(arguments: [
        ("<clipPath id=c><rect x=10 y=5 width=20 height=10 /></clipPath>", "path(\"M10 5h20v10h-20z\")"),
        ("<clipPath id=c><polygon points='0,0 30,0 0,20' /></clipPath>", "polygon(0 0,30px 0,0 20px)"),
        (
            "<clipPath id=c clipPathUnits=objectBoundingBox><rect x=.2 y=.5 width=.4 height=.5 /></clipPath>",
            "polygon(20% 50%,60% 50%,60% 100%,20% 100%)"
        ),
        ("<clipPath id=d><rect width=9 height=9 /></clipPath>", "inset(0)"),
        ("<clipPath id=c><rect width=40 height=20 transform='scale(.5)' /></clipPath>", "inset(0 30px 20px 0)"),
        (
            "<clipPath id=c transform='translate(10 5)'><use href=#r x=2 /></clipPath><rect id=r width=8 height=8 />",
            "path(\"M12 5h8v8h-8z\")"
        ),
        // Shapes of both directions, and groups, which are none.
        (
            "<clipPath id=c><path d='M0 0v20h20v-20z' /><rect x=10 width=20 height=20 /><g><rect width=50 height=50 /></g></clipPath>",
            "path(\"M0 0h30v20h-30z\")"
        ),
        (
            "<clipPath id=c clip-path=url(#d)><rect width=20 height=20 /></clipPath><clipPath id=d><rect x=10 width=20 height=20 /></clipPath>",
            "path(\"M10 0h10v20h-10z\")"
        ),
        (
            "<svg viewBox='0 0 40 30'><clipPath id=c><rect x=50% width=25% height=50% /></clipPath></svg>",
            "path(\"M20 0h10v15h-10z\")"
        ),
    ])
    func boxesAreClippedByElements(_ element: String, _ shape: String) throws {
        let picture = "<svg width=0 height=0 style='position:absolute'>\(element)</svg>"
        try Self.check(
            picture + Self.box("background:teal;clip-path:url(#c)"), Self.box("background:teal;clip-path:\(shape)"))
    }

    /// Coordinates are CSS pixels, also where the picture has more of them. The layers of the element's own mask are below.
    @Test func boxesAreClippedByText() throws {
        let text = "<text y=20 font-size=20 font-family=monospace>M</text>"
        func page(_ content: String, _ css: String) -> String {
            "<div style='zoom:2'><svg width=50 height=30 style='position:absolute'>\(content)</svg>" + Self.box(css)
                + "</div>"
        }
        let clip = "<clipPath id=c>\(text)</clipPath>"
        try Self.check(page(clip, "background:#000;clip-path:url(#c)"), page(text, ""), page("", "background:#000"))
        try Self.check(
            page(clip, "background:#000;clip-path:url(#c);mask:linear-gradient(#0000,#0000)"), page("", ""),
            page(text, ""))
    }

    @Test(arguments: [
        (
            "<feColorMatrix values='0 0 1 0 0 0 1 0 0 0 1 0 0 0 0 0 0 0 1 0' />", "background:gold",
            "background:rgb(0 215 255)"
        ),
        (
            "<feColorMatrix values='0 0 0 0 .5 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0' color-interpolation-filters=sRGB />",
            "background:gold", "background:rgb(128 0 0)"
        ),
        (
            "<feDropShadow dx=4 dy=2 stdDeviation=0 flood-color=red />", "background:gold",
            "background:gold;box-shadow:4px 2px red"
        ),
    ])
    func boxesAreFilteredByElements(_ primitives: String, _ css: String, _ expected: String) throws {
        let picture = "<svg width=0 height=0 style='position:absolute'><filter id=f>\(primitives)</filter></svg>"
        try Self.check(picture + Self.box("\(css);filter:url(#f)"), Self.box(expected), Self.box(css))
    }

    /// Filter Effects 1 §8: the filter region, the units of the primitives, and results where nothing is drawn.
    @Test(arguments: [
        (
            "", "<feOffset dx=10 />", "background:teal",
            "background:linear-gradient(to right,#0000 10px,teal 10px) 0 0/55px;width:55px"
        ),
        (
            "x=0 y=0 width=1.5 height=1 primitiveUnits=objectBoundingBox", "<feOffset dx=.2 />", "background:teal",
            "background:teal;transform:translate(10px)"
        ),
        (
            "x=10 y=0 width=20 height=30 filterUnits=userSpaceOnUse", "<feOffset dx=0 />", "background:teal",
            "background:teal;clip-path:inset(0 20px 0 10px)"
        ),
        (
            "x=0 y=0 width=1em height=1 font-size=2px", "<feFlood flood-color=teal />", "width:0.5em;font-size:20px",
            "background:teal;width:20px"
        ),
        (
            "x=0 y=0 width=50 height=30 filterUnits=userSpaceOnUse", "<feFlood flood-color=teal />",
            "position:absolute;width:0;height:0", "position:absolute;background:teal"
        ),
        (
            "x=0 y=0 width=1 height=1", "<feFlood flood-color=teal /><feComposite operator=xor in2=SourceAlpha />",
            "border-left:20px solid red;box-sizing:border-box",
            "border-left:20px solid #0000;box-sizing:border-box;background:teal content-box"
        ),
    ])
    func filtersHaveRegions(_ region: String, _ primitives: String, _ css: String, _ expected: String) throws {
        let picture =
            "<svg width=0 height=0 style='position:absolute'><filter id=f color-interpolation-filters=sRGB \(region)>"
            + "\(primitives)</filter></svg>"
        try Self.check(picture + Self.box("\(css);filter:url(#f)"), Self.box(expected), Self.box(css))
    }

    @Test func backdropsAreFilteredByElements() throws {
        func page(_ filter: String) -> String {
            "<div style='width:40px;height:30px;background:#fd0'><div style='width:20px;height:30px;"
                + "backdrop-filter:\(filter)'></div></div>"
        }
        let picture =
            "<svg width=0 height=0 style='position:absolute'><filter id=f color-interpolation-filters=sRGB>"
            + "<feColorMatrix values='-1 0 0 0 1 0 -1 0 0 1 0 0 -1 0 1 0 0 0 1 0' /></filter></svg>"
        try Self.check(picture + page("url(#f)"), page("invert(1)"), page("none"))
    }

    /// Filter Effects 1 §12: a map that contains the colour of text moves nothing.
    @Test(arguments: [
        ("<feFlood flood-color=currentColor />", "fill=#0066cc"), ("<feFlood flood-color=lime />", ""),
        (
            "<feFlood style='flood-color:currentColor' result=a /><feFlood /><feMerge><feMergeNode in=a /></feMerge>",
            "fill=#0066cc"
        ),
    ])
    func displacementsRevealNoColors(_ map: String, _ expected: String) throws {
        func picture(_ fill: String, _ content: String = "") -> String {
            Self.svg(
                "color=lime", content + "<path \(fill.isEmpty ? "fill=none" : fill) d='M0 0h24v24H0z' filter=url(#f) />"
            )
        }
        let filter =
            "<filter id=f color-interpolation-filters=sRGB x=0 y=0 width=1 height=1>\(map)"
            + "<feDisplacementMap in=SourceGraphic scale=900 xChannelSelector=G yChannelSelector=G /></filter>"
        #expect(
            try Self.png(picture("fill=#0066cc", filter))
                == Self.png(Self.svg("", "<path \(expected.isEmpty ? "fill=none" : expected) d='M0 0h24v24H0z' />")))
    }

    @Test(arguments: ["alpha", "luminance"])
    func modesOfMasksReplaceTheirType(_ mode: String) throws {
        func page(_ type: String, _ mode: String) -> String {
            "<svg width=0 height=0 style='position:absolute'><mask id=m style='mask-type:\(type)'><rect width=50 height=30 "
                + "fill='#00f8' /></mask></svg>" + Self.box("background:red;mask:url(#m) \(mode)")
        }
        let other = mode == "alpha" ? "luminance" : "alpha"
        try Self.check(page(other, mode), page(mode, "match-source"), page(other, ""))
    }

    @Test(arguments: ["rotateY(180deg)", "rotateX(100deg)", "rotate3d(1,1,0,180deg)"])
    func backsAreHidden(_ transform: String) throws {
        let css = "background:teal;backface-visibility:hidden;transform:"
        try Self.check(Self.box(css + transform), Self.box(""), Self.box("background:teal"))
        try Self.check(
            Self.box(css + "scaleX(-1) rotateY(30deg)"), Self.box("background:teal;transform:scaleX(-1) rotateY(30deg)")
        )
    }

    @Test(arguments: [
        // A face of a rotated cube, at twice its size in front of the viewer.
        (
            "perspective:20px", "transform-style:preserve-3d;transform:rotateY(90deg)",
            "transform:rotateY(-90deg) translateZ(10px)", "transform:scale(2)"
        ),
        // A card that shows its back.
        (
            "", "transform-style:preserve-3d;transform:rotateY(180deg)",
            "backface-visibility:hidden;transform:rotateY(180deg)", ""
        ),
        // A group with an effect is flat.
        (
            "", "transform-style:preserve-3d;opacity:.999;transform:rotateY(60deg)", "transform:rotateY(-60deg)",
            "transform:scaleX(.25)"
        ),
    ])
    func boxesAreInOneSpace(_ scene: String, _ space: String, _ plane: String, _ expected: String) throws {
        let size = "width:20px;height:20px;"
        func page(_ scene: String, _ space: String, _ plane: String) -> String {
            "<div style='margin:10px 40px;\(size)\(scene)'><div style='\(size)\(space)'>"
                + "<div style='\(size)background:teal;\(plane)'></div></div></div>"
        }
        try Self.check(page(scene, space, plane), page("", "", expected))
    }

    /// The plane that is nearer covers the one that follows it in the document.
    @Test func planesAreSortedByDepth() throws {
        func page(_ first: String, _ second: String) -> String {
            "<div style='transform-style:preserve-3d'><div style='\(first);height:9px'></div>"
                + "<div style='\(second);height:9px;margin-top:-9px'></div></div>"
        }
        try Self.check(
            page("background:red;transform:translateZ(5px)", "background:teal;transform:translateZ(1px)"),
            page("", "background:red"))
    }

    @Test(arguments: [
        ("viewBox='0 0 60 30'", "x=5 y=5 width=10 height=10", "left:10px;top:10px;width:20px;height:20px"),
        (
            "viewBox='10 0 30 30' preserveAspectRatio=xMaxYMid", "x=10 width=10 height=10",
            "left:60px;top:0;width:20px;height:20px"
        ),
        (
            "", "width=5 height=5 style='transform:scale(2)' transform='translate(9 9)'",
            "left:0;top:0;width:10px;height:10px"
        ),
        ("", "x=10 width=5 height=5 transform='translate(1,2) scale(2)'", "left:21px;top:2px;width:10px;height:10px"),
    ])
    func elementsOfHTMLAreInPictures(_ picture: String, _ object: String, _ place: String) throws {
        let style = "style='position:absolute;left:0;top:0'"
        try Self.check(
            "<svg \(style) width=120 height=60 \(picture)><switch><foreignObject \(object)><div style="
                + "'height:100%;background:teal'></div></foreignObject><rect width=90 height=90 /></switch></svg>",
            "<div style='position:absolute;background:teal;\(place)'></div>")
    }

    /// SVG 2 §3.3: the order of painting is that of the document.
    @Test(arguments: [
        ("<rect width=60 height=60 fill=red /><foreignObject width=60 height=60>A</foreignObject>", "A"),
        ("<foreignObject width=60 height=60>A</foreignObject><g><rect width=60 height=60 fill=blue /></g>", "B"),
        (
            "<foreignObject width=60 height=60>A</foreignObject><defs><rect id=r width=60 height=60 fill=blue /></defs>",
            "A"
        ),
        (
            "<foreignObject width=60 height=60>A</foreignObject><use href=#r /><defs><rect id=r width=60 height=60 fill=blue /></defs>",
            "B"
        ),
        (
            "<foreignObject width=60 height=60>A</foreignObject><rect width=60 height=60 />"
                + "<foreignObject width=60 height=60>A</foreignObject>", "A"
        ),
    ])
    func shapesCoverObjectsBeforeThem(_ content: String, _ top: String) throws {
        let box = "<div style='width:60px;height:60px;background:teal'></div>"
        let html = content.split(separator: "A<", omittingEmptySubsequences: false).joined(separator: box + "<")
        try Self.check(
            "<svg viewBox='0 0 60 60' width=60 height=60>\(html)</svg>",
            "<svg width=60 height=60><rect width=60 height=60 fill=\(top == "A" ? "teal" : "blue") /></svg>")
    }

    @Test func textInPicturesHasShadows() throws {
        let text = "<text x=2 y=9 font-size=9"
        try Self.check(
            Self.svg("", text + " style='text-shadow:1px 1px red'>ab</text>"),
            Self.svg("", text + " style='filter:drop-shadow(1px 1px red)'>ab</text>"), Self.svg("", text + ">ab</text>")
        )
    }

    @Test(arguments: [
        ("circle(6px)", "<circle cx=12 cy=12 r=6 fill=teal />"),
        ("inset(2px 5px)", "<path d='M9 6h6v12h-6z' fill=teal />"),
        ("polygon(0 0,100% 0,0 100%)", "<path d='M4 4h16L4 20z' fill=teal />"),
        ("path('M0 0h8v8h-8z')", "<path d='M4 4h8v8h-8z' fill=teal />"),
        ("circle(25% at 50%) view-box", "<circle cx=12 cy=12 r=6 fill=teal />"),
    ])
    func partsAreClippedByShapes(_ shape: String, _ expected: String) throws {
        let part = "<path d='M4 4h16v16H4z' fill=teal"
        try Self.check(
            Self.svg("", "\(part) style=\"clip-path:\(shape)\" />"), Self.svg("", expected), Self.svg("", part + " />"))
        try Self.check(Self.svg("", "\(part) clip-path=\"\(shape)\" />"), Self.svg("", expected))
    }

    @Test(arguments: [
        ("<text x='4 12' y=10 dy='0 4'>ab</text>", "<text y=10><tspan x=4>a</tspan><tspan x=12 y=14>b</tspan></text>"),
        ("<text x=4 y=10 rotate=90>a</text>", "<text transform='translate(4 10)rotate(90)'>a</text>"),
        (
            "<path id=p d='M4 4v20' fill=none /><text><textPath href='#p' startOffset=2>a</textPath></text>",
            "<text transform='translate(4 6)rotate(90)'>a</text>"
        ),
        (
            "<path id=p d='M9 9m-5-5v20' fill=none /><text><textPath href='#p' startOffset=2>a</textPath></text>",
            "<text transform='translate(4 6)rotate(90)'>a</text>"
        ),
        (
            "<path id=p d='M0 0h6M4 4v20' fill=none /><text><textPath href='#p' startOffset=8>a</textPath></text>",
            "<text transform='translate(4 6)rotate(90)'>a</text>"
        ),
        ("<text y=10 style='text-transform:uppercase'>a</text>", "<text y=10>A</text>"),
        ("<text y=10 word-spacing=6>a b</text>", "<text y=10 x='0 6.0205078 18.0410156'>a b</text>"),
        ("<text y=10 alignment-baseline=hanging>a</text>", "<text y=10 dominant-baseline=hanging>a</text>"),
        (
            "<text y=10>a<tspan alignment-baseline=hanging fill=none>b</tspan>c</text>",
            "<text y=10>a<tspan fill=none>b</tspan>c</text>"
        ),
        ("<text y=10 font-variant=small-caps>a</text>", "<text y=10 style='font-variant:small-caps'>a</text>"),
    ])
    func lettersHavePlaces(_ text: String, _ expected: String) throws {
        try Self.check(
            Self.svg("font-family=monospace font-size=10", text),
            Self.svg("font-family=monospace font-size=10", expected),
            Self.svg(""))
    }

    /// White space collapses over the whole text (SVG 2 §11.7), in files too. `_` is a place without a letter.
    @Test(arguments: [
        ("<text y='10'>\n a<tspan> b </tspan>c</text>", "a_b_c"),
        ("<text y='10'>a \n <tspan>\tb</tspan> </text>", "a_b"),
        ("<text y='10'>a <title>x</title><tspan style='display:none'>x </tspan> b</text>", "a_b"),
        ("<text y='10' style='white-space:pre'> a  <tspan>b</tspan></text>", "_a__b"),
        ("<text y='10' xml:space='preserve'>a  <tspan>b</tspan></text>", "a__b"),
        ("<text y='10' rotate='0'>\n a<tspan> b </tspan>c</text>", "a_b_c"),
    ])
    func spacesOfTextCollapse(_ text: String, _ letters: String) throws {
        let attributes = "font-family='monospace' font-size='10' width='40' height='40' viewBox='0 0 24 24'"
        let turn = text.contains("rotate") ? " rotate='0'" : ""
        let places = letters.enumerated().filter { $0.element != "_" }.map { place, letter in
            "<text y='10'\(turn) x='\(Float(place) * 6.0205078)'>\(letter)</text>"
        }
        let expected = "<svg \(attributes)>\(places.joined())</svg>"
        try Self.check("<svg \(attributes)>\(text)</svg>", expected, "<svg \(attributes)></svg>")
        let file = "<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(text)</svg>"
        guard text.contains("<tspan"), !text.contains("rotate") else { return }
        try Self.check("<img src=\"data:image/svg+xml,\(file)\">", expected)
    }

    /// The preference of an SVG file is the scheme of the page (Media Queries 5 §11.5).
    @Test(arguments: ["light dark", "light"]) func filesAreToldThatThePageIsDark(_ scheme: String) throws {
        func page(_ image: String) throws -> [UInt8] {
            let file = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'>\(image)</svg>"
            var document = MarkupParserBuilder.default().set(colorScheme: .dark).build().parse(
                "<!DOCTYPE html><style>:root{color-scheme:\(scheme)}</style><img src=\"data:image/svg+xml,\(file)\">")
            return try Renderer().png(&document, RenderOptions())
        }
        let rule = "<style>@media(prefers-color-scheme:dark){rect{fill:red}}</style><rect width='20' height='20'/>"
        let fill = scheme == "light" ? "black" : "red"
        #expect(try page(rule) == page("<rect width='20' height='20' fill='\(fill)'/>"))
    }

    @Test(arguments: [
        (
            "<a text-decoration=underline><text y=10>a</text></a>", "<text y=10 text-decoration=underline>a</text>",
            "<text y=10>a</text>"
        ),
        (
            "<text x=9 style='writing-mode:vertical-rl'>a</text>", "<text x=9 writing-mode=tb>a</text>",
            "<text x=9>a</text>"
        ),
        (
            "<g opacity=.5><g opacity=.5><foreignObject width=9 height=9><div style='height:9px;background:red'></div></foreignObject></g></g>",
            "<rect width=9 height=9 fill=red opacity=.25 />", "<rect width=9 height=9 fill=red />"
        ),
    ])
    func partsHaveTheStyleAroundThem(_ part: String, _ expected: String, _ other: String) throws {
        try Self.check(Self.svg("", part), Self.svg("", expected), Self.svg("", other))
    }

    /// Filter functions use sRGB and have no region (Filter Effects 1 §12).
    @Test(arguments: [
        ("grayscale(1)", "fill=#363636"), ("invert(1)", "fill=#0ff"), ("brightness(.5)", "fill=#800000"),
        ("invert(1) grayscale(1)", "fill=#c9c9c9"), ("saturate(0)", "fill=#363636"),
        ("sepia(0) invert(1)", "fill=#0ff"), ("drop-shadow(9px 2px 1px lime)", "fill=red filter='url(#f)'"),
    ])
    func partsAreFilteredByFunctions(_ function: String, _ expected: String) throws {
        let filter =
            "<filter id=f x=-3 y=-3 width=9 height=9 color-interpolation-filters=sRGB>"
            + "<feDropShadow dx=9 dy=2 stdDeviation=1 flood-color=lime /></filter>"
        let part = "<path d='M4 4h9v9H4z'"
        try Self.check(
            Self.svg("", filter + "\(part) fill=red style='filter:\(function)' />"),
            Self.svg("", filter + "\(part) \(expected) />"), Self.svg("", filter + part + " fill=red />"))
    }

    /// Values in the words of the decoder, which other readers of SVG understand as well.
    @Test func picturesAreWrittenForOtherReaders() throws {
        var document = MarkupParser().parse(
            Self.svg("font-family=serif", "<circle r=9 pathLength=100 stroke-dasharray='65 100' /><text>a</text>"))
        let source = document.styledContents().replaced[0].source
        #expect(source.contains("'Times New Roman','serif'") && !source.contains("pathLength"), "\(source)")
    }

    /// The last of two letters that are 6 pixels wide ends at the given length.
    @Test(
        arguments: [
            ("textLength=16", [4, 14]), ("textLength=16 text-anchor=end", [-12, -2]),
            ("rotate=0 text-anchor=middle", [-2, 4]),
            ("textLength=24 lengthAdjust=spacingAndGlyphs", [4, 16]),
        ] as [(String, [Float])])
    func textHasALength(_ attributes: String, _ expected: [Float]) throws {
        var document = MarkupParser().parse(
            "<!DOCTYPE html>" + Self.svg("", "<text x=4 font-family=monospace font-size=10 \(attributes)>ab</text>"))
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        _ = try Renderer(fonts: fonts).png(&document, RenderOptions())
        let parts = document.styledContents().replaced[0].source.split(separator: "translate(").dropFirst()
        let places = parts.compactMap { Float($0.prefix { $0 != " " }) }
        #expect(places.count == 2 && zip(places, expected).allSatisfy { abs($0 - $1) < 0.2 }, "\(places)")
    }

    /// Emoji have the colours of their font, in any place, and each picture is written once.
    @Test(arguments: ["", "rotate=30", "textLength=90"])
    func emojiHaveColours(_ attributes: String) throws {
        var options = RenderOptions()
        (options.width, options.height) = (.pixels(120), .pixels(60))
        var document = MarkupParser().parse(
            "<svg><text y=30 font-size=30 \(attributes)>a\u{1F600}\u{1F600}</text></svg>")
        let pixels = try Renderer().pixels(&document, options)
        let yellow = (0..<60).reduce(0) { sum, y in
            sum + (0..<120).count { pixels[$0, y].red > 200 && pixels[$0, y].green > 150 && pixels[$0, y].blue < 100 }
        }
        #expect(yellow > 400)
        let source = document.styledContents().replaced[0].source
        #expect(source.split(separator: "data:image/png").count == 2 && source.split(separator: "#glyph-0").count == 3)
    }
}
