// Properties that CSS knows and that have no effect here; their grammar is checked, and `<any-value>` takes every value. Those that
// do not matter in a still picture get notes, others warnings.

import FancyTextBasics

func ineffectiveProperties() -> [Property] {
    func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
    func missing(_ name: String, _ syntax: String, _ neutral: String, inherited: Bool = false) -> Property {
        .checked(name, syntax, inherited: inherited, copy: { _, _ in }, { _, _ in }).missing(except: neutral)
    }
    return harmlessProperties.map { .ineffective($0.0, $0.1) }
        + words(harmlessNames).map { .ineffective($0, "<any-value>") }
        + missingInherited.map { missing($0.0, $0.1, $0.2, inherited: true) }
        + missingProperties.map { missing($0.0, $0.1, $0.2) }
        + words(missingNames).map { missing($0, "<any-value>", "*") }
        + ControlParts.all.map { missing($0.name, "<any-value>", "") }
}

/// Pseudo-elements that browsers create for parts of some elements (CSS Pseudo-Elements 4, HTML §15.5).
package enum ControlParts {
    /// Each part that rules cannot style here, and the elements that have it.
    package static let all: [(name: String, elements: [String])] = [("::-webkit-color-swatch", ["input"])]
}

/// Properties of interaction, scrolling, transitions, speech and SVG. Boxes and text are the same with and without them.
private let harmlessProperties: [(String, String)] = [
    ("text-rendering", "auto | optimizeSpeed | optimizeLegibility | geometricPrecision"),
    ("text-size-adjust", "auto | none | <percentage[0,∞]>"),
    ("-webkit-text-size-adjust", "auto | none | <percentage[0,∞]>"),
    ("text-decoration-skip", "none | auto | <any-value>"), ("caret-color", "auto | <color>"),
    ("interpolate-size", "numeric-only | allow-keywords"), ("print-color-adjust", "economy | exact"),
    ("-webkit-print-color-adjust", "economy | exact"), ("forced-color-adjust", "auto | none | preserve-parent-color"),
    ("scrollbar-width", "auto | thin | none"), ("-webkit-tap-highlight-color", "<color>"),
    ("transition-duration", "<time>#"), ("transition-delay", "<time>#"),
    ("resize", "none | both | horizontal | vertical | block | inline"), ("scroll-behavior", "auto | smooth"),
    ("overflow-anchor", "auto | none"), ("-webkit-box-flex", "<number>"),
    ("-webkit-box-align", "<custom-ident>"), ("-webkit-box-pack", "<custom-ident>"),
    ("-webkit-box-direction", "<custom-ident>"),
]
/// More of them, which take every value.
private let harmlessNames = """
    cursor pointer-events speak speak-as scrollbar-color scrollbar-gutter user-select -webkit-user-select
    -webkit-font-smoothing font-smooth transition transition-property
    transition-timing-function transition-behavior scroll-margin scroll-margin-top scroll-margin-bottom scroll-padding
    scroll-padding-top scroll-snap-type scroll-snap-align scroll-snap-stop overscroll-behavior overscroll-behavior-x
    overscroll-behavior-y -webkit-overflow-scrolling touch-action view-transition-name reading-flow size src
    """

/// Inherited properties that change a browser's picture, each with the values that do not change it.
private let missingInherited: [(String, String, String)] = [
    ("font-language-override", "normal | <string>", "normal"),
    ("font-palette", "normal | light | dark | <custom-ident> | <any-function>", "normal"),
    ("font-synthesis-position", "auto | none", "*"),
    ("hanging-punctuation", "none | [ first || [ force-end | allow-end ] || last ]", "none"),
    ("hyphenate-limit-chars", "[ auto | <integer> ]{1,3}", "auto"),
    ("hyphenate-limit-lines", "no-limit | <integer>", "no-limit"),
    ("hyphenate-limit-last", "none | always | column | page | spread", "none"),
    ("image-orientation", "from-image | none", "from-image"),
    ("ruby-align", "start | center | space-between | space-around", "space-around"),
    ("ruby-merge", "separate | merge | auto", "separate"), ("ruby-overhang", "auto | none | spaces", "auto"),
    ("text-spacing", "none | auto | <any-value>", "none|auto"),
    ("text-group-align", "none | start | end | left | right | center", "none"),
    ("text-align-all", "start | end | left | right | center | justify | match-parent", "*"),
    ("line-fit-edge", "leading | <any-value>", "leading"), ("line-height-step", "<length[0,∞]>", "0"),
    ("line-snap", "none | baseline | contain", "none"),
    ("white-space-trim", "none | [ discard-before || discard-after || discard-inner ]", "none"),
    ("word-space-transform", "none | <any-value>", "none"), ("math-style", "normal | compact", ""),
    ("math-depth", "<any-value>", ""), ("math-shift", "normal | compact", "normal"),
    ("-webkit-text-security", "<any-value>", "none"),
]

/// Properties that change a browser's picture and are not inherited, each with the values that do not change it.
private let missingProperties: [(String, String, String)] = [
    ("baseline-source", "auto | first | last", "auto"),
    ("animation-composition", "[ replace | add | accumulate ]#", "replace"), ("offset-path", "<any-value>", "none"),
    ("position-area", "<any-value>", "none"), ("wrap-inside", "auto | avoid", "auto"),
    ("vector-effect", "<any-value>", "none"),
    ("wrap-before", "<custom-ident>", "auto"), ("wrap-after", "<custom-ident>", "auto"),
    ("block-step", "<any-value>", "none"), ("flow-into", "<any-value>", "none"),
    ("-webkit-box-reflect", "<any-value>", "none"), ("-webkit-mask-box-image", "<any-value>", "none"),
    ("-webkit-mask-box-image-source", "<any-value>", "none"),
    // Unsupported rules, as properties of the elements that they would style.
    ("@scope", "<any-value>", ""),
]
/// More of them, which never matter.
private let missingNames = """
    animation-range animation-range-start animation-range-end scroll-timeline scroll-timeline-name scroll-timeline-axis
    view-timeline view-timeline-name view-timeline-axis view-timeline-inset timeline-scope ruby-text-align anchor-name
    anchor-scope position-anchor position-try-fallbacks position-try-order position-visibility min-intrinsic-sizing
    counter-style float-offset -webkit-margin-collapse
    """
