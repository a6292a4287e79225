#!/usr/bin/env python3
"""Writes the small fonts that fuzzing bends: Fixtures/fuzz/fonts.

    make_fonts.py [FOLDER]

Needs fontTools. The outlines are squares and triangles; what counts is that each kind of table is there: TrueType and CFF
outlines, composites, kerning, ligatures, marks, colour layers, variations, and CFF2 outlines with two axes.
"""
import os, sys
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables.otTables import HVAR
from fontTools.varLib import builder

LETTERS = {"A": "triangle", "V": "triangle", "f": "square", "i": "square", "one": "square", "two": "triangle", "three": "square",
           "o": "square", "r": "square", "d": "triangle", "W": "triangle", "e": "square"}
NAMES = [".notdef", "space", *LETTERS, "f_i", "acutecomb", "eacute", "layer"]
FEATURES = """
languagesystem DFLT dflt;
languagesystem latn dflt;
markClass acutecomb <anchor 100 500> @top;
feature kern { pos A V -120; pos V A -100; pos f one <10 0 20 0>; } kern;
feature liga { sub f i by f_i; } liga;
feature calt { sub one' two by three; } calt;
feature mark { pos base e <anchor 200 500> mark @top; pos base o <anchor 200 500> mark @top; } mark;
"""


def draw(pen, shape):
    pen.moveTo((50, 0))
    if shape == "triangle":
        pen.lineTo((200, 700))
    else:
        pen.lineTo((50, 500))
        pen.lineTo((350, 500))
    pen.lineTo((350, 0))
    pen.closePath()


def build(cubic):
    font = FontBuilder(1000, isTTF=not cubic)
    font.setupGlyphOrder(NAMES)
    points = {"A": "A", "V": "V", "f": "f", "i": "i", "1": "one", "2": "two", "3": "three", "o": "o", "r": "r", "d": "d", "W": "W",
              "e": "e", " ": "space", "\u0301": "acutecomb", "é": "eacute"}
    font.setupCharacterMap({ord(letter): name for letter, name in points.items()})
    glyphs = {}
    for name in NAMES:
        pen = T2CharStringPen(400, None) if cubic else TTGlyphPen(glyphs)
        if name == "eacute" and not cubic:
            pen.addComponent("e", (1, 0, 0, 1, 0, 0))
            pen.addComponent("acutecomb", (0.5, 0, 0, 0.5, 100, 300))
        elif name != "space":
            draw(pen, LETTERS.get(name, "square"))
        glyphs[name] = pen.getCharString() if cubic else pen.glyph()
    if cubic:
        font.setupCFF("Fuzz", {"FullName": "Fuzz"}, glyphs, {})
    else:
        font.setupGlyf(glyphs)
    font.setupHorizontalMetrics({name: (0 if name == "acutecomb" else 400, 50) for name in NAMES})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "Fuzz", "styleName": "Regular"})
    font.setupOS2(sTypoAscender=800, sTypoDescender=-200, sxHeight=500, sCapHeight=700)
    font.setupPost()
    font.addOpenTypeFeatures(FEATURES)
    if not cubic:
        font.setupCOLR({"W": [("layer", 0), ("A", 1)], "d": [("layer", 1)]})
        font.setupCPAL([[(1, 0, 0, 1), (0, 0, 1, 0.5)]])
        font.setupFvar([("wght", 100, 400, 900, "Weight")], [])
        font.setupGvar({"A": [], "o": []})
    return same_every_time(font)


def varying():
    """A is a triangle whose right foot moves with the weight, B a square; all get wider with the width."""
    font, names = FontBuilder(1000, isTTF=False), [".notdef", "space", "A", "B"]
    font.setupGlyphOrder(names)
    font.setupCharacterMap({0x20: "space", 0x41: "A", 0x42: "B"})
    font.setupHorizontalMetrics({name: (600, 0) for name in names})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "Varying", "styleName": "Regular"})
    font.setupOS2(sTypoAscender=800, sTypoDescender=-200, sxHeight=500, sCapHeight=700)
    font.setupPost()
    font.setupFvar([("wght", 100, 400, 900, "Weight"), ("wdth", 50, 100, 200, "Width")], [])
    programs = {
        ".notdef": [], "space": [],
        "A": [50, 0, "rmoveto", 400, 0, 100, 0, 0, 0, 2, "blend", "rlineto", -200, 700, "rlineto"],
        "B": [100, 0, "rmoveto", 400, "hlineto", 700, "vlineto", -400, "hlineto"],
    }
    regions = [{"wght": (0, 1, 1)}, {"wdth": (0, 1, 1)}]
    font.setupCFF2({name: T2CharString(program=program) for name, program in programs.items()}, regions=regions)
    advances = HVAR()
    advances.Version = 0x00010000
    advances.VarStore = builder.buildVarStore(
        builder.buildVarRegionList(regions, ["wght", "wdth"]), [builder.buildVarData([0, 1], [[0, 200]] * len(names), optimize=False)])
    advances.AdvWidthMap = advances.LsbMap = advances.RsbMap = None
    font.font["HVAR"] = newTable("HVAR")
    font.font["HVAR"].table = advances
    return same_every_time(font)


def same_every_time(font):
    font.font["head"].created = font.font["head"].modified = 0
    font.font.recalcTimestamp = False
    return font


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../../Fixtures/fuzz/fonts")
    os.makedirs(folder, exist_ok=True)
    for name, cubic in (("plain.ttf", False), ("cubic.otf", True)):
        build(cubic).save(os.path.join(folder, name))
    varying().save(os.path.join(folder, "varying.otf"))
    font = TTFont(os.path.join(folder, "plain.ttf"), recalcTimestamp=False)
    font.flavor = "woff"
    font.save(os.path.join(folder, "plain.woff"))


main()
