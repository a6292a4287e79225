// The rules that hold for every input.

import FancyTextBasics
import FancyTextPlatform
import FancyTextMarkup
import FancyTextOutputs
import FancyTextSelectors
import FancyTextStyling
import FancyTextWriting

/// Saves the current input after a crash.
enum FailureReport {
    nonisolated(unsafe) private static var input: UnsafeMutableBufferPointer<UInt8>?

    /// Saves the input on a crash, or if it takes more than ten seconds of processor time.
    static func install() {
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGALRM, SIGPROF] {
            signal(number) { number in
                FailureReport.save()
                let text: StaticString = "crash or hang: see fuzz-failure.html\n"
                write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
                _exit(1)
            }
        }
    }

    /// Tests an input; ends the process if it breaks a rule.
    static func check(_ bytes: [UInt8], _ target: Target) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        input = copy
        defer {
            input = nil
            copy.deallocate()
        }
        limit(seconds: 10)
        if let broken = target.broken(by: bytes) {
            save()
            print("\(broken): see fuzz-failure.html (\(bytes.count) bytes)")
            exit(1)
        }
        limit(seconds: 0)
    }

    /// Sets the limit of processor time; a hundred seconds of wall-clock time end the process too.
    private static func limit(seconds: Int) {
        var timer = itimerval()
        timer.it_value.tv_sec = seconds
        setitimer(Int32(ITIMER_PROF.rawValue), &timer, nil)
        alarm(UInt32(10 * seconds))
    }

    private static func save() {
        guard let input else { return }
        let descriptor = open("fuzz-failure.html", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { return }
        write(descriptor, input.baseAddress, input.count)
        close(descriptor)
    }
}

enum Rules {
    private static let selectors: [SelectorList] = [
        "p", "*", "a[href]", ".c b", "div > *", "li:nth-child(2n+1 of :not(.x))", "td ~ td", "p + p", ":has(> b)",
        ":not(:empty):last-child", "[class~=c i]", "body *:first-of-type",
    ].compactMap { try? SelectorList.parse($0) }

    /// A description of the first rule that an input breaks.
    static func firstBroken(by bytes: [UInt8]) -> String? {
        for isPage in [false, true] {
            var options = SyntaxOptions()
            options.isAlwaysDocument = isPage
            var log = DiagnosticLog()
            let tree = MarkupTree.parse(bytes, options: options, log: &log)
            if let broken = shape(tree) ?? lostText(tree) ?? selection(tree) { return broken }
            if !isPage, let broken = texts(tree) ?? edits(tree) { return broken }
        }
        return nil
    }

    // MARK: The tree

    /// Parents come before their children, subtrees nest, and children fill their parent.
    private static func shape(_ tree: MarkupTree) -> String? {
        if tree.count > 8 * tree.source.count + 140_000 { return "more nodes than the input can give" }
        var open: [(node: NodeID, end: NodeID)] = []
        for i in 0..<tree.count {
            let node = NodeID(i)
            while let last = open.last, last.end <= node { open.removeLast() }
            let end = tree.subtreeEnd(node)
            if end <= node || end.index > tree.count { return "a subtree ends outside of the tree" }
            if let outer = open.last {
                if end > outer.end { return "a subtree ends behind its parent's" }
                if tree.parent(node) != outer.node { return "a node's parent is not what it stands in" }
            } else if i > 0 {
                return "a node stands outside of the root"
            }
            switch tree.kind(node) {
            case .root, .element: open.append((node, end))
            case .text, .comment, .doctype, .instruction:
                if end.index != node.index + 1 { return "a leaf has children" }
            }
            let range = tree.sourceRange(node)
            if range.upperBound > tree.source.count { return "a node lies outside of the source" }
        }
        return tree.subtreeEnd(tree.root).index == tree.count ? nil : "the root does not hold all nodes"
    }

