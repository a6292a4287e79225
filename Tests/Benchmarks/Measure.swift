// Clock, medians and formatting of the benchmarks' tables.

import FancyTextPlatform

/// The options of the command line.
struct BenchmarkOptions {
    /// Runs only groups whose name contains this.
    var filter = ""
    /// The page for syntax benchmarks.
    var page: String?
    /// The exact number of runs of each benchmark.
    var runs: Int?

    init(_ arguments: some Sequence<String>) {
        var option = ""
        for argument in arguments {
            if option == "--page" {
                page = argument
                option = ""
            } else if option == "--runs" {
                runs = Int(argument)
                option = ""
            } else if argument.hasPrefix("--") {
                option = argument
            } else {
                filter = argument
            }
        }
    }
}

/// Seconds of a monotonic clock.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// ``BenchmarkOptions/runs``, set after the options are read.
nonisolated(unsafe) var exactRuns: Int?

/// Median seconds of `body`, run at least `least` times for about half a second, or ``exactRuns`` times.
func median(least: Int = 5, _ body: () -> Void) -> Double {
    body()
    var times: [Double] = []
    let start = now()
    while exactRuns.map({ times.count < $0 }) ?? (times.count < least || (now() - start < 0.5 && times.count < 2000)) {
        let before = now()
        body()
        times.append(now() - before)
    }
    return times.sorted()[times.count / 2]
}

func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

func rounded(_ value: Double, _ digits: Int) -> String {
    let scale = pow(10, Double(digits))
    let text = String((value * scale).rounded() / scale)
    return text.hasSuffix(".0") && digits == 0 ? String(text.dropLast(2)) : text
}

func report(_ name: String, _ seconds: Double, bytes: Int? = nil) {
    var line = pad(name, 44) + pad(rounded(seconds * 1000, 4) + " ms", 14)
    if let bytes { line += rounded(Double(bytes) / seconds / 1e6, 0) + " MB/s" }
    print(line)
}

/// Right-aligned in a column.
func column(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}

/// Megabytes per second, for a column.
func speed(_ bytes: Int, _ seconds: Double) -> String { rounded(Double(bytes) / seconds / 1e6, 0) }
