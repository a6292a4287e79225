#!/usr/bin/env python3
"""Compares trees with those of html5lib over random documents of the supported elements.

    differential.py [--bin .build/release/fancytext] [--count 20000] [--seed 1] [--show 5]

Each document is parsed by `fancytext dump --stage tree --format json` and by html5lib (`pip install html5lib`); without
html5lib nothing is compared. Left out of the documents is unknown names, which fragments treat otherwise, and what
html5lib has from before the standard changed (select, search, main, summary, figcaption; the newline after
`<pre>` elsewhere than right behind it in the body); tables hold only what belongs in them.
Where a formatting element is split with more than three elements between it and a block, html5lib leaves the outer ones
open, as the standard no longer does: that is one document in some thousands. Where the trees differ and turbohtml is
installed too, it is asked as well: a tree that is turbohtml's is right. Exit status 1 when a tree is neither's; the
shortest of those are shown.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

try:
    import html5lib
except ImportError:
    print("html5lib is not installed: nothing compared")
    sys.exit(0)
try:
    import turbohtml
except ImportError:
    turbohtml = None

FORMATTING = "a b big code em font i nobr s small strike strong tt u".split()
INLINE = "span abbr cite q sub sup kbd samp var mark bdo ins del dfn label".split()
BLOCK = ("div p ul ol li dl dt dd h1 h2 h3 blockquote pre section article aside nav header footer address center "
         "figure details form fieldset listing").split()
OTHER = "ruby rt rp button object marquee option textarea iframe".split()
VOID = "br hr img wbr input".split()
TEXTS = ["x", "one two", " ", "\n", "a &amp; b", "&lt;", "é", "\n\ny", "&copy", "&nbsp;", "5 < 6"]


def attributes(r):
    if r.random() < 0.75:
        return ""
    return r.choice([" class=c", ' id="i"', " class='c d'", " hidden", ' title="a &amp; b"', ' CLASS="C" x=1', " a=1 a=2"])


def tag(r):
    group = r.choices([FORMATTING, INLINE, BLOCK, OTHER, VOID], [40, 12, 32, 6, 10])[0]
    return r.choice(group)


def table(r, depth):
    rows = "".join(
        "<tr>" + "".join(f"<{r.choice(['td', 'th'])}>" + content(r, r.randint(0, 4), depth + 1) + r.choice(["", "</td>"])
                         for _ in range(r.randint(1, 3))) + r.choice(["", "</tr>"])
        for _ in range(r.randint(1, 3)))
    caption = r.choice(["", "<caption>" + content(r, 2, depth + 1) + "</caption>", "<col>", "<colgroup><col></colgroup>"])
    wrapped = r.choice(["%s", "<tbody>%s", "<thead>%s</thead>", "<tbody>%s</tbody>"]) % rows
    return f"<table{attributes(r)}>{caption}{wrapped}</table>"


def content(r, pieces, depth=0):
    out = []
    for _ in range(pieces):
        kind = r.random()
        if kind < 0.42:
            name = tag(r)
            # The text before: html5lib reopens formatting elements inside a textarea.
            out.append(("z" if name in ("textarea", "iframe") else "") + f"<{name}{attributes(r)}>")
            if name in ("textarea", "iframe"):
                out.append(f"a<b>{r.choice(TEXTS)}</{name}>")
            elif name in ("pre", "listing"):
                out.append(r.choice(["\n", "\n\n", "", " "] if depth == 0 else [""]) + "z")
        elif kind < 0.70:
            out.append(f"</{tag(r)}>")
        elif kind < 0.95:
            out.append(r.choice(TEXTS))
        elif kind < 0.97:
            out.append("<!-- c -->")
        elif depth < 2:
            out.append(table(r, depth))
    return "".join(out)


def document(r):
    start = r.choice(["<!DOCTYPE html>", "<!DOCTYPE html><title>t</title><body>", "<html><body>", "<!DOCTYPE html><html><head></head><body class=b>"])
    return start + content(r, r.randint(3, 24))


def merged(children):
    """Neighbouring texts are one."""
    out = []
    for child in children:
        if isinstance(child, str) and out and isinstance(out[-1], str):
            out[-1] += child
        elif child != "":
            out.append(child)
    return out


def ours(node):
    if node["type"] == "text":
        return node["value"]
    children = merged([ours(c) for c in node.get("children", []) if c["type"] in ("element", "text")])
    if node["type"] == "root":
        return children
    return [node["name"], {k: v or "" for k, v in node.get("attributes", {}).items()}, children]


def theirs(element):
    children = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            children.append(theirs(child))
        children.append(child.tail or "")
    return [element.tag, dict(element.attrib), merged(children)]


def turbos(element):
    children = []
    for child in element.children:
        if isinstance(child, turbohtml.Text):
            children.append(child.data)
        elif isinstance(child, turbohtml.Element):
            children.append(turbos(child))
    attributes = {k: " ".join(v) if isinstance(v, list) else v or "" for k, v in element.attrs.items()}
    return [element.tag, attributes, merged(children)]


def first_difference(a, b, path=""):
    if isinstance(a, str) or isinstance(b, str) or a[0] != b[0] or a[1] != b[1]:
        return None if a == b else f"{path}: {shown(a)} | {shown(b)}"
    for x, y in zip(a[2], b[2]):
        found = first_difference(x, y, f"{path}/{a[0]}")
        if found:
            return found
    if len(a[2]) != len(b[2]):
        return f"{path}/{a[0]}: {[shown(c) for c in a[2]]} | {[shown(c) for c in b[2]]}"
    return None


def shown(tree):
    return repr(tree) if isinstance(tree, str) else f"<{tree[0]}>"


HTML5LIB_ALONE = "as turbohtml has it"


def compare(binary, html):
    run = subprocess.run([binary, "dump", "--stage", "tree", "--format", "json"], input=html.encode(), capture_output=True)
    if run.returncode != 0:
        return f"exit status {run.returncode}: {run.stderr.decode(errors='replace')[:200]}"
    tree = ours(json.loads(run.stdout))
    wanted = theirs(html5lib.parse(html, namespaceHTMLElements=False))
    elements = [t for t in tree if not isinstance(t, str)]
    if len(elements) != 1:
        return f"{len(elements)} elements at the top"
    why = first_difference(elements[0], wanted)
    if why and turbohtml and elements[0] == turbos(turbohtml.parse(html).root):
        return HTML5LIB_ALONE
    return why


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=".build/release/fancytext")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    arguments = parser.parse_args()
    r = random.Random(arguments.seed)
    documents = [document(r) for _ in range(arguments.count)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda html: compare(arguments.bin, html), documents))
    alone = results.count(HTML5LIB_ALONE)
    differing = sorted(((html, why) for html, why in zip(documents, results) if why and why != HTML5LIB_ALONE),
                       key=lambda pair: len(pair[0]))
    print(f"{arguments.count - len(differing) - alone} of {arguments.count} trees equal html5lib's, "
          f"{alone} turbohtml's alone, {len(differing)} neither's")
    for html, why in differing[:arguments.show]:
        print(f"  {html!r}\n    ours | html5lib  {why}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
