#!/usr/bin/env python3
"""Writes the tables of MarkupSyntax: tag names, attribute names, named character references.

usage: generate_syntax_tables.py Sources/Markup   (and Sources/System/CTags beside it)
The character references are those of Python's html.entities.html5, which is HTML's own list.
"""
import html.entities, os, sys

out = sys.argv[1]; 

S, SC, BS, LS, TS, LB, F, V, IE, CP, X = (1 << i for i in range(11))
# name: bits. X known only inside svg or math; S special; SC default scope; BS button scope; LS list-item scope; TS table scope; LB stops the search for
# an open li/dd/dt; F formatting; V void; IE end tag implied; CP start tag closes an open p.
bits = {}
def add(names, b):
    for n in names.split(): bits[n] = bits.get(n, 0) | b
add("address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main "
    "marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td "
    "template textarea tfoot th thead title tr track ul wbr xmp", S | LB)
for n in ("address", "div", "p"): bits[n] &= ~LB
add("applet caption html table td th marquee object template select", SC | BS | LS)
add("button", BS); add("ol ul", LS); add("html table template", TS)
add("a b big code em font i nobr s small strike strong tt u", F)
add("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr lambda", V)
add("dd dt li optgroup option p rb rp rt rtc", IE)
add("address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup main menu nav ol p search section "
    "summary ul h1 h2 h3 h4 h5 h6 pre listing form li dd dt plaintext xmp hr table", CP)
add("abbr acronym audio bdi bdo canvas cite data datalist del dfn dialog image ins kbd label legend map mark meter optgroup option output picture "
    "progress q rb rp rt rtc ruby samp slot span sub sup time var video blink spacer multicol isindex nextid tfoot slot portal selectedcontent", 0)
add("svg math g path rect circle ellipse line polygon text tspan defs symbol stop mask filter foreignobject desc image marker textpath metadata mi mo mn "
    "ms mtext mrow mfrac msup msub msqrt mtable mtr mtd annotation-xml annotation mstyle merror mover mpadded mphantom mroot mspace msubsup munder munderover semantics", X)
for n in ("svg", "math", "image", "metadata"): bits[n] = 0
names = sorted(bits)
swift = {"var": "variable"}
def ident(n):
    if n in swift: return swift[n]
    parts = n.split("-"); return parts[0] + "".join(p.capitalize() for p in parts[1:])
def strings(values):
    """The values as string literals in lines of up to 120 characters."""
    lines, line = [], "       "
    for value in values:
        if len(line) + len(value) + 4 > 120: lines.append(line); line = "       "
        line += f' "{value}",'
    return lines + [line]
lines, line = [], "   "
for n in ["none"] + [ident(n) for n in names]:
    if len(line) + len(n) + 12 > 120: lines.append(line); line = "   "
    line += f" MarkupTag_{n},"
open(os.path.join(out, "../System/CTags/CTags.h"), "w").write("\n".join([
    "// Written by Tests/Tools/generate_syntax_tables.py: the names that HTML, SVG and MathML give a meaning. C's enumerations are",
    "// open: other names, which a tree numbers as it meets them, are values too.", "",
    "#include <stdint.h>", "",
    "/// The name of an element; `none` for text, comments and the root.",
    "typedef enum __attribute__((enum_extensibility(open))) MarkupTag : uint16_t {"] + lines + [line,
    "    /// A name met after the table of interned names was full; such names are compared by their spelling in the source.",
    "    MarkupTag_overflow = UINT16_MAX,", "} MarkupTag;", ""]))
lines = ["// Written by Tests/Tools/generate_syntax_tables.py: the names that HTML, SVG and MathML give a meaning, in order of",
         "// their ids, and what tree construction must know of each.", "",
         "extension TagID {",
         f"    /// How many names are known before parsing; ids from here on belong to one tree.", f"    @inlinable package static var knownCount: UInt16 {{ {len(names)+1} }}"]
lines += ["", "    /// The known names by id; id 0 stands for none.", "    package static let knownNames: [StaticString] = ["]
lines += strings([""] + names) + ["    ]", "", "    /// ``TagTraits`` by id.", "    static let knownTraits: [UInt16] = [", "        0,"]
lines += ["        " + " ".join(f"{bits[n]}," for n in names[i:i+16]) for i in range(0, len(names), 16)] + ["    ]", "}", ""]
open(os.path.join(out, "Names/TagTable.swift"), "w").write("\n".join(lines))

attrs = ("id class style href src alt title name type value lang dir hidden popover rel content charset start reversed align valign width height bgcolor color face "
         "size border cellpadding cellspacing colspan rowspan span cite data action poster srcset target disabled checked selected required readonly "
         "multiple placeholder for media sizes loading open kind label headers scope clear noshade compact background nowrap wrap cols rows role "
         "http-equiv xml:lang xmlns xlink:href tabindex contenteditable summary abbr datetime download vertical-align method frame rules hspace vspace text link vlink "
         "autocomplete onclick usemap shape coords encoding line-count truncate-mode").split()
attrs = list(dict.fromkeys(attrs))
def aident(n):
    p = n.replace(":", "-").split("-"); s = p[0] + "".join(x.capitalize() for x in p[1:])
    return {"class": "classNames", "for": "`for`"}.get(s, s)
def cases(names):
    """The cases of an enumeration in lines of up to 120 characters."""
    lines, line = [], "    case"
    for name in names:
        if len(line) + len(name) + 2 > 120: lines.append(line.rstrip(",")); line = "    case"
        line += f" {name},"
    return lines + [line.rstrip(",")]
lines = ["// Written by Tests/Tools/generate_syntax_tables.py: attribute names that stages look up often, in order of their ids.", "",
         "/// The name of an attribute that stages look up often; every other name is ``other`` and is compared by its bytes.",
         "@usableFromInline", "package enum AttributeID: UInt8, Sendable {"]
lines += cases(["other"] + [aident(n) for n in attrs])
lines += ["", "    /// The known names by id.", "    package static let knownNames: [StaticString] = ["]
lines += strings([""] + attrs) + ["    ]", "}", ""]
open(os.path.join(out, "Names/AttributeTable.swift"), "w").write("\n".join(lines))

ents = html.entities.html5
full = sorted((n[:-1] for n in ents if n.endswith(";")), key=lambda n: n.encode())
legacy = {n for n in ents if not n.endswith(";")}
assert all(n + ";" in ents and len(n) <= 6 for n in legacy)
def esc(s):
    return "".join(c if 32 < ord(c) < 127 and c not in '"\\' else "\\u{%x}" % ord(c) for c in s)
assert not any(" " in ents[n + ";"] for n in full)
table = " ".join(n + ("," if n in legacy else ".") + esc(ents[n + ";"]) for n in full)
open(os.path.join(out, "Tokens/EntityTable.swift"), "w").write(f"""// Written by Tests/Tools/generate_syntax_tables.py: HTML's named character references.

enum EntityTable {{
    /// For each reference its name, a comma if it is also known without a semicolon or else a full stop, and its characters. A
    /// space ends each but the last. Sorted by name.
    static let text: StaticString =
        "{table}"
}}
""")
print(len(names), "tags", len(attrs), "attributes", len(full), "entities")