    /// Every letter of a text token is in exactly one text node.
    ///
    /// In SVG, MathML and framesets the tree decides which tokens are text, so such inputs are not compared.
    private static func lostText(_ tree: MarkupTree) -> String? {
        var seen = [Int](repeating: 0, count: 256)
        var hasForeign = false
        var hasFalseTags = false
        for node in tree.subtree(tree.root) {
            // Tags in a frameset are ignored, so the tree decides here, too.
            if tree.isForeign(node) || tree.tag(node) == .frameset { hasForeign = true }
            guard tree.kind(node) == .text else { continue }
            // A start tag that became text is in no text token.
            let range = tree.sourceRange(node)
            if range.count > 2, tree.source[range.lowerBound] == 0x3C { hasFalseTags = true }
            tree.withText(node) { for byte in $0 { seen[Int(byte)] += 1 } }
        }
        if hasForeign || hasFalseTags { return nil }
        for byte in textOfTokens(Array(tree.source)) { seen[Int(byte)] -= 1 }
        for byte in UInt8.min...UInt8.max where seen[Int(byte)] != 0 {
            // White space between head and body is dropped; NUL is dropped or becomes U+FFFD.
            if byte <= 0x20 || byte == 0xEF || byte == 0xBF || byte == 0xBD { continue }
            return "\(abs(seen[Int(byte)])) times the byte \(byte) \(seen[Int(byte)] < 0 ? "lost" : "too many")"
        }
        return nil
    }

    /// The decoded text of all text tokens.
    private static func textOfTokens(_ source: [UInt8]) -> [UInt8] {
        source.withUnsafeBufferPointer { buffer in
            var tokenizer = Tokenizer(buffer)
            var token = Token()
            var attributes = GrowableBuffer<Attribute>(capacity: 64)
            defer { attributes.free() }
            var text: [UInt8] = []
            func append(_ mode: EntityDecoder.Mode) {
                let range = Int(token.contentStart)..<Int(token.contentEnd)
                EntityDecoder.decode(UnsafeBufferPointer(rebasing: buffer[range]), mode: mode, into: &text)
            }
            while true {
                attributes.count = 0
                tokenizer.next(&token, &attributes, inForeign: false)
                if token.kind == .end { return text }
                if token.kind == .text { append(.references) }
                let raw = token.kind == .startTag ? token.tag.rawText : .none
                if raw != .none {
                    tokenizer.readRawText(of: token.tag, &token)
                    append(raw == .decoded ? [.references, .keepsNUL] : .keepsNUL)
                }
            }
        }
    }

    // MARK: Results made from the tree

    private static func selection(_ tree: MarkupTree) -> String? {
        var matcher = SelectorMatcher(tree)
        for list in selectors {
            var last: NodeID?
            for match in matcher.select(list) {
                if let last, match <= last { return "matches out of order" }
                if tree.kind(match) != .element { return "a match that is no element" }
                last = match
            }
        }
        return nil
    }

    private static func texts(_ tree: MarkupTree) -> String? {
        for mode in [PlainTextOptions.Mode.readable, .innerText, .raw] {
            for width in [nil, 20] {
                var options = PlainTextOptions()
                options.mode = mode
                options.width = width
                var log = DiagnosticLog()
                let resolver = MarkupStyleResolver(options: StyleOptions())
                let whole = PlainText.text(of: tree, options, resolver: resolver, log: &log)
                if whole.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F }) {
                    return "a control character in the text"
                }
                if String(validating: whole, as: UTF8.self) == nil { return "text that is not UTF-8" }
            }
        }
        return nil
    }

    /// Edits keep the tree's shape.
    private static func edits(_ tree: MarkupTree) -> String? {
        guard tree.count > 2 else { return nil }
        var edited = tree
        let node = NodeID(1 + tree.count / 2 % (tree.count - 1))
        edited.append("<b class=x>new<p>er", to: node)
        if let broken = shape(edited) { return "append: " + broken }
        edited.setText(node, "text")
        if let broken = shape(edited) { return "setText: " + broken }
        edited.remove([NodeID(1), node])
        if let broken = shape(edited) { return "remove: " + broken }
        let written = edited.html(edited.root, outer: false)
        if String(validating: written, as: UTF8.self) == nil { return "HTML that is not UTF-8" }
        var log = DiagnosticLog()
        return shape(MarkupTree.parse(written, log: &log)).map { "written and read again: " + $0 }
    }
}
