// Fuzzing of tokenizer, tree construction, selectors and text extraction: random bytes, random tags and mutated pages in;
// checks of what must hold for every input. `make fuzz` runs it, `make asan` for a short time with AddressSanitizer.
//
//     Fuzz [--seconds N] [--seed S] [--seeds FOLDER] [--replay FILE]
//
// An input that breaks a rule, crashes or takes too long is left in fuzz-failure.html; exit status 1.

import Glibc

private var seconds = 60.0
private var seed: UInt64 = 1
private var folder: String?
private var replayed: String?

private var arguments = CommandLine.arguments.dropFirst().makeIterator()
while let argument = arguments.next() {
    switch (argument, arguments.next()) {
    case ("--seconds", let value?): seconds = Double(value) ?? seconds
    case ("--seed", let value?): seed = UInt64(value) ?? seed
    case ("--seeds", let value?): folder = value
    case ("--replay", let value?): replayed = value
    default:
        print("usage: Fuzz [--seconds N] [--seed S] [--seeds FOLDER] [--replay FILE]")
        exit(2)
    }
}

FailureReport.install()
if let replayed {
    guard let input = Seeds.read(replayed) else {
        print("\(replayed) cannot be read")
        exit(2)
    }
    FailureReport.check(input)
    print("holds")
    exit(0)
}

private var generator = InputGenerator(seed: seed, seeds: folder.map(Seeds.all) ?? [])
private let started = time(nil)
private var count = 0
private var bytes = 0
while Double(time(nil) - started) < seconds {
    let input = generator.next()
    FailureReport.check(input)
    count += 1
    bytes += input.count
}
print("\(count) inputs, \(bytes / 1_000_000) MB, \(generator.seedCount) seed files, \(Int(seconds)) s: all rules hold")
