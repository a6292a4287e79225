#!/usr/bin/env python3
"""Looks at documents on an emulated terminal (pyte): line widths, contrast, what changes from one screen to another.

    terminal_screens.py PROGRAM FILE... [--columns 40,80,120] [--theme auto,dark,light] [--failures N]

For each file, width and theme the program runs in a pseudo-terminal that answers no questions, and pyte reads what it
writes. Reported: lines that reach over the width, and characters whose contrast with what lies behind them is under
4.5:1 (WCAG 2.2). Cells without a background of their own count on black for `dark`, on white for `light`, and on both
for `auto`, where the program does not know. Exit status 1 where there is one. Needs pyte.
"""

import argparse
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import pyte

CUBE = [0, 95, 135, 175, 215, 255]
BASIC = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
]


def run(arguments, columns, rows=50, environment=None, seconds=30, answer=None):
    """What a program writes to a terminal of this size, and its exit status.

    `answer` gets each piece of output and returns what the terminal sends back."""
    child, terminal = pty.fork()
    if child == 0:
        own = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        own.update(environment or {})
        time.sleep(0.02)
        os.execvpe(arguments[0], arguments, own)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 8, rows * 18))
    output = b""
    end = time.time() + seconds
    while time.time() < end:
        if not select.select([terminal], [], [], 0.5)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        if answer and (reply := answer(piece)):
            os.write(terminal, reply)
        output += piece
    os.close(terminal)
    return output, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# What pyte prints as text: operating system commands and other strings, and colons in SGR.
STRINGS = re.compile(rb"\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)")
FINE_UNDERLINE = re.compile(rb"(\x1b\[[0-9;:]*m)")


def plain_sgr(match):
    parts = match.group(1)[2:-1].split(b";")
    kept, at = [], 0
    while at < len(parts):
        part = parts[at]
        if part in (b"38", b"48"):
            length = 5 if parts[at + 1 : at + 2] == [b"2"] else 3
            kept += parts[at : at + length]
            at += length
            continue
        if part.startswith(b"4:"):
            kept.append(b"24" if part == b"4:0" else b"4")
        elif b":" not in part and part not in (b"21", b"53", b"55", b"59"):
            kept.append(part)
        at += 1
    return b"\x1b[" + b";".join(kept) + b"m" if kept else b""


def screen_of(output, columns):
    """All rows that a program wrote, on a screen with room for them and for what reaches over the width."""
    clean = FINE_UNDERLINE.sub(plain_sgr, STRINGS.sub(b"", output))
    rows = clean.count(b"\n") + 2
    screen = pyte.Screen(columns + 400, rows)
    pyte.ByteStream(screen).feed(clean)
    return screen


def rgb(color, default):
    if color == "default":
        return default
    names = ["black", "red", "green", "brown", "blue", "magenta", "cyan", "white"]
    if color in names:
        value = BASIC[names.index(color)]
    elif color.startswith("bright") and color[6:] in names:
        value = BASIC[8 + names.index(color[6:])]
    elif re.fullmatch("[0-9a-fA-F]{6}", color):
        value = int(color, 16)
    else:
        return default
    return value >> 16, value >> 8 & 255, value & 255


def luminance(color):
    def linear(value):
        unit = value / 255
        return unit / 12.92 if unit <= 0.04045 else ((unit + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2])


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


BLACK, WHITE = (0, 0, 0), (255, 255, 255)
GROUNDS = {"dark": [(BLACK, WHITE)], "light": [(WHITE, BLACK)], "auto": [(BLACK, WHITE), (WHITE, BLACK)]}


def faults(screen, columns, theme):
    """Rows beyond the width, and characters that can hardly be read, each with its place."""
    wide, dim, count = [], [], 0
    known = {}
    for row in range(screen.lines):
        cells = screen.buffer[row]
        last = max((column for column, cell in cells.items() if cell.data.strip()), default=-1)
        if last >= columns:
            wide.append((row, last + 1))
        for column, cell in cells.items():
            if not cell.data.strip():
                continue
            count += 1
            key = cell.fg, cell.bg, cell.reverse
            if key not in known:
                pairs = []
                for ground, ink in GROUNDS[theme]:
                    pair = rgb(cell.fg, ink), rgb(cell.bg, ground)
                    pairs.append(contrast(*pair))
                known[key] = min(pairs)
            if known[key] < 4.5:
                dim.append((row, column, cell.data, cell.fg, cell.bg, round(known[key], 2)))
    return wide, dim, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--columns", default="40,80,120")
    parser.add_argument("--theme", default="auto,dark,light")
    parser.add_argument("--colors", default="truecolor,256,16")
    parser.add_argument("--failures", type=int, default=10, help="how many of each kind are shown")
    options = parser.parse_args()
    terms = {"truecolor": {}, "256": {"COLORTERM": ""}, "16": {"COLORTERM": "", "TERM": "xterm"}}
    all_wide = all_dim = all_count = runs = 0
    for columns in map(int, options.columns.split(",")):
        for theme in options.theme.split(","):
            for colors in options.colors.split(","):
                wide_sum = dim_sum = count_sum = 0
                for file in options.files:
                    output, status = run(
                        [options.program, "render", file, "--theme", theme, "--quiet", "--no-config"], columns,
                        environment=terms[colors])
                    if status != 0:
                        print(f"{file}: exit status {status}")
                        wide_sum += 1
                    wide, dim, count = faults(screen_of(output, columns), columns, theme)
                    runs += 1
                    for row, end in wide[: options.failures]:
                        print(f"{file} {columns} {theme} {colors}: row {row} ends at {end}")
                    for place in dim[: options.failures]:
                        print(f"{file} {columns} {theme} {colors}: {place}")
                    wide_sum += len(wide)
                    dim_sum += len(dim)
                    count_sum += count
                print(f"{columns} columns, {theme}, {colors}: {count_sum} characters, "
                      f"{wide_sum} rows too wide, {dim_sum} characters under 4.5:1")
                all_wide, all_dim, all_count = all_wide + wide_sum, all_dim + dim_sum, all_count + count_sum
    print(f"{runs} screens, {all_count} characters: {all_wide} rows too wide, {all_dim} characters under 4.5:1")
    sys.exit(1 if all_wide or all_dim else 0)


if __name__ == "__main__":
    main()
