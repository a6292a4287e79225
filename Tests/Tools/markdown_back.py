#!/usr/bin/env python3
"""Reads fancytext's Markdown back with markdown-it-py: what is kept of pages' headings, links, list items, cells and words.

    markdown_back.py [--bin .build/release/fancytext] [-v] PAGE.html …

Counts are of elements with text that is shown: pages are read without their style sheets, so that elements and
attributes alone decide. Words are those of `strip`, of the page and of the HTML that markdown-it makes, without list
markers and rules. Exit status 1 when less than 98% of something is kept, or words differ on more than one page in twelve.
"""

import argparse
import json
import re
import subprocess
import sys

try:
    from markdown_it import MarkdownIt
except ImportError:
    print("markdown-it-py is not installed: nothing compared")
    sys.exit(0)

HIDDEN = (
    "style,link,script,template,noscript,[hidden],dialog:not([open]),datalist,object,svg,iframe,rp,head,select,"
    '[style*="display:none" i],[style*="display: none" i]')
SIGNS = {"¶", "#", "§", "🔗", "⚓", "∞"}
KINDS = {
    "headings": "h1,h2,h3,h4,h5,h6", "code": "pre", "links": 'a[href]:not([href^="javascript:" i]):not(pre a)', "items": "li", "cells": "td,th"}


def run(binary, *arguments, text):
    result = subprocess.run([binary, *arguments], input=text, capture_output=True, timeout=60)
    return result.stdout


def has_text(node):
    if node["type"] == "text":
        return node["value"].strip(" \t\r\n\f") != ""
    if node.get("name") == "img":
        return node["attributes"].get("alt", "") != ""
    return any(has_text(child) for child in node.get("children", []))


def is_permalink(node):
    """A sign beside a heading, which leads to where it stands: Markdown leaves it out."""
    texts = [child.get("value", "") for child in node.get("children", [])]
    return node["attributes"].get("href", "").startswith("#") and "".join(texts).strip() in SIGNS and len(texts) == 1


def count(binary, html, selector):
    lines = run(binary, "select", selector, "--format", "json", "--remove", HIDDEN, "--quiet", text=html)
    nodes = [json.loads(line) for line in lines.splitlines() if line.strip()]
    return sum(has_text(node) and not is_permalink(node) for node in nodes)


MARKER = re.compile(r"^(?:[•◦▪─-]+|\d+[.)]|[ivxlcdm]+\.|[a-zA-Z]\.)$")


def words(binary, html):
    text = run(binary, "strip", "--remove", "style,link,dialog,svg", "--quiet", "--tables", "none", text=html).decode()
    return [word for word in text.split() if not MARKER.match(word)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=".build/release/fancytext")
    parser.add_argument("-v", action="store_true")
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    kept = {kind: [0, 0] for kind in KINDS}
    same = whole = 0
    sys.setrecursionlimit(100_000)
    for page in options.pages:
        html = run(options.bin, "render", "--format", "html", "--quiet", page, text=b"")
        html = re.sub(rb"(?is)<style.*?</style>|<link[^>]*>", b"", html)
        markdown = run(options.bin, "render", "--format", "markdown", "--quiet", "-", text=html).decode()
        back = reader.render(markdown).encode()
        for kind, selector in KINDS.items():
            had, has = count(options.bin, html, selector), count(options.bin, back, selector)
            whole += kind == "headings" and has >= had
            kept[kind][0] += min(had, has)
            kept[kind][1] += had
            if options.v and has < had:
                print(f"{page}: {has} of {had} {kind}")
        ours, theirs = words(options.bin, html), words(options.bin, back)
        same += ours == theirs
        if options.v and ours != theirs:
            at = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), min(len(ours), len(theirs)))
            print(f"{page}: words {ours[max(0, at - 2):at + 4]} became {theirs[max(0, at - 2):at + 4]}")
    for kind, (has, had) in kept.items():
        print(f"{kind:9}{has:7} of {had:7}  {100 * has / max(had, 1):.1f}%")
    print(f"headings {whole:7} of {len(options.pages):7} pages")
    print(f"words    {same:7} of {len(options.pages):7} pages")
    misses = any(has < 0.98 * had for has, had in kept.values()) or same < len(options.pages) * 11 / 12
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
