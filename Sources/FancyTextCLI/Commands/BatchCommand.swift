// `fancytext batch`: reads requests and writes results, each a line of JSON.

import ArgumentParser
import FancyTextPlatform

struct BatchCommand: Command {
    static let name = "batch"
    static let abstract = "Answer requests, a JSON object on each line, with results in their order."
    static let discussion = """
        EXAMPLES
          echo '{"id":1,"html":"<h1>Hello</h1>","format":"png"}' | fancytext batch | jq -r .data | base64 -d > hello.png
          fancytext batch requests.ndjson > results.ndjson
          parallel --pipe -N100 fancytext batch --jobs 1 < requests.ndjson
          fancytext schema batch-request                   what a request may say

        A request has one of html, file and template; command is render (the default), strip, select or dump, and the rest are
        the options of that command by their long names. A request with define names a template for those after it.
        """

    @Operands("files", "Files of requests; standard input if none is given or one is -.") var files

    let jobs = Setting(
        "jobs", "Number of processes that work (default: the number of processors).", value: "n", traits: .program)

    let timeout = Setting(
        "timeout", "Give a request up after this many seconds, unless it says otherwise.", value: "seconds",
        traits: .run)

    let maxInput = Setting("max-input", "Refuse requests larger than this many bytes.", value: "bytes")
    @Group("Cache") var cache: CacheArguments

    func run() throws {
        let seconds = try timeout.number(in: 0.001...1e9)
        let jobs = try jobs.integer(in: 1...1024) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        _ = try cache.open()
        let limit = try maxInput.integer(in: 1...(.max)) ?? 1 << 28
        if files.isEmpty, isatty(STDIN_FILENO) == 1 { throw ShortHelp(command: Self.self) }
        var hasFailed = false
        for file in files.isEmpty ? ["-"] : files {
            let descriptor = file == "-" ? STDIN_FILENO : try FileAccess.openFile(file)
            defer { if file != "-" { close(descriptor) } }
            var run = BatchRun(
                descriptor, name: InputArguments.displayName(file), jobs: jobs, limit: limit
            ) { channel in
                var worker = BatchWorker(seconds: seconds, cache: cache.arguments)
                worker.serve(channel)
            }
            if try run.run() { hasFailed = true }
        }
        if hasFailed { throw ExitCode(ExitStatus.failure.rawValue) }
    }
}
