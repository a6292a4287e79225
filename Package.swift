// swift-tools-version: 6.1
import PackageDescription

/// The fonts in the folder that FANCYTEXT_FONTS names, for the program to carry. The other places are in CEmbeddedFonts.c.
let fonts = Context.environment["FANCYTEXT_FONTS"].map { folder -> [CSetting] in
    [
        ("INTER", "InterVariable"), ("INTER_ITALIC", "InterVariable-Italic"), ("MONO", "DejaVuSansMono"),
        ("MONO_BOLD", "DejaVuSansMono-Bold"),
    ].map { .define("FANCYTEXT_\($0)", to: "\"\(folder)/\($1).ttf\"") }
}

// A target names all modules that it imports, not only the highest: SwiftPM compiles it again only after changes of those.
let basics: [Target.Dependency] = ["FancyTextPlatform", "FancyTextBasics"]
let trees = basics + ["FancyTextCSS", "FancyTextMarkup"]
let boxes = trees + ["FancyTextBoxes"]
let pictures = boxes + ["FancyTextTypography", "FancyTextPainting"]
let styling = boxes + ["FancyTextSelectors", "FancyTextStyling", "FancyTextGeneration"]
let modules =
    pictures + styling.dropFirst(boxes.count)
    + ["FancyTextWriting", "FancyTextImages", "FancyTextLayout", "FancyTextDisplay"]
let library = modules + ["FancyTextOutputs"]
let tested = library + ["FancyTextTestSupport"]

