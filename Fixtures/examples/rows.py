#!/usr/bin/env python3
"""Rows of data for the examples: as many as asked for, as NDJSON, or as requests of `fancytext batch`."""

import json
import sys

WORDS = "styled text without a browser fast cards for many rows from one template every word in its place".split()


def row(number: int) -> dict:
    words = [WORDS[(number * 7 + step * step * 3) % len(WORDS)] for step in range(22)]
    return {
        "id": number,
        "section": words[0],
        "title": " ".join(words[1:7]).capitalize(),
        "summary": " ".join(words[7:]).capitalize() + ".",
        "author": f"Author {number % 97}",
    }


def requests(count: int, template: str, options: dict):
    """Lines of requests: the template once, then a row each."""
    yield json.dumps({"define": "card", "html": template})
    for number in range(count):
        yield json.dumps({"id": number, "template": "card", "row": row(number), **options})


if __name__ == "__main__":
    for number in range(int(sys.argv[1])):
        print(json.dumps(row(number)))
