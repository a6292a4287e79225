#!/usr/bin/env python3
"""Compares where texts stand on a picture and on a terminal of the same width.

    terminal_structure.py PROGRAM FILE... [--columns 100] [-v]

A text is what one block holds. Both layouts give the rectangle around its words: the picture's from `dump --stage layout`
at 8 pixels a column, the terminal's from the rows that `render` prints. A text agrees when its left edge, its middle or its right edge
is within a twelfth of the width (fonts have sizes on a picture: what is aligned left agrees on the left), and when it stands to the text before it as on the picture: what is beside
it stays beside it, what is below stays below. The share is of words in texts that agree. Of equal texts the first
whose edges agree is compared; a character of a word that a line broke, or a mark that only terminals have, makes a word unknown,
and a text is found where half of its words are. Lines below the end of their own box do not count.
"""

import argparse
import json
import re
import subprocess
import sys
import unicodedata

IDEOGRAPH = r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
# Lines break behind hyphens, so what follows one is a word of its own.
WORD = re.compile(IDEOGRAPH + r"|(?:(?!" + IDEOGRAPH + r")[^\s-])+-*|-+")
FRAME = re.compile("[\u2500-\u257f]")


def plain(word):
    """A word as both layouts have it: without soft hyphens, brackets of controls and raised digits."""
    word = unicodedata.normalize("NFKC", word.replace("\u00ad", "").replace("\u200b", ""))
    return (word.strip("[]▾↵") or word).casefold()


