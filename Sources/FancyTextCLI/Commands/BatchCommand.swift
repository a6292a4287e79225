// `fancytext batch`: reads requests and writes results, each a line of JSON.

import ArgumentParser
import FancyText
import FancyTextPlatform

struct BatchCommand: ParsableCommand, DirectArguments {
    static let name = "batch"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Answer requests, a JSON object on each line, with results in their order.",
        discussion: """
            EXAMPLES
              echo '{"id":1,"html":"<h1>Hello</h1>","format":"png"}' | fancytext batch | jq -r .data | base64 -d > hello.png
              fancytext batch requests.ndjson > results.ndjson
              parallel --pipe -N100 fancytext batch --jobs 1 < requests.ndjson
              fancytext schema batch-request                   what a request may say

            A request has one of html, file and template; command is render (the default), strip, select or dump, and the rest are
            the options of that command by their long names. A request with define names a template for those after it.
            \(HelpSections.common)
            """)

    @Argument(help: "Files of requests; standard input if none is given or one is -.", completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("Number of processes that work (default: the number of processors).", valueName: "n"))
    var jobs: String?

    @Option(
        help: ArgumentHelp("Give a request up after this many seconds, unless it says otherwise.", valueName: "seconds")
    )
    var timeout: String?

    @Option(help: ArgumentHelp("Refuse requests larger than this many bytes.", valueName: "bytes"))
    var maxInput: String?

    @OptionGroup(title: "Cache") var cache: CacheArguments
    @OptionGroup(title: "Configuration") var defaults: ConfigurationArguments

    mutating func bind(_ given: inout GivenArguments) {
        files = given.arguments()
        jobs = given.option("jobs")
        timeout = given.option("timeout")
        maxInput = given.option("max-input")
        cache = given.group(cache)
        defaults = given.group(defaults)
    }

    func run() throws {
        let seconds = try OptionText("--timeout", timeout).number(in: 0.001...1e9)
        let jobs =
            try OptionText("--jobs", jobs).integer(in: 1...1024) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        _ = try cache.open()
        let limit = try OptionText("--max-input", maxInput).integer(in: 1...(.max)) ?? 1 << 28
        if files.isEmpty, isatty(STDIN_FILENO) == 1 { throw ShortHelp(command: Self.self) }
        var hasFailed = false
        for file in files.isEmpty ? ["-"] : files {
            let descriptor = file == "-" ? STDIN_FILENO : try FileAccess.openFile(file, O_RDONLY)
            defer { if file != "-" { close(descriptor) } }
            var run = BatchRun(jobs: jobs, limit: limit) { channel in
                var worker = BatchWorker(seconds: seconds, cache: cache.arguments)
                worker.serve(channel)
            }
            if try run.run(descriptor, name: InputArguments.displayName(file)) { hasFailed = true }
        }
        if hasFailed { throw ExitCode(ExitStatus.failure.rawValue) }
    }
}
