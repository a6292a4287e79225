// Which of several pictures with the same contents is shown (HTML §4.8.4, CSS Images 4 §2.4), by their densities.

/// A picture of several that show the same in different sizes.
package struct ImageCandidate<Image> {
    package var image: Image
    /// Pixels of the picture for each CSS pixel.
    package var density: Double = 1

    /// The candidate with the lowest density that is not below that of the medium, else the one with the highest; nil for none.
    static func best(of candidates: [Self], for medium: Double) -> Self? {
        let sufficient = candidates.filter { $0.density >= medium }.min { $0.density < $1.density }
        return sufficient ?? candidates.max { $0.density < $1.density }
    }
}

/// The media types of the pictures that are drawn.
enum ImageType {
    static let drawn: Set = [
        "image/png", "image/apng", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/svg+xml",
    ]

    static func isDrawn(_ type: String) -> Bool {
        drawn.contains(String(type.prefix { $0 != ";" }.filter { !$0.isWhitespace }).asciiLowercased())
    }
}
