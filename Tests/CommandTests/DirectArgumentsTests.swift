// Command lines: compares the direct reader with ArgumentParser.

import ArgumentParser
import Foundation
import Testing

@testable import FancyTextCLI

/// The direct reader and ArgumentParser must know the same options and read the same values.
@Suite struct DirectArgumentsTests {
    private static let commands: [any (ParsableCommand & DirectArguments).Type] = [
        RenderCommand.self, StripCommand.self, SelectCommand.self, DumpCommand.self, FontsCommand.self,
        BatchCommand.self, CacheCommand.self, PreviewCommand.self, SchemaCommand.self,
    ]

    /// The options that ArgumentParser declares: their names, with the kind of their values.
    private func declaredNames(_ command: any ParsableCommand.Type) throws -> Set<String> {
        struct Help: Decodable {
            struct Command: Decodable { var arguments: [Argument]? }
            struct Argument: Decodable {
                struct Name: Decodable { var kind, name: String }
                var names: [Name]?
            }
            var command: Command
        }
        let help = try JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
        let names = (help.command.arguments ?? []).flatMap { $0.names ?? [] }
        return Set(names.map { ($0.kind == "long" ? "--" : "-") + $0.name }).subtracting(["--help", "-h"])
    }

    @Test func knowsEveryOptionThatIsDeclared() throws {
        for command in Self.commands {
            func names<Command: DirectArguments>(_ type: Command.Type) -> Set<String> {
                var given = GivenArguments()
                var values = Command()
                values.bind(&given)
                return Set(given.names)
            }
            #expect(try declaredNames(command) == names(command), "\(command)")
        }
    }

    @Test func everyCommandIsFoundByItsName() {
        #expect(FancyTextCommand.configuration.subcommands.map { $0._commandName } == FancyTextCommand.names)
        for command in Self.commands {
            let name = command._commandName
            #expect(FancyTextCommand.command(name)?._commandName == name)
        }
        let isUnknown = FancyTextCommand.command("rendr") == nil && FancyTextCommand.command(nil) == nil
        #expect(isUnknown)
    }

    @Test func aSingleInputTakesOneJob() throws {
        let unsaid = try JobArguments.parse([])
        #expect(try unsaid.count(for: 1) == 1)
        #expect(try unsaid.count(for: 2) == max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        #expect(try JobArguments.parse(["--jobs", "3"]).count(for: 1) == 3)
        // An invalid value is an error for any number of inputs.
        let wrong = try JobArguments.parse(["--jobs", "0"])
        #expect(throws: (any Error).self) { try wrong.count(for: 1) }
    }

    /// They are recorded before `main`, in place of the Swift library's code.
    @Test func argumentsAreThoseOfTheProcess() throws {
        let line = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/cmdline"))
        let arguments = line.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        #expect(CommandLine.arguments == arguments.map { String(decoding: $0, as: UTF8.self) })
        #expect(PathText.arguments == Array(CommandLine.arguments.dropFirst()))
    }

    @Test func everyOptionHasAScope() {
        let declared = Set(Self.commands.flatMap { Array($0.declaredOptions.keys) })
        #expect(declared == Set(OptionScope.table.keys))
    }

    @Test func valuesOfOneOptionAreFoundBeforeAllAreRead() {
        let arguments = ["b", "--separator", "--config", "--config=a", "-o", "--no-config", "--", "--config", "b"]
        #expect(SelectCommand.values(of: "config", in: arguments) == ["a"])
        #expect(SelectCommand.values(of: "no-config", in: arguments).isEmpty)
        #expect(SelectCommand.values(of: "no-config", in: ["--no-config"]) == [""])
        #expect(SelectCommand.values(of: "config", in: ["--config"]).isEmpty)
    }

    @Test func everyCommandTakesAConfiguration() throws {
        for command in Self.commands {
            let rest =
                command is SelectCommand.Type
                ? ["p"]
                : command is DumpCommand.Type
                    ? ["--stage", "tree"]
                    : command is SchemaCommand.Type
                        ? ["render"]
                        : command is CacheCommand.Type
                            ? ["--stats"] : command is PreviewCommand.Type ? ["card.html"] : []
            #expect(command.reads(rest + ["--config", "a.json"]) && command.reads(rest + ["--no-config"]))
        }
    }

    @Test(arguments: [
        [], ["a.html"], ["-", "-o", "-"], ["a.html", "-o", "b.png", "--width", "600", "--scale=2"],
        ["--css", "a.css", "--css=b.css", "--style", "b{color:red}", "x.html", "y.html", "-o", "{stem}.png"],
        ["--fit-lines", "--min-size=10", "--set", "#a=b c", "--set=#d=", "--format=json", "--layout", "--quiet"],
        ["--ellipsis", "", "--background", "transparent", "--no-system-fonts", "--font", "f.ttf"],
        ["--config", "a.json"], ["--no-config", "a.html"],
    ])
    func readsWhatArgumentParserReads(_ arguments: [String]) throws {
        let direct = try #require(RenderCommand.direct(arguments))
        #expect(try "\(direct)" == "\(RenderCommand.parse(arguments))")
    }

    @Test func readsValuesThatLookLikeOptions() throws {
        let arguments = ["b", "--nth", "-1", "--separator", "-x", "x.html", "--jobs", "2"]
        let direct = try #require(SelectCommand.direct(arguments))
        #expect(try "\(direct)" == "\(SelectCommand.parse(arguments))")
        #expect(direct.nth == "-1" && direct.separator == "-x")
    }

    @Test func readsPositionalArgumentsInOrder() throws {
        let arguments = ["b > i", "--count", "x.html", "-0", "y.html"]
        let direct = try #require(SelectCommand.direct(arguments))
        #expect(try "\(direct)" == "\(SelectCommand.parse(arguments))")
        #expect(direct.selector == "b > i" && direct.files == ["x.html", "y.html"] && direct.nul)
    }

    @Test(arguments: [
        ["--width"], ["--width", "-1"], ["--widht", "1"], ["--layout=1"], ["--layout", "--layout"], ["--", "a"],
        ["-oa.png"], ["--help"], ["-x"], ["--width", "1", "--width", "2"], ["a", "b", "-o", "one.png"],
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

extension DirectArguments where Self: ParsableCommand {
    /// Both readers give the same result.
    fileprivate static func reads(_ arguments: [String]) -> Bool {
        guard let direct = direct(arguments), let parsed = try? parse(arguments) else { return false }
        return "\(direct)" == "\(parsed)"
    }
}
