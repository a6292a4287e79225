// Styled text as Foundation's AttributedString, and back. Each run keeps its whole style in an attribute of its own. Links are
// also set as Foundation's, for code that reads only those. Foundation on Linux has no further attributes of text.

import FancyText
import Foundation

/// The style of a run, as an attribute of `AttributedString`.
public enum MarkupStyleAttribute: AttributedStringKey {
    public typealias Value = MarkupStyle
    /// The name in archives.
    public static let name = "fancytext.style"
}

extension AttributedString {
    /// Creates a string with the text's runs. Markers and cells are characters, as in ``StyledText/text``. O(text).
    public init(_ text: StyledText) {
        self.init()
        for run in text.runs {
            var part = AttributedString(text.text(of: run))
            part[MarkupStyleAttribute.self] = run.style
            part.link = run.style.link.flatMap(URL.init(string:))
            append(part)
        }
    }
}

extension StyledText {
    /// Creates text with the string's runs, with their ``MarkupStyleAttribute`` and links; each line feed ends a paragraph. O(text).
    public init(_ string: AttributedString) {
        self.init()
        for run in string.runs {
            var style = run[MarkupStyleAttribute.self] ?? MarkupStyle()
            style.link = run.link?.absoluteString ?? style.link
            append(StyledText(String(string[run.range].characters), style: style))
        }
    }
}
