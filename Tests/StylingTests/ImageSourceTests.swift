// The picture of an `img` among several, and `image-set()`.

import FancyTextMarkup
import Testing

@testable import FancyTextStyling

@Suite struct ImageSourceTests {
    private func source(_ html: String) throws -> String {
        let styled = Styled(html).tree
        let nodes = (0..<styled.tree.count).map { NodeID($0) }
        let image = try #require(nodes.first { styled.tree.kind($0) == .element && styled.tree.tag($0) == .img })
        return styled.image(of: image).image
    }

    /// The medium is 800 pixels wide, with one device pixel for each CSS pixel.
    @Test(arguments: [
        ("<img src=a>", "a"), ("<img src=' a\n '>", "a"), ("<img>", ""), ("<img srcset='a, b 2x'>", "a"),
        ("<img src=c srcset='b 2x'>", "c"),
        ("<img src=c srcset='a 1x,b 2x'>", "a"), ("<img srcset='b .5x, c .75x'>", "c"), ("<img srcset=', ,'>", ""),
        ("<img srcset='data:image/png,a,b 1x, c 2x'>", "data:image/png,a,b"), ("<img srcset='a 1q, b 3x'>", "b"),
        ("<img srcset='a 400w, b 800w, c 1600w'>", "b"), ("<img src=d srcset='a 400w' sizes=500px>", "a"),
        ("<img srcset='a 400w, b 800w' sizes='(min-width: 700px) 50vw, 100vw'>", "a"),
        ("<img srcset='a 400w, b 800w' sizes='(max-width: 700px) 50vw, calc(100vw - 10px)'>", "b"),
        ("<picture><source srcset=b media='(max-width:1px)'><source srcset=c><img src=a></picture>", "c"),
        (
            "<picture><source srcset=b type=image/jxl><source type=image/webp srcset='c 2x, d'><img src=a></picture>",
            "d"
        ),
        ("<picture><source src=b><img src=a><source srcset=c></picture>", "a"),
    ])
    func pictures(_ html: String, _ expected: String) throws { #expect(try source(html) == expected) }

    @Test(arguments: [
        ("image-set('a' 2x, 'b' 100dpi)", "b"), ("image-set('a' 2x, 'b')", "b"), ("image-set('a' .1x, 'b' .2x)", "b"),
        ("image-set('a' type('image/jxl'), 'b' type('image/png') 3x)", "b"),
        ("image-set('a' calc(1x + 1x), 'b' 3x)", "a"),
    ])
    func sets(_ value: String, _ expected: String) {
        let layers = Styled("<p>x", css: "p{background:\(value)}").style("x").box.backgroundLayers
        #expect(layers.map(\.image) == [.url(expected)])
    }

    /// CSS Values 4 §4.5.
    @Test func urlsAreRelativeToTheirSheet() {
        var options = StyleOptions()
        options.importLoader = { _ in
            { url, _ in
                let layers = "url(../c),url(data:,),url(/d),url()"
                let css = url.hasPrefix("css") ? "@import 'x/b.css';" : "p{background:\(layers)}"
                return .success((Array(css.utf8), url))
            }
        }
        let styled = Styled("<link rel=stylesheet href=css/a.css><p>x", options)
        let layers = styled.style("x").box.backgroundLayers
        #expect(styled.tree.mentions(of: ["css/x/../c"]).count == 1)
        #expect(layers.map(\.image) == [.url("css/x/../c"), .url("data:,"), .url("/d"), .url("")])
    }

    @Test(arguments: [
        "image-set('a' 1q)", "image-set('a' type(png))", "image-set('a' type('image/jxl'))", "image-set()",
    ])
    func noImages(_ value: String) {
        #expect(Styled("<p>x", css: "p{background:\(value)}").style("x").box.backgroundLayers.isEmpty)
    }
}
