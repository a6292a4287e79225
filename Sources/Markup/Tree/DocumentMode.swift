// Chooses one of a browser's three layout modes by the document type (HTML §13.2.6.4.1).

package enum DocumentMode: UInt8, Hashable, Sendable {
    /// Layout as in the standards; also for snippets.
    case noQuirks
    /// Layout as in the standards, except for the height of lines.
    case limitedQuirks
    /// Layout as in browsers of 1998; also for documents without a type.
    case quirks

    /// The mode for a document type: the text between `<!DOCTYPE` and `>`, in lower case.
    static func of(_ doctype: String) -> DocumentMode {
        let (text, match) = (Array(doctype.utf8), Matcher())
        guard Grammar.doctypeText.match(text, count: text.count, from: 0, with: match) else { return .quirks }
        func part(_ group: Int) -> String? { match.group(group).map { String(decoding: text[$0], as: UTF8.self) } }
        let (id, systemID) = (part(2) ?? "", part(3))
        func starts(_ prefixes: [String]) -> Bool { prefixes.contains { id.hasPrefix($0) } }
        func isTransitional(_ language: String) -> Bool {
            starts(["-//w3c//dtd \(language) frameset//", "-//w3c//dtd \(language) transitional//"])
        }
        let isQuirky =
            part(1) != "html" || Self.quirkyIDs.contains(id) || starts(Self.quirkyPrefixes)
            || systemID == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
            || systemID == nil && isTransitional("html 4.01")
        if isQuirky { return .quirks }
        return isTransitional("html 4.01") || isTransitional("xhtml 1.0") ? .limitedQuirks : .noQuirks
    }

    private static let quirkyIDs: Set<String> = [
        "-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html",
    ]
    private static let quirkyPrefixes = [
        "+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
        "-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html 2.0 level 1//",
        "-//ietf//dtd html 2.0 level 2//", "-//ietf//dtd html 2.0 strict level 1//",
        "-//ietf//dtd html 2.0 strict level 2//", "-//ietf//dtd html 2.0 strict//", "-//ietf//dtd html 2.0//",
        "-//ietf//dtd html 2.1e//", "-//ietf//dtd html 3.0//", "-//ietf//dtd html 3.2 final//",
        "-//ietf//dtd html 3.2//", "-//ietf//dtd html 3//", "-//ietf//dtd html level 0//",
        "-//ietf//dtd html level 1//", "-//ietf//dtd html level 2//", "-//ietf//dtd html level 3//",
        "-//ietf//dtd html strict level 0//", "-//ietf//dtd html strict level 1//",
        "-//ietf//dtd html strict level 2//", "-//ietf//dtd html strict level 3//", "-//ietf//dtd html strict//",
        "-//ietf//dtd html//", "-//metrius//dtd metrius presentational//",
        "-//microsoft//dtd internet explorer 2.0 html strict//", "-//microsoft//dtd internet explorer 2.0 html//",
        "-//microsoft//dtd internet explorer 2.0 tables//", "-//microsoft//dtd internet explorer 3.0 html strict//",
        "-//microsoft//dtd internet explorer 3.0 html//", "-//microsoft//dtd internet explorer 3.0 tables//",
        "-//netscape comm. corp.//dtd html//", "-//netscape comm. corp.//dtd strict html//",
        "-//o'reilly and associates//dtd html 2.0//", "-//o'reilly and associates//dtd html extended 1.0//",
        "-//o'reilly and associates//dtd html extended relaxed 1.0//", "-//sq//dtd html 2.0 hotmetal + extensions//",
        "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
        "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//", "-//spyglass//dtd html 2.0 extended//",
        "-//sun microsystems corp.//dtd hotjava html//", "-//sun microsystems corp.//dtd hotjava strict html//",
        "-//w3c//dtd html 3 1995-03-24//", "-//w3c//dtd html 3.2 draft//", "-//w3c//dtd html 3.2 final//",
        "-//w3c//dtd html 3.2//", "-//w3c//dtd html 3.2s draft//", "-//w3c//dtd html 4.0 frameset//",
        "-//w3c//dtd html 4.0 transitional//", "-//w3c//dtd html experimental 19960712//",
        "-//w3c//dtd html experimental 970421//", "-//w3c//dtd w3 html//", "-//w3o//dtd w3 html 3.0//",
        "-//webtechs//dtd mozilla html 2.0//", "-//webtechs//dtd mozilla html//",
    ]
}
