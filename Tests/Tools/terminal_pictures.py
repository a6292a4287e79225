#!/usr/bin/env python3
"""Pictures of terminals: what fancytext, w3m and rich show of the same documents, side by side.

    terminal_pictures.py PROGRAM FOLDER FILE... [--columns 60] [--rows 22]

Each program runs in a pseudo-terminal of that size; pyte reads what it writes, and fancytext draws the first screen of
each to FOLDER/terminal-<name of the file>.png, with its embedded fonts where they have the letters. w3m shows HTML
itself. rich shows Markdown: of HTML what markdownify makes of it. Needs w3m, pyte, rich and markdownify.
"""

import argparse
import fcntl
import html
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import pyte

from terminal_screens import STRINGS, FINE_UNDERLINE, plain_sgr, rgb

INK, PAPER = (0xE6, 0xE6, 0xE6), (0x16, 0x18, 0x1D)
# Modes that are saved and restored, which pyte takes for something else.
SAVED = re.compile(rb"\x1b\[\?[0-9;]*[rs]")
RICH = """
import sys
from rich.console import Console
from rich.markdown import Markdown
text = open(sys.argv[1], encoding="utf-8").read()
if sys.argv[1].endswith(".html"):
    import re
    from markdownify import markdownify
    text = markdownify(re.sub("(?is)<(style|title)[ >].*?</\\1>", "", text))
Console().print(Markdown(text))
"""


def first_screen(arguments, columns, rows):
    """The first rows that a program writes; it is ended when it has written nothing for a while."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 8, rows * 18))
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", COLORFGBG="15;0")
        os.execvp(arguments[0], arguments)
    output = b""
    end = time.time() + 20
    while time.time() < end and select.select([terminal], [], [], 2 if output else 10)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)
    # A program that does not scroll by itself is read from its top.
    lines = rows if b"\x1b[?1049h" in output or b"\x1b[H" in output else output.count(b"\n") + rows
    screen = pyte.Screen(columns, lines)
    pyte.ByteStream(screen).feed(FINE_UNDERLINE.sub(plain_sgr, SAVED.sub(b"", STRINGS.sub(b"", output))))
    return screen


def css(cell):
    foreground, background = rgb(cell.fg, INK), rgb(cell.bg, PAPER)
    if cell.reverse:
        foreground, background = background, foreground
    result = [] if foreground == INK else ["color:#%02x%02x%02x" % foreground]
    if background != PAPER:
        result.append("background:#%02x%02x%02x" % background)
    result += ["font-weight:bold"] * cell.bold + ["font-style:italic"] * cell.italics
    lines = ["underline"] * cell.underscore + ["line-through"] * cell.strikethrough
    return ";".join(result + (["text-decoration:" + " ".join(lines)] if lines else []))


def panel(screen, columns, rows):
    """The rows as HTML. Each cell that is not ASCII has a box of its own, so that fonts cannot shift what follows."""
    result = []
    for row in range(rows):
        line, at = [], 0
        while at < columns:
            cell = screen.buffer[row][at]
            wide = at + 1 < columns and screen.buffer[row][at + 1].data == ""
            text, style = html.escape(cell.data) or " ", css(cell)
            if cell.data.isascii():
                line.append((style, text))
            else:
                line.append((f"{style};display:inline-block;width:{2 if wide else 1}ch;white-space:pre", text))
            at += 2 if wide else 1
        merged = []
        for style, text in line:
            if merged and merged[-1][0] == style and "inline-block" not in style:
                merged[-1][1] += text
            else:
                merged.append([style, text])
        result.append("".join(f'<span style="{s}">{t}</span>' if s else t for s, t in merged))
    return "\n".join(result)


SHEET = """
body { margin: 0; padding: 14px; background: #2a2e37; display: flex; gap: 14px }
figure { margin: 0 }
figure { flex: none }
figcaption { font: 600 13px Inter; color: #c3c9d6; margin-bottom: 6px }
pre { width: %dch; margin: 0; padding: 8px; background: #16181d; color: #e6e6e6; font: 12px/14px "DejaVu Sans Mono"; border-radius: 6px }
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--columns", type=int, default=60)
    parser.add_argument("--rows", type=int, default=22)
    options = parser.parse_args()
    for file in options.files:
        path = pathlib.Path(file)
        with tempfile.TemporaryDirectory() as scratch:
            page = file
            if path.suffix == ".md":
                page = f"{scratch}/page.html"
                markup = subprocess.run(
                    [options.program, "render", file, "--format", "html", "--quiet", "--no-config"],
                    capture_output=True, check=True).stdout
                pathlib.Path(page).write_bytes(markup)
            commands = {
                "fancytext": [options.program, "render", file, "--quiet", "--no-config", "--images", "none"],
                "w3m": ["w3m", "-T", "text/html", page],
                "rich": [sys.executable, "-c", RICH, file],
            }
            panels = "".join(
                f"<figure><figcaption>{name}</figcaption><pre>"
                f"{panel(first_screen(command, options.columns, options.rows), options.columns, options.rows)}</pre></figure>"
                for name, command in commands.items())
            subprocess.run(
                [options.program, "render", "-", "--from", "html", "--quiet", "--no-config", "--style", SHEET % options.columns, "--width",
                 "auto", "--padding", "0", "-o", f"{options.folder}/terminal-{path.stem}.png"],
                input=panels.encode(), check=True)
            print(f"{options.folder}/terminal-{path.stem}.png")


if __name__ == "__main__":
    main()
