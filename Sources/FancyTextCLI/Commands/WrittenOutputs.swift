// The outputs of `render` and `select`, which determine the options without an effect.

import FancyText

extension RenderCommand {
    func checkEffects(of options: [String]) throws {
        try OptionEffect.check(
            options, in: OptionEffect.render, on: chosenTargets().map { OutputKind($0.format) },
            isLimited: maxLines != nil || maxHeight != nil)
    }
}

extension SelectCommand {
    func checkEffects(of options: [String]) throws {
        try OptionEffect.check(options, in: OptionEffect.select, on: [outputKind()])
    }

    private func outputKind() throws -> OutputKind {
        if count { return .count }
        if !field.isEmpty { return .records }
        if !attr.isEmpty || (try? SelectorQuery(selector))?.output != nil { return .values }
        if text { return .text }
        let format =
            try OptionText("--format", format).format(SelectFormat.self) ?? FileEnding.choice(of: output.files) ?? .html
        return OutputKind(rawValue: format.rawValue) ?? .html
    }
}
