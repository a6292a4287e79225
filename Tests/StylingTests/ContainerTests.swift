// Container queries and container units, with sizes as a layout would give them (CSS Conditional 5).

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextStyling

@Suite struct ContainerTests {
    /// The order that the rule under test gives to the element with the text "x".
    private func order(_ html: String, css: String, sizes: [String: (Double, Double)] = [:]) -> Int {
        styles(html, css: css, sizes: sizes).style("x").box.order
    }

    /// - Parameter sizes: By the id of an element.
    private func styles(_ html: String, css: String, sizes: [String: (Double, Double)] = [:]) -> Styled {
        let tree = MarkupTree.parse(html)
        var options = StyleOptions()
        options.sheets = [.init(name: "--style", text: css)]
        var styled = Styled(html, options)
        var known: [NodeID: ContainerSize] = [:]
        for (id, size) in sizes {
            for node in tree.nodes(withID: id) { known[node] = ContainerSize(width: size.0, height: size.1) }
        }
        styled.tree = MarkupStyleResolver(options: options).resolve(tree, containerSizes: known, log: &styled.log)
        return styled
    }

    private let card = "<div id=a style='container:card / size;font-size:10px;--mode: dark'><p>x</p></div>"

    @Test(arguments: [
        "(width > 100px)", "(min-width: 20em)", "(100px < width <= 200px)", "card (height: 50px)",
        "(orientation: landscape)", "(aspect-ratio: 4/1)", "(inline-size) and (block-size < 60px)", "card",
        "(width < 9px) or (not (height > 60px))", "style(--mode: dark)", "not style(--mode: light)",
        "style((--mode: dark) and (--mode))", "card (width > 1px) and style(--mode)", "not (width > 300px)",
        "(width > calc(10em + 1px))", "style(--mode: var(--mode))",
    ])
    func holds(_ query: String) {
        #expect(order(card, css: "@container \(query) {p{order:1}}", sizes: ["a": (200, 50)]) == 1)
    }

    @Test(arguments: [
        "(width > 200px)", "other (width > 1px)", "(orientation: portrait)", "(resolution > 0dppx)",
        "not (resolution > 0dppx)", "style(--mode: light)", "style(--none)", "(made-up: 1)", "not (made-up: 1)",
        "scroll-state(stuck: top)", "(width > 1px) and", "other", "(prefers-color-scheme: light)",
    ])
    func doesNotHold(_ query: String) {
        #expect(order(card, css: "@container \(query) {p{order:1}}", sizes: ["a": (200, 50)]) == 0)
    }

    @Test func aContainerWithoutASizeFails() {
        #expect(order(card, css: "@container (width > 1px) {p{order:1}}") == 0)
        #expect(order(card, css: "@container not (width > 1px) {p{order:1}}") == 0)
    }

    @Test func theNearestContainerOfTheAxisAndNameAnswers() {
        let html = """
            <div id=a style='container:out / size'><div id=b style='container:in / inline-size'><p>x</p></div></div>
            """
        let sizes = ["a": (300.0, 400.0), "b": (100.0, 50.0)]
        for (query, holds) in [
            ("(width < 200px)", true), ("(height > 100px)", true), ("in (height > 10px)", false),
            ("out (width > 200px)", true), ("in (width > 200px)", false),
        ] {
            #expect((order(html, css: "@container \(query) {p{order:1}}", sizes: sizes) == 1) == holds, "\(query)")
        }
    }

    @Test func anElementDoesNotAskItself() {
        let html = "<div id=a style='container-type:inline-size'>x</div>"
        #expect(order(html, css: "@container (width > 1px) {div{order:1}}", sizes: ["a": (9, 9)]) == 0)
    }

    @Test func itsPseudoElementsDo() throws {
        let html = "<div id=a style='container-type:inline-size'>x</div>"
        let styled = styles(
            html, css: "@container (width > 1px) {div::before{content:'a';width:10cqw}}", sizes: ["a": (90, 9)])
        let node = try #require(styled.tree.tree.nodes(withID: "a").first)
        let style = try #require(styled.tree.pseudoStyle(of: node, .before))
        #expect(styled.tree.styles[style].box.width == .length(LengthPercentage(px: 9)))
    }

