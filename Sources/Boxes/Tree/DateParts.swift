// The parts of fields for dates and times, as Chromium shows them in English (HTML §4.10.5.1.7–4.10.5.1.11).

import FancyTextMarkup

extension FormControl {
    /// The parts of a field with a value; placeholders without one.
    static func dateParts(_ type: InputType, _ value: String) -> [DatePart] {
        let values = value.split { $0 == "-" || $0 == "T" || $0 == ":" || $0 == " " }.map(String.init)
        switch type {
        case .time: return time(values[...])
        case .localDateTime: return date(values) + [DatePart(text: ", ")] + time(values.dropFirst(3))
        case .month:
            let month = values.count == 2 ? Int(values[1]).flatMap { (1...12).contains($0) ? $0 : nil } : nil
            let dashes = "---------"
            return [
                DatePart(text: month.map { months[$0 - 1] } ?? dashes, others: months + [dashes]), DatePart(text: " "),
                DatePart(text: month == nil ? "----" : values[0], others: ["----", lastYear]),
            ]
        case .week:
            let isKnown = values.count == 2
            return [
                DatePart(text: "Week "),
                DatePart(text: isKnown ? String(values[1].dropFirst()) : "--", others: ["--", "53"]),
                DatePart(text: ", "), DatePart(text: isKnown ? values[0] : "----", others: ["----", lastYear]),
            ]
        default: return date(values)
        }
    }

    /// The last year of a date in browsers.
    private static let lastYear = "275760"

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static func date(_ values: [String]) -> [DatePart] {
        let isKnown = values.count >= 3
        return [
            DatePart(text: isKnown ? values[1] : "mm", others: ["mm", "12"]), DatePart(text: "/"),
            DatePart(text: isKnown ? values[2] : "dd", others: ["dd", "31"]), DatePart(text: "/"),
            DatePart(text: isKnown ? values[0] : "yyyy", others: ["yyyy", lastYear]),
        ]
    }

    private static func time(_ values: ArraySlice<String>) -> [DatePart] {
        var shown = ["--", "--", "--"]
        if values.count >= 2, let hour = Int(values[values.startIndex]) {
            let number = hour % 12 == 0 ? 12 : hour % 12
            shown = [(number < 10 ? "0" : "") + "\(number)", values[values.startIndex + 1], hour < 12 ? "AM" : "PM"]
        }
        return [
            DatePart(text: shown[0], others: ["--", "12"]), DatePart(text: ":"),
            DatePart(text: shown[1], others: ["--", "59"]), DatePart(text: "\u{202F}"),
            DatePart(text: shown[2], others: ["--", "AM", "PM"]),
        ]
    }
}
