#!/usr/bin/env python3
"""How the time and memory of `render` grow with its input.

    growth.py [--bin .build/release/fancytext] [--formats png,ansi,json] [--only NAME,…] [--scale 1] [--most 1.2] [--floor 0.1]

Renders each case at n, 2n and 4n and prints the seconds, the peak memory and the exponent between 2n and 4n: 1 is linear,
2 quadratic. Exponents are those of the instructions, where `perf` counts them, else of the CPU time, less an empty page's.
They count from `--floor` seconds on; sizes double until 4n takes as long, up to 64-fold. Exit status 1 when an exponent is
over `--most` or a run fails, is killed or outlasts 60 seconds.
"""

import argparse
import collections
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

# Tall pictures are no failure here.
LARGE = ["--width", "300", "--max-pixels", "300000000"]
PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def repeated(piece, before="", after=""):
    return lambda n: before + "".join(piece.replace("#", str(k)) for k in range(n)) + after


def nested(start, end, inner="x", before=""):
    return lambda n: before + "".join(start.replace("#", str(k)) for k in range(n)) + inner + end * n


def styled(css, body):
    """A sheet of n rules and a body that may depend on n."""
    return lambda n: "<style>" + "".join(css.replace("#", str(k)) for k in range(n)) + "</style>" + body(n)


