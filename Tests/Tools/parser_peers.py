#!/usr/bin/env python3
"""Speed of Python's HTML parsers on one page: rows for the table of the benchmarks.

    parser_peers.py PAGE

Parsers that are not installed are left out; exit status 1 when none is.
"""

import statistics
import sys
import time


def median(work, least=5, most=1.5):
    times = []
    started = time.perf_counter()
    while len(times) < least or (time.perf_counter() - started < most and len(times) < 50):
        before = time.perf_counter()
        work()
        times.append(time.perf_counter() - before)
    return statistics.median(times)


def turbohtml():
    import turbohtml as library
    return (library.parse, lambda page: library.parse(page).text, lambda page: library.parse(page).select("code"))


def lexbor():
    from selectolax.lexbor import LexborHTMLParser as Parser
    return (Parser, lambda page: Parser(page).text(), lambda page: Parser(page).css("code"))


def lxml():
    from lxml import html
    return (html.fromstring, lambda page: html.fromstring(page).text_content(),
            lambda page: list(html.fromstring(page).iter("code")))


def main():
    page = open(sys.argv[1], "rb").read()
    text = page.decode("utf-8", errors="replace")
    shown = 0
    for peer in (turbohtml, lexbor, lxml):
        try:
            works = peer()
        except ImportError:
            continue
        cells = ["-"]
        for work in works:
            try:
                cells.append(f"{len(page) / median(lambda: work(text)) / 1e6:.0f}")
            except (AttributeError, TypeError, ValueError) as error:
                cells.append(type(error).__name__)
        print(f"  {peer.__name__:32}" + "".join(f"{cell:>16}" for cell in cells))
        shown += 1
    return 0 if shown else 1


if __name__ == "__main__":
    sys.exit(main())
