#!/usr/bin/env python3
"""Time and peak memory of `strip`, `select` and others over inputs made to hurt, beside the limits.

    pathological.py [--bin .build/release/fancytext] [--mb 1,10] [--command 'strip'] [--only NAME,…]

Prints one line a case: seconds and peak resident memory, the limit (10 × input + 64 MiB), and what misses a limit: memory,
or a second for each 10 MB. Exit status 1 when something does.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time


def repeated(piece):
    return lambda size: piece * (size // len(piece) + 1)


def between(start, piece, end=b""):
    return lambda size: start + piece * (size // len(piece) + 1) + end


def numbered(template):
    def make(size):
        out, total, k = [], 0, 0
        while total < size:
            piece = template.replace(b"N", str(k).encode())
            out.append(piece)
            total += len(piece)
            k += 1
        return b"".join(out)
    return make


def nested(open_tag, close_tag):
    def make(size):
        n = size // (len(open_tag) + len(close_tag)) + 1
        return open_tag * n + b"x" + close_tag * n
    return make


CASES = {
    "page": repeated(b"<section id=m class='method'><h4>pub fn <a href='#m'>push</a>(&amp;mut self)</h4></section>\n"
                     b"<div class=doc><p>Appends the given <code>char</code> to the end of this string.</p></div>\n"),
    "text": repeated(b"just words in a row "),
    "one word": repeated(b"x"),
    "spaces": repeated(b" "),
    "ampersands": repeated(b"&"),
    "references": repeated(b"&amp;"),
    "bad references": repeated(b"&notanentityatall"),
    "numeric references": repeated(b"&#x1F600;"),
    "comments open": repeated(b"<!-- "),
    "comments almost closed": repeated(b"<!--->-"),
    "comment, dashes": between(b"<!--", b"-"),
    "quotes open": between(b"<a b=\"", b"x "),
    "tags with quotes open": repeated(b"<a b=\""),
    "tags open": repeated(b"<a "),
    "tag of equals": between(b"<a ", b"="),
    "CDATA open": repeated(b"<![CDATA["),
    "CDATA open in svg": between(b"<svg>", b"<![CDATA["),
    "less-than": repeated(b"<"),
    "end tags open": repeated(b"</"),
    "doctypes": repeated(b"<!doctype "),
    "instructions": repeated(b"<?"),
    "script open": between(b"<script>", b"<!--<script>"),
    "script ends": between(b"<script>", b"</script"),
    "textarea": between(b"<textarea>", b"</textare"),
    "div nested": repeated(b"<div>"),
    "div nested, closed": nested(b"<div>", b"</div>"),
    "span nested": repeated(b"<span>"),
    "b nested": repeated(b"<b>"),
    "lists nested": repeated(b"<ul><li>"),
    "blockquote nested": repeated(b"<blockquote>x"),
    "svg nested": repeated(b"<svg>"),
    "misnested a b": repeated(b"<a><b></a></b>"),
    "misnested b p": repeated(b"<b><p></b></p>"),
    "misnested b div": repeated(b"<b><div>x</b>"),
    "div b": repeated(b"<div><b></div>"),
    "p font": numbered(b"<p><font size=N>x"),
    "b i u": repeated(b"<b><i><u>x</b>y</i>z</u>"),
    "b i u open": repeated(b"<b>x<i>y<u>z"),
    "b i p": repeated(b"<b><i><p>"),
    "b comment": repeated(b"<b><!>"),
    "unknown, misnested": repeated(b"<x-a><x-b></x-a></x-b>"),
    "unknown": numbered(b"<xN>"),
    "unknown in use": numbered(b"<xN y>"),
    "end tags": repeated(b"</x>"),
    "end tags p": repeated(b"</p>"),
    "p": repeated(b"<p>"),
    "x p": repeated(b"x<p>"),
    "br": repeated(b"<br>"),
    "li": repeated(b"<li>x"),
    "ul li": repeated(b"<ul><li>x"),
    "attributes": lambda size: b"<p " + numbered(b"aN ")(size) + b">x",
    "attributes with values": lambda size: b"<p " + numbered(b"aN='N' ")(size) + b">x",
    "attributes, same name": between(b"<p ", b"a=1 ", b">x"),
    "p a": repeated(b"<p a>"),
    "p class": numbered(b"<p class=cN id=iN>"),
    "table nested": repeated(b"<table>"),
    "tables, cells nested": repeated(b"<table><tr><td>"),
    "table b x": repeated(b"<table><b>x"),
    "table, b x": between(b"<table>", b"<b>x"),
    "table, a x": between(b"<table>", b"<a>x"),
    "table, p x": between(b"<table>", b"<p>x"),
    "table, x tr": between(b"<table>", b"x<tr>"),
    "table, tr td": between(b"<table>", b"<tr><td>x"),
    "table, td": between(b"<table><tr>", b"<td>"),
    "table, b td": between(b"<table>", b"<b>x<tr><td>"),
    "table, rowspan": between(b"<table>", b"<tr><td rowspan=65534 colspan=1000>x"),
    "select option": between(b"<select>", b"<option>"),
    "form": repeated(b"<form><div></form>"),
    "a": repeated(b"<a>"),
    "nobr": repeated(b"<nobr>x"),
    "template": repeated(b"<template>"),
    "body": repeated(b"<body a=1>"),
    "body, names": numbered(b"<body aN=1>"),
    "ruby": repeated(b"<ruby><rt>"),
    "NUL": repeated(b"\0"),
    "escapes": repeated(b"\x1b[31m"),
    "high bytes": repeated(b"\xff"),
    "lines": repeated(b"a\n"),
    "pre lines": between(b"<pre>", b"\n"),
}


def measure(command, path, report):
    """Wall and CPU seconds, peak bytes and exit status. GNU time starts the program: a process that Python itself starts
    counts Python's memory as its own."""
    started = time.monotonic()
    with open(os.devnull, "wb") as sink:
        status = subprocess.run(
            ["time", "-q", "-o", report, "-f", "%U %S %M"] + command + [path], stdout=sink, stderr=sink).returncode
    wall = time.monotonic() - started
    user, system, peak = open(report).read().split()[-3:]
    return wall, float(user) + float(system), int(peak) * 1024, status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=".build/release/fancytext")
    parser.add_argument("--mb", default="1,10")
    parser.add_argument("--command", default="strip")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    command = [arguments.bin] + arguments.command.split()
    if not shutil.which("time"):
        print("GNU time is not installed: nothing measured")
        return 0
    missed = 0
    print(f"{'case':26}{'MB':>5}{'seconds':>9}{'CPU':>7}{'peak MB':>9}{'limit':>7}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "input.html")
        for name, make in CASES.items():
            if arguments.only and name not in arguments.only.split(","):
                continue
            for size in [float(mb) * 1e6 for mb in arguments.mb.split(",")]:
                with open(path, "wb") as file:
                    file.write(make(int(size)))
                length = os.path.getsize(path)
                wall, cpu, peak, status = measure(command, path, os.path.join(folder, "time"))
                limit = 10 * length + (64 << 20)
                misses = [] if peak <= limit else ["memory"]
                if wall > max(1, size / 1e7):
                    misses.append("time")
                if status not in (0, 1):
                    misses.append(f"exit {status}")
                missed += bool(misses)
                print(f"{name:26}{size / 1e6:5.0f}{wall:9.3f}{cpu:7.2f}{peak / 1e6:9.1f}{limit / 1e6:7.0f}  {' '.join(misses)}",
                      flush=True)
    print(f"{missed} miss a limit")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
