// Containment, query containers, expected changes (CSS Containment 3, CSS Sizing 4 §5, CSS Conditional 5 §3, CSS Will Change 1).

func containmentProperties() -> [Property] {
    [
        .value("contain", { $1(&$0.box.contain) }) {
            $0.keyword([("none", []), ("strict", .strict), ("content", .content)])
                ?? $0.options(containmentKinds).flatMap { $0.isSuperset(of: [.size, .inlineSize]) ? nil : $0 }
        },
        .value("container-type", { $1(&$0.box.container.type) }) { cursor in
            if cursor.keyword("normal") { return .normal }
            // A page that is not scrolled has no states to ask for.
            let asksForScrolling = cursor.keyword("scroll-state")
            let type: ContainerType? = cursor.isKeyword("normal") ? nil : cursor.keyword()
            if type != nil, !asksForScrolling { _ = cursor.keyword("scroll-state") }
            return type ?? (asksForScrolling ? .normal : nil)
        },
        .value("container-name", { $1(&$0.box.container.names) }) { cursor in
            cursor.keyword("none") ? [] : cursor.some { $0.customIdent(except: ContainerStyle.reservedNames) }
        },
        .shorthand("container", ["container-name", "container-type"]) { cursor, parts in
            parts.take(0, &cursor) && (cursor.isAtEnd || cursor.slash() && parts.take(1, &cursor))
        },
        .keywords("content-visibility", { $1(&$0.box.container.contentVisibility) }),
        intrinsicSize("contain-intrinsic-width", { $1(&$0.box.container.intrinsicWidth) }),
        intrinsicSize("contain-intrinsic-height", { $1(&$0.box.container.intrinsicHeight) }),
        pair("contain-intrinsic-size", ["contain-intrinsic-width", "contain-intrinsic-height"]),
        .value("will-change", { $1(&$0.box.container.changes) }) { cursor in
            cursor.keyword("auto") ? [] : cursor.commaList { $0.expectedChange() }?.reduce([]) { $0.union($1) }
        },
    ] + logicalSizes("contain-intrinsic-")
}

private func intrinsicSize(_ name: String, _ field: @escaping StyleField<Float?>) -> Property {
    .value(name, field) { cursor in
        // The size that a box had when it was last shown is not known.
        _ = cursor.keyword("auto")
        return cursor.optional("none") { $0.length(atLeast: 0) }
    }
}

package let containmentKinds: [(StaticString, Containment)] = [
    ("size", .size), ("inline-size", .inlineSize), ("layout", .layout), ("paint", .paint), ("style", .style),
]

extension ValueCursor {
    /// The effect of one name of `will-change`: that of the property with the name.
    fileprivate mutating func expectedChange() -> ExpectedChanges? {
        guard let name = customIdent(except: ["none", "all", "auto"])?.asciiLowercased() else { return nil }
        switch name.hasPrefix("-webkit-") ? String(name.dropFirst(8)) : name {
        case "transform", "translate", "rotate", "scale", "perspective", "transform-style", "offset-path",
            "offset-position", "contain":
            return [.stacking, .containsFixed]
        case "filter", "backdrop-filter": return [.stacking, .containsFixed, .filter]
        case "z-index": return .zIndex
        case "position": return [.stacking, .position]
        case "opacity", "clip-path", "mask", "mask-image", "mask-border", "mix-blend-mode", "isolation",
            "view-transition-name", "box-reflect":
            return .stacking
        default: return []
        }
    }
}
