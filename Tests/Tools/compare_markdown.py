#!/usr/bin/env python3
"""Holds Markdown as fancytext reads it against cmark-gfm and against the examples of a specification.

    compare_markdown.py PROGRAM [--spec SPEC.txt[.gz]]... [FILE.md]... [-v]

Each file, and each example of a specification (between rows of 32 backquotes, as CommonMark and GitHub write theirs),
goes through fancytext as Markdown, and through `cmark-gfm` with the same extensions and then fancytext as HTML: both must
come out as the same HTML. The HTML that the specification expects goes the same way; examples whose HTML differs
there are named with -v, for a specification without extensions expects bare links and tables to be text. Exit status 1
where something differs from cmark-gfm. Front matter is taken off before cmark-gfm sees a file.
"""

import argparse
import gzip
import re
import subprocess
import sys

EXTENSIONS = ["footnotes", "table", "strikethrough", "autolink", "tasklist"]
EXAMPLE = re.compile(r"^`{32} example([^\n]*)\n(.*?)^\.\n(.*?)^`{32}$", re.M | re.S)
# Ids of headings, and the title block of front matter.
ADDED = re.compile(rb'(<h[1-6]) id="[^"]*"|\A<title>[^<]*</title>\n(?:<link [^>]*>\n)*(?:<header>.*?</header>\n)?', re.S)
FRONT = re.compile(r"\A\ufeff?(---|\+\+\+)[ \r]*\n(?![#\s]).*?^(\1|\.\.\.)[ \r]*\n", re.M | re.S)


def run(arguments, text):
    return subprocess.run(arguments, input=text, capture_output=True, check=True).stdout


def normal(program, text, kind):
    html = run(
        [program, "render", "-", "--from", kind, "--format", "html", "--highlight", "none", "--quiet", "--no-config"],
        text)
    return ADDED.sub(rb"\1", html) if kind == "markdown" else html


def reference(markdown):
    options = [option for name in EXTENSIONS for option in ("-e", name)]
    return run(["cmark-gfm", "--unsafe", *options], markdown)


def examples(path):
    text = (gzip.open(path) if path.endswith(".gz") else open(path, "rb")).read().decode()
    for match in EXAMPLE.finditer(text):
        yield match.group(1).strip(), *(part.replace("→", "\t") for part in match.group(2, 3))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--spec", action="append", default=[])
    parser.add_argument("-v", action="store_true")
    options = parser.parse_intermixed_args()
    different = False
    for path in options.spec:
        count = same = expected = 0
        for number, (kind, markdown, html) in enumerate(examples(path), 1):
            if kind == "disabled":
                continue
            count += 1
            # Front matter is no part of CommonMark: a first line keeps examples from looking like it.
            text = ("<!-- -->\n\n" + markdown).encode()
            own = normal(options.program, text, "markdown")
            theirs = normal(options.program, reference(text), "html")
            wanted = normal(options.program, ("<!-- -->\n" + html).encode(), "html")
            same += own == theirs
            expected += own == wanted
            if options.v and own != wanted or own != theirs:
                print(f"{path} {number}: {markdown!r}\n  {own!r}\n  {wanted!r}")
        print(f"{path}: {count} examples, {same} as cmark-gfm, {expected} as the specification has them")
        different |= same < count
    same = 0
    for path in options.files:
        text = open(path, "rb").read()
        body = FRONT.sub("", text.decode(errors="surrogateescape"), count=1).encode(errors="surrogateescape")
        own = normal(options.program, text, "markdown")
        theirs = normal(options.program, reference(body), "html")
        same += own == theirs
        if own != theirs:
            print(f"{path}: not as cmark-gfm has it")
    if options.files:
        print(f"{len(options.files)} files, {same} as cmark-gfm")
    sys.exit(1 if different or same < len(options.files) else 0)


if __name__ == "__main__":
    main()
