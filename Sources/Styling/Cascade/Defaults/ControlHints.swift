// The declarations of a form control that follow from its type and state (HTML §15.5, with Chromium's values).

import FancyTextMarkup

extension PresentationalHints {
    static func isControl(_ tag: TagID) -> Bool {
        tag == .input || tag == .select || tag == .button || tag == .textarea
    }

    mutating func control(_ n: NodeID, _ tag: TagID) {
        let isDisabled = tree.isDisabled(n)
        switch tag {
        case .input: input(n, isDisabled: isDisabled)
        case .button: if isDisabled { add(Self.disabledButton) }
        case .textarea: if isDisabled { add(Self.disabledField) }
        case .select:
            if tree.isListBox(n) {
                add("border-radius:2px;background-color:field;color:fieldtext;vertical-align:text-bottom")
            }
            if isDisabled { add(Self.disabledField) }
        case .option:
            let isGrouped = tree.parent(n).map { tree.tag($0) == .optgroup } == true
            let list = isGrouped ? tree.parent(n).flatMap(tree.parent) : tree.parent(n)
            guard let list, tree.tag(list) == .select, tree.isListBox(list) else { return }
            add("padding", isGrouped ? "0 2px 1px 20px" : "0 2px 1px")
            add("font-weight:normal;min-height:1.2em")
            if tree.hasAttribute(n, "selected") { add("background-color:#cecece") }
        default: break
        }
    }

    private mutating func input(_ n: NodeID, isDisabled: Bool) {
        switch tree.inputType(n) {
        case .checkbox: symbol(margin: "3px 3px 3px 4px")
        case .radio: symbol(margin: "3px 3px 0 5px")
        case .range:
            symbol(margin: "2px")
            add("box-sizing:content-box;overflow:visible")
        case .color:
            add("box-sizing:border-box;width:50px;height:27px;background-color:buttonface")
            add("border:1px solid buttonborder;padding:1px 2px")
        case .image, .file: add("border:0;padding:0;background-color:transparent")
        case .submit, .reset, .button:
            add("box-sizing:border-box;text-align:center;background-color:buttonface")
            add("border:2px outset buttonborder;padding:1px 6px")
            if isDisabled { add(Self.disabledButton) }
        case .hidden: break
        case .text, .search, .url, .tel, .email, .password, .number, .date, .month, .week, .time, .localDateTime:
            if tree.inputType(n).isDateOrTime { add("font-family:monospace;padding:0;padding-inline-start:1px") }
            if tree.inputType(n) == .search { add("box-sizing:border-box") }
            if isDisabled { add(Self.disabledField) }
        }
    }

    private mutating func symbol(margin: String) {
        add("box-sizing:border-box;margin:\(margin);border:0;padding:0;background-color:transparent")
    }

    private static let disabledButton = "color:rgb(16 16 16 / .3);border-color:rgb(118 118 118 / .3)"
    private static let disabledField = "color:#545454;background-color:#fafafa;border-color:rgb(118 118 118 / .3)"
}

extension PseudoBox {
    /// The parts of elements that rules can style, by its name, and the elements that have it; empty for all elements.
    static let parts: [String: (box: Self, tags: [TagID])] = [
        "placeholder": (.placeholder, [.input, .textarea]),
        "-webkit-input-placeholder": (.placeholder, [.input, .textarea]),
        "file-selector-button": (.fileButton, [.input]), "-webkit-file-upload-button": (.fileButton, [.input]),
        "-webkit-slider-runnable-track": (.track, [.input]), "-webkit-slider-thumb": (.thumb, [.input]),
        "-webkit-progress-bar": (.track, [.progress]), "-webkit-progress-value": (.bar, [.progress]),
        "details-content": (.detailsContent, [.details]), "footnote-call": (.footnoteCall, []),
        "footnote-marker": (.footnoteMarker, []), "footnote-area": (.footnoteArea, []),
        "-webkit-meter-bar": (.track, [.meter]), "-webkit-meter-optimum-value": (.bar, [.meter]),
    ]

    func css(_ tag: TagID) -> String {
        switch self {
        case .placeholder: "color:#757575"
        case .detailsContent: "display:block"
        case .fileButton: DefaultStyles.css(.button, []) + ";font-size:inherit"
        case .track:
            switch tag {
            case .progress: "display:block;background:gray;height:100%"
            case .meter: "display:block;background:#d4d4d4;height:100%"
            default: "display:block;box-sizing:border-box"
            }
        case .bar: "display:block;background:\(tag == .meter ? "#92bf56" : "green");height:100%"
        case .thumb: "display:block;appearance:auto;box-sizing:border-box;width:16px;height:16px"
        case .footnoteCall: "content:counter(footnote);font-size:smaller;vertical-align:super"
        case .footnoteMarker: "content:counter(footnote) '. '"
        case .footnoteArea:
            "display:block;box-decoration-break:clone;margin-top:1em;border-top:1px solid;padding-top:.5em"
        // CSS Lists 3 §3.1.1 without `white-space: pre`: an inside marker wraps in browsers.
        case .marker: "unicode-bidi:isolate;font-variant-numeric:tabular-nums;text-transform:none;text-indent:0"
        case .element, .before, .after, .firstLetter, .firstLine: ""
        }
    }
}
