// Declarations of options: compares the direct reader with ArgumentParser.

import ArgumentParser
import Foundation
import Testing

@testable import FancyTextCLI

/// The direct reader and ArgumentParser must know the same options and read the same values.
@Suite struct OptionTests {
    /// The options in ArgumentParser's help.
    private func declaredNames(_ command: any Command.Type) throws -> Set<String> {
        struct Help: Decodable {
            struct Command: Decodable { var arguments: [Argument]? }
            struct Argument: Decodable {
                struct Name: Decodable { var kind, name: String }
                var names: [Name]?
            }
            var command: Command
        }
        let help = try JSONDecoder().decode(Help.self, from: Data(command.parsed._dumpHelp().utf8))
        let names = (help.command.arguments ?? []).flatMap { $0.names ?? [] }
        return Set(names.map { ($0.kind == "long" ? "--" : "-") + $0.name }).subtracting(["--help", "-h"])
    }

    @Test func argumentParserKnowsEveryOption() throws {
        for command in FancyTextCommand.commands {
            let names = command.table.options.filter { !$0.isPositional }.flatMap { option in
                (option.name.isEmpty ? [] : ["--\(option.name)"]) + (option.short.map { ["-\($0)"] } ?? [])
            }
            #expect(Set(names).count == names.count, "\(command.name)")
            #expect(try declaredNames(command) == Set(names), "\(command.name)")
        }
    }

    @Test func everyCommandIsFoundByItsName() {
        for command in FancyTextCommand.commands {
            #expect(command.parsed._commandName == command.name)
            #expect(FancyTextCommand.command(command.name)?.name == command.name)
        }
        let isUnknown = FancyTextCommand.command("rendr") == nil && FancyTextCommand.command(nil) == nil
        #expect(isUnknown)
    }

    /// A key of a configuration file may be an option of several commands.
    @Test func filesMaySetAnOptionInAllCommandsOrNone() {
        let ofFiles: CommandOption.Traits = [.look, .notInFiles, .path]
        var known: [String: CommandOption.Traits] = [:]
        for option in FancyTextCommand.commands.flatMap({ $0.table.options }) where !option.isPositional {
            let traits = option.traits.intersection(ofFiles)
            #expect(known[option.name, default: traits] == traits, "\(option.name)")
            known[option.name] = traits
        }
        #expect(known["width"] == .look && known["output"] == [] && known["config"] == .notInFiles)
    }

    @Test func aSingleInputTakesOneJob() throws {
        func jobs(_ arguments: String...) throws -> JobArguments {
            try ParsedArguments<JobArguments>.parse(arguments).arguments
        }
        #expect(try jobs().count(for: 1) == 1)
        #expect(try jobs().count(for: 2) == max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        #expect(try jobs("--jobs", "3").count(for: 1) == 3)
        // An invalid value is an error for any number of inputs.
        #expect(throws: (any Error).self) { try jobs("--jobs", "0").count(for: 1) }
    }

    /// They are recorded before `main`, in place of the Swift library's code.
    @Test func argumentsAreThoseOfTheProcess() throws {
        let line = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/cmdline"))
        let arguments = line.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        #expect(CommandLine.arguments == arguments.map { String(decoding: $0, as: UTF8.self) })
        #expect(PathText.arguments == Array(CommandLine.arguments.dropFirst()))
    }

