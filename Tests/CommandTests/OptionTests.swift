// Declarations of options: the reading of command lines, and the options that ArgumentParser lists.

import ArgumentParser
import Foundation
import Testing

@testable import FancyTextCLI

/// The reader of command lines and ArgumentParser, which writes help, must know the same options.
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
            let (jobs, table) = OptionTable.make(JobArguments.self)
            try table.read(arguments)
            return jobs
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
            #expect(throws: Never.self) { try command.read(rest + ["--config", "a.json"]) }
            #expect(throws: Never.self) { try command.read(rest + ["--no-config"]) }
        }
    }

    @Test(arguments: [
        ([], ""), (["a.html"], "files=a.html"), (["-", "-o", "-"], "files=- output=-"),
        (["a.html", "-o", "b.png", "--width", "600", "--scale=2"], "files=a.html output=b.png width=600 scale=2"),
        (["--css", "a.css", "x.html", "--css=b.css", "y.html"], "files=x.html,y.html css=a.css,b.css"),
        (["--ellipsis", "", "--layout", "--set=#d="], "ellipsis= layout= set=#d="),
        (["-w", "4in", "-H", "auto", "-w0", "-H=-2"], "width=0 height=-2"),
        (["--scale", "-1", "--", "-b.html", "--x"], "files=-b.html,--x scale=-1"),
        (["--layout", "--layout", "--width", "1", "--width", "2"], "width=2 layout="),
    ])
    func readsCommandLines(_ arguments: [String], _ values: String) throws {
        let given = try RenderCommand.read(arguments).table.options.filter(\.isGiven)
        let written = given.map { "\($0.name)=\($0.values.joined(separator: ","))" }
        #expect(Set(written) == Set(values.split(separator: " ").map(String.init)))
    }

    /// Each option alone, so that every declaration is read.
    @Test func readsEveryOption() throws {
        var count = 0
        for option in RenderCommand.table.options where !option.isPositional {
            let arguments = [option.kind == .flag ? "--\(option.name)" : "--\(option.name)=9"]
            // Some options are invalid alone.
            guard let options = try? RenderCommand.read(arguments).table.options else { continue }
            #expect(options.filter(\.isGiven).map(\.name) == [option.name])
            count += 1
        }
        #expect(count > 60)
    }

    @Test func readsValuesThatLookLikeOptions() throws {
        let arguments = ["b", "--nth", "-1", "--separator", "-x", "x.html", "--jobs", "2"]
        let (command, _) = try SelectCommand.read(arguments)
        #expect(command.nth.text == "-1" && command.separator.text == "-x")
    }

    @Test func readsPositionalArgumentsInOrder() throws {
        let arguments = ["b > i", "--count", "x.html", "-0", "y.html"]
        let (command, _) = try SelectCommand.read(arguments)
        #expect(command.selector == "b > i" && command.files == ["x.html", "y.html"] && command.nul)
    }

    @Test func readsJoinedFlags() throws {
        let (command, _) = try SelectCommand.read(["b", "-0Hw", "5"])
        #expect(command.nul && command.withFilename && command.width.text == "5")
    }

    @Test(arguments: [
        ["--width"], ["--widht", "1"], ["--layout=1"], ["-x"], ["a", "b", "-o", "one.png"], ["--width", "--layout"],
        ["--diagnostics", "loud"], ["--config", "a", "--no-config"], ["--config"],
    ])
    func refusesMistakes(_ arguments: [String]) {
        #expect(throws: ValidationError.self) { try RenderCommand.read(arguments) }
    }

    @Test func leavesHelpToArgumentParser() {
        #expect(throws: HelpRequest.self) { try RenderCommand.read(["a.html", "--help", "--bad"]) }
    }

    @Test func refusesArgumentsThatACommandHasNoPlaceFor() {
        #expect(throws: ValidationError.self) { try FontsCommand.read(["a.html"]) }
        #expect(throws: ValidationError.self) { try SelectCommand.read([]) }
    }
}