    @Test func nestedRulesMustAllHold() {
        for (outer, result) in [("(width > 100px)", 1), ("(width > 300px)", 0)] {
            let css = "@container \(outer) { @media all { p { @container style(--mode: dark) { order: 1 } } } }"
            #expect(order(card, css: css, sizes: ["a": (200, 50)]) == result)
        }
    }

    /// Equal declarations in containers of different sizes make different styles.
    @Test func unitsAreOfTheNearestContainers() {
        let html = """
            <div id=a class=c><p>x</p><div id=b class=c><p>y</p></div></div><div id=d class=s><p>z</p></div><p>w</p>
            """
        let css = ".c{container-type:inline-size}.s{container-type:size}p{width:10cqw;height:10cqb;margin:1cqmin}"
        let styled = styles(html, css: css, sizes: ["a": (300, 9), "b": (200, 9), "d": (100, 50)])
        for (text, width, height) in [("x", 30, 60), ("y", 20, 60), ("z", 10, 5), ("w", 80, 60)]
            as [(String, Float, Float)]
        {
            let box = styled.style(text).box
            #expect(box.width == .length(LengthPercentage(px: width)), "\(text)")
            #expect(box.height == .length(LengthPercentage(px: height)), "\(text)")
            #expect(box.margin.top == LengthPercentage(px: min(width, height) / 10), "\(text)")
        }
    }

    @Test func aSnippetsBodyIsAContainer() {
        let html = "<style>body{container-type:inline-size;--a:1}@container style(--a:1){p{order:1}}</style><p>x"
        #expect(Styled(html).style("x").box.order == 1)
    }

    @Test func aConditionIsRequired() {
        let styled = Styled("<p>x", css: "@container {p{order:1}}")
        #expect(styled.style("x").box.order == 0 && styled.log.count == 1)
    }

    @Test(
        arguments: [
            ("container-type:size", [.size, .style]), ("content-visibility:auto", .content),
            ("content-visibility:hidden", .strict),
            ("contain:paint;container-type:inline-size", [.paint, .inlineSize, .style]), ("container-name:a", []),
        ] as [(String, Containment)])
    func containmentIsImplied(_ declarations: String, _ containment: Containment) {
        #expect(Styled("<p style='\(declarations)'>x").style("x").containment == containment)
    }

    @Test(arguments: [
        ("transform", true, true), ("opacity", true, false), ("contents, -webkit-filter", true, true),
        ("top", false, false), ("auto", false, false), ("z-index", false, false),
    ])
    func expectedChangesHaveTheEffectsOfTheirProperties(_ value: String, _ stacks: Bool, _ holdsFixed: Bool) {
        let style = Styled("<p style='will-change:\(value)'>x").style("x")
        #expect(style.hasGroupEffect == stacks && style.containsFixedBoxes == holdsFixed)
        #expect(style.containsAbsoluteBoxes == holdsFixed)
    }

    @Test func aClosedDialogThatASheetShowsIsPositioned() {
        let box = Styled("<dialog>x</dialog>", css: "dialog{display:block}").style("x").box
        #expect(box.position == .absolute && box.border.top.width == 3)
    }

    @Test func aPopoverThatASheetShowsIsFixed() {
        let box = Styled("<div popover>x</div>", css: "div{display:flex}").style("x").box
        #expect(box.position == .fixed && box.display == .flex && box.padding.top == LengthPercentage(px: 4))
        #expect(Styled("<div popover>x</div>").style("x").box.display == .none)
    }

    @Test func hiddenUntilFoundKeepsItsBox() {
        let style = Styled("<div hidden=until-found>x</div>").style("x")
        #expect(style.box.display == .block && style.skipsContents)
    }
}