def words(n):
    vocabulary = ("the quick brown fox jumps over lazy dogs while five boxing wizards watch extraordinary "
                  "incomprehensibilities of internationalization").split()
    return " ".join(vocabulary[(k * 7 + k // 13) % len(vocabulary)] for k in range(n))


def declared(style, inner=words):
    return lambda n: f"<div style=\"{style}\">{inner(n)}</div>"


# Name: (n, page of n, options, formats or None for all).
CASES = {
    "words": (20000, words, ""),
    "paragraphs": (2000, repeated("<p>one two <b>three</b> four</p>"), ""),
    "br": (5000, repeated("<br>"), ""),
    "br, words": (10000, repeated("x<br>"), ""),
    "pre lines": (10000, lambda n: "<pre>" + "a b\n" * n + "</pre>", ""),
    "long word": (50000, lambda n: "x" * n, ""),
    "long word of tags": (20000, lambda n: "".join(f"<t{k:x}>" for k in range(n)), ""),
    "long word, anywhere": (50000, lambda n: "<p style='overflow-wrap:anywhere'>" + "x" * n, ""),
    "long word, break-all": (50000, lambda n: "<p style='word-break:break-all'>" + "x" * n, ""),
    "long word, hyphens": (20000, lambda n: "<p lang=en style='hyphens:auto'>" + "extraordinary" * (n // 13), ""),
    "long word, soft hyphens": (20000, lambda n: "<p>" + "ab&shy;" * n, ""),
    "long word, columns": (20000, lambda n: "<table><tr><td>" + "x" * n + "<td>" + "y" * n + "</table>", ""),
    "hyphens": (5000, lambda n: "<p lang=en style='hyphens:auto;text-align:justify'>" + words(n), ""),
    "thai": (5000, lambda n: "<p lang=th>" + "กรุงเทพมหานครเป็นเมืองหลวง" * (n // 10), ""),
    "japanese": (20000, lambda n: "<p lang=ja>" + "「日本語、」（東京）。" * (n // 10), ""),
    "arabic": (10000, lambda n: "<p dir=rtl>" + "السلام عليكم abc 123 " * (n // 10), ""),
    "combining": (20000, lambda n: "a" + "\u0301" * n, ""),
    "emoji": (5000, lambda n: "👨‍👩‍👧‍👦" * n, ""),
    "emoji, joined": (5000, lambda n: "👨" + "\u200d👩" * n, ""),
    "no-break": (20000, lambda n: "<p style='white-space:nowrap'>" + words(n), ""),
    "nbsp": (20000, lambda n: "a&nbsp;" * n, ""),
    "tabs": (20000, lambda n: "<pre>" + "a\t" * n + "</pre>", ""),
    "spaces, pre-wrap": (50000, lambda n: "<pre style='white-space:pre-wrap'>" + " " * n + "</pre>", ""),
    "balance": (5000, declared("text-wrap:balance"), ""),
    "pretty": (5000, declared("text-wrap:pretty"), ""),
    "justify": (10000, declared("text-align:justify"), ""),
    "letter-spacing": (10000, declared("letter-spacing:1px"), ""),
    "small-caps": (10000, declared("font-variant:small-caps"), ""),
    "first-line": (5000, lambda n: "<style>p::first-line{font-weight:bold}</style><p>" + words(n), ""),
    "first-letter": (2000, lambda n: "<style>p::first-letter{font-size:2em}</style>" + "<p>one two</p>" * n, ""),
    "narrow": (5000, declared("width:1px"), ""),
    "truncation, tail": (5000, words, "--max-lines 3"),
    "truncation, middle": (5000, words, "--max-lines 3 --root-style truncate-mode:middle"),
    "truncation, head": (5000, words, "--max-lines 3 --root-style truncate-mode:head"),
    "truncation, word": (5000, words, "--max-lines 3 --root-style truncate-mode:word"),
    "truncation, middle, one word": (20000, lambda n: "x" * n, "--max-lines 1 --root-style truncate-mode:middle"),
    "truncation, ellipsis": (5000, words, "--max-height 100 --ellipsis '… <a class=more>see more</a>'"),
    "line-clamp": (500, repeated("<div style='line-clamp:1;width:90px;overflow:hidden'>one two three four five</div>"), ""),
    "line-clamp, long": (5000, declared("line-clamp:200;-webkit-line-clamp:200;overflow:hidden"), ""),
    "text-overflow": (500, repeated(
        "<div style='white-space:nowrap;text-overflow:ellipsis;overflow:hidden;width:90px'>one two three four five</div>"), ""),
    "text-overflow, long": (5000, declared("white-space:nowrap;text-overflow:ellipsis;overflow:hidden"), ""),
    "fit-lines": (2000, words, "--fit-lines --width 600"),
    "fit-lines, br": (1000, repeated("one two #<br>"), "--fit-lines --width 600"),
    "fit-lines, one word": (2000, lambda n: "x" * n, "--fit-lines --width 600"),
    "preset": (1000, repeated("one two #<br>"), "--preset modern"),
    "preset, neon": (200, repeated("one two #<br>"), "--preset neon"),
    "bdo nested": (500, nested("<bdo dir=rtl>a", "</bdo>"), "--max-depth 100000"),
    "bdo nested, alternating": (250, nested("<bdo dir=rtl>a<bdo dir=ltr>b", "</bdo></bdo>"), "--max-depth 100000"),
    "bdi nested": (500, nested("<bdi dir=rtl>a", "</bdi>"), "--max-depth 100000"),
    "bdi row": (5000, repeated("<bdi>א</bdi> a "), ""),
    "span dir nested": (500, nested("<span dir=rtl>a ", "</span>"), "--max-depth 100000"),
    "embeddings": (20000, lambda n: "a\u202bב\u202c" * n, ""),
    "embeddings open": (20000, lambda n: "a\u202b" * n, ""),
    "isolates open": (20000, lambda n: "a\u2067" * n, ""),
    "isolates": (20000, lambda n: "a\u2067ב\u2069" * n, ""),
    "brackets": (20000, lambda n: "<p dir=rtl>" + "(a" * n + ")" * n, ""),
    "spans": (10000, repeated("<span>x </span>"), ""),
    "spans, styled": (5000, repeated("<span style='font-size:12px;line-height:20px'>x </span>"), ""),
    "spans, sizes": (1000, lambda n: "".join(f"<span style='font-size:{10 + k * 7 % n * 9 / n}px'>x </span>" for k in range(n)), ""),
    "spans nested": (400, nested("<span>a ", "</span>"), "--max-depth 100000"),
    "spans nested, long": (200, lambda n: "<span>" * n + words(n * 20) + "</span>" * n, "--max-depth 100000"),
    "spans nested, boxed": (200, lambda n: "<span style='border:1px solid'>" * n + words(n * 2) + "</span>" * n, "--max-depth 100000"),
    "sup nested": (300, nested("<sup>a ", "</sup>"), "--max-depth 100000"),
    "u nested": (300, lambda n: "<u>" * n + words(300) + "</u>" * n, "--max-depth 100000"),
    "div nested": (500, nested("<div>a", "</div>"), "--max-depth 100000"),
    "div nested, boxed": (300, nested("<div style='border:1px solid;padding:1px'>a", "</div>"), "--max-depth 100000"),
    "inline-block nested": (200, nested("<span style='display:inline-block'>a ", "</span>"), "--max-depth 100000"),
    "inline-block nested, wide": (200, nested("<span style='display:inline-block;width:99%'>a ", "</span>"), "--max-depth 100000"),
    "inline-block row": (2000, repeated("<span style='display:inline-block'>a b</span> "), ""),
    "flex nested": (200, nested("<div style='display:flex'>a", "</div>"), "--max-depth 100000"),
    "flex nested, grow": (200, nested("<div style='display:flex;flex:1'><i>a</i>", "</div>"), "--max-depth 100000"),
    "flex nested, column": (200, nested("<div style='display:flex;flex-direction:column'><i>a</i>", "</div>"), "--max-depth 100000"),
    "flex nested, baseline": (200, nested("<div style='display:flex;align-items:baseline;height:50%'><i>a</i>", "</div>"), "--max-depth 100000"),
    "flex nested, column wrap": (100, nested("<div style='display:flex;flex-flow:column wrap'><i>a</i>", "</div>"), "--max-depth 100000"),
    "flex row": (2000, repeated("<div>a b</div>", "<div style='display:flex'>", "</div>"), ""),
    "flex wrap": (2000, repeated("<div>a b</div>", "<div style='display:flex;flex-wrap:wrap;gap:3px'>", "</div>"), ""),
    "flex shrink frozen": (2000, repeated("<div style='min-width:#px;flex:1 1 1000px'>a</div>", "<div style='display:flex'>", "</div>"), ""),
    "flex grow limits": (2000, repeated("<div style='max-width:calc(1px + #px/100);flex:1'>a</div>", "<div style='display:flex;width:100000px'>", "</div>"), ""),
    "absolute boxes": (2000, repeated("<p style='position:absolute;left:#px;top:#px'>a b</p>", "<div style='position:relative'>", "</div>"), "--max-pixels 2000000000 --width 800 --height 600"),
    "absolute boxes, own containers": (2000, repeated("<div style='position:relative;height:9px'><b style='position:absolute;right:0;bottom:0'>a</b></div>"), ""),
    "relative boxes nested": (200, nested("<div style='position:relative;left:1px'>", "</div>"), "--max-depth 100000"),
    "absolute boxes nested": (200, nested("<div style='position:absolute;inset:1px'>", "</div>"), "--max-depth 100000 --height 600"),
    "stacking levels": (1000, repeated("<b style='position:relative;z-index:-#'>a</b> "), ""),
    "grid items": (2000, repeated("<div>a b</div>", "<div style='display:grid;grid-template-columns:repeat(10,1fr)'>", "</div>"), ""),
    "grid items, dense spans": (2000, repeated("<div style='grid-column:span 3'>a</div><i>b</i>", "<div style='display:grid;grid-template-columns:repeat(20,auto);grid-auto-flow:dense'>", "</div>"), ""),
    "grid tracks": (250, lambda n: f"<div style='display:grid;grid-template:repeat({n},1px)/repeat({n},1px)'><b style='grid-area:{n}/{n}'>a</b></div>", ""),
    "grid nested": (50, nested("<div style='display:grid'>a", "</div>"), "--max-depth 100000"),
    "text columns": (1000, repeated("<p>some words of a paragraph</p>", "<div style='columns:3'>", "</div>"), ""),
    "text columns, given height": (1000, repeated("<p>some words of a paragraph</p>", "<div style='columns:100px;height:200px'>", "</div>"), "--max-pixels 2000000000 --width 800 --height 600"),
    "flex order": (2000, repeated("<div style='order:-#'>a</div>", "<div style='display:flex;flex-wrap:wrap'>", "</div>"), ""),
    "table nested": (60, nested("<table><tr><td>a", "</table>"), "--max-depth 100000"),
    "table nested, fixed": (100, nested("<table style='table-layout:fixed;width:100%'><tr><td>a", "</table>"), "--max-depth 100000"),
    "table nested, percent": (60, nested("<table width=100%><tr><td>a<td>", "</table>"), "--max-depth 100000"),
    "mixed nested": (60, nested("<div style='display:flex'><table><tr><td><span style='display:inline-block'>a ", "</span></table></div>"), "--max-depth 100000"),
    "float nested": (100, nested("<div style='float:left'>a", "</div>"), "--max-depth 100000"),
    "fieldset nested": (100, nested("<fieldset><legend>a</legend>", "</fieldset>"), "--max-depth 100000"),
    "button nested": (100, nested("<span style='display:inline-flex'>a", "</span>"), "--max-depth 100000"),
    "ruby nested": (100, nested("<ruby>a<rt>", "</ruby>"), "--max-depth 100000"),
    "ruby row": (2000, repeated("<ruby>漢<rt>かん</rt></ruby>"), ""),
    "details nested": (200, nested("<details open><summary>a</summary>", "</details>"), "--max-depth 100000"),
    "rows": (1000, repeated("<tr><td>a<td>b<td>#", "<table>", "</table>"), ""),
    "rows, collapsed": (1000, repeated("<tr><td>a<td>b<td>#", "<table border=1 style='border-collapse:collapse'>", "</table>"), ""),
    "columns": (1000, repeated("<td>a#", "<table><tr>", "</table>"), ""),
    "columns, percent": (1000, repeated("<td width=1%>a#", "<table><tr>", "</table>"), ""),
    "columns, collapsed": (1000, repeated("<td>a#", "<table border=1 style='border-collapse:collapse'><tr>", "</table>"), ""),
    "cells": (40, lambda n: "<table border=1>" + ("<tr>" + "<td>a" * (n // 2)) * (n // 2) + "</table>", "", 2),
    "colspans": (500, repeated("<tr><td colspan=#>a<td>b", "<table>", "</table>"), "", 2),
    "colspan huge": (500, repeated("<tr><td colspan=1000>a", "<table>", "</table>"), ""),
    "rowspan huge": (500, repeated("<tr><td rowspan=65534>a", "<table>", "</table>"), "", 2),
    "rowspans": (1000, repeated("<tr><td rowspan=20>a<td>b", "<table>", "</table>"), ""),
    "rowspan and colspan huge": (300, repeated("<tr><td rowspan=65534 colspan=1000>a", "<table>", "</table>"), "", 2),
    "col span": (500, repeated("<col span=1000>", "<table>", "<tr><td>a</table>"), ""),
    "tables": (500, repeated("<table><tr><td>a<td>b</table>"), ""),
    "floats": (2000, repeated("<div style='float:left'>a</div>"), ""),
    "floats, wide": (2000, repeated("<div style='float:left;width:90%'>a</div>"), ""),
    "floats, beside": (4000, repeated("<div>a</div>", "<style>div{float:left;width:16px;margin-left:-100%}</style>"), ""),
    "floats, both": (2000, repeated("<div style='float:left;width:10px'>a</div><div style='float:right;width:10px;height:20px'>a</div>"), ""),
    "floats, tall": (2000, repeated("<div style='float:left;width:1px;height:9999px'></div>x "), ""),
    "floats, in text": (1000, repeated("word <span style='float:left;width:30px;height:30px'>f</span> words "), ""),
    "floats, clear": (2000, repeated("<div style='float:left;clear:left'>a</div>text "), ""),
    "floats, empty": (2000, repeated("<div style='float:left;width:0;height:#px'></div>"), ""),
    "floats, stairs": (1000, repeated("<div style='float:left;clear:left;width:calc(1px * #);height:5px'></div>", "<div style='width:100000px'>", words(500) + "</div>"), ""),
    "missing images": (1000, repeated("<img src='missing#.png'>"), ""),
    "missing images, alt": (1000, repeated("<img src='missing#.png' alt='picture #' width=40 height=20>"), ""),
    "images": (1000, repeated(f"<img src='{PIXEL}' width=10 height=10>"), ""),
    "image, huge": (1000, lambda n: f"<img src='{PIXEL}' width={n} height=1000>", "", None, ("png",)),
    "list": (3000, repeated("<li>item", "<ol>", "</ol>"), ""),
    "list nested": (200, nested("<ol><li>a", "</ol>"), "--max-depth 100000"),
    "list nested, items": (100, nested("<ol><li>a<li>b<li>c", "</ol>"), "--max-depth 100000"),
    "list reversed": (3000, repeated("<li>item", "<ol reversed>", "</ol>"), ""),
    "list reversed nested": (200, nested("<ol reversed><li>a<li>b", "</ol>"), "--max-depth 100000"),
    "list roman": (3000, repeated("<li>item", "<ol type=i start=3000000>", "</ol>"), ""),
    "list alpha, big": (3000, repeated("<li value=2147483647>item", "<ol type=a>", "</ol>"), ""),
    "counters()": (1000, repeated("<p>a", "<style>body{counter-reset:c}p::before{counter-increment:c;content:counters(c,'.')}</style>"), ""),
    "counters(), nested": (100, nested("<ol><li>a", "</ol>", before="<style>ol{counter-reset:c}li::before{counter-increment:c;content:counters(c,'.')}</style>"), "--max-depth 100000", 2),
    "counters, many": (500, lambda n: "<style>" + "".join(f".c{k}{{counter-increment:c{k}}}" for k in range(n)) + "i::before{content:counter(c0)}</style>" + "".join(f"<p class=c{k}>a<i></i>" for k in range(n)), ""),
    "counter-reset, many": (500, lambda n: "<p style='counter-reset:" + " ".join(f"c{k}" for k in range(n)) + "'>" + "<i>a</i>" * n, ""),
    "quotes nested": (300, nested("<q>a", "</q>"), "--max-depth 100000"),
    "content, long": (2000, lambda n: "<style>p::before{content:'" + "x " * n + "'}</style>" + "<p>a" * 50, ""),
    "ids": (3000, repeated("<p id=i#>a"), ""),
    "ids, rules": (1000, styled("p[id=i#]{color:red}", lambda n: "".join(f"<p id=i{k}>a" for k in range(n))), "", 2),
    "classes, rules": (1000, styled(".c#{color:red}", lambda n: "".join(f"<p class=c{k}>a" for k in range(n))), ""),
    "classes of one": (1000, styled(".c#{color:red}", lambda n: "<p class='" + " ".join(f"c{k}" for k in range(n)) + "'>a"), ""),
    "rules, universal": (100, styled("*[a#]{color:red}", lambda n: "<p>a" * n), "", 2),
    "rules, descendant": (300, styled(".a .b#{color:red}", lambda n: "<div class=a>" + "".join(f"<p class=b{k}>a" for k in range(n)) + "</div>"), ""),
    "rules, deep": (300, lambda n: "<style>" + "div " * n + "p{color:red}</style>" + "<div>" * n + "<p>a" + "</div>" * n, "--max-depth 100000"),
    "rules, deep misses": (100, lambda n: "<style>" + "".join(f".x{k} div div div p{{color:red}}" for k in range(n)) + "</style>" + "<div>" * n + "<p>a" * n + "</div>" * n, "--max-depth 100000", 2),
    ":has()": (2000, lambda n: "<style>div:has(b){color:red}</style>" + "<div><i>a</i></div>" * n, ""),
    ":has(), nested": (400, nested("<div>a", "</div>", before="<style>div:has(b){color:red}</style>"), "--max-depth 100000"),
    ":has(~)": (2000, lambda n: "<style>p:has(~ b){color:red}</style>" + "<p>a" * n, ""),
    ":has(+)": (2000, lambda n: "<style>p:has(+ b){color:red}</style>" + "<p>a" * n, ""),
    ":has(:has)": (2000, lambda n: "<style>div:has(p ~ p ~ b){color:red}</style>" + "<div>" + "<p>a" * n + "</div>", ""),
    ":has(> ~)": (400, lambda n: "<style>div:has(> p ~ b) p{color:red}</style>" + "<div>" + "<p>a" * n + "</div>", ""),
    ":nth-child": (3000, lambda n: "<style>p:nth-child(3n+1){color:red}</style>" + "<p>a" * n, ""),
    ":nth-last-child": (3000, lambda n: "<style>p:nth-last-child(3n+1){color:red}</style>" + "<p>a" * n, ""),
    ":nth-child(of)": (3000, lambda n: "<style>p:nth-child(3n+1 of .c){color:red}</style>" + "<p class=c>a<p>b" * n, ""),
    ":nth-last-child(of)": (3000, lambda n: "<style>p:nth-last-child(3n+1 of .c){color:red}</style>" + "<p class=c>a<p>b" * n, ""),
    ":nth-of-type": (3000, lambda n: "<style>p:nth-of-type(3n+1){color:red}</style>" + "<p>a<div>b</div>" * n, ""),
    ":nth-last-of-type": (3000, lambda n: "<style>p:nth-last-of-type(2){color:red}</style>" + "<p>a<div>b</div>" * n, ""),
    ":nth-of-type, names": (1000, repeated("<x-# a>a</x-#>", "<style>*:nth-of-type(3n+1){color:red}</style>"), ""),
    ":only-of-type": (3000, lambda n: "<style>p:only-of-type,p:last-of-type,p:last-child{color:red}</style>" + "<p>a<div>b</div>" * n, ""),
    "~": (3000, lambda n: "<style>b ~ p{color:red}</style>" + "<p>a" * n, ""),
    "~ ~": (500, lambda n: "<style>b ~ p ~ p ~ p{color:red}</style>" + "<p>a" * n, ""),
    ":not(:is)": (2000, lambda n: "<style>p:not(:is(b p, i p, div > p ~ p)){color:red}</style>" + "<p>a" * n, ""),
    ":lang": (400, nested("<div>a", "</div>", before="<style>div:lang(de){color:red}</style>"), "--max-depth 100000"),
    ":dir": (400, nested("<div dir=auto>a", "</div>", before="<style>div:dir(rtl){color:red}</style>"), "--max-depth 100000"),
    "dir=auto nested": (300, nested("<div dir=auto>", "</div>", inner="1 " * 1000), "--max-depth 100000"),
    "dir=auto": (3000, repeated("<p dir=auto>12 אב"), ""),
    "variables": (1000, lambda n: "<p style='" + "".join(f"--v{k}:var(--v{k - 1},1px);" for k in range(1, n)) + f"margin:var(--v{n - 1})'>a", ""),
    "variables doubling": (20, lambda n: "<p style='--v0:1;" + "".join(f"--v{k}:var(--v{k - 1}) var(--v{k - 1});" for k in range(1, n)) + f"margin:var(--v{n - 1})'>a", ""),
    "variables inherited": (300, lambda n: "".join(f"<div style='--v{k}:{k}px'>a" for k in range(n)), "--max-depth 100000", 2),
    "declarations": (5000, lambda n: "<p style='" + "color:red;" * n + "'>a", ""),
    "declarations, unknown": (2000, lambda n: "<p style='" + "".join(f"x{k}:y;" for k in range(n)) + "'>a", ""),
    "declarations, bad": (2000, repeated("<p style='color:bogus#'>a"), ""),
    "calc nested": (300, lambda n: "<p style='margin:calc" + "(" * n + "1px" + ")" * n + "'>a", ""),
    "calc sum": (3000, lambda n: "<p style='margin:calc(1px" + " + 1px" * n + ")'>a", ""),
    "font families": (300, repeated("<p style='font-family:Missing#'>a"), ""),
    "font family list": (300, lambda n: "<p style='font-family:" + ",".join(f"M{k}" for k in range(n)) + "'>a", ""),
    "font family list, text": (50, lambda n: "<p style='font-family:" + ",".join(f"M{k}" for k in range(n)) + "'>" + "xλЖ " * 500, ""),
    "missing glyphs": (2000, lambda n: "".join(chr(0x10FF00 - k % 60000) for k in range(n)), ""),
    "all characters": (3000, lambda n: " ".join(chr(0x4E00 + k % 20000) for k in range(n)), ""),
    "font-size, glyph": (200, lambda n: f"<p style='font-size:{n * 10}px;margin:0'>Sg", "--width 600", None, ("png",)),
    "font-size, glyph clipped": (500, lambda n: f"<p style='font-size:{n * 10}px;margin:0'>Sg", "--width 600 --height 300", None, ("png",)),
    "font-size, emoji": (100, lambda n: f"<p style='font-size:{n * 10}px;margin:0'>😀", "--width 600 --height 300", None, ("png",)),
    "font-size, stroke": (100, lambda n: f"<p style='font-size:{n * 10}px;margin:0;-webkit-text-stroke:9px red'>Sg", "--width 600 --height 300", None, ("png",)),
    "font-size, shadow": (100, lambda n: f"<p style='font-size:{n * 10}px;margin:0;text-shadow:0 0 20px red'>Sg", "--width 600 --height 300", None, ("png",)),
    "font-size, gradient": (100, lambda n: f"<p style='font-size:{n * 10}px;margin:0;color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text'>Sg", "--width 600 --height 300", None, ("png",)),
    "text-shadows": (50, lambda n: "<p style='text-shadow:" + ",".join("1px 1px 2px red" for k in range(n)) + "'>" + words(200), "", None, ("png",)),
    "text-shadows of words": (100, repeated("<b style='text-shadow:1px 1px 9px red'>word</b> <i>x</i> "), "", None, ("png",)),
    "text-shadow blur": (50, lambda n: f"<p style='text-shadow:0 0 {n * 4}px red'>" + words(200), "--height 400", None, ("png",)),
    "box-shadows": (50, lambda n: "<div style='height:200px;box-shadow:" + ",".join("1px 1px 20px red" for k in range(n)) + "'>a</div>", "", None, ("png",)),
    "box-shadow blur": (50, lambda n: f"<div style='height:200px;margin:50px;box-shadow:0 0 {n * 10}px red'>a</div>", "--height 400", None, ("png",)),
    "box-shadow spread": (50, lambda n: f"<div style='height:200px;margin:50px;box-shadow:0 0 5px {n * 100}px red'>a</div>", "--height 400", None, ("png",)),
    "box-shadow inset": (50, lambda n: f"<div style='height:200px;box-shadow:inset 0 0 {n * 10}px red'>a</div>", "--height 400", None, ("png",)),
    "boxes with shadows": (50, repeated("<div style='margin:20px;box-shadow:0 0 20px red'>a</div>"), "", None, ("png",)),
    "box, tall with shadow": (2000, lambda n: f"<div style='height:{n * 10}px;margin:50px;box-shadow:0 0 20px red'>a</div>", "--height 400", None, ("png",)),
    "box, tall with radius": (2000, lambda n: f"<div style='height:{n * 10}px;border:5px dotted;border-radius:40px'>a</div>", "--height 400", None, ("png",)),
    "box, tall dashed": (2000, lambda n: f"<div style='height:{n * 10}px;border:5px dashed red'>a</div>", "--height 400", None, ("png",)),
    "wavy, wide": (1000, lambda n: f"<u style='text-decoration:wavy underline;white-space:nowrap'>" + words(n), "--width 400", None, ("png",)),
    "dotted, wide": (1000, lambda n: f"<u style='text-decoration:dotted underline;white-space:nowrap'>" + words(n), "--width 400", None, ("png",)),
    "opacity nested": (30, nested("<div style='opacity:.99'>a", "</div>"), "--max-depth 100000 --height 300", None, ("png",)),
    "opacity row": (100, repeated("<div style='opacity:.9'>a</div>"), "", None, ("png",)),
    "overflow nested": (300, nested("<div style='overflow:hidden;border-radius:9px'>a", "</div>"), "--max-depth 100000 --height 300", None, ("png",)),
    "gradient stops": (500, lambda n: "<div style='height:300px;background:linear-gradient(40deg," + ",".join(("red", "blue")[k % 2] for k in range(n)) + ")'>a</div>", "", None, ("png",)),
    "gradients": (30, lambda n: "<div style='height:300px;background:" + ",".join("linear-gradient(40deg,#f008,#00f8)" for k in range(n)) + "'>a</div>", "", None, ("png",)),
    "gradient, repeating": (50, lambda n: f"<div style='height:300px;background:repeating-linear-gradient(40deg,red,blue {50 / n}px)'>a</div>", "", None, ("png",)),
    "gradient, tiled": (50, lambda n: f"<div style='height:300px;background:linear-gradient(red,blue);background-size:{200 / n}px {200 / n}px'>a</div>", "", None, ("png",)),
    "gradient, tall": (1000, lambda n: f"<div style='height:{n * 10}px;background:linear-gradient(40deg,red,blue)'>a</div>", "--height 400", None, ("png",)),
    "image, tiled": (50, lambda n: f"<div style='height:300px;background:url({PIXEL});background-size:{200 / n}px {200 / n}px'>a</div>", "", None, ("png",)),
    "links": (3000, repeated("<a href=#>link</a> "), ""),
    "abbr": (2000, repeated("<abbr title=#>a</abbr> "), ""),
    "headings": (2000, repeated("<h2>a</h2>"), ""),
    "hr": (2000, repeated("<hr>"), ""),
    "dl": (2000, repeated("<dt>a<dd>b", "<dl>", "</dl>"), ""),
    "margins": (2000, repeated("<div style='margin:#px 0'></div>"), "--height 100"),
    "margins nested": (300, nested("<div style='margin:1px 0'>", "</div>"), "--max-depth 100000"),
    "empty divs": (5000, repeated("<div></div>"), ""),
    "inline then block": (1000, repeated("<span>a<div>b</div>"), "--max-depth 100000"),
    "tall": (2000, lambda n: f"<div style='height:{n * 10}px'>a</div>", "", None, ("png",)),
}


def run(command, page, folder):
    """CPU seconds, instructions (else None), peak bytes and what went wrong."""
    path = os.path.join(folder, "page.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    report, counts = os.path.join(folder, "time"), os.path.join(folder, "counts")
    counting = ["perf", "stat", "-x,", "-e", "instructions:u", "-o", counts] if COUNTS else []
    with open(os.devnull, "wb") as sink:
        status = subprocess.run(["time", "-q", "-o", report, "-f", "%U %S %M"] + counting + ["timeout", "60"] + command + [path],
                                stdout=sink, stderr=sink).returncode
    user, system, peak = open(report).read().split()[-3:]
    instructions = None
    if COUNTS:
        instructions = next(float(line.split(",")[0]) for line in open(counts) if "instructions" in line)
    return Run(float(user) + float(system), instructions, int(peak) * 1024, "" if status == 0 else f"exit {status}")


def can_count():
    """Whether `perf` counts instructions on this machine."""
    if not shutil.which("perf"):
        return False
    out = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], capture_output=True, text=True).stderr
    return out.split(",")[0].strip().isdigit()


Run = collections.namedtuple("Run", "seconds instructions peak failure")
COUNTS = can_count()


def exponent(empty, small, large):
    """Of the growth from one run to another of twice the size."""
    if COUNTS:
        cost = lambda run: max(1e5, run.instructions - empty.instructions)
    else:
        cost = lambda run: max(0.005, run.seconds - empty.seconds)
    return math.log2(cost(large) / cost(small))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release/fancytext")
    parser.add_argument("--formats", default="png,ansi,json")
    parser.add_argument("--only", default="", help="cases whose names hold one of these")
    parser.add_argument("--most", type=float, default=1.2)
    parser.add_argument("--floor", type=float, default=0.15, help="seconds from which on an exponent counts")
    parser.add_argument("--scale", type=float, default=1, help="sizes are multiplied by this")
    arguments = parser.parse_args()
    chosen = [name for name in arguments.only.split(",") if name]
    missed = 0
    print(f"{'case':30}{'format':>7}{'4n':>9}{'seconds at n, 2n, 4n':>27}{'MB':>7}{'exponent':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name, (n, make, options, *rest) in CASES.items():
            if chosen and not any(part in name for part in chosen):
                continue
            # A page of n holds n to this power.
            power = rest[0] if rest and rest[0] else 1
            formats = rest[1] if len(rest) > 1 else ("png", "ansi", "json")
            for form in arguments.formats.split(","):
                if form not in formats:
                    continue
                command = [arguments.bin, "render", "--format", form]
                if form == "json":
                    command.append("--layout")
                if form == "png":
                    command += ["-o", os.path.join(folder, "out.png")] + LARGE
                command += shlex.split(options)
                size = max(1, int(n * arguments.scale))
                empty = run(command, "x", folder)
                runs = [run(command, make(size * k), folder) for k in (1, 2, 4)]
                for _ in range(6):
                    if runs[2].failure or runs[2].seconds >= arguments.floor or power > 1:
                        break
                    larger = run(command, make(size * 8), folder)
                    if larger.failure:
                        break
                    size *= 2
                    runs = runs[1:] + [larger]
                growth = exponent(empty, runs[1], runs[2]) / power
                failed = " ".join(sorted({run.failure for run in runs if run.failure}))
                counts = runs[2].seconds >= arguments.floor and growth > arguments.most
                missed += bool(counts or failed)
                print(f"{name:30}{form:>7}{size * 4:9}{'':3}" + "".join(f"{run.seconds:8.2f}" for run in runs)
                      + f"{runs[2].peak / 1e6:7.0f}{growth:9.2f}  {'superlinear ' if counts else ''}{failed}", flush=True)
    print(f"{missed} grow faster than n^{arguments.most} or fail")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
