// Declarations in style attributes that code defines or restricts: custom ones are expanded, those not allowed are left out.

enum CustomDeclarations {
    /// Expands custom declarations by the closures of their names, in lower case. A declaration for which the closure returns `nil`
    /// stays and is reported like any other unknown one. Without `allowed`, all others are allowed. O(text).
    static func expand(
        _ css: String, _ customs: [(name: String, css: @Sendable (String) -> String?)], allowed: Set<String>? = nil
    ) -> String {
        let source = CSSSource(css)
        let tokens = source.tokens
        var result: [String] = []
        var isChanged = false
        var index = 0
        while index < tokens.count {
            let declaration = index..<source.first(.semicolon, in: index..<tokens.count)
            let colon = source.first(.colon, in: declaration)
            index = declaration.upperBound + 1
            let first = tokens[declaration].first { $0.kind != .whitespace }
            let name = first?.kind == .ident ? first.map { source.word(of: $0) } : nil
            if let name, colon < declaration.upperBound, let custom = customs.first(where: { $0.name == name }),
                let expanded = custom.css(source.text(source.trimmed((colon + 1)..<declaration.upperBound)))
            {
                result.append(expanded)
                isChanged = true
            } else if let allowed, name.map({ !allowed.contains($0) }) ?? true {
                isChanged = true
            } else {
                result.append(source.text(declaration))
            }
        }
        return isChanged ? result.joined(separator: ";") : css
    }
}
