// Properties that CSS knows and that have no effect here: their grammar is checked. `<any-value>` takes every value. Those that do
// not matter in a still picture get notes, others warnings.

func ineffectiveProperties() -> [Property] {
    harmlessProperties.map { .ineffective($0.0, $0.1) }
        + missingInherited.map { .missing($0.0, $0.1, neutral: $0.2, inherited: true) }
        + missingProperties.map { .missing($0.0, $0.1, neutral: $0.2) }
        + ControlParts.all.map { .missing($0.name, "<any-value>", neutral: "") }
}

/// Properties of interaction, scrolling, transitions, speech and SVG. Boxes and text are the same with and without them.
private let harmlessProperties: [(String, String)] = [
    (
        "alignment-baseline",
        "baseline | alphabetic | ideographic | middle | central | mathematical | text-bottom | text-top | before-edge | text-before-edge | after-edge | text-after-edge | hanging | auto"
    ),
    ("text-rendering", "auto | optimizeSpeed | optimizeLegibility | geometricPrecision"),
    ("text-size-adjust", "auto | none | <percentage [0,∞]>"),
    ("-webkit-text-size-adjust", "auto | none | <percentage [0,∞]>"),
    ("text-decoration-skip", "none | auto | <any-value>"),
    ("cursor", "<any-value>"), ("pointer-events", "<any-value>"), ("caret-color", "auto | <color>"),
    ("speak", "<any-value>"), ("speak-as", "<any-value>"), ("vector-effect", "<any-value>"),
    ("interpolate-size", "numeric-only | allow-keywords"), ("print-color-adjust", "economy | exact"),
    ("-webkit-print-color-adjust", "economy | exact"), ("forced-color-adjust", "auto | none | preserve-parent-color"),
    ("scrollbar-color", "<any-value>"), ("scrollbar-width", "auto | thin | none"),
    ("scrollbar-gutter", "<any-value>"), ("user-select", "<any-value>"), ("-webkit-user-select", "<any-value>"),
    ("-webkit-font-smoothing", "<any-value>"), ("-moz-osx-font-smoothing", "<any-value>"),
    ("font-smooth", "<any-value>"), ("-webkit-tap-highlight-color", "<color>"),
    ("transition", "<any-value>"), ("transition-property", "<any-value>"), ("transition-duration", "<time>#"),
    ("transition-delay", "<time>#"), ("transition-timing-function", "<any-value>"),
    ("transition-behavior", "<any-value>"),
    ("resize", "none | both | horizontal | vertical | block | inline"), ("scroll-behavior", "auto | smooth"),
    ("scroll-margin", "<any-value>"), ("scroll-margin-top", "<any-value>"), ("scroll-margin-bottom", "<any-value>"),
    ("scroll-padding", "<any-value>"), ("scroll-padding-top", "<any-value>"), ("scroll-snap-type", "<any-value>"),
    ("scroll-snap-align", "<any-value>"), ("scroll-snap-stop", "<any-value>"),
    ("overscroll-behavior", "<any-value>"), ("overscroll-behavior-x", "<any-value>"),
    ("overscroll-behavior-y", "<any-value>"), ("overflow-anchor", "auto | none"),
    ("-webkit-overflow-scrolling", "<any-value>"), ("touch-action", "<any-value>"),
    ("-moz-appearance", "<custom-ident>"), ("view-transition-name", "<any-value>"),
    ("reading-flow", "<any-value>"), ("size", "<any-value>"), ("src", "<any-value>"),
    ("-webkit-box-flex", "<number>"), ("-webkit-box-align", "<custom-ident>"), ("-webkit-box-pack", "<custom-ident>"),
    ("-webkit-box-direction", "<custom-ident>"),
]

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
    ("line-fit-edge", "leading | <any-value>", "leading"), ("line-height-step", "<length [0,∞]>", "0"),
    ("line-snap", "none | baseline | contain", "none"),
    ("white-space-trim", "none | [ discard-before || discard-after || discard-inner ]", "none"),
    ("word-space-transform", "none | <any-value>", "none"), ("math-style", "normal | compact", "*"),
    ("math-depth", "<any-value>", "*"), ("math-shift", "normal | compact", "*"),
    ("-webkit-text-security", "<any-value>", "none"),
]

/// Properties that change a browser's picture and are not inherited, each with the values that do not change it.
private let missingProperties: [(String, String, String)] = [
    ("baseline-source", "auto | first | last", "auto"),
    ("animation-composition", "[ replace | add | accumulate ]#", "replace"),
    ("animation-range", "<any-value>", "*"), ("animation-range-start", "<any-value>", "*"),
    ("animation-range-end", "<any-value>", "*"), ("scroll-timeline", "<any-value>", "*"),
    ("scroll-timeline-name", "<any-value>", "*"), ("scroll-timeline-axis", "<any-value>", "*"),
    ("view-timeline", "<any-value>", "*"), ("view-timeline-name", "<any-value>", "*"),
    ("view-timeline-axis", "<any-value>", "*"), ("view-timeline-inset", "<any-value>", "*"),
    ("timeline-scope", "<any-value>", "*"),
    ("ruby-text-align", "<any-value>", "*"),
    ("offset-path", "<any-value>", "none"),
    ("anchor-name", "<any-value>", "*"), ("anchor-scope", "<any-value>", "*"), ("position-anchor", "<any-value>", "*"),
    ("position-area", "<any-value>", "none"), ("position-try-fallbacks", "<any-value>", "*"),
    ("position-try-order", "<any-value>", "*"), ("position-visibility", "<any-value>", "*"),
    ("wrap-inside", "auto | avoid", "auto"), ("wrap-before", "<custom-ident>", "auto"),
    ("wrap-after", "<custom-ident>", "auto"),
    ("min-intrinsic-sizing", "<any-value>", "*"), ("counter-style", "<any-value>", "*"),
    ("float-offset", "<any-value>", "*"), ("block-step", "<any-value>", "none"),
    ("flow-into", "<any-value>", "none"), ("-webkit-box-reflect", "<any-value>", "none"),
    ("-webkit-mask-box-image", "<any-value>", "none"), ("-webkit-mask-box-image-source", "<any-value>", "none"),
    ("-webkit-margin-collapse", "<any-value>", "*"),
    // Unsupported rules, as properties of the elements that they would style.
    ("@scope", "<any-value>", ""),
]
