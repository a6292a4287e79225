// The grammar of HTML's tokens as regular expressions over UTF-8 bytes (HTML §13.2.5). Every expression is linear on every input:
// quantifiers are possessive, and each construct that can be left unterminated also matches at the end of the input.

import CFancyTextPCRE2

/// The expressions. Each is compiled once in a process, on first use: most documents need few.
enum Grammar {
    private static let space = #"[\t\n\f\r ]"#
    private static let name = #"[A-Za-z][^\t\n\f\r />]*+"#
    private static let attributeName = #"[^\t\n\f\r />][^\t\n\f\r />=]*+"#
    private static let unquoted = #"[^\t\n\f\r >"'][^\t\n\f\r >]*+"#
    private static let value = #"(?:"[^"]*+(?:"|\z)|'[^']*+(?:'|\z)|"# + unquoted + ")"
    private static let identifier = #"(?|"([^"]*+)"?+|'([^']*+)'?+)"#
    private static let attributeText = attributeName + "(?:" + space + "*+=" + space + "*+" + value + "?+)?+"

    /// A start or end tag: 1 the slash of an end tag, 2 the name, 3 the attributes, 4 `>`, or nothing at the end of the input.
    static let tag = Expression("<(/?+)(" + name + #")((?:[\t\n\f\r /]++|"# + attributeText + #")*+)(>|\z)"#)
    /// One attribute after white space and slashes: 1 the name; 2, 3 or 4 the value by its quotes: double, single, none.
    static let attribute = Expression(
        #"[\t\n\f\r /]*+("# + attributeName + ")(?:" + space + "*+=" + space + #"*+(?:"([^"]*+)"?+|'([^']*+)'?+|("#
            + unquoted + "))?+)?+")
    /// A comment: 1 its text. `<!-->` and `<!--->` are empty, `--!>` also ends one.
    static let comment = Expression(#"<!--(?:-?+>|([^-]*+(?:-(?!-!?+>)[^-]*+)*+)(?:--!?+>|\z))"#)
    /// A bogus comment in HTML's sense: `<!x>`, `<?x>`, `</ x>`: 1 its text.
    static let bogusComment = Expression(#"<(?:!|(?=\?)|/)([^>]*+)(?:>|\z)"#)
    /// A document type: 1 its text after the keyword.
    static let doctype = Expression(#"<!(?i:DOCTYPE)([^>]*+)(?:>|\z)"#)
    /// The text of a document type: 1 its name, 2 the public and 3 the system identifier. A keyword needs an identifier.
    static let doctypeText = Expression(
        space + #"*+([^\t\n\f\r ]*+)"# + space + "*+(?:public" + space + "*+" + identifier + "|system(?=" + space
            + #"*+["'])|\z)"# + space + "*+" + identifier + "?+")
    /// A CDATA section, known in SVG and MathML only: 1 its text.
    static let cdata = Expression(#"<!\[CDATA\[([^\]]*+(?:\](?!\]>)[^\]]*+)*+)(?:\]\]>|\z)"#)
    /// The end of a script's text: its end tag, or a `<!--` that may hide one (HTML §13.2.5.15–31).
    static let scriptText = Expression(#"(?i)<(?:!--|/script(?=[\t\n\f\r />]))"#, anchored: false)
    /// The next event in a script after `<!--`: the end of the comment or the script, or a nested script.
    static let scriptEscaped = Expression(#"(?i)-->|</?+script(?=[\t\n\f\r />])"#, anchored: false)
    /// The label of an encoding in a content type: 1 the label. A quote must be closed.
    static let charset = Expression(
        "(?i)charset" + space + "*+=" + space + #"*+(?|"([^"]++)"|'([^']++)'|["']|([^\t\n\f\r ;]++))"#, anchored: false)
    /// An XML declaration with the label of an encoding: 1 the label.
    static let xmlEncoding = Expression(
        #"<\?xml[^>]*?encoding"# + space + "*+=" + space + #"*+(?|"([^">]++)"|'([^'>]++)')"#)
}

/// A compiled regular expression. The compiled code is read-only, so any thread may match with it.
package final class Expression: @unchecked Sendable {
    private let code: OpaquePointer
    private let anchor: UInt32

    /// Compiles `pattern`. All patterns are constants, so a mistake traps.
    package init(_ pattern: String, anchored: Bool = true) {
        var error: Int32 = 0
        var offset = 0
        var pattern = pattern
        let compiled = pattern.withUTF8 {
            pcre2_compile_8($0.baseAddress, $0.count, UInt32(PCRE2_DOTALL), &error, &offset, nil)
        }
        guard let compiled else { fatalError("expression error \(error) at \(offset): \(pattern)") }
        code = compiled
        anchor = anchored ? UInt32(PCRE2_ANCHORED) : 0
        // On processors without JIT the interpreter gives the same matches.
        pcre2_jit_compile_8(compiled, UInt32(PCRE2_JIT_COMPLETE))
    }

    /// Matches at (anchored) or from `start`; the groups are then in the matcher.
    @inline(__always)
    package func match(_ bytes: UnsafePointer<UInt8>, count: Int, from start: Int, with matcher: Matcher) -> Bool {
        pcre2_match_8(code, bytes, count, start, anchor | UInt32(PCRE2_NO_UTF_CHECK), matcher.data, matcher.context)
            >= 0
    }

    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.baseAddress.map { match($0, count: bytes.count, from: 0, with: Matcher()) } ?? false
        }
    }
}

/// The memory for the matches of one tokenizer, made for the first one: most documents need none.
package final class Matcher {
    package init() {}

    fileprivate private(set) lazy var data: OpaquePointer = {
        guard let data = pcre2_match_data_create_8(8, nil) else { fatalError("out of memory") }
        return data
    }()
    fileprivate private(set) lazy var context: OpaquePointer = {
        guard let context = pcre2_match_context_create_8(nil) else { fatalError("out of memory") }
        stack = pcre2_jit_stack_create_8(32 << 10, 1 << 20, nil)
        pcre2_jit_stack_assign_8(context, nil, stack.map { UnsafeMutableRawPointer($0) })
        isUsed = true
        return context
    }()
    private var stack: OpaquePointer?
    private var isUsed = false

    deinit {
        guard isUsed else { return }
        if let stack { pcre2_jit_stack_free_8(stack) }
        pcre2_match_context_free_8(context)
        pcre2_match_data_free_8(data)
    }

    private var groups: UnsafeMutablePointer<Int> { pcre2_get_ovector_pointer_8(data) }
    package var start: Int { groups[0] }
    package var end: Int { groups[1] }
    /// The range of a group of the last match; nil when the group took no part.
    package func group(_ index: Int) -> Range<Int>? {
        let (low, high) = (groups[2 * index], groups[2 * index + 1])
        return low >= 0 && high >= low ? low..<high : nil
    }
}
