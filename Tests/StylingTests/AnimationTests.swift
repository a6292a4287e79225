// Animations in a still picture: finite ones in their final state, infinite ones in their first state.

import Testing

@testable import FancyTextCSS
@testable import FancyTextStyling

@Suite struct AnimationTests {
    private let frames = "@keyframes a{from{order:10}to{order:20}}"

    /// `order` of the paragraph, whose base style is 1.
    private func order(_ animation: String, _ more: String = "", _ frames: String? = nil) -> Int {
        Styled("<p>x", css: "p{order:1;\(animation)}\(more)\(frames ?? self.frames)").style("x").box.order
    }

    @Test(arguments: [
        // Finite ones have ended.
        ("animation:a 1s forwards", 20), ("animation:a 1s both", 20), ("animation:a 1s", 1),
        ("animation:a 1s backwards", 1), ("animation:1s forwards a", 20), ("animation:a .05s 9s forwards", 20),
        ("animation:'a' 1s forwards", 20), ("animation:a forwards", 20), ("animation:none", 1),
        ("animation:b 1s forwards", 1), ("animation:a 1s 0 forwards", 10), ("-webkit-animation:a 1s forwards", 20),
        ("animation-name:a;animation-fill-mode:forwards", 20),
        ("animation:a 1s forwards;animation-fill-mode:none", 1), ("animation:a 1s calc(1s * 2) forwards", 20),
        // The direction and the number of iterations decide the final state.
        ("animation:a 1s forwards reverse", 10), ("animation:a 1s 2 alternate forwards", 10),
        ("animation:a 1s 3 alternate forwards", 20), ("animation:a 1s 2 alternate-reverse forwards", 20),
        ("animation:a 1s 1.5 linear forwards", 15), ("animation:a 1s 1.5 alternate linear forwards", 15),
        ("animation:a 1s 1.25 alternate linear forwards", 18), ("animation:a 1s 2.2 linear forwards", 12),
        // Infinite animations are at their start.
        ("animation:a 1s infinite", 10), ("animation:a 1s infinite reverse", 20),
        ("animation:a 1s -.5s linear infinite", 15), ("animation:a 1s -2.5s linear infinite", 15),
        ("animation:a 1s 3s infinite", 10), ("animation:a 1s step-start infinite", 20),
        ("animation:a 0s infinite forwards", 20),
        // Paused animations are at the position that their delay gives.
        ("animation:a 1s paused", 10), ("animation:a 4s -1s linear paused", 13),
        ("animation:a 4s -1s steps(2) paused", 10), ("animation:a 4s -3s steps(2) paused", 15),
        ("animation:a 1s 1s paused", 1), ("animation:a 1s 1s paused both", 10), ("animation:a 1s -2s paused", 1),
        ("animation:a 1s -2s paused forwards", 20), ("animation:a 2s -1s cubic-bezier(0,1,1,0) paused", 15),
        ("animation:a 4s -1s linear(0, 1 25%, 0) paused", 20),
        // A timeline other than time.
        ("animation:a 1s forwards;animation-timeline:scroll()", 1),
        ("animation:a 1s forwards;animation-timeline:none", 1), ("animation:a 1s forwards;animation-timeline:auto", 20),
    ])
    func aPictureShowsTheEnd(_ animation: String, _ expected: Int) {
        #expect(order(animation) == expected)
    }

    @Test(arguments: [
        "bad 1s foo bar", "a 1s 2s 3s", "a 1s running paused", "a 1s,", "", "a 1s steps(0)",
        "a 1s cubic-bezier(2,0,0,0)", "a 1s -1", "a 1s b",
    ])
    func whatIsNoAnimationIsRefused(_ value: String) {
        let styled = Styled("<p>x", css: "p{animation:\(value)}")
        #expect(styled.log.worst == .warning)
    }

    @Test(arguments: [("-1s", 6), ("-2s", 1), ("-3s", 11)])
    func aRevertedLayerIsTheStyleWithoutAnimations(_ delay: String, _ expected: Int) {
        let frames = "@keyframes a{from{order:11}50%{order:revert-layer}to{order:21}}"
        #expect(order("animation:a 4s \(delay) linear paused", "", frames) == expected)
    }

    @Test func animationsLieBetweenNormalAndImportantDeclarations() {
        #expect(order("animation:a 1s forwards", "p{order:3 !important}") == 3)
        #expect(order("animation:a 1s forwards", "", "@keyframes a{to{order:20 !important}}") == 1)
        let inline = Styled("<p style='order:2'>x", css: "p{animation:a 1s forwards}\(frames)")
        #expect(inline.style("x").box.order == 20)
        var options = StyleOptions()
        options.policy = .code
        options.sheets = [.init(name: "--style", text: "p{order:1;animation:a 1s forwards}\(frames)")]
        #expect(Styled("<p style='order:2'>x", options).style("x").box.order == 20)
    }

