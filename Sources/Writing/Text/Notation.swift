// Numbers and characters as several outputs write them.

import FancyTextBasics

package enum Notation {
    /// At most three decimals, without trailing zeros; 0 for infinities and NaN.
    package static func number(_ value: Float) -> String {
        guard value.isFinite else { return "0" }
        let thousandths = Int(bounded: (Double(value) * 1000).rounded(), by: 1e12)
        let (whole, rest) = abs(thousandths).quotientAndRemainder(dividingBy: 1000)
        var text = thousandths < 0 ? "-\(whole)" : "\(whole)"
        guard rest > 0 else { return text }
        var digits = "\(1000 + rest)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        text += "." + digits
        return text
    }

    /// The text with references for the characters that are markup in HTML and XML, in contents and in attributes.
    package static func escaped(_ text: some StringProtocol) -> String {
        text.escaped { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: nil
            }
        }
    }
}