/// Every module is Swift 6 with strict concurrency; imports only point up the list of targets.
let package = Package(
    name: "fancytext",
    products: [
        .library(name: "FancyText", targets: ["FancyText"]),
        .library(name: "FancyTextFoundation", targets: ["FancyTextFoundation"]),
        .executable(name: "fancytext", targets: ["FancyTextCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        // System libraries. Those that most runs or pictures need are linked; those that only some inputs need (ICU,
        // HarfBuzz, fontconfig, image codecs, libcurl) are C targets that load the library on first use, through CFancyTextLoader.
        .systemLibrary(
            name: "CFancyTextPCRE2", path: "Sources/System/CPCRE2", pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(
            name: "CFancyTextPNG", path: "Sources/System/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(
            name: "CFancyTextDeflate", path: "Sources/System/CDeflate", pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(
            name: "CFancyTextFreeType", path: "Sources/System/CFreeType", pkgConfig: "freetype2",
            providers: [.apt(["libfreetype-dev"])]),
        // An enumeration alone: unlike Swift's, those of C are open.
        .systemLibrary(name: "CFancyTextTags", path: "Sources/System/CTags"),
        .target(name: "CFancyTextLoader", path: "Sources/System/CLoader"),
        .target(name: "CFancyTextICU", dependencies: ["CFancyTextLoader"], path: "Sources/System/CICU"),
        .target(name: "CFancyTextByteScan", path: "Sources/System/CByteScan"),
        .target(name: "CFancyTextMemory", path: "Sources/System/CMemory"),
        .target(
            name: "CFancyTextTextLibraries", dependencies: ["CFancyTextFreeType", "CFancyTextLoader"],
            path: "Sources/System/CTextLibraries"),
        .target(name: "CFancyTextUnicode", path: "Sources/System/CUnicode", exclude: ["generate.py"]),
        .target(name: "CFancyTextFontconfig", dependencies: ["CFancyTextLoader"], path: "Sources/System/CFontconfig"),
        .target(name: "CFancyTextImageCodecs", dependencies: ["CFancyTextLoader"], path: "Sources/System/CImageCodecs"),
        .target(name: "CFancyTextCairo", dependencies: ["CFancyTextLoader"], path: "Sources/System/CCairo"),
        .target(name: "CFancyTextFetch", dependencies: ["CFancyTextLoader"], path: "Sources/System/CFetch"),
        .target(name: "CFancyTextMarkdown", dependencies: ["CFancyTextLoader"], path: "Sources/System/CMarkdown"),
        .target(name: "CFancyTextEmbeddedFonts", path: "Sources/System/CEmbeddedFonts", cSettings: fonts),
        .target(name: "CFancyTextSafety", path: "Sources/System/CSafety"),

        .target(name: "FancyTextPlatform", path: "Sources/Platform"),
        .target(
            name: "FancyTextBasics",
            dependencies: ["FancyTextPlatform", "CFancyTextByteScan", "CFancyTextMemory", "CFancyTextUnicode"],
            path: "Sources/Basics"),
        .target(name: "FancyTextCSS", dependencies: basics, path: "Sources/CSS"),
        .target(
            name: "FancyTextMarkup",
            dependencies: [
                "FancyTextBasics", "CFancyTextPCRE2", "CFancyTextICU", "CFancyTextByteScan", "CFancyTextTags",
            ], path: "Sources/Markup"),
        .target(
            name: "FancyTextSelectors", dependencies: ["FancyTextBasics", "FancyTextMarkup"], path: "Sources/Selectors"),
        .target(name: "FancyTextStyling", dependencies: trees + ["FancyTextSelectors"], path: "Sources/Styling"),
        // The trees of styled boxes; their making is a module of its own, so that layout and painting are compiled beside it.
        .target(name: "FancyTextBoxes", dependencies: trees, path: "Sources/Boxes"),
        .target(name: "FancyTextGeneration", dependencies: boxes + ["FancyTextStyling"], path: "Sources/Generation"),
        .target(
            name: "FancyTextTypography",
            dependencies: basics + [
                "FancyTextCSS", "CFancyTextTextLibraries", "CFancyTextICU", "CFancyTextUnicode",
                "CFancyTextFontconfig", "CFancyTextEmbeddedFonts",
            ], path: "Sources/Typography"),
        .target(
            name: "FancyTextWriting", dependencies: styling + ["FancyTextTypography", "CFancyTextByteScan"],
            path: "Sources/Writing"),
        .target(
            name: "FancyTextPainting", dependencies: boxes + ["FancyTextTypography"], path: "Sources/Painting"),
        .target(
            name: "FancyTextImages",
            dependencies: pictures + [
                "FancyTextStyling", "FancyTextGeneration", "CFancyTextByteScan", "CFancyTextPNG", "CFancyTextDeflate",
                "CFancyTextImageCodecs", "CFancyTextFetch", "CFancyTextSafety",
            ], path: "Sources/Images"),
        .target(name: "FancyTextLayout", dependencies: boxes + ["FancyTextTypography"], path: "Sources/Layout"),
        .target(name: "FancyTextDisplay", dependencies: pictures + ["FancyTextLayout"], path: "Sources/Display"),
        .target(name: "FancyTextOutputs", dependencies: modules + ["CFancyTextCairo"], path: "Sources/Outputs"),
        .target(
            name: "FancyText", dependencies: library + ["CFancyTextMarkdown"],
            resources: [.embedInCode("Sheets")]),
        .target(name: "FancyTextFoundation", dependencies: ["FancyText"]),
        .executableTarget(
            name: "FancyTextCLI",
            dependencies: library + [
                "FancyText", "CFancyTextLoader", "CFancyTextSafety",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], resources: [.embedInCode("Schemas")]),

        .executableTarget(name: "FancyTextBenchmarks", dependencies: library + ["FancyText"], path: "Tests/Benchmarks"),
        .executableTarget(name: "FancyTextFuzz", dependencies: library + ["FancyText"], path: "Tests/Fuzz"),
        .target(name: "FancyTextTestSupport", dependencies: library, path: "Tests/TestSupport"),
        .testTarget(name: "BasicsTests", dependencies: tested),
        .testTarget(name: "MarkupTests", dependencies: tested),
        .testTarget(name: "SelectorTests", dependencies: tested),
        .testTarget(name: "StylingTests", dependencies: tested),
        .testTarget(name: "BoxesTests", dependencies: tested),
        .testTarget(
            name: "TypographyTests", dependencies: tested + ["CFancyTextUnicode", "CFancyTextTextLibraries"]),
        .testTarget(name: "LayoutTests", dependencies: tested),
        .testTarget(name: "PaintingTests", dependencies: tested),
        .testTarget(name: "ImageTests", dependencies: tested + ["CFancyTextFetch"]),
        .testTarget(name: "OutputTests", dependencies: tested),
        .testTarget(
            name: "FancyTextTests",
            dependencies: tested + ["FancyText", "FancyTextFoundation", "CFancyTextMarkdown", "CFancyTextDeflate"]),
        .testTarget(
            name: "CommandTests",
            dependencies: library + [
                "FancyText", "FancyTextCLI", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(name: "EndToEndTests", dependencies: tested),
    ],
    swiftLanguageModes: [.v6]
)
