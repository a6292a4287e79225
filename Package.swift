// swift-tools-version: 6.1
import PackageDescription

/// Every module is Swift 6 with strict concurrency; imports only point up the list of targets.
let package = Package(
    name: "fancytext",
    products: [
        .library(name: "FancyText", targets: ["FancyText"]),
        .executable(name: "fancytext", targets: ["FancyTextCLI"]),
        .executable(name: "fancytext-preview", targets: ["FancyTextPreview"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // System libraries. Those that most runs or pictures need are linked; those that only some inputs need (ICU,
        // HarfBuzz, fontconfig, image codecs, libcurl) are C targets that load the library on first use, through CLoader.
        .systemLibrary(
            name: "CPCRE2", path: "Sources/System/CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(
            name: "CPNG", path: "Sources/System/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(
            name: "CDeflate", path: "Sources/System/CDeflate", pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(
            name: "CFreeType", path: "Sources/System/CFreeType", pkgConfig: "freetype2",
            providers: [.apt(["libfreetype-dev"])]),
        .target(name: "CLoader", path: "Sources/System/CLoader"),
        .target(name: "CICU", dependencies: ["CLoader"], path: "Sources/System/CICU"),
        .target(name: "CByteScan", path: "Sources/System/CByteScan"),
        .target(name: "CMemory", path: "Sources/System/CMemory"),
        .target(name: "CTextLibraries", dependencies: ["CFreeType", "CLoader"], path: "Sources/System/CTextLibraries"),
        .target(name: "CUnicode", path: "Sources/System/CUnicode", exclude: ["generate.py"]),
        .target(name: "CFontconfig", dependencies: ["CLoader"], path: "Sources/System/CFontconfig"),
        .target(name: "CImageCodecs", dependencies: ["CLoader"], path: "Sources/System/CImageCodecs"),
        .target(name: "CCairo", dependencies: ["CLoader"], path: "Sources/System/CCairo"),
        .target(name: "CFetch", dependencies: ["CLoader"], path: "Sources/System/CFetch"),
        .target(name: "CMarkdown", dependencies: ["CLoader"], path: "Sources/System/CMarkdown"),
        .target(name: "CEmbeddedFonts", path: "Sources/System/CEmbeddedFonts"),
        .target(name: "CSafety", path: "Sources/System/CSafety"),

        .target(name: "Basics", dependencies: ["CByteScan", "CMemory", "CUnicode"]),
        .target(name: "Markup", dependencies: ["Basics", "CPCRE2", "CICU", "CByteScan"]),
        .target(name: "Selectors", dependencies: ["Markup"]),
        .target(name: "Styling", dependencies: ["Selectors"]),
        .target(name: "Boxes", dependencies: ["Styling"]),
        .target(
            name: "Typography",
            dependencies: ["Styling", "CTextLibraries", "CICU", "CUnicode", "CFontconfig", "CEmbeddedFonts"]),
        .target(name: "Layout", dependencies: ["Boxes", "Typography"]),
        .target(name: "Painting", dependencies: ["Layout"]),
        .target(
            name: "Images",
            dependencies: ["Painting", "CByteScan", "CPNG", "CDeflate", "CImageCodecs", "CFetch", "CSafety"]),
        .target(name: "Outputs", dependencies: ["Images", "CCairo"]),
        .target(name: "FancyText", dependencies: ["Outputs", "CMarkdown"]),
        .executableTarget(
            name: "FancyTextCLI",
            dependencies: [
                "FancyText", "CByteScan", "CSafety", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        .executableTarget(
            name: "FancyTextPreview", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")]),

        .executableTarget(name: "Benchmarks", dependencies: ["FancyText"], path: "Tests/Benchmarks"),
        .executableTarget(name: "Fuzz", dependencies: ["FancyText"], path: "Tests/Fuzz"),
        .target(name: "TestSupport", dependencies: ["Outputs"], path: "Tests/TestSupport"),
        .testTarget(name: "BasicsTests", dependencies: ["Basics", "TestSupport"]),
        .testTarget(name: "MarkupTests", dependencies: ["Outputs", "TestSupport"]),
        .testTarget(name: "SelectorTests", dependencies: ["Selectors", "TestSupport"]),
        .testTarget(name: "StylingTests", dependencies: ["Boxes", "TestSupport"]),
        .testTarget(name: "BoxesTests", dependencies: ["Boxes", "TestSupport"]),
        .testTarget(name: "TypographyTests", dependencies: ["Typography", "TestSupport"]),
        .testTarget(name: "LayoutTests", dependencies: ["Painting", "TestSupport"]),
        .testTarget(name: "PaintingTests", dependencies: ["Images", "TestSupport"]),
        .testTarget(name: "ImageTests", dependencies: ["Images", "TestSupport"]),
        .testTarget(name: "OutputTests", dependencies: ["Outputs", "TestSupport"]),
        .testTarget(name: "FancyTextTests", dependencies: ["FancyText", "TestSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: ["FancyTextCLI", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .testTarget(name: "EndToEndTests", dependencies: ["TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