def width(text):
    return sum(0 if unicodedata.combining(c) or c in "\u200d\ufe0f" else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def run(arguments):
    return subprocess.run(arguments, capture_output=True, check=True).stdout


def picture_texts(program, file, pixels):
    """For each block that holds text: its words and the rectangle around them, in shares of the width and in pixels."""
    options = [file, "--format", "json", "--quiet", "--no-config"]
    text = json.loads(run([program, "dump", "--stage", "text"] + options))["text"].encode()
    layout = json.loads(run([program, "dump", "--stage", "layout", "--width", str(pixels)] + options))
    result = []
    for box in layout["boxes"]:
        if box["kind"] == "marker" or "lines" not in box:
            continue
        pieces, rects = [], []
        for line in box["lines"]:
            # Cut off by the box's height, which a terminal does not keep.
            if line["y"] >= box["y"] + box["height"]:
                continue
            texts = [fragment for fragment in line["fragments"] if fragment["kind"] == "text" and not fragment.get("hidden")]
            for fragment in sorted(texts, key=lambda fragment: fragment["text"]["start"]):
                piece = text[fragment["text"]["start"] : fragment["text"]["end"]].decode(errors="replace")
                if piece.strip():
                    rects.append((fragment["x"], line["y"], fragment["x"] + fragment["width"], line["y"] + line["height"]))
                pieces.append(piece)
            pieces.append(" ")
        is_atomic = box.get("placement") == "atomic"
        words = [plain(word) for word in WORD.findall("".join(pieces).replace("\u00ad", ""))]
        if words and rects:
            edges = [f(r[i] for r in rects) for i, f in enumerate((min, min, max, max))]
            result.append((words, is_atomic, edges[0] / pixels, edges[1], edges[2] / pixels, edges[3]))
    return result


def terminal_tokens(program, file, columns):
    output = run([program, "render", file, "--format", "ansi", "--color", "never", "--width", str(columns), "--quiet",
                  "--no-config", "--hyperlinks", "never", "--images", "none"]).decode(errors="replace")
    rows = []
    for line in output.split("\n"):
        line = FRAME.sub(" ", line)
        rows.append([[plain(match.group()), width(line[: match.start()]), False] for match in WORD.finditer(line)])
    return rows


def follow(rows, row, place, words):
    """The places of as many of the words as follow each other from a token on."""
    found = [(row, place)]
    left = rows[row][place][1]
    skipped = 0
    for word in words[1:]:
        row, place = found[-1]
        ahead = range(place + 1, min(place + 2 + skipped, len(rows[row])))
        step = next((p for p in ahead if rows[row][p][0] == word and not rows[row][p][2]), None)
        if step is not None:
            found.append((row, step))
            skipped = 0
            continue
        below = [(abs(rows[r][p][1] - left), r, p) for r in range(row + 1, min(row + 4, len(rows)))
                 for p in range(len(rows[r])) if rows[r][p][0] == word and not rows[r][p][2]
                 and (p == 0 or rows[r][p][1] - left < 8)]
        if not below:
            skipped += 1
            if skipped > 4:
                break
            continue
        _, row, place = min(below, key=lambda b: (b[1], b[0]))
        left = min(left, rows[row][place][1])
        found.append((row, place))
        skipped = 0
    return found


def rectangle(rows, found, columns):
    tokens = [(row, rows[row][place]) for row, place in found]
    return (min(t[1] for _, t in tokens) / columns, min(r for r, _ in tokens),
            max(t[1] + width(t[0]) for _, t in tokens) / columns, max(r for r, _ in tokens) + 1)


def is_aligned(a, b):
    edges = (a[0], b[0]), ((a[0] + a[2]) / 2, (b[0] + b[2]) / 2), (a[2], b[2])
    return any(abs(x - y) <= 1 / 12 for x, y in edges)


def broken(rows, row, place, words):
    """The places of the pieces of words that a line broke, from one on."""
    rest = "".join(words)
    found = []
    while row < len(rows) and place < len(rows[row]):
        token = rows[row][place]
        if token[2] or len(token[0]) < 3 or not rest.startswith(token[0]):
            break
        found.append((row, place))
        rest = rest[len(token[0]) :]
        if not rest:
            break
        after = next((p for p in range(place + 1, len(rows[row])) if rest.startswith(rows[row][p][0])), None)
        if after is None:
            row += 1
            after = next((p for p in range(len(rows[row])) if rest.startswith(rows[row][p][0])), 0) if row < len(rows) else 0
        place = after
    return found if not rest else []


def terminal_rectangle(rows, words, columns, picture, before):
    """Where the text stands; of several places the first one whose edges agree, and its place to the text before."""
    best, rating = [], None
    for start in range(min(3, len(words))):
        for row, tokens in enumerate(rows):
            for place, token in enumerate(tokens):
                if token[0] != words[start] or token[2]:
                    continue
                found = follow(rows, row, place, words[start:])
                missing = max(0, 0.6 - len(found) / len(words))
                own = rectangle(rows, found, columns)
                is_astray = before and differs((before[0], picture), (before[1], own))
                this = missing, bool(is_astray) + (not is_aligned(picture, own)), bool(is_astray), row
                if rating is None or this < rating:
                    best, rating = found, this
    if not best or len(best) < (len(words) + 1) // 2:
        pieces = (broken(rows, row, place, words) for row, tokens in enumerate(rows) for place in range(len(tokens)))
        best = next((found for found in pieces if found), None)
        if not best:
            return None
    result = rectangle(rows, best, columns)
    for row, place in best:
        rows[row][place][2] = True
    return result


def side(a, b):
    """How far two stretches lie apart: -1 the second before the first, 1 behind it, 0 where they overlap."""
    overlap = min(a[1], b[1]) - max(a[0], b[0])
    if overlap > 0.25 * min(a[1] - a[0], b[1] - b[0]):
        return 0
    return 1 if b[0] + b[1] >= a[0] + a[1] else -1


def differs(picture, terminal):
    """What is wrong with the places of two texts on the terminal; None when they stand to each other as on the picture."""
    def sides(a, b):
        return side((a[0], a[2]), (b[0], b[2])), side((a[1], a[3]), (b[1], b[3]))

    (x, y), (column, row) = sides(*picture), sides(*terminal)
    names = {(0, 0): "over", (1, 0): "right of", (-1, 0): "left of", (0, 1): "below", (0, -1): "above"}
    if x and not y:
        # Cells that are shifted against each other may stand a line apart.
        near = abs(terminal[0][1] - terminal[1][1]) <= 2 or abs(terminal[0][3] - terminal[1][3]) <= 2
        fits = column == x and (row == 0 or near)
    elif y and not x:
        fits = row == y
    else:
        fits = column == x or row == y
    return None if fits else f"{names.get((column, row), 'aslant of')} the one before, not {names.get((x, y), 'aslant of')} it"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("-v", action="store_true", help="show the texts that do not agree")
    options = parser.parse_args()
    all_words = good_words = 0
    for file in options.files:
        texts = picture_texts(options.program, file, options.columns * 8)
        rows = terminal_tokens(options.program, file, options.columns)
        before = None
        count = good = 0
        for words, is_atomic, left, top, right, bottom in texts:
            count += len(words)
            picture = (left, top, right, bottom)
            shown = terminal_rectangle(rows, words, options.columns, picture, before)
            reason = None
            if shown is None:
                reason = "not found"
            else:
                # A box in a line stands where the words before it end.
                if not is_aligned(picture, shown) and not is_atomic:
                    reason = "from %.2f to %.2f, not %.2f to %.2f" % (shown[0], shown[2], left, right)
                elif before and not is_atomic:
                    reason = differs((before[0], picture), (before[1], shown))
                before = picture, shown
            if reason is None:
                good += len(words)
            elif options.v:
                print(f"{file}: {' '.join(words)[:50]!r}: {reason}")
        if options.v and good < count:
            print(f"{file}: {good} of {count}")
        all_words += count
        good_words += good
    print(f"{len(options.files)} files, {all_words} words, {good_words} ({100 * good_words / max(1, all_words):.1f}%) agree")
    sys.exit(0 if good_words >= 0.98 * all_words else 1)


if __name__ == "__main__":
    main()
