// Inputs by libFuzzer, which keeps those that reach code that no input before reached. `make fuzz-guided` builds for it.
//
// In: a target and folders of inputs to begin with. Out: new inputs in the first folder; the process ends with the one that
// breaks a rule.

#if GUIDED
    import FancyTextPlatform

    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<Int32>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
    ) -> Int32

    enum GuidedFuzzing {
        /// Set once, before the first input; the library calls without a context.
        nonisolated(unsafe) private static var target = Target.syntax

        /// - Parameter folders: inputs to begin with; new ones go to the first.
        static func run(_ target: Target, seconds: Int, seed: UInt64, folders: [String]) -> Never {
            self.target = target
            let options = [
                "-max_total_time=\(seconds)", "-seed=\(seed)", "-max_len=8192", "-timeout=20", "-rss_limit_mb=4096",
            ]
            let words = (["Fuzz"] + options + folders).map { strdup($0) } + [nil]
            var count = Int32(words.count - 1)
            let memory = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count)
            memory.initialize(from: words, count: words.count)
            var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = memory
            exit(
                runDriver(&count, &arguments) { bytes, count in
                    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
                    if let broken = GuidedFuzzing.target.broken(by: input) {
                        print(broken)
                        abort()
                    }
                    return 0
                })
        }
    }
#endif
