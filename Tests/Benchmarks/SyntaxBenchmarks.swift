// Syntax over sizes, compared with peers: tokenizer, tree, strip and select.

import FancyTextBasics
import FancyText
import FancyTextPlatform
import FancyTextMarkup
import FancyTextSelectors
import FancyTextWriting

/// A documentation-like page, heavy with tags, of about `size` bytes.
func makePage(_ size: Int) -> [UInt8] {
    let item = """
        <section id="method.N" class="method"><a class="src" href="../src/alloc/string.rs.html#N">source</a>\
        <h4 class="code-header">pub fn <a href="#method.N" class="fn">push_N</a>(&amp;mut self, ch: \
        <a class="primitive" href="../std/primitive.char.html">char</a>)</h4></section>
        <div class="docblock"><p>Appends the given <code>char</code> to the end of this <code>String</code>.</p>
        <ul><li>First<li>Second &mdash; with <em>some</em> <b>inline</b> markup</ul></div>

        """
    var result = Array("<!doctype html><html lang=en><head><title>Page</title></head><body>\n".utf8)
    var index = 0
    while result.count < size {
        result += Array(item.replacing("N", with: String(index)).utf8)
        index += 1
    }
    return result + Array("</body></html>\n".utf8)
}

/// The number of tokens in the source, read with their attributes.
private func countTokens(_ source: [UInt8]) -> Int {
    source.withUnsafeBufferPointer { buffer in
        var tokenizer = Tokenizer(buffer)
        var token = Token()
        var attributes = GrowableBuffer<Attribute>(capacity: source.count / 24 + 64)
        defer { attributes.free() }
        var count = 0
        while true {
            tokenizer.next(&token, &attributes, inForeign: false)
            if token.kind == .end { return count }
            count += 1
            if token.kind == .startTag, token.tag.rawText != .none {
                tokenizer.readRawText(of: token.tag, &token)
            }
        }
    }
}

/// Times of the four kinds of work on one page, in seconds.
private func works(_ page: [UInt8], least: Int) throws(SelectorError) -> [Double] {
    let parser = MarkupParser()
    let query = try SelectorQuery("code")
    return [
        median(least: least) { _ = countTokens(page) },
        median(least: least) { _ = parser.parse(page, name: "page") },
        median(least: least) {
            _ = parser.plainText(of: SourceBytes(page), name: "page", options: PlainTextOptions())
        },
        median(least: least) { _ = parser.parse(page, name: "page").matches(of: query) },
    ]
}

private func row(_ name: String, _ cells: [String]) {
    print(pad("  " + name, 34) + cells.map { column($0, 16) }.joined())
}

/// Prints the tables; the page is that of the options, or a generated one of 5 MB.
func benchmarkSyntax(_ options: BenchmarkOptions) {
    do {
        print("syntax, over sizes of a page made here: MB/s (10^6 bytes)")
        row("", ["tokenize", "parse", "parse + strip", "parse + select"])
        for size in [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] {
            let page = makePage(size)
            let times = try works(page, least: size > 10_000_000 ? 3 : 5)
            row(
                size >= 1_000_000 ? "\(size / 1_000_000) MB" : "\(size / 1_000) KB", times.map { speed(page.count, $0) }
            )
        }
        guard let path = options.page ?? temporaryPage() else {
            print("no page could be written: peers are not measured")
            return
        }
        guard let page = contents(of: path) else {
            print("\(path) cannot be read: peers are not measured")
            return
        }
        print("in one process, \(rounded(Double(page.count) / 1e6, 2)) MB: MB/s")
        row("", ["tokenize", "parse", "parse + strip", "parse + select"])
        row("fancytext", try works(page, least: 9).map { speed(page.count, $0) })
        fflush(nil)
        runPythonPeers(path)
        compareProcesses(path)
        if options.page == nil { unlink(path) }
    } catch {
        print("the selector of the benchmark is wrong: \(error)")
    }
}

// MARK: Peers

/// Runs Python's parsers in a separate process, which prints rows in the same format.
private func runPythonPeers(_ path: String) {
    let python = getenv("PEERS_PYTHON").map { String(cString: $0) } ?? "python3"
    if spawn([python, "Tests/Tools/parser_peers.py", path], quiet: false) != 0 {
        print("  (no Python peers: PEERS_PYTHON names a Python that has some)")
    }
}

/// Measures whole processes, from start to exit, and discards their output.
private func compareProcesses(_ path: String) {
    let program = getenv("FANCYTEXT_BINARY").map { String(cString: $0) } ?? ".build/release/fancytext"
    print("whole processes: milliseconds, and how many times fancytext's")
    let groups: [[(String, [String])]] = [
        [
            ("fancytext strip", [program, "strip", path]), ("lynx -dump", ["lynx", "-dump", "-nolist", path]),
            ("w3m -dump", ["w3m", "-dump", "-T", "text/html", path]), ("html2text", ["html2text", path]),
        ],
        [
            ("fancytext select code", [program, "select", "code", path]), ("pup code", ["pup", "-f", path, "code"]),
            ("htmlq code", ["htmlq", "-f", path, "code"]),
            ("xmllint //code", ["xmllint", "--html", "--xpath", "//code", path]),
        ],
    ]
    for group in groups {
        var ours: Double?
        for (name, command) in group {
            // 127: the program does not exist.
            guard spawn(command, quiet: true) != 127 else { continue }
            let time = median { _ = spawn(command, quiet: true) }
            ours = ours ?? time
            row(name, [rounded(time * 1000, 1), ours.map { rounded(time / $0, 1) + "x" } ?? ""])
        }
    }
}

/// Runs a program and returns its exit status; 127 if it cannot be started.
private func spawn(_ command: [String], quiet: Bool) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if quiet {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
    }
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, command[0], &actions, nil, &arguments, environ) == 0 else { return 127 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128
}

/// A generated page in a file, for programs that read files.
private func temporaryPage() -> String? {
    var template = Array("/tmp/fancytext-page-XXXXXX.html".utf8CString)
    let descriptor = mkstemps(&template, 5)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let page = makePage(5_000_000)
    var done = 0
    while done < page.count {
        let wrote = page.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: done), page.count - done) }
        guard wrote > 0 else { return nil }
        done += wrote
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 { return nil }
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}
