// swift-tools-version: 6.1
import PackageDescription

/// Every module is Swift 6 with strict concurrency; imports only point up the list of targets.
let package = Package(
    name: "fancytext",
    products: [
        .library(name: "FancyText", targets: ["FancyText"]),
        .executable(name: "fancytext", targets: ["FancyTextCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        // System libraries. Those that every run needs are linked; those that only some inputs need (ICU, FreeType and
        // HarfBuzz, fontconfig, image codecs, libcurl) are C targets that load the library on first use, through CLoader.
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .target(name: "CLoader"),
        .target(name: "CICU", dependencies: ["CLoader"]),
        .target(name: "CByteScan"),
        // FreeType's headers are found through the link include/freetype: with `pkgConfig` SwiftPM would link the library.
        .target(name: "CTextLibraries", dependencies: ["CLoader"]),
        .target(name: "CUnicode", exclude: ["generate.py"]),
        .target(name: "CFontconfig", dependencies: ["CLoader"]),
        .target(name: "CImageCodecs", dependencies: ["CLoader"]),
        .target(name: "CFetch", dependencies: ["CLoader"]),
        .target(name: "CEmbeddedFonts"),

        .target(name: "MarkupSyntax", dependencies: ["CPCRE2", "CICU", "CByteScan"]),
        .target(name: "MarkupStyling", dependencies: ["MarkupSyntax"]),
        .target(
            name: "TextShaping",
            dependencies: [
                "MarkupSyntax", "MarkupStyling", "CTextLibraries", "CICU", "CUnicode", "CFontconfig", "CEmbeddedFonts",
            ]),
        .target(name: "TextLayout", dependencies: ["MarkupStyling", "TextShaping"]),
        .target(
            name: "Rendering", dependencies: ["TextLayout", "CPNG", "CDeflate", "CImageCodecs", "CFetch", "CUnicode"]),
        .target(name: "FancyText", dependencies: ["Rendering"]),
        .executableTarget(
            name: "FancyTextCLI",
            dependencies: ["FancyText", .product(name: "ArgumentParser", package: "swift-argument-parser")]),

        .executableTarget(name: "Benchmarks", dependencies: ["FancyText"], path: "Tests/Benchmarks"),
        .executableTarget(name: "Fuzz", dependencies: ["MarkupSyntax"], path: "Tests/Fuzz"),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "MarkupSyntaxTests", dependencies: ["MarkupSyntax", "TestSupport"]),
        .testTarget(name: "MarkupStylingTests", dependencies: ["MarkupStyling", "TestSupport"]),
        .testTarget(name: "TextShapingTests", dependencies: ["TextShaping", "TestSupport"]),
        .testTarget(name: "TextLayoutTests", dependencies: ["TextLayout", "TestSupport"]),
        .testTarget(name: "RenderingTests", dependencies: ["Rendering", "TestSupport"]),
        .testTarget(name: "FancyTextTests", dependencies: ["FancyText", "TestSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: ["FancyTextCLI", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .testTarget(name: "EndToEndTests", dependencies: ["TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
