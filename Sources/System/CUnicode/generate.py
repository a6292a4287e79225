#!/usr/bin/env python3
"""Writes UnicodeTables.c and include/UnicodeTables.h from the Unicode Character Database (Debian: unicode-data).

usage: generate.py [/usr/share/unicode]
Every code point maps through a three-stage table to one record of the properties that text layout asks for.
"""
import os
import re
import sys

ucd = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
here = os.path.dirname(os.path.abspath(__file__))
LIMIT = 0x110000


def lines(name):
    with open(os.path.join(ucd, name), encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                yield [part.strip() for part in line.split(";")]


def span(text):
    ends = text.split("..")
    return int(ends[0], 16), int(ends[-1], 16) + 1


def fill(name, default, column=1, where=None):
    values = [default] * LIMIT
    for fields in lines(name):
        if where and fields[1] != where:
            continue
        start, end = span(fields[0])
        values[start:end] = [fields[column]] * (end - start)
    return values


line_break = ["XX"] * LIMIT
for start, end in [(0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00), (0x1F000, 0x1FB00), (0x1FC00, 0x1FFFE),
                   (0x20000, 0x2FFFE), (0x30000, 0x3FFFE)]:
    line_break[start:end] = ["ID"] * (end - start)
line_break[0x20A0:0x20D0] = ["PR"] * 0x30
for fields in lines("LineBreak.txt"):
    start, end = span(fields[0])
    line_break[start:end] = [fields[1]] * (end - start)

width = ["N"] * LIMIT
for start, end in [(0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00), (0x20000, 0x2FFFE), (0x30000, 0x3FFFE)]:
    width[start:end] = ["W"] * (end - start)
for fields in lines("EastAsianWidth.txt"):
    start, end = span(fields[0])
    width[start:end] = [fields[1]] * (end - start)

grapheme = fill("auxiliary/GraphemeBreakProperty.txt", "Other")
category = fill("extracted/DerivedGeneralCategory.txt", "Cn")
bidi = fill("extracted/DerivedBidiClass.txt", "L")
for start, end in [(0x590, 0x900), (0xFB1D, 0xFDD0), (0xFDF0, 0xFE00), (0xFE70, 0xFF00), (0x10800, 0x11000), (0x1E800, 0x1F000)]:
    bidi[start:end] = ["R" if category[point] == "Cn" else bidi[point] for point in range(start, end)]
# Those of unassigned characters are in the file's comments.
upright = bytearray(LIMIT)
with open(os.path.join(ucd, "VerticalOrientation.txt"), encoding="utf-8") as file:
    for start, end in re.findall(r"^#  .*?U\+(\w+)(?:\.\.U\+(\w+))?", file.read(), re.M):
        upright[int(start, 16):int(end or start, 16) + 1] = b"\1" * (int(end or start, 16) + 1 - int(start, 16))
for fields in lines("VerticalOrientation.txt"):
    start, end = span(fields[0])
    upright[start:end] = bytes([fields[1] != "R"]) * (end - start)


def having(name, value):
    values = bytearray(LIMIT)
    for fields in lines(name):
        if fields[1] == value:
            start, end = span(fields[0])
            values[start:end] = b"\1" * (end - start)
    return values


emoji = having("emoji/emoji-data.txt", "Emoji")
presentation = having("emoji/emoji-data.txt", "Emoji_Presentation")
pictographic = having("emoji/emoji-data.txt", "Extended_Pictographic")
ignorable = having("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")

tags = {}
for fields in lines("PropertyValueAliases.txt"):
    if fields[0] == "sc":
        tags[fields[2]] = fields[1]
script = [tags[name] for name in fill("Scripts.txt", "Unknown")]
extensions = [None] * LIMIT
for fields in lines("ScriptExtensions.txt"):
    start, end = span(fields[0])
    extensions[start:end] = [tuple(sorted(fields[1].split()))] * (end - start)

LINE = "XX AL BK CR LF NL SP ZW ZWJ WJ GL CM CL CP OP QU EX IS SY NS CJ BA BB B2 HY IN NU PR PO ID EB EM HL H2 H3 JL JV JT RI AI SA SG CB".split()
GRAPHEME = "Other CR LF Control Extend ZWJ Regional_Indicator Prepend SpacingMark L V T LV LVT".split()
SCRIPTS = ["Zyyy", "Zinh", "Zzzz"] + sorted(set(script) - {"Zyyy", "Zinh", "Zzzz"})
for found in extensions:
    for tag in found or ():
        if tag not in SCRIPTS:
            SCRIPTS.append(tag)
EXTENSIONS = [()] + sorted(set(e for e in extensions if e))
FLAGS = ["Emoji", "EmojiPresentation", "ExtendedPictographic", "DefaultIgnorable", "Wide", "Ambiguous", "Mark", "RightToLeft",
         "InitialQuote", "FinalQuote", "Unassigned", "Letter", "Halfwidth"]


def flags(point):
    values = [emoji[point], presentation[point], pictographic[point], ignorable[point],
              width[point] in ("W", "F"), width[point] == "A", category[point][0] == "M",
              bidi[point] in ("R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"),
              category[point] == "Pi", category[point] == "Pf", category[point] == "Cn",
              category[point][0] in "LN", width[point] == "H"]
    return sum(1 << bit for bit, value in enumerate(values) if value)


records, index_of, stage = [], {}, []
for point in range(LIMIT):
    record = (flags(point), LINE.index(line_break[point]), GRAPHEME.index(grapheme[point]),
              SCRIPTS.index(script[point]), EXTENSIONS.index(extensions[point]) if extensions[point] else 0, upright[point])
    if record not in index_of:
        index_of[record] = len(records)
        records.append(record)
    stage.append(index_of[record])

LOW, MIDDLE = 3, 6


def deduplicated(values, shift):
    """The distinct blocks of 1 << shift values one after the other, and the number of each block."""
    blocks, numbers, index = [], {}, []
    for start in range(0, len(values), 1 << shift):
        block = tuple(values[start:start + (1 << shift)])
        if block not in numbers:
            numbers[block] = len(numbers)
            blocks += block
        index.append(numbers[block])
    return blocks, index


blocks, middle = deduplicated(stage, LOW)
pages, first = deduplicated(middle, MIDDLE)

brackets = [(int(f[0], 16), int(f[1], 16), 1 if f[2] == "o" else 2) for f in lines("BidiBrackets.txt")]


def wrapped(values):
    return "\n".join(re.findall(r".{1,118}(?:,|$)", ",".join(map(str, values))))


def array(declaration, values):
    return f"{declaration} = {{\n{wrapped(values)}\n}};\n"


def enum(prefix, values, number=lambda index: index):
    names = [f"{prefix}{value.replace('_', '')}={number(index)}" for index, value in enumerate(values)]
    return f"enum {{\n{wrapped(names)}\n}};\n"


note = "// Written by generate.py from the Unicode Character Database; do not edit.\n"
with open(os.path.join(here, "include", "UnicodeTables.h"), "w") as out:
    out.write(note)
    out.write("// Each code point has one record, which unicode_record finds through blocks of 8 code points and pages of 64 blocks.\n")
    out.write("#ifndef UNICODE_TABLES_H\n#define UNICODE_TABLES_H\n#include <stdint.h>\n\n")
    out.write("typedef struct {\n    uint16_t flags;\n    uint8_t lineBreak, grapheme, script, extensions, isUpright;\n} UnicodeRecord;\n\n")
    out.write("typedef struct {\n    uint32_t character, paired;\n    uint8_t kind;  // 1 opens, 2 closes\n} UnicodeBracket;\n\n")
    out.write("// Bits of UnicodeRecord.flags.\n")
    out.write(enum("UnicodeFlag", FLAGS, lambda index: 1 << index))
    out.write("// Line_Break, Grapheme_Cluster_Break and Script, by the database's short names.\n")
    out.write(enum("LineBreak", LINE) + enum("Grapheme", GRAPHEME) + enum("Script", SCRIPTS))
    out.write(f"enum {{ UnicodeScriptCount = {len(SCRIPTS)}, UnicodeBracketCount = {len(brackets)}, UnicodeLow = {LOW}, UnicodeMiddle = {MIDDLE} }};\n\n")
    out.write(f"extern const uint16_t unicode_index[{len(first)}];\n")
    out.write(f"extern const uint16_t unicode_pages[{len(pages)}];\n")
    out.write(f"extern const uint16_t unicode_blocks[{len(blocks)}];\n")
    out.write(f"extern const UnicodeRecord unicode_records[{len(records)}];\n")
    out.write("/// ISO 15924 tags of the scripts, the first letter in the highest byte.\n")
    out.write(f"extern const uint32_t unicode_script_tags[{len(SCRIPTS)}];\n")
    out.write("/// Script_Extensions: a set begins at unicode_extension_starts[record.extensions] and ends where the next begins.\n")
    out.write(f"extern const uint16_t unicode_extension_starts[{len(EXTENSIONS) + 1}];\n")
    out.write(f"extern const uint8_t unicode_extension_scripts[{sum(map(len, EXTENSIONS))}];\n")
    out.write("/// Bidi_Paired_Bracket, ascending.\n")
    out.write(f"extern const UnicodeBracket unicode_brackets[{len(brackets)}];\n\n")
    out.write("""/// The properties of a code point; those of U+FFFF for numbers beyond Unicode. Constant time.
static inline UnicodeRecord unicode_record(uint32_t character) {
    uint32_t c = character < 0x110000 ? character : 0xFFFF;
    uint32_t page = unicode_index[c >> (UnicodeLow + UnicodeMiddle)];
    uint32_t block = unicode_pages[page << UnicodeMiddle | (c >> UnicodeLow & ((1u << UnicodeMiddle) - 1))];
    return unicode_records[unicode_blocks[block << UnicodeLow | (c & ((1u << UnicodeLow) - 1))]];
}

/// The other half of a paired bracket, or 0; `kind` becomes 1 for an opening, 2 for a closing one.
static inline uint32_t unicode_bracket(uint32_t character, uint8_t *kind) {
    int low = 0, high = UnicodeBracketCount;
    while (low < high) {
        int middle = (low + high) / 2;
        if (unicode_brackets[middle].character < character) low = middle + 1;
        else high = middle;
    }
    if (low == UnicodeBracketCount || unicode_brackets[low].character != character) return 0;
    *kind = unicode_brackets[low].kind;
    return unicode_brackets[low].paired;
}

static inline uint32_t unicode_script_tag(uint8_t script) {
    return script < UnicodeScriptCount ? unicode_script_tags[script] : 0;
}

/// The scripts that use the character beside its own; `count` becomes their number.
static inline const uint8_t *unicode_extensions(UnicodeRecord record, int *count) {
    uint16_t start = unicode_extension_starts[record.extensions];
    *count = unicode_extension_starts[record.extensions + 1] - start;
    return unicode_extension_scripts + start;
}

#endif
""")

starts, flat = [], []
for entry in EXTENSIONS:
    starts.append(len(flat))
    flat += [SCRIPTS.index(tag) for tag in entry]
starts.append(len(flat))
with open(os.path.join(here, "UnicodeTables.c"), "w") as out:
    out.write(note + '#include "UnicodeTables.h"\n\n')
    out.write(array(f"const uint16_t unicode_index[{len(first)}]", first))
    out.write(array(f"const uint16_t unicode_pages[{len(pages)}]", pages))
    out.write(array(f"const uint16_t unicode_blocks[{len(blocks)}]", blocks))
    out.write(array(f"const UnicodeRecord unicode_records[{len(records)}]", ["{%d,%d,%d,%d,%d,%d}" % r for r in records]).replace("},{", "}, {"))
    out.write(array(f"const uint32_t unicode_script_tags[{len(SCRIPTS)}]", [hex(int.from_bytes(t.encode(), "big")) for t in SCRIPTS]))
    out.write(array(f"const uint16_t unicode_extension_starts[{len(starts)}]", starts))
    out.write(array(f"const uint8_t unicode_extension_scripts[{len(flat)}]", flat))
    out.write(array(f"const UnicodeBracket unicode_brackets[{len(brackets)}]", ["{%d,%d,%d}" % b for b in brackets]))
print(len(records), "records,", 2 * (len(first) + len(pages) + len(blocks)), "bytes")
