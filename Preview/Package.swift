// swift-tools-version: 6.1
import PackageDescription

/// The program that serves the page of `fancytext preview`. It is a separate package, so that neither fancytext nor a client of
/// its library needs the HTTP server.
let package = Package(
    name: "fancytext-preview",
    products: [.executable(name: "fancytext-preview", targets: ["FancyTextPreview"])],
    dependencies: [.package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1")],
    targets: [
        .executableTarget(
            name: "FancyTextPreview", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")])
    ],
    swiftLanguageModes: [.v6]
)