    @Test func laterAnimationsWin() {
        let two = "@keyframes a{to{order:20;opacity:.5}}@keyframes b{to{order:30}}"
        let styled = Styled("<p>x", css: "p{animation:a 1s forwards,b 1s both}\(two)")
        #expect(styled.style("x").box.order == 30 && styled.style("x").box.opacity == 0.5)
        #expect(order("animation-name:b,a;animation-fill-mode:forwards", "", two) == 20)
    }

    @Test(arguments: [
        ("@keyframes a{0%,50%{order:5}100%{order:6}}", 6), ("@keyframes a{to{order:5}to{order:6}}", 6),
        ("@keyframes a{from{order:5}}", 1), ("@keyframes a{101%{order:5}}", 1), ("@keyframes a{to,x{order:5}}", 1),
        ("@media screen{@keyframes a{to{order:5}}}", 5), ("@media print{@keyframes a{to{order:5}}}", 1),
        ("@layer l{@keyframes a{to{order:5}}}", 5), ("@supports (display:grid){@keyframes a{to{order:5}}}", 5),
        ("@keyframes a{to{order:6}}@layer l{@keyframes a{to{order:5}}}", 6),
        ("@-webkit-keyframes a{to{order:5}}", 5), ("@keyframes a{to{order:5}}@keyframes a{to{order:6}}", 6),
        ("p{--n:7}@keyframes a{to{order:var(--n)}}", 7), ("@keyframes a{to{--n:8;order:var(--n)}}", 8),
        ("@keyframes a{to{order:5;animation-name:none}}", 5), ("@keyframes{to{order:5}}", 1),
    ])
    func keyframes(_ frames: String, _ expected: Int) {
        #expect(order("animation:a 1s forwards", "", frames) == expected)
    }

    @Test func pseudoElementsAndTheBodyOfASnippetAreAnimated() throws {
        let css = "p::before{content:'b';opacity:0;animation:a 1s forwards}@keyframes a{to{opacity:1}}"
        let styled = Styled("<p>x", css: css)
        let node = try #require(styled.tree.nodesWithPseudoStyles.first { _ in true })
        let style = try #require(styled.tree.pseudoStyle(of: node, .before))
        #expect(styled.tree.styles[style].box.opacity == 1)
        let body = Styled("x", css: "body{color:red;animation:a 1s forwards}@keyframes a{to{color:lime}}")
        #expect(body.color("x") == "0 255 0 255")
    }

    /// Half-way between two frames.
    @Test(arguments: [
        ("color", "red", "#0000ff", "rgb(128 0 128)"), ("width", "10px", "20px", "15px"),
        ("width", "10px", "50%", "calc(5px + 25%)"), ("width", "0", "2em", "1em"), ("opacity", "0", "1", "0.5"),
        (
            "transform", "translateX(10px) rotate(0deg)", "translateX(20px) rotate(90deg)",
            "translateX(15px) rotate(45deg)"
        ),
        ("transform", "none", "translate(10px, 20%) scale(3)", "translate(5px, 10%) scale(2)"),
        ("filter", "none", "blur(4px) brightness(50%)", "blur(2px) brightness(75%)"),
        ("margin-left", "calc(2px + 2px)", "8px", "6px"), ("visibility", "hidden", "visible", "visible"),
        ("margin", "10px 0", "20px 4px", "15px 2px"), ("background", "red", "#0000ff", "rgb(128 0 128)"),
        // Values that cannot be interpolated change in the middle.
        ("text-align", "left", "right", "right"), ("transform", "scale(2)", "rotate(9deg)", "rotate(9deg)"),
        ("width", "auto", "20px", "20px"),
    ])
    func betweenFrames(_ property: String, _ from: String, _ to: String, _ expected: String) {
        let css = "p{animation:a 2s -1s linear paused}@keyframes a{from{\(property):\(from)}to{\(property):\(to)}}"
        let animated = Styled("<p>x", css: css).style("x")
        let plain = Styled("<p>x", css: "p{\(property):\(expected)}").style("x")
        #expect(animated.box.width == plain.box.width && animated.box.margin == plain.box.margin)
        #expect(animated.box.backgroundColor == plain.box.backgroundColor)
        #expect(animated.text == plain.text && animated.box.opacity == plain.box.opacity)
        #expect(animated.box.transform == plain.box.transform && animated.box.effects == plain.box.effects)
    }

    @Test func aFrameThatLeavesOutAPropertyMeansTheStyleWithoutTheAnimation() {
        let css = "p{width:10px;animation:a 2s -1s linear paused}@keyframes a{to{width:30px}}"
        #expect(Styled("<p>x", css: css).style("x").box.width == .length(LengthPercentage(px: 20)))
        let shorthand = "p{margin:10px;animation:a 2s -1s linear paused}@keyframes a{to{margin:30px}}"
        #expect(Styled("<p>x", css: shorthand).style("x").box.margin.left == LengthPercentage(px: 20))
    }

    @Test func framesHaveEasingsOfTheirOwn() {
        let frames = "@keyframes a{from{order:10;animation-timing-function:step-end}50%{order:20}to{order:40}}"
        #expect(order("animation:a 4s -1s linear paused", "", frames) == 10)
        #expect(order("animation:a 4s -3s linear paused", "", frames) == 30)
    }
}