    @Test func valuesAreFoundBeforeArgumentsAreChecked() {
        func values(_ arguments: String...) -> [String] {
            SelectCommand.table.values(in: arguments).map { "\($0.option.name)=\($0.value)" }
        }
        #expect(
            values("b", "--separator", "--config", "--config=a", "-o", "--no-config", "--", "--config", "b")
                == ["separator=--config", "config=a", "output=--no-config"])
        #expect(values("--no-config") == ["no-config="] && values("--config").isEmpty && values("xw").isEmpty)
    }

    @Test func everyCommandTakesAConfiguration() throws {
        let rest = [
            "select": ["p"], "dump": ["--stage", "tree"], "schema": ["render"], "cache": ["--stats"],
            "preview": ["card.html"],
        ]
        for command in FancyTextCommand.commands {
            let rest = rest[command.name] ?? []
            #expect(try command.reads(rest + ["--config", "a.json"]) && command.reads(rest + ["--no-config"]))
        }
    }

    @Test(arguments: [
        [], ["a.html"], ["-", "-o", "-"], ["a.html", "-o", "b.png", "--width", "600", "--scale=2"],
        ["--css", "a.css", "--css=b.css", "--style", "b{color:red}", "x.html", "y.html", "-o", "{stem}.png"],
        ["--fit-lines", "--min-size=10", "--set", "#a=b c", "--set=#d=", "--format=json", "--layout", "--quiet"],
        ["--ellipsis", "", "--background", "transparent", "--no-system-fonts", "--font", "f.ttf"],
        ["--config", "a.json"], ["--no-config", "a.html"], ["-o", "a.png", "-o", "b.jpg", "-w", "4in", "-H", "auto"],
    ])
    func readsWhatArgumentParserReads(_ arguments: [String]) throws {
        #expect(try RenderCommand.reads(arguments))
    }

    /// Each option alone, so that every declaration is compared.
    @Test func readsEveryOptionAsArgumentParserDoes() throws {
        var compared = 0
        for option in RenderCommand.table.options where !option.isPositional {
            let arguments = [option.kind == .flag ? "--\(option.name)" : "--\(option.name)=9"]
            // Some options are invalid alone.
            guard RenderCommand.direct(arguments) != nil else { continue }
            #expect(try RenderCommand.reads(arguments), "\(option.name)")
            compared += 1
        }
        #expect(compared > 60)
    }

    @Test func readsValuesThatLookLikeOptions() throws {
        let arguments = ["b", "--nth", "-1", "--separator", "-x", "x.html", "--jobs", "2"]
        #expect(try SelectCommand.reads(arguments))
        let (direct, _) = try #require(SelectCommand.direct(arguments))
        #expect(direct.nth.text == "-1" && direct.separator.text == "-x")
    }

    @Test func readsPositionalArgumentsInOrder() throws {
        let arguments = ["b > i", "--count", "x.html", "-0", "y.html"]
        #expect(try SelectCommand.reads(arguments))
        let (direct, _) = try #require(SelectCommand.direct(arguments))
        #expect(direct.selector == "b > i" && direct.files == ["x.html", "y.html"] && direct.nul)
    }

    @Test func argumentParserReadsTheRest() throws {
        let (command, _) = try RenderCommand.read(["-o", "a.png", "--css", "a.css", "--", "-b.html"])
        #expect(command.output.output == ["a.png"] && command.styles.css == ["a.css"] && command.files == ["-b.html"])
    }

    @Test(arguments: [
        ["--width"], ["--widht", "1"], ["--layout=1"], ["--layout", "--layout"], ["--", "a"],
        ["--help"], ["-x"], ["--width", "1", "--width", "2"], ["a", "b", "-o", "one.png"],
        ["--diagnostics", "loud"], ["--config", "a", "--no-config"], ["--config"],
    ])
    func leavesTheRestToArgumentParser(_ arguments: [String]) {
        #expect(RenderCommand.direct(arguments) == nil)
    }

    @Test func refusesArgumentsThatACommandHasNoPlaceFor() {
        #expect(FontsCommand.direct(["a.html"]) == nil)
        #expect(SelectCommand.direct([]) == nil)
    }
}

extension Command {
    /// Returns whether both readers give the same values.
    fileprivate static func reads(_ arguments: [String]) throws -> Bool {
        let parsed = try ParsedArguments<Self>.parse(arguments).table.options
        guard let direct = direct(arguments)?.table.options, direct.contains(where: \.isGiven) != arguments.isEmpty
        else { return false }
        return direct.map(\.values) == parsed.map(\.values)
    }
}
