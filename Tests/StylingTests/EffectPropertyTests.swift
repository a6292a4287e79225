// Transforms, filters, blending, clip paths, masks and border images as styles.

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup

@Suite struct EffectPropertyTests {
    private func style(_ css: String) -> ComputedStyle { Styled("<div style='\(css)'>x").style("x") }

    private func box(_ css: String) -> BoxStyle { style(css).box }

    private func warnings(_ css: String) -> Int {
        Styled("<div style='\(css)'>x").log.entries.count { $0.severity == .warning }
    }

    /// Rounded to thousandths, in the order of `matrix()`.
    private func matrix(_ css: String) -> [Float] {
        let map = box(css).transform.resolved(in: Rect(x: 10, y: 20, width: 100, height: 50))
        return [map.xx, map.yx, map.xy, map.yy, map.x, map.y].map { ($0 * 1000).rounded() / 1000 }
    }

    // MARK: Transforms

    @Test(arguments: [
        ("transform:none", [1, 0, 0, 1, 0, 0]), ("transform:translate(5px,10%)", [1, 0, 0, 1, 5, 5]),
        ("transform:scale(2)", [2, 0, 0, 2, -60, -45]), ("transform:scale(50%,2)", [0.5, 0, 0, 2, 30, -45]),
        ("transform:rotate(90deg)", [0, 1, -1, 0, 105, -15]),
        ("transform:rotate(.25turn);transform-origin:0 0", [0, 1, -1, 0, 30, 10]),
        ("transform:matrix(1,2,3,4,5,6);transform-origin:left top", [1, 2, 3, 4, -55, -74]),
        ("transform:skewX(45deg);transform-origin:bottom left", [1, 0, 1, 1, -70, 0]),
        ("transform:translateX(10px) scaleX(-1)", [-1, 0, 0, 1, 130, 0]),
        ("translate:10px;scale:2;transform:translate(1px,2px)", [2, 0, 0, 2, -48, -41]),
        ("rotate:180deg", [-1, 0, 0, -1, 120, 90]), ("scale:none;rotate:none;translate:none", [1, 0, 0, 1, 0, 0]),
        ("transform:rotateY(60deg)", [0.5, 0, 0, 1, 30, 0]),
        ("transform:translate3d(1px,2px,3px) translateZ(9px)", [1, 0, 0, 1, 1, 2]),
        ("transform:perspective(100px) translateZ(50px)", [2, 0, 0, 2, -60, -45]),
        ("rotate:x 180deg", [1, 0, 0, -1, 0, 90]), ("rotate:0 0 1 90deg", [0, 1, -1, 0, 105, -15]),
        (
            "transform:matrix3d(2,0,0,0,0,1,0,0,0,0,1,0,7,8,0,1);transform-origin:0 0 4px",
            [2, 0, 0, 1, -3, 8]
        ),
    ])
    func transformsAreMatrices(_ css: String, _ expected: [Float]) { #expect(matrix(css) == expected, "\(css)") }

    @Test(arguments: [
        "transform:rotate(10)", "transform:translate()", "transform:matrix(1,2,3)", "transform:scale(1 2)",
        "transform:none rotate(1deg)", "translate:1px 2px 3%", "rotate:x", "scale:1 2 3 4",
        "transform-origin:left left", "transform-origin:1px 2px 3%", "transform:spin(1deg)",
    ])
    func otherTransformsAreErrors(_ css: String) {
        #expect(warnings(css) == 1)
        #expect(box(css).transform == TransformStyle())
    }

    @Test func transformsAreNotInherited() {
        let styled = Styled("<div style='transform:rotate(1deg);filter:blur(1px)'>a<b>x</b></div>")
        #expect(styled.style("a").hasGroupEffect && styled.style("a").containsFixedBoxes)
        #expect(!styled.style("x").hasGroupEffect)
    }

    // MARK: Effects

    @Test func filtersKeepTheirOrder() {
        #expect(
            box("filter:blur(2px) brightness(150%) grayscale() opacity(3) hue-rotate(.5turn)").effects.filters == [
                .blur(2), .brightness(1.5), .grayscale(1), .opacity(1), .hueRotate(180),
            ])
        let shadow = Shadow(x: 1, y: 2, blur: 3, color: Color(red: 255, green: 0, blue: 0))
        #expect(
            box("filter:drop-shadow(red 1px 2px 3px)").effects.filters == [
                .dropShadow(shadow, isCurrentColor: false)
            ])
        #expect(box("-webkit-backdrop-filter:invert(.5)").effects.backdropFilters == [.invert(0.5)])
    }

    @Test(arguments: [
        "filter:blur(-1px)", "filter:blur(2%)", "filter:brightness(-1)",
        "filter:drop-shadow(1px)", "clip-path:circle(10px 20px)", "clip-path:polygon(1px)", "mix-blend-mode:over",
        "clip-path:path(\"L 1 2\")", "mask-image:blue", "border-image-slice:-1",
    ])
    func otherEffectsAreErrors(_ css: String) {
        #expect(warnings(css) == 1)
        #expect(box(css) == box(""))
    }

    @Test func everyEffectMakesAGroup() {
        for css in [
            "opacity:.9", "isolation:isolate", "transform:scale(1)", "filter:blur(0)", "backdrop-filter:invert()",
            "mix-blend-mode:screen", "clip-path:inset(0)", "mask:linear-gradient(red,blue)", "contain:paint",
        ] {
            #expect(style(css).hasGroupEffect, "\(css)")
        }
        for css in ["transform-origin:0 0", "filter:none", "mask:none", "clip-path:none", "mask-size:cover"] {
            #expect(!style(css).hasGroupEffect, "\(css)")
        }
    }

    @Test func shapesKnowTheirBox() throws {
        let clip = try #require(box("clip-path:inset(1px 10% round 4px) content-box").effects.clip)
        #expect(clip.box == .contentBox)
        guard case .inset(let sides, let radii) = clip.shape else {
            Issue.record("no inset")
            return
        }
        #expect(sides.left == LengthPercentage(fraction: 0.1) && sides.bottom == LengthPercentage(px: 1))
        #expect(radii.count == 4)
        #expect(box("clip-path:margin-box").effects.clip?.shape == nil)
        #expect(
            box("clip-path:circle()").effects.clip?.shape == .circle(.closestSide, center: .center))
        let triangle = box("clip-path:polygon(evenodd,0 0,1px 0,0 100%)").effects.clip?.shape
        guard case .polygon(let points, isEvenOdd: true)? = triangle else {
            Issue.record("no polygon")
            return
        }
        #expect(points.count == 3)
    }

    @Test func pathDataIsRead() throws {
        let path = try #require(PathData.path("M10 10h10v10l-5-5q1 2 3,4t1 1z m.5.5-1e1,2"))
        #expect(path.segments.count == 9)
        #expect(path.segments[1] == .line(Point(x: 20, y: 10)))
        #expect(path.segments[3] == .line(Point(x: 15, y: 15)))
        #expect(path.segments[5] == .quadratic(control: Point(x: 20, y: 21), end: Point(x: 19, y: 20)))
        #expect(path.segments[8] == .line(Point(x: 0.5, y: 12.5)))
        // Flags need no space between them; a half circle takes two cubics.
        #expect(PathData.path("M0 0a5 5 0 0110 0")?.segments.count == 3)
        for wrong in ["10 10", "M1", "M1 2 X", "M0 0 L 1", "M0 0z 1 1"] { #expect(PathData.path(wrong) == nil) }
        #expect(PathData.path("")?.isEmpty == true)
    }

    @Test(arguments: ["A1e-20 5 0 0 1 6 9", "A1e7 1e7 1e7 0 1 1e7 9", "A1e-300 1e-300 0 1 0 1e-300 0"])
    func arcsOfAnySizeAreCurves(_ arc: String) {
        #expect(PathData.path("M0 0" + arc) != nil)
    }

    @Test func masksHaveLayers() {
        let mask = box("mask:linear-gradient(red,blue) center/10px 20% no-repeat intersect luminance content-box,none")
            .mask
        #expect(mask.images.count == 2 && mask.images[1] == nil)
        #expect(mask.sizes == [.size(LengthPercentage(px: 10), LengthPercentage(fraction: 0.2)), .size(nil, nil)])
        #expect(mask.composites == [.intersect, .add] && mask.modes == [.luminance, .matchSource])
        #expect(mask.origins == [.contentBox, .borderBox] && mask.clips == [.contentBox, .borderBox])
        #expect(box("mask:none;mask-clip:no-clip").mask.clips == [nil])
        #expect(box("-webkit-mask-composite:xor").mask.composites == [.exclude])
    }

    /// CSS Backgrounds 3 §4.4.
    @Test func bordersResetTheirImage() {
        #expect(box("border-image:linear-gradient(red,blue) 10;border:1px solid").borderImage == BorderImageStyle())
    }

    @Test func borderImagesAreCut() {
        let image = box("border-image:linear-gradient(red,blue) 10 20% fill / 2 / 3px round").borderImage
        #expect(image.slice.top == LengthPercentage(px: 10) && image.slice.left == LengthPercentage(fraction: 0.2))
        #expect(image.fillsMiddle && image.width == Sides(.multiple(2)))
        #expect(image.outset == Sides(.length(LengthPercentage(px: 3))) && image.repeatY == .round)
    }

    @Test func backgroundsBlend() {
        let layers = box("background:url(a),url(b);background-blend-mode:multiply").backgroundLayers
        #expect(layers.map(\.blendMode) == [.multiply, .multiply])
    }

    @Test func shapesAreCommands() throws {
        let css =
            "clip-path:shape(evenodd from 0 10%,line to 5px 6px,hline by 2px,curve to 1px 2px with 3px 4px from end,"
            + "smooth by 1px 1px,arc to 0 0 of 5px 6px cw rotate 90deg,move by 1px 1px,vline to 3px,close)"
        guard case .commands(let start, let commands, isEvenOdd: true)? = box(css).effects.clip?.shape else {
            Issue.record("no commands")
            return
        }
        func position(_ x: Float, _ y: Float) -> Gradient.Position { .init(x: .init(px: x), y: .init(px: y)) }
        #expect(start.y == LengthPercentage(fraction: 0.1))
        #expect(
            commands == [
                .line(position(5, 6), isRelative: false), .horizontal(.init(px: 2), isRelative: true),
                .curve(position(1, 2), isRelative: false, .init(point: position(3, 4), origin: .end), nil),
                .smooth(position(1, 1), isRelative: true, nil),
                .arc(
                    position(0, 0), isRelative: false, radii: position(5, 6), isClockwise: true, isLarge: false,
                    rotation: 90), .move(position(1, 1), isRelative: true),
                .vertical(.init(px: 3), isRelative: false), .close,
            ])
        let keywords = box("clip-path:shape(from center left,hline to right,curve to bottom with top left)")
        let shares = box("clip-path:shape(from 0 50%,hline to 100%,curve to 50% 100% with 0 0)")
        #expect(keywords.effects.clip != nil && keywords.effects.clip == shares.effects.clip)
        for wrong in [
            "shape()", "shape(from 0 0)", "shape(from 0 0,line 1px 1px)", "shape(from 0 0,arc to 1px 1px cw)",
        ] {
            #expect(warnings("clip-path:\(wrong)") == 1, "\(wrong)")
        }
    }

    @Test func rectanglesClip() {
        #expect(
            box("clip:rect(1px, auto, 3px, 4px)").effects.rectangle == Sides(top: 1, right: nil, bottom: 3, left: 4))
        #expect(box("clip:rect(1px 2px 3px 4px);clip:auto").effects.rectangle == .some(nil))
        #expect(warnings("clip:rect(1px 2px,3px,4px)") == 1 && warnings("clip:rect(1px,2px,3px 4px)") == 1)
        #expect(warnings("clip:rect(1px,2px,3px)") == 1 && warnings("clip:rect(1%,0,0,0)") == 1)
    }

    @Test func cornersHaveShapes() {
        let corners = box("border-radius:4px;corner-shape:bevel scoop square superellipse(.5)").cornerRadii
        #expect(corners.map(\.curvature) == [0, -1, .infinity, 0.5])
        #expect(box("border-radius:4px;corner-top-left-shape:notch").cornerRadii.first?.curvature == -.infinity)
        #expect(box("corner-shape:bevel").cornerRadii.isEmpty)
        #expect(warnings("corner-shape:oval") == 1)
    }

    @Test(arguments: [
        (
            "-webkit-radial-gradient(left 19%, circle cover, red, blue)",
            "radial-gradient(circle farthest-corner at left 19%, red, blue)"
        ), ("-webkit-radial-gradient(ellipse contain, red, blue)", "radial-gradient(closest-side, red, blue)"),
        ("-webkit-radial-gradient(red, blue)", "radial-gradient(red, blue)"),
        ("-webkit-radial-gradient(center, red, blue)", "radial-gradient(red, blue)"),
        (
            "-webkit-gradient(linear, left top, left bottom, to(red), color-stop(.3, lime), from(blue))",
            "linear-gradient(to bottom, blue 0, lime 30%, red 100%)"
        ),
    ])
    func olderGradientsAreRead(_ old: String, _ new: String) {
        let (first, second) = (box("background:\(old)").backgroundLayers, box("background:\(new)").backgroundLayers)
        guard case .gradient(let a)? = first.first?.image, case .gradient(let b)? = second.first?.image else {
            Issue.record("no gradient")
            return
        }
        #expect(a.shape == b.shape && a.stops.map(\.color) == b.stops.map(\.color))
        #expect(a.stops.map { $0.position?.fraction } == b.stops.map { $0.position?.fraction })
    }

    @Test func svgSidesAreProperties() {
        let box = Styled("<p style='font-size:20px'><svg width=1.5em height=' 50% '>x</svg>").style("x").box
        #expect(box.width == .length(LengthPercentage(px: 30)))
        #expect(box.height == .length(LengthPercentage(fraction: 0.5)))
        #expect(Styled("<svg width=24>x</svg>").style("x").box.width == .length(LengthPercentage(px: 24)))
        #expect(Styled("<svg width=large>x</svg>").style("x").box.width == .auto)
    }
}
