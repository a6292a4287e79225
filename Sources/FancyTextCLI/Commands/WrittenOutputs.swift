// The outputs of commands, which determine the options without an effect.

import FancyText

extension RenderCommand {
    static let outputs = Outputs.render

    var writtenOutputs: Outputs {
        get throws {
            let outputs = try chosenTargets().reduce(Outputs()) { $0.union(Outputs($1.format)) }
            return maxLines.isGiven || maxHeight.isGiven ? outputs.union(.limited(outputs)) : outputs
        }
    }
}

extension StripCommand {
    static let outputs = Outputs.strip
    var writtenOutputs: Outputs { innerText ? .innerText : raw ? .raw : speech ? .speech : .readable }
}

extension DumpCommand {
    static let outputs = Outputs.dump
    var writtenOutputs: Outputs {
        get throws { [.layout, .display].contains(try stage.choice() ?? DumpStage.tree) ? .placedStage : .otherStage }
    }
}

extension SelectCommand {
    static let outputs = Outputs.select

    var writtenOutputs: Outputs {
        get throws {
            if count { return .count }
            if !field.isEmpty || isTable { return .records }
            if !attr.isEmpty || (try? SelectorQuery(selector))?.output != nil { return .values }
            if text { return .matchText }
            switch try format.format(RenderFormat.self) ?? FileEnding.choice(of: output.files) ?? .html {
            case .html: return .matchHTML
            case .json: return .matchJSON
            case .text: return .matchText
            case let format: return Outputs(format)
            }
        }
    }
}
