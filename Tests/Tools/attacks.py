#!/usr/bin/env python3
"""Hostile inputs: the cost of each, how it ends, and what comes out.

    attacks.py [--program .build/release/fancytext] [--only WORD] [--untrusted] [--batch] [--check]
    attacks.py --page FILE.md

Each attack is a document of at most some 64 KB (or a few files; names take up to 600 KB) and a command. The table shows the exit
status, the time, the peak of resident memory and the worst message. An attack breaks the promise if the program is killed, traps
or hangs, takes more than 3 s or 512 MiB (with --untrusted 1 s or 256 MiB), ends with a status that its row does not allow, or
writes bytes that its row forbids. --batch sends the attacks to `fancytext batch`, each followed by an ordinary request. --page
runs each attack that costs much both ways and writes the page of the documentation.
"""
import argparse, base64, collections, itertools, json, os, platform, re, resource, shutil, struct, subprocess, sys, tempfile, threading, time, zlib

import attack_parts

MIB = 1 << 20


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, salt=0):
    """One bit each pixel, all of them white: 49 million pixels in 6 KB. `salt` makes files that differ."""
    packer = zlib.compressobj(9)
    row = b"\0" + b"\xff" * ((width + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
            + chunk(b"tEXt", b"n\0%d" % salt) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def uri(data, kind):
    return f"data:{kind};base64," + base64.b64encode(data).decode()


def svg(body, size=200):
    text = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{size}" height="{size}">{body}</svg>'
    return f'<p>before</p><img alt="picture" src="{uri(text.encode(), "image/svg+xml")}"><p>after</p>'


def filtered(primitive, more=""):
    return svg(f'<filter id="f">{primitive}</filter><rect width="200" height="200" fill="red" filter="url(#f)" {more}/>')


def woff(size):
    """A WOFF file of zeros: one table that says what it becomes."""
    packed = zlib.compress(bytes(size), 9)
    head = struct.pack(">4sIIHHIHHIIIII", b"wOFF", 0x00010000, 44 + 20 + len(packed), 1, 0, 12 + 16 + size, 1, 0, 0, 0, 0, 0, 0)
    return head + struct.pack(">4sIIII", b"glyf", 64, len(packed), size, 0) + packed


def jpeg_scans(width, height, count):
    """A progressive JPEG of one colour, without anything but scans that skip all blocks."""
    def segment(marker, data):
        return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data
    # One code, of one bit: a run of 32,767 blocks without coefficients, whose length takes 14 bits more.
    table = segment(0xC4, bytes([0x10, 1] + [0] * 15 + [0xE0]))
    blocks = -(-width // 8) * (-(-height // 8))
    bits = ("0" + "1" * 14) * (blocks // 32767 + 1)
    packed = int(bits.ljust(-(-len(bits) // 8) * 8, "1"), 2).to_bytes(-(-len(bits) // 8), "big").replace(b"\xff", b"\xff\x00")
    scan = segment(0xDA, bytes([1, 1, 0, 1, 63, 0])) + packed
    frame = segment(0xC2, struct.pack(">BHHBBBB", 8, height, width, 1, 1, 0x11, 0))
    return b"\xff\xd8" + segment(0xDB, bytes([0]) + b"\x10" * 64) + frame + table + scan * count + b"\xff\xd9"


def gif(width, height, frame_width, frame_height):
    """A GIF with a single frame of one colour, as much of it as 60 KB hold."""
    data = b"\x04" + b"\x01\x00" * 30000
    blocks = b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255)) + b"\0"
    return (b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF0, 0, 0) + bytes(6)
            + b"," + struct.pack("<HHHHB", 0, 0, frame_width, frame_height, 0x40) + b"\x02" + blocks + b";")


BIG = png(7000, 7000)
LAYER = '<div style="opacity:.9;width:600px;height:30000px;background:#eee">'


def nested(count, start, end="</div>", middle="x"):
    return start * count + middle + end * count


def laughs(levels, width, use):
    rules = "".join(f"--v{i}:" + f"var(--v{i - 1}) " * width + ";" for i in range(1, levels))
    return f"<style>:root{{--v0:lol ;{rules}}}{use % ('var(--v%d)' % (levels - 1))}</style><p>text"


PNG_OUT = ["render", "-o", "out.png"]
VECTORS = (["render", "-o", "out.svg"], ["render", "-o", "out.pdf"])
TEXTS = [["render", "--format", name] for name in ("ansi", "text", "markdown", "html", "json")]
ATTACKS = []
Attack = collections.namedtuple("Attack", "name command text files forbids ends alone")


def attack(name, text, *commands, files=None, forbids=None, ends=None, alone=False):
    """`forbids` is an expression that no output may match; `ends` are the statuses allowed, by default 0 where an output is checked.
    `alone` is true for what is no request of `fancytext batch`."""
    for command in commands or (PNG_OUT,):
        ATTACKS.append(Attack(name, list(command), text, files or {}, forbids, ends or ((0,) if forbids else (0, 1, 2)), alone))


# SVG files, which another library draws.
numbers = " ".join(["1"] * 900)
attack("svg: feConvolveMatrix 30x30", filtered(f'<feConvolveMatrix order="30" kernelMatrix="{numbers}"/>'))
attack("svg: feTurbulence 100,000 octaves", filtered('<feTurbulence numOctaves="100000" baseFrequency=".1"/>'))
attack("svg: feMorphology radius 500", svg('<filter id="f"><feMorphology radius="500" operator="dilate"/></filter><rect width="2000" height="2000" filter="url(#f)"/>', 2000))
attack("svg: 200 blurs in a row", svg('<filter id="f">' + '<feGaussianBlur stdDeviation="90"/>' * 200 + '</filter><rect width="2000" height="2000" filter="url(#f)"/>', 2000))
attack("svg: blur of a huge deviation", filtered('<feGaussianBlur stdDeviation="1e9"/>'))
attack("svg: 300 masks", svg("".join(f'<mask id="m{i}"><rect width="1000" height="1000" fill="#fff" {f"""mask="url(#m{i - 1})" """ if i else ""}/></mask>' for i in range(300)) + '<rect width="1000" height="1000" mask="url(#m299)"/>', 1000))
attack("svg: 200 KB of Hindi", svg('<text font-size="20">' + "क्षत्रिय " * 9000 + "</text>"))
attack("svg: groups in groups", svg("<g opacity='.9'>" * 3000 + "<rect width='9' height='9'/>" + "</g>" * 3000))
attack("svg: use of use of use", svg('<g id="a0"><rect width="9" height="9"/></g>' + "".join(f'<g id="a{i}">' + f'<use xlink:href="#a{i - 1}"/>' * 10 + "</g>" for i in range(1, 9)) + '<use xlink:href="#a8"/>'))
attack("svg: patterns of patterns", svg("".join(f'<pattern id="p{i}" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="9" height="9" fill="{f"url(#p{i - 1})" if i else "red"}"/></pattern>' for i in range(30)) + '<rect width="200" height="200" fill="url(#p29)"/>'))
attack("svg: a pattern of tiny tiles", svg('<pattern id="p" width=".0001" height=".0001" patternUnits="userSpaceOnUse"><rect width="9" height="9" fill="red"/></pattern><rect width="200" height="200" fill="url(#p)"/>'))
attack("svg: dashes without end", svg('<path d="M0 0H1e8" stroke="red" stroke-dasharray=".001"/>'))
attack("svg: inline, places of letters in pieces", '<svg><text dx="' + "1 " * 40000 + '">' + "a<!-- -->" * 40000 + "</text></svg>")
attack("svg: inline, an element and a rule for each", "<style>" + "".join(f".c{i}{{fill:rgb({i % 256} 0 0)}}" for i in range(9000)) + "</style><svg>" + "".join(f'<rect class="c{i}" width="9" height="9"/>' for i in range(9000)) + "</svg>")
attack("svg: inline, filters referred to by many", '<svg><filter id="f">' + '<feColorMatrix values="1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0"/>' * 2000 + "</filter></svg>" + "".join(f'<i style="filter:url(#f);top:{i}px">a</i>' for i in range(2000)))
attack("a menu of 50,000 options", "<select>" + "<option>option</option>" * 50000 + "</select>")
attack("svg: a picture in a picture", svg(f'<image width="200" height="200" xlink:href="{uri(BIG, "image/png")}"/>'))
attack("svg: entities of entities", '<img src="' + uri(('<!DOCTYPE svg [<!ENTITY a0 "aaaaaaaaaa">' + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)) + ']><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&a9;</text></svg>').encode(), "image/svg+xml") + '">')
attack("svg: 9,000 px at 9,000 px", f'<img width="9000" height="9000" src="{uri(b"""<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="9"/></svg>""", "image/svg+xml")}">', [*PNG_OUT, "--width", "9000"])

# Pictures.
attack("a JPEG of 800 scans of 48 million pixels", '<p>before<img width=200 src="a.jpg">after', files={"a.jpg": lambda: jpeg_scans(8000, 6000, 800)})
attack("a GIF whose frame is larger than its screen", '<img width=200 src="a.gif">', files={"a.gif": lambda: gif(1, 1, 65535, 65535)})

# Memory that adds up.
attack("30 opacity layers of 30,000 px", nested(30, LAYER))
attack("a PNG of 7,000 x 7,000 ten times", "".join(f'<img width="50" src="b{i}.png">' for i in range(10)), files={f"b{i}.png": lambda i=i: png(7000, 7000, i) for i in range(10)})
attack("a PNG of 7,000 x 7,000 thirty times", "".join(f'<img width="50" src="b{i}.png">' for i in range(30)), files={f"b{i}.png": lambda i=i: png(7000, 7000, i) for i in range(30)})
attack("a PNG of 7,000 x 7,000 at 9,000 x 9,000", '<img width="9000" height="9000" src="b.png">', files={"b.png": lambda: BIG})
attack("a WOFF of 600 MB in 600 KB", "<style>@font-face{font-family:F;src:url(f.woff)}p{font-family:F}</style><p>text", files={"f.woff": lambda: woff(600 * MIB)})
attack("a WOFF of 600 MB ten times", "<style>" + "".join(f"@font-face{{font-family:F{i};src:url(f.woff)}}.c{i}{{font-family:F{i}}}" for i in range(10)) + "</style>" + "".join(f"<p class=c{i}>text" for i in range(10)), files={"f.woff": lambda: woff(600 * MIB)})

# Generated text.
dots = "." * 1000
attack("counters() in 500 nested boxes", f'<style>div{{counter-reset:c}}div::before{{counter-increment:c;content:counters(c,"{dots}")}}</style>' + nested(500, "<div>"), PNG_OUT, ["render", "--format", "json"], ["render", "--format", "ansi"], ["render", "--format", "markdown"], ["strip"])
attack("content of 30 KB in 500 boxes", f'<style>p::before{{content:"{"x" * 30000}"}}</style>' + "<p>a" * 500, PNG_OUT, ["render", "--format", "json"], ["render", "--format", "ansi"], ["strip"])
attack("list-style of 20 KB in 5,000 items", f'<style>li{{list-style:"{"x" * 20000}"}}</style>' + "<li>a" * 5000, PNG_OUT, ["render", "--format", "json"], ["render", "--format", "ansi"], ["strip"], ["render", "--format", "markdown"])
attack("quotes of 20 KB", f'<style>q{{quotes:"{"x" * 20000}" "y"}}</style>' + "<q>a</q>" * 4000, PNG_OUT, ["strip"])
attack("attr() of 30 KB in every paragraph", f'<style>.a p::before{{content:attr(x)}}</style><div class=a>' + f'<p x="{"y" * 25000}">a' + "<p>b" * 100)

# Values that refer to values.
attack("var() of var() in content", laughs(30, 10, "p::before{content:%s}"))
attack("var() of var() in a font", laughs(30, 10, "p{font-family:%s}"))
attack("rules in a rule", "<style>a{" + "b{}" * 80000 + "}</style><p>text")
attack("at-rules in a rule", "<style>a{" + "@media print{}" * 80000 + "}</style><p>text")
attack("calc() in calc()", "<style>p{width:" + "calc(1px + " * 20000 + "1px" + ")" * 20000 + "}</style><p>text")
attack("@import of itself", "<style>@import url(a.css)</style><p>text", files={"a.css": lambda: b"@import url(a.css); @import url(b.css);", "b.css": lambda: b"@import url(a.css);"})
attack("@import of ten of ten of ten", "<style>@import url(a0.css)</style><p>text", files={f"a{i}.css": lambda i=i: b"".join(b"@import url(a%d.css?%d);" % (i + 1, j) for j in range(10)) for i in range(8)})
attack(":has() of :has()", "<style>" + "".join(f"div:has(div:has(div:has(p.c{i} ~ p))) p.x{i}{{color:red}}" for i in range(600)) + "</style>" + nested(300, "<div>", middle="<p class=c1>a<p>b"))
attack(":not() of a long list", "<style>:not(" + ",".join(f".a{i} .b{i} > .c" for i in range(2500)) + "){color:red}</style>" + "<p class=c>a" * 1000)
attack("attribute selectors in great numbers", "<style>" + "".join(f"[a*='{'x' * 9}{i}']{{color:red}}" for i in range(1800)) + "</style>" + f"<p a='{'x' * 200}'>a" * 60)
attack(":nth-child of S", "<style>" + "".join(f"p:nth-child({i}n+1 of p:not(.a{i})){{color:red}}" for i in range(500)) + "</style>" + "<p>a" * 5000)

# Layout.
attack("a grid of repeat(10000)", "<div style='display:grid;grid-template-columns:repeat(10000,1fr);grid-template-rows:repeat(10000,1px)'><p>a</div>", PNG_OUT, ["render", "--format", "ansi"])
attack("a grid at line 1,000,000", "<div style='display:grid'><p style='grid-area:1000000/1000000'>a</div>")
attack("grids in grids", nested(300, "<div style='display:grid;grid-template-columns:repeat(20,minmax(auto,1fr))'>"))
attack("flex boxes in flex boxes", nested(400, "<div style='display:flex'><p>a</p>"), PNG_OUT, ["render", "--format", "ansi"])
attack("tables in tables", nested(500, "<table><tr><td>a<td>", "</table>"), PNG_OUT, ["render", "--format", "ansi"], ["strip"])
attack("columns in columns", nested(200, "<div style='columns:5'>", middle="a b c " * 500))
attack("a million columns", "<div style='columns:1000000;column-gap:0'>" + "a b c " * 5000 + "</div>")
attack("colspan and rowspan 65534", "<table>" + "<tr>" + "<td colspan=1000 rowspan=65534>a" * 500 + "</table>", PNG_OUT, ["render", "--format", "ansi"], ["strip"], ["render", "--format", "markdown"])
attack("floats beside floats", "<div style='float:left;width:3px;height:2px'></div>" * 1000 + "<div style='float:right;width:3px;height:3px'>a</div>" * 200 + "text " * 500)
attack("a picture of a million px", "<div style='height:1000000px'>a</div>")
attack("1,000 tails of 60 KB", "<div style='max-height:1em;overflow:hidden'>" + "words and words " * 4000 + "</div>")
attack("everything is a flex box", "<style>*{display:flex}</style>" + "</div></table><u>q<img src=x><table><tr><td>c" * 1000, PNG_OUT, ["render", "--format", "ansi"])
attack("everything is a grid", "<style>*{display:grid}</style>" + "</div></table><u>q<img src=x><table><tr><td>c" * 1000, PNG_OUT, ["render", "--format", "ansi"])
attack("a margin of 1e30", "<p style='margin:1e30px;padding:1e30px;font-size:1e30px'>a")
attack("a font of 20,000 px", "<p style='font-size:20000px'>" + "W" * 500)
attack("tabs of 100,000 px", "<pre style='tab-size:100000'>" + "\ta" * 3000, PNG_OUT, ["render", "--format", "ansi"])
attack("letter-spacing in ruby in ruby", nested(500, "<ruby>a<rt>", "</ruby>"))

attack("a grid of 7,000 named areas", "<div style='display:grid;grid-template-areas:\"" + " ".join(f"a{i}" for i in range(7000)) + "\"'>" + "".join(f"<i style='grid-area:a{i}'>x</i>" for i in range(300)) + "</div>")
attack("a dense grid of wide items", "<div style='display:grid;grid-auto-flow:dense;grid-template-columns:repeat(500,1px)'>" + "".join(f"<i style='grid-column:span {1 + i % 400};grid-row:span {1 + i % 300}'>x</i>" for i in range(1000)) + "</div>")
attack("2,000 counters in 3,000 scopes", "<style>div{counter-reset:" + " ".join(f"c{i}" for i in range(2000)) + "}</style>" + nested(3000, "<div>"), PNG_OUT, ["strip"])
attack("1,500 properties of one's own in 1,500 boxes", "<style>" + "".join(f".c{i}{{--a{i}:1}}" for i in range(1500)) + "</style>" + "".join(f"<div class=c{i}>" for i in range(1500)))
attack("shrink-to-fit in shrink-to-fit", nested(1500, "<div style='position:absolute;right:0'>", "</div>", "words " * 100))
attack("a shape of 4,000 corners beside text", "<div style='float:left;width:300px;height:9000px;shape-outside:polygon(" + ",".join(f"{i % 97}% {i % 89}%" for i in range(4000)) + ")'></div>" + "words " * 3000)
attack("a shape of 1,000 corners beside text", "<div style='float:left;width:300px;height:9000px;shape-margin:9px;shape-outside:polygon(" + ",".join(f"{i % 97}% {i % 89}%" for i in range(1000)) + ")'></div>" + "words " * 3000)
attack("2,000 floats with shapes beside narrow text", "<div style='width:40px'>" + "<div style='float:left;width:30px;height:900px;shape-outside:circle(50%);shape-margin:9px'></div>words " * 2000)
attack("subgrids in subgrids", nested(200, "<div style='display:grid;grid-template:subgrid/subgrid;grid-column:span 2'><i>a</i>", "</div>"))
attack("10,000 subgrids of a grid", "<div style='display:grid;grid-template-columns:repeat(99,auto)'>" + "<div style='display:grid;grid-column:1/-1;grid-template-columns:subgrid'><i>a</i><i>b</i></div>" * 10000)
attack("counter styles of long symbols", "<style>" + "".join(f"@counter-style c{i}{{system:symbolic;symbols:'{'x' * 200}';fallback:c{i + 1};pad:1000000 '{'y' * 200}'}}" for i in range(100)) + "li{list-style:c0}</style><ol start=119>" + "<li>a" * 3000, PNG_OUT, ["strip"])
attack("a page break behind each of 2,000 paragraphs", "<p style='break-after:page'>a" * 2000, ["render", "-o", "o.pdf", "--page", "A4"])
attack("text a pixel wide on thousands of pages", "<p style='text-decoration:wavy underline'>" + "a " * 32000, ["render", "-o", "o.pdf", "--page", "A5", "--width", "1"])
attack("moved text a pixel wide on thousands of pages", "<p style='transform:translate(1px)'>" + "a " * 32000, ["render", "-o", "o.pdf", "--page", "A5", "--width", "1"])

# Painting.
attack("100 shadows with blurs of 1,000 px", f"<div style='width:600px;height:600px;box-shadow:{','.join(['0 0 1000px 500px red'] * 100)}'></div>")
attack("10,000 text shadows", f"<p style='text-shadow:{','.join(['1px 1px 50px red'] * 2500)}'>" + "words " * 500)
attack("a blur of 10,000 px on a box of 10,000 px", "<div style='filter:blur(10000px);width:10000px;height:9000px;background:red'>a</div>")
attack("200 filters in a row", f"<div style='filter:{'blur(90px) ' * 200};width:3000px;height:3000px;background:red'>a</div>")
attack("300 blurs in each other", nested(300, "<div style='filter:blur(5px)'>", middle="<p style='height:5000px'>a"))
attack("backdrops in each other", nested(200, "<div style='backdrop-filter:blur(40px);height:5000px;opacity:.9'>"))
attack("masks in masks", nested(200, "<div style='mask-image:linear-gradient(red,transparent);height:5000px'>"))
attack("blend modes in each other", nested(300, "<div style='mix-blend-mode:multiply;height:5000px;background:#eee'>"))
attack("transforms in transforms", nested(500, "<div style='transform:scale(9) rotate(3deg);background:#eee'>"))
attack("gradients of 5,000 stops", f"<div style='height:9000px;background:linear-gradient({','.join(['red', 'blue'] * 2500)})'></div>" * 2)
attack("3,000 gradients on a box", f"<div style='height:9000px;background:{','.join(['linear-gradient(rgba(1,1,1,.1),red)'] * 1700)}'></div>")
attack("repeating gradients without width", "<div style='height:9000px;background:repeating-conic-gradient(red 0 0.0001deg,blue 0 0.0002deg),repeating-radial-gradient(red 0 1e-9px,blue 2e-9px)'></div>")
attack("a background of tiles of 0.01 px", "<div style='height:3000px;background:linear-gradient(red,blue) 0 0/0.01px 0.01px'></div>", PNG_OUT, ["render", "-o", "out.svg"], ["render", "-o", "out.pdf"])
attack("a clip path of 10,000 corners", f"<div style='height:9000px;background:red;clip-path:polygon({','.join(f'{i % 97}% {i % 89}%' for i in range(7000))})'></div>")
attack("dotted borders of 9,000 px", "<div style='border:1px dotted red;height:9000px;border-radius:9px'></div>" * 100)
attack("wavy lines under all", "<p style='text-decoration:wavy underline 0.01px;width:90000px'>" + "words " * 9000)
attack("5,000 layers of a full page", "<div style='position:absolute;inset:0;height:9000px;background:rgba(1,1,1,.01)'></div>" * 700)
attack("opacity layers in SVG and PDF", nested(60, LAYER), ["render", "-o", "out.svg"], ["render", "-o", "out.pdf"])
attack("blurred shadows in SVG and PDF", "<div style='width:3000px;height:3000px;box-shadow:0 0 300px red'></div>" * 30, ["render", "-o", "out.svg"], ["render", "-o", "out.pdf"])
attack("20,000 glyphs of a stroke", "<p style='-webkit-text-stroke:30px red;font-size:60px'>" + "W@&" * 20000, PNG_OUT, ["render", "-o", "out.svg"])

# Text.
attack("text-overflow of 20 KB on 2,000 lines", "<style>p{overflow:hidden;width:9px;white-space:nowrap;text-overflow:\"" + "x" * 20000 + "\"}</style>" + "<p>words" * 2000, PNG_OUT, ["render", "--format", "ansi"])
attack("60 KB of combining marks", "<p>a" + "\u0301" * 30000, PNG_OUT, ["render", "--format", "ansi"], ["strip"])
attack("60 KB of bidi controls", "<p>" + "\u202ea\u2067" * 9000, PNG_OUT, ["render", "--format", "ansi"])
attack("60 KB of Hindi without a space", "<p>" + "क्ष" * 7000)
attack("60 KB of one word", "<p style='hyphens:auto;overflow-wrap:anywhere' lang=en>" + "a" * 60000, PNG_OUT, ["render", "--format", "ansi"])
attack("text-wrap: balance of 60 KB", "<p style='text-wrap:balance'>" + "some words " * 5500, [*PNG_OUT, "--width", "60"])
attack("lines fitted to the width", "<p>" + "some words<br>" * 4000, [*PNG_OUT, "--fit-lines"])
attack("code in colours", "<pre><code class=language-cpp>" + "/*'\"R\"(" * 8000, ["render", "--format", "ansi", "--color", "always"])
attack("Markdown of brackets", "[" * 30000 + "](" * 9000, ["render", "--from", "markdown", "-o", "out.png"], ["render", "--from", "markdown", "--format", "ansi"])
attack("Markdown of quotes and stars", "> " * 9000 + "\n" + "*a **b " * 5000, ["render", "--from", "markdown", "-o", "out.png"])
attack("Markdown tables of many columns", "|a" * 5000 + "|\n" + "|-" * 5000 + "|\n" + "|b\n" * 2000, ["render", "--from", "markdown", "--format", "ansi"], ["render", "--from", "markdown", "--format", "json"])
attack("formatting elements left open", "<b><i><u><a href=x>" * 2500 + "<p>" * 2500, PNG_OUT, ["strip"], ["select", "b"])
attack("elements in each other, all selected", "<b>" * 500 + "<i>x</i>" * 7500, ["select", "*"], ["select", "*", "--format", "json"], ["select", "*", "--text"], ["select", "*", "--field", "a=::html"])
attack("elements in each other, as records", "<b>" * 16000 + "<i>x</i>" * 2000, *[["select", "*", "--field", field] for field in ("a[]=*::html", "a[]=*::text", "a[]=*{b[]=*::text}")], ["select", "*", "--format", "markdown"], ["select", "*", "--format", "ansi"])
attack("a selector of 60 KB", "<p>a", ["select", ":is(" * 12000 + "p" + ")" * 12000], ["select", "p" + " p" * 30000])


# Names and colours that fall together in a table of FNV-1a hashes, or of products with the golden ratio, without a seed.
def together(count, bits, shift):
    """Names whose places in a table of so many bits lie in a sixteenth of it: linear probing looks at thousands of others."""
    names, prefix = [], 0xCBF29CE484222325
    for byte in b"x-":
        prefix = (prefix ^ byte) * 0x100000001B3 & 2 ** 64 - 1
    for letters in itertools.product(b"abcdefghijklmnopqrstuvwxyz", repeat=5):
        value = prefix
        for byte in letters:
            value = (value ^ byte) * 0x100000001B3 & 2 ** 64 - 1
        if (value * 0x9E3779B97F4A7C15 & 2 ** 64 - 1) >> shift & 2 ** bits - 1 < 2 ** (bits - 4):
            names.append("x-" + bytes(letters).decode())
            if len(names) == count:
                return names


def colours(count):
    """Opaque colours of one slot."""
    same = (c for c in range(1 << 24) if ((0xFF000000 | c) * 0x9E3779B1 & 0xFFFFFFFF) >> 21 == 7)
    return ["#%02x%02x%02x" % (c & 255, c >> 8 & 255, c >> 16) for c in itertools.islice(same, count)]


attack("30,000 tag names that fall together", lambda: "".join(f"<{name}>a</{name}>" for name in together(30000, 16, 32)), ["strip"], ["select", "p"], PNG_OUT)
attack("40,000 attributes that fall together", lambda: "<p " + " ".join(together(40000, 17, 20)) + ">a", ["strip"], ["select", "p"])
attack("255 colours that fall together", lambda: "<style>body{margin:0}div{height:1px;background:0/255px 1px linear-gradient(90deg," + ",".join(f"{c} {i}px {i + 1}px" for i, c in enumerate(colours(255))) + ")}</style>" + "".join(f"<div style=background-position:{i * 37 % 255}px></div>" for i in range(2500)), [*PNG_OUT, "--width", "5000"])


# What one element brings is small; how often it is used is not.
attack("a property of 20 KB in each of 1,500 properties", "<style>:root{--x:" + "a " * 10000 + "}p{font-family:var(--x)}</style>" + "".join(f"<p style='--y{i}:var(--x)'>a" for i in range(1500)), PNG_OUT, ["strip"])
attack("4,000 layers", "<style>" + "".join(f"@layer a{i}{{}}" for i in range(4000)) + "</style><p>a")
attack("a layer 8,000 deep", "<style>@layer " + ".".join(f"a{i}" for i in range(8000)) + "{p{color:red}}</style><p>a")
attack("a base of 400 KB for 2,000 links", "<base href='http://h/" + "a" * 400000 + "/'>" + "<a href=a>b</a>\n" * 2000, PNG_OUT, *VECTORS)
attack("1,500 layers in a clip of 1,500 parts", "<style>.c{columns:2000;column-gap:0;width:4000px;column-fill:auto;height:40px}.b{overflow:clip}p{position:relative;z-index:1;margin:0;line-height:20px}</style><div class=c><div class=b>" + "<p>a" * 1500 + "</div></div>", PNG_OUT, *VECTORS)
attack("a border image of a million tiles", "<div style='width:900px;height:900px;border:1px solid;border-image:linear-gradient(red,blue) 449 fill / 1px repeat'></div>" * 400, PNG_OUT, *VECTORS)
attack("a picture of 96 million different pixels", "<div style='height:120000px;background:repeating-conic-gradient(red,#0f0,blue 1deg)'></div>")
attack("1,600 backgrounds of tiles of a pixel", "<p style='height:900px;background:" + ",".join(["linear-gradient(red,blue) 0 0/1px 1px"] * 1600) + "'>words", PNG_OUT, *VECTORS)
attack("underlined elements in each other", "<a><b><i><u><s>" * 2000 + "<p>" * 4000, PNG_OUT, ["render", "--format", "ansi"], ["render", "--format", "json"])
attack("deleted words in each other", "<del>x " * 9000, PNG_OUT, *VECTORS)
attack("1,000 text areas of a million rows", "<textarea rows=1000000 cols=1000000>x</textarea>" * 1000, ["render", "--format", "ansi"], PNG_OUT)
attack("dotted circles", "<div style='width:900px;height:900px;border:0.1px dotted red;border-radius:50%;margin-top:-890px'></div>" * 500, PNG_OUT, *VECTORS)
attack("dashes of 100,000,000 px", "<div style='width:1e6px;height:1e6px;border:0.1px dashed red;border-radius:9px;position:absolute'></div>" * 100, PNG_OUT, *VECTORS)
attack("500 blended backgrounds", "<div style='height:3000px;background-blend-mode:color-dodge,luminosity,hue;background:" + ",".join(["conic-gradient(red,#00f8)"] * 500) + "'></div>", PNG_OUT, *VECTORS)
attack("700 backdrops", "<i style='backdrop-filter:blur(99px);position:absolute;inset:0;height:3000px'></i>" * 700, PNG_OUT, *VECTORS)
attack("700 boxes filtered by an element", "<svg width=0 height=0><filter id=f><feTurbulence baseFrequency=.1 numOctaves=9 /><feGaussianBlur stdDeviation=9 /></filter></svg>" + "<i style='filter:url(#f);position:absolute;inset:0;height:3000px'></i>" * 700, PNG_OUT, *VECTORS)
attack("5,000 stops the long way around", f"<div style='height:3000px;background:linear-gradient(in oklch longer hue,{','.join(['red', 'blue'] * 2500)})'></div>", PNG_OUT, *VECTORS)
attack("svg in the page: use of use of use", '<svg width=99 height=99><g id=a0><rect width=9 height=9 /></g>' + "".join(f'<g id=a{i}>' + f'<use href="#a{i - 1}"/>' * 10 + "</g>" for i in range(1, 12)) + '<use href="#a11"/></svg>', PNG_OUT, *VECTORS)
attack("svg in the page: dashes on 2,500 curves", '<svg width=999 height=999><path stroke-width=99 stroke-dasharray=0.01 stroke=red d="M0 0' + "".join(f"C{i * 31 % 997} {i * 17 % 991} {i * 7 % 983} {i * 11 % 977} {i % 900} 9" for i in range(2500)) + '"/></svg>', PNG_OUT, *VECTORS)
attack("svg: a kernel behind a prefix", '<img src="' + uri(f'<s:svg xmlns:s="http://www.w3.org/2000/svg" width="200" height="200"><s:filter id="f"><s:feConvolveMatrix order="30" kernelMatrix="{numbers}"/></s:filter><s:rect width="200" height="200" filter="url(#f)"/></s:svg>'.encode(), "image/svg+xml") + '">', PNG_OUT, *VECTORS)
REPEATING = (["render", "--format", "json"], ["render", "--format", "markdown"], ["render", "--format", "ansi", "--color", "always", "--hyperlinks", "always"], *VECTORS)
for name, start in (("a link", "<a href='http://x/%s'>"), ("a class", "<p class='%s'>"), ("a font", "<p style='font-family:\"%s\"'>")):
    attack(f"{name} of 20 KB in 8,000 runs", start % ("y" * 20000) + "<b>w</b> x " * 4000, *REPEATING)
attack("a link of 20 KB in 8,000 paragraphs", "<a href='http://x/" + "y" * 20000 + "'>" + "<p>w" * 8000, *REPEATING)
attack("Markdown references of 20 KB", "[a]: " + "x" * 20000 + "\n" + "[a]" * 10000, ["render", "--from", "markdown", "--format", "json"], ["render", "--from", "markdown", "-o", "out.png"])


# Fonts.
def tables(path):
    data = open(path, "rb").read()
    return {data[at:at + 4]: data[start:start + length] for at in range(12, 12 + 16 * struct.unpack(">H", data[4:6])[0], 16)
            for start, length in [struct.unpack(">II", data[at + 8:at + 16])]}


def font(changes, text, size=20):
    """The small font of the fixtures with other tables, and text in it."""
    parts = {**tables(os.path.join(os.path.dirname(__file__), "../../Fixtures/fuzz/fonts/plain.ttf")), **changes}
    head, body = struct.pack(">IHHHH", 0x10000, len(parts), 0, 0, 0), b""
    for tag in sorted(parts):
        head += tag + struct.pack(">III", 0, 12 + 16 * len(parts) + len(body), len(parts[tag]))
        body += parts[tag] + bytes(-len(parts[tag]) % 4)
    return f"<style>@font-face{{font-family:F;src:url({uri(head + body, 'font/ttf')})}}</style><p style='font:{size}px F'>{text}"


def composites(levels, width):
    """Glyphs each of which is the one before, many times over; the first is empty, the last ones stand for letters."""
    glyphs = [b""] + [struct.pack(">hhhhh", -1, 0, 0, 500, 500) + b"".join(struct.pack(">HHbb", 0x22 if i + 1 < width else 2, level, 0, 0)
                                                                        for i in range(width)) for level in range(levels)]
    count = struct.unpack(">H", tables(os.path.join(os.path.dirname(__file__), "../../Fixtures/fuzz/fonts/plain.ttf"))[b"maxp"][4:6])[0]
    glyphs = (glyphs + [glyphs[-1]] * count)[:count]
    loca = [sum(len(g) for g in glyphs[:i]) for i in range(count + 1)]
    head = bytearray(tables(os.path.join(os.path.dirname(__file__), "../../Fixtures/fuzz/fonts/plain.ttf"))[b"head"])
    head[50:52] = b"\0\1"
    return {b"glyf": b"".join(glyphs), b"loca": b"".join(struct.pack(">I", o) for o in loca), b"head": bytes(head), b"gvar": b"", b"COLR": b""}


attack("font: colours at 20,000 px", font({}, "Words" * 50, 19999), PNG_OUT, *VECTORS)
attack("font: glyphs of glyphs of glyphs", font(composites(9, 12), "Words AV fi"))
attack("font: a picture of 144 million pixels", font({b"sbix": struct.pack(">HHIIHHIII", 1, 1, 1, 12, 100, 72, 16, 16, 16 + 8) + b"\0\0\0\0png " + png(12000, 12000)}, "Words"))
attack("font: 8,000 layers in each letter", font({b"COLR": struct.pack(">HHIIH", 0, 19, 14, 14 + 6 * 19, 8000) + b"".join(struct.pack(">HHH", g, 0, 8000) for g in range(19)) + struct.pack(">HH", 3, 0) * 8000}, "Words AV fi 123", 200))
attack("font: WOFF of a gigabyte", f"<style>@font-face{{font-family:F;src:url({uri(woff(1000)[:16] + struct.pack('>I', 0x40000000) + woff(1000)[20:], 'font/woff')})}}</style><p style='font:20px F'>a")


# What comes out. Bytes of a page that steer a terminal; the program's own are styles and links.
CONTROLS = rb"\x1b(?!\[[\d;:]*m|\]8;|\\)|\x1b\[6;41m|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
STEERING = "\x1b[6;41mR\x1b]0;pwn\x07\x9b2J\u202eB\u2066"
attack("a page that steers the terminal", f"<p title='{STEERING}' class='language-{STEERING}'>A{STEERING}<img alt='{STEERING}'><a href='http://x/{STEERING}'>b</a>",
       *[["select", "p", *form, "--color", color] for color in ("always", "never") for form in (
           [], ["--text"], ["--attr", "title"], ["--inner"], ["--pretty"], ["--format", "json"], ["--format", "markdown"], ["--format", "ansi"],
           ["--format", "text"], ["--field", "a=::text"], ["--field", "a=::attr(title)", "--csv"], ["--field", "a=::text", "--tsv"])],
       ["strip"], ["strip", "--inner-text"], *TEXTS, forbids=CONTROLS)
# Markdown is read back by cmark-gfm with everything allowed.
attack("Markdown that is HTML when it is read", "".join(f"<p>{payload}</p>" for payload in (
    "www.&lt;img src=x onerror=alert(1)&gt;", "WWW.a.b/&lt;img src=x&gt;", "(www.a.b/&lt;script&gt;alert(1)&lt;/script&gt;", "http://&lt;img src=x onerror=alert(1)&gt;",
    "a@b.c&lt;img src=x&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;", "\\&lt;svg/onload=alert(1)&gt;", "`&lt;img src=x&gt;", "&lt;&#x202a;img src=x&gt;",
    "<b>&lt;</b>img src=x&gt;", "[a](javascript:alert(1))", "[a]: javascript:alert(1)", "&lt;javascript:alert(1)&gt;", "&lt;div&gt;<br>&lt;img src=x&gt;<br>&lt;/div&gt;",
    "<a href='&#1;javascript:alert(1)'>a</a>", "<a href='java&#9;script:alert(1)'>a</a>", "<a href='&#x202e;javascript:alert(1)'>a</a>",
    "<a href='&#x81;javascript:alert(1)'>a</a>", "<a href='x)&lt;img src=x onerror=a&gt;('>a</a>", "<a href=x title='&quot;&gt;&lt;img src=x&gt;'>a</a>")),
       ["render", "--format", "markdown"], ["select", "body", "--format", "markdown"], forbids=rb'(?i)<(img|script|svg)\b|(href|src)="[^"]*script:')
SCRIPTS = rb"(?i)(java\W*|vb)script:|data:text/html"
LINKS = "".join(f"<p><a href='{url}'>words</a><svg width=9 height=9><a href='{url}'><rect width=9 height=9 /></a></svg>" for url in (
    "javascript:a()", " JavaScript:a()", "java&#9;script:a()", "&#1;javascript:a()", "vbscript:a", "data:text/html,a"))
attack("links that are scripts", LINKS, *VECTORS, ["render", "--format", "ansi", "--color", "always", "--links", "inline"], ["render", "--format", "markdown"], forbids=SCRIPTS)
attack("links that are scripts", LINKS, [*PNG_OUT, "--image-map", "out.map"], forbids=SCRIPTS, alone=True)
for number, template in enumerate(("<style id=a></style>", "<style>{{a}}</style>", "<script id=a></script>", "<textarea id=b></textarea><script>{{a}}</script>", "<p onclick='{{a}}'>",
                                   "<p style='{{a}}'>", "<a href='{{a}}'>x</a>", "<iframe srcdoc='{{a}}'>", "<svg><a><animate attributeName=href values='#;{{a}}'/></a></svg>")):
    attack(f"a row that becomes a style or a script, {number + 1}", template + "x", ["render", "--data", "row.ndjson", "-o", "out-{id}.html"], ends=(2,),
           files={"row.ndjson": lambda: b'{"id":"1","a":"javascript:alert(1)","b":"x"}\n'})

# What ended the program, or failed as a whole.
for page in ("<div style='border:2e7px solid;box-shadow:4px 1px red'>", "<div style='padding:1e8px'>x", "<p style='transform:translate(1e9px) scale(1e9)'>x<b style='background:red'>y"):
    attack("far coordinates: " + page, page, *VECTORS, ends=(0,))
    attack("far coordinates: " + page, page)
attack("arcs without a number", "<style>t{clip-path:path('M0 0A1e-20 5 0 0 1 6 9')}p{clip-path:path('M0 0A1e39 1e-39 1e38 1 1 1e30 9z');offset-path:path('M1e39 0a1 1 0 0 1 NaN')}</style><t>x</t><p>y"
       "<svg width=9 height=9><path d='M0 0A1e-20 5 0 0 1 6 9 1e39 1e-39 9e99 1 0 1e38-1e38'/></svg>", PNG_OUT, *VECTORS, *TEXTS, ends=(0,))
attack("noncharacters, joiners and huge text", "<title>\ufffe</title><p>a\ufffeb\ufdd0c\U0001ffffd<a href='http://x/\ufffe'>x</a>क्‍षि\u200d\u200d\u0301\ufe0f👩‍\u0301👩<p style='transform:scale(9999)'>x<p style='transform:scale(1e-5)'>y",
       *VECTORS, PNG_OUT, *TEXTS, ends=(0,))
attack("22 KB of gradients", "<div style='width:5000px;height:5000px;background:" + "linear-gradient(red,blue) 0 0/3px 3px," * 560 + "red'>", *VECTORS, PNG_OUT)
number = (2 ** 62).to_bytes(8, "little")
for name, size in (("a huge number", lambda: number), ("a word", lambda: b"abc"), ("a link", "victim")):
    attack("the size of a cache is " + name, "<p>x", [*PNG_OUT, "--cache", "kept", "--cache-max-size", "100k"], ends=(0,),
           files={"kept/.fancytext-cache-size": size, "victim": lambda: number})
attack("a folder that is no cache", "<p>x", [*PNG_OUT, "--cache", "kept"], ends=(2,), files={"kept/size": lambda: number})
attack("two rows of one name", "<p>{{id}}", ["render", "--data", "row.ndjson", "-o", "out-{id}.html"], ends=(2,), alone=True,
       files={"row.ndjson": lambda: '{"id":"é"}\n{"id":"e\u0301"}\n'.encode()})


def measure(arguments, folder, lines, seconds, memory):
    """Runs a program with `lines` as its input: the files `stdout` and `stderr`, how it ended and what it took."""
    paths = [os.path.join(folder, name) for name in ("stdin", "stdout", "stderr")]
    with open(paths[0], "wb") as file:
        file.write(lines)
    with open(paths[0], "rb") as source, open(paths[1], "wb") as output, open(paths[2], "wb") as errors:
        begin = time.monotonic()
        child = subprocess.Popen(arguments, cwd=folder, stdin=source, stdout=output, stderr=errors,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
        timer = threading.Timer(seconds, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = 0
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def write(folder, files):
    for name, contents in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if isinstance(contents, str):
            os.symlink(os.path.join(folder, contents), path)
            continue
        with open(path, "wb") as file:
            file.write(contents())


def request(command, files):
    """A command as a request of `fancytext batch`."""
    name, *rest = command
    made = {"command": name}
    if name == "select":
        made["selector"] = rest.pop(0)
    if "--data" in command:
        rows = [json.loads(line) for line in files["row.ndjson"]().splitlines()]
        made |= {"template": "t", "row": rows[0]}
    else:
        made["file"] = "in.html"
    while rest:
        option = {"-o": "output"}.get(rest[0], rest[0].removeprefix("--"))
        value = rest.pop(1) if len(rest) > 1 and not rest[1].startswith("--") else True
        rest.pop(0)
        if option != "data":
            made[option] = value
    return made


def run(program, attack, is_strict, in_batch, seconds, memory):
    command = [attack.command[0], "--untrusted", *attack.command[1:]] if is_strict else attack.command
    text = (attack.text() if callable(attack.text) else attack.text).encode(errors="surrogatepass")
    with tempfile.TemporaryDirectory() as folder:
        files = {**attack.files, "in.html": lambda: text}
        write(folder, files)
        if in_batch:
            lines = [{**request(attack.command, files), **({"untrusted": True} if is_strict else {})}, {"html": "<p>honest", "format": "text"}]
            if "template" in lines[0]:
                lines.insert(0, {"define": "t", "html": text.decode()})
            ended = measure([program, "batch", "--jobs", "1", "--no-config"], folder, "\n".join(map(json.dumps, lines)).encode(), seconds, memory)
        else:
            ended = measure([program, *command, "--no-config", "--diagnostics", "json", "in.html"], folder, b"", seconds, memory)
        code, said, status, wrong = *complaint(open(os.path.join(folder, "stderr"), errors="replace").read().splitlines()), ended[0], ""
        with open(os.path.join(folder, "stdout"), "rb") as file:
            printed = file.read() if in_batch or attack.forbids else b""
        if in_batch:
            records = [json.loads(line) for line in printed.splitlines()]
            record, honest = records[-2:] if len(records) == len(lines) else ({"status": ended[0]}, {})
            status, printed = record["status"], record.get("text", "").encode() or base64.b64decode(record.get("data", ""))
            code, said = complaint([json.dumps(message) for message in record.get("messages", [])])
            said = record.get("error", said)
            if honest.get("text") != "honest\n":
                wrong = f"the next request: {honest}"
            if re.search("fault|ended by signal", said):
                wrong = said
        for name, contents in files.items():
            if not name.startswith("kept/") and open(os.path.join(folder, name), "rb").read() != contents():
                wrong = f"{name} was changed"
        if attack.forbids:
            made = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("out")]
            for output in [printed, *(open(path, "rb").read() for path in made)]:
                if found := re.search(attack.forbids, read_back(command, output)):
                    wrong = f"writes {found[0]!r}"
    if status not in attack.ends:
        wrong = wrong or f"status {status}"
    return Outcome(status, *ended[1:], code, wrong or said, bool(wrong))


def read_back(command, output):
    """What a reader of an output sees: the streams of a PDF file, and Markdown as HTML."""
    if output.startswith(b"%PDF"):
        streams = (zlib.decompressobj().decompress(part.lstrip(b"\r\n")) for part in output.split(b"stream")[1::2] if part.lstrip(b"\r\n")[:1] == b"x")
        return output + b"\n".join(streams)
    if "markdown" in command and shutil.which("cmark-gfm"):
        extensions = [word for name in ("autolink", "table", "strikethrough") for word in ("-e", name)]
        return output if re.search(CONTROLS, output) else subprocess.run(["cmark-gfm", "--unsafe", *extensions], input=output, capture_output=True).stdout
    return output


Outcome = collections.namedtuple("Outcome", "status took busy peak code said wrong")


def complaint(lines):
    """The code and the words of the worst message."""
    messages = []
    for line in lines:
        try:
            messages.append(json.loads(line))
        except ValueError:
            messages.append({"severity": "error", "code": "?", "message": line})
    for severity in ("error", "warning", "note"):
        # A budget's message says why, where others only say what is missing.
        worst = sorted((m for m in messages if m["severity"] == severity), key=lambda m: not m["code"].startswith("budget."))
        if worst:
            return worst[0]["code"], worst[0]["message"]
    return "", ""


def is_bad(outcome, seconds, memory):
    # Other programs may keep this one waiting: its own work counts, and that it ends (the clock allows ten times as long).
    return outcome.wrong or outcome.busy > seconds or outcome.took > 11 * seconds or outcome.peak > memory


# Seconds and MiB that are promised.
USUAL, STRICT = (3, 512), (1, 256)


def page(program, path, patience):
    rows, broken = [], 0
    costly = [attack for attack in ATTACKS if not attack.forbids and 1 in attack.ends]
    for number, attack in enumerate(costly):
        usual = run(program, attack, False, False, patience, 6 << 30)
        strict = run(program, attack, True, False, patience, 6 << 30)
        broken += is_bad(usual, *USUAL) + is_bad(strict, *STRICT)
        said = (usual.said or strict.said).split(" (--")[0]
        if len(said) > 80:
            said = said[:77] + "…"
        budget = next((o.code.removeprefix("budget.") for o in (usual, strict) if o.code.startswith("budget.")), "")
        shown = " ".join(part if len(part) < 24 else part[:21] + "…" for part in attack.command)
        cells = [attack.name, f"`{shown}`", f"`{budget}`" if budget else "", said]
        for outcome in (usual, strict):
            cells += [str(outcome.status), f"{outcome.busy:.2f}", f"{outcome.peak:.0f}"]
        rows.append("| " + " | ".join(cell.replace("|", "\\|").replace("<", "&lt;").replace("`|`", "") for cell in cells) + " |")
        print(f"{number + 1} of {len(costly)}", file=sys.stderr, flush=True)
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    head = f"""# What hostile inputs cost

Documents of at most some 64 KB that ask for much: how each ends, at the usual limits and with `--untrusted`.

Written by `make attack-page` on {time.strftime("%-d %B %Y")}, on {model} with other work beside it. Seconds are of the processor, and
MiB are the largest resident memory of the program or of a process that it has started. Promised are {USUAL[0]} s and {USUAL[1]} MiB, with
`--untrusted` {STRICT[0]} s and {STRICT[1]} MiB: {broken} of {2 * len(costly)} runs took more. Status 2 is an error: no picture was made. See
<doc:Security> for the budgets.

| Attack | Command | Budget | Message | Status | s | MiB | Status (`--untrusted`) | s | MiB |
|---|---|---|---|---|---|---|---|---|---|
"""
    with open(path, "w") as file:
        file.write(head + "\n".join(rows) + "\n")
    print(f"{broken} of {2 * len(costly)} break the promise")
    return 1 if broken else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=".build/release/fancytext")
    parser.add_argument("--only", default="")
    parser.add_argument("--untrusted", action="store_true")
    parser.add_argument("--batch", action="store_true", help="send the attacks to `fancytext batch`")
    parser.add_argument("--page", help="write the page of the documentation to this file")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--seconds", type=float, default=20, help="kill what takes longer")
    parser.add_argument("--bad", action="store_true", help="print only what breaks the promise")
    options = parser.parse_args()
    promised = STRICT if options.untrusted else USUAL
    program = os.path.abspath(options.program)
    if options.page:
        return page(program, options.page, options.seconds)
    attacks = [attack for attack in ATTACKS if options.only in attack.name and not (options.batch and attack.alone)]
    broken = 0
    for attack in attacks:
        outcome = run(program, attack, options.untrusted, options.batch, options.seconds, 6 << 30)
        bad = is_bad(outcome, *promised)
        broken += bool(bad)
        if bad or not options.bad:
            shown = " ".join(part if len(part) < 30 else part[:27] + "…" for part in attack.command)
            print(f"{'BAD' if bad else 'ok ':4}{outcome.status:4} {outcome.busy:6.2f} s of {outcome.took:6.2f} {outcome.peak:6.0f} MiB  {attack.name} "
                  f"[{shown}]  {outcome.said[:100]}", flush=True)
    for name, part in attack_parts.PARTS.items() if not (options.untrusted or options.batch) else ():
        if options.only in name:
            wrong = part(program)
            attacks.append(name)
            broken += bool(wrong)
            print(f"{'BAD' if wrong else 'ok '} {name}  {wrong}", flush=True)
    print(f"{broken} of {len(attacks)} break the promise")
    return 1 if options.check and broken else 0


if __name__ == "__main__":
    sys.exit(main())
