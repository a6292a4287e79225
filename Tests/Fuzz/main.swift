// Fuzzing with random bytes, words of dictionaries and mutated files, against rules that hold for every input. `make fuzz` runs
// it, `make asan` briefly with AddressSanitizer.
//
//     Fuzz [--target NAME] [--seconds N] [--seed S] [--seeds FOLDER]... [--replay FILE]
//
// Seconds are of processor time. Without a target, all of them take turns. An input that breaks a rule, crashes or takes too long is saved in fuzz-failure.html;
// exit status 1.

import FancyTextPlatform

private var seconds = 60.0
private var seed: UInt64 = 1
private var folders: [String] = []
private var replayed: String?
private var targets = Target.allCases

private var arguments = CommandLine.arguments.dropFirst().makeIterator()
while let argument = arguments.next() {
    switch (argument, arguments.next()) {
    case ("--seconds", let value?): seconds = Double(value) ?? seconds
    case ("--seed", let value?): seed = UInt64(value) ?? seed
    case ("--seeds", let value?): folders.append(value)
    case ("--replay", let value?): replayed = value
    case ("--target", let value?) where Target(rawValue: value) != nil:
        targets = Target.allCases.filter { $0.rawValue == value }
    default:
        print("usage: Fuzz [--target NAME] [--seconds N] [--seed S] [--seeds FOLDER]... [--replay FILE]")
        print("targets: " + Target.allCases.map(\.rawValue).joined(separator: " "))
        exit(2)
    }
}

#if GUIDED
    // libFuzzer has its own signal handlers and clock.
    if replayed == nil { GuidedFuzzing.run(targets[0], seconds: Int(seconds), seed: seed, folders: folders) }
#endif

FailureReport.install()
if let replayed {
    guard let input = Seeds.read(replayed) else {
        print("\(replayed) cannot be read")
        exit(2)
    }
    for target in targets { FailureReport.check(input, target) }
    print("holds")
    exit(0)
}

private func processorSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

private let seeds = folders.flatMap(Seeds.all)
for target in targets {
    var generator = InputGenerator(seed: seed, seeds: seeds)
    let end = processorSeconds() + seconds / Double(targets.count)
    var count = 0
    var bytes = 0
    while processorSeconds() < end {
        let input = target.input(&generator)
        FailureReport.check(input, target)
        count += 1
        bytes += input.count
    }
    print("\(target.rawValue): \(count) inputs, \(bytes / 1000) KB, \(generator.seedCount) seed files: all rules hold")
}
private var usage = rusage()
getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
print("\(usage.ru_maxrss / 1024) MiB at most")
