import FancyTextBasics
import FancyTextPainting

/// A ``PictureSource`` without pictures. It is a class, because ThreadSanitizer takes any address for that of an empty structure
/// in a closure's context, and crashes.
final class NoPictures: PictureSource {
    func picture(source: String, width: Int, height: Int) -> Pixmap? { nil }
    func drawing(lambda: String) -> LambdaDrawing? { nil }
}
