#!/usr/bin/env python3
"""The program beside its peers, and how its time grows: a table, and a plot that it draws itself.

    bench.py [--program .build/release/fancytext] [--runs 9] [--docs FOLDER]

Each line of the table is one job that a user has, done by whole processes on the same input. Runs of all programs take turns,
so that a busy machine is busy for all; medians of wall clock and processor time are told, a process with all that it starts. Peers that are not installed are
left out. The program is measured as a copy, as if installed. With --docs, Benchmarks.md and growth.png are written to the folder.
"""

import argparse
import datetime
import math
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

CARD = """<!doctype html><meta charset=utf-8><style>body{margin:0;padding:60px;background:#fff;color:#111;
font-family:Inter,sans-serif}h1{font-size:64px;line-height:1.1;margin:0 0 24px;font-weight:800}p{font-size:28px;
line-height:1.5;margin:0 0 16px}mark{border-radius:6px;padding:0 6px}</style><h1>Styled text, without a browser</h1>
<p>FreeType and HarfBuzz do the glyphs; <b>fancytext</b> does the rest: <i>bold, italic</i>, <u>underline</u>,
<mark>marks</mark> and <a href="#">links</a>.</p><p>The quick brown fox jumps over the lazy dog. Pack my box with five
dozen liquor jugs. How vexingly quick daft zebras jump! Sphinx of black quartz, judge my vow.</p>"""

PANGO_CARD = """<span font="Inter 48" weight="800">Styled text, without a browser</span>
<span font="Inter 21">FreeType and HarfBuzz do the glyphs; <b>fancytext</b> does the rest: <i>bold, italic</i>,
<u>underline</u>, <span background="yellow">marks</span> and links. The quick brown fox jumps over the lazy dog.
Pack my box with five dozen liquor jugs. How vexingly quick daft zebras jump!</span>
"""

ROW_CARD = """<!doctype html><style>body{margin:0;padding:64px 72px;height:630px;box-sizing:border-box;background:#0f172a;
color:#e2e8f0;font-family:Inter}h1{font-size:76px;line-height:1.08;margin:20px 0 24px}p{font-size:30px}</style>
<h1>{{title}}</h1><p>{{summary}}</p>"""

WORDS = ("the quick brown fox jumps over lazy dogs while five boxing wizards watch extraordinary "
         "incomprehensibilities of internationalization").split()


def words(start, count):
    return " ".join(WORDS[(start + k * 7 + k // 13) % len(WORDS)] for k in range(count))


def page(size):
    """An article of about `size` bytes: headings, paragraphs with links and code, lists and tables."""
    parts = ["<!doctype html><meta charset=utf-8><title>Article</title><body>"]
    length, number = 60, 0
    while length < size:
        piece = f"<h2 id=s{number}>{words(number, 5)}</h2>"
        for k in range(3):
            piece += (f"<p>{words(number + k, 40)} <a href='/p/{number}'>{words(k, 3)}</a>, <code>call({number})</code> "
                      f"and <b>{words(number, 2)}</b>. {words(number * 3 + k, 30)}.</p>")
        piece += "<ul>" + "".join(f"<li>{words(number + k, 8)}</li>" for k in range(4)) + "</ul>"
        if number % 4 == 0:
            piece += "<table>" + "".join(
                f"<tr><td>{k}</td><td>{words(k, 3)}</td><td>{words(number, 2)}</td></tr>" for k in range(5)) + "</table>"
        parts.append(piece)
        length += len(piece)
        number += 1
    return "".join(parts)


def run(command, folder):
    """Seconds of wall clock and of the processors; None when it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        return None
    return seconds, usage.ru_utime + usage.ru_stime


def measure(commands, folder, runs):
    """Medians for each command that can be run."""
    results = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            # What takes seconds needs no nine runs.
            if results[name] is None or (len(results[name]) >= 3 and sum(r[0] for r in results[name]) > 10):
                continue
            result = run(command, folder)
            if result is None:
                results[name] = None
            elif turn > 0:
                results[name].append(result)
    return {name: tuple(map(statistics.median, zip(*found))) for name, found in results.items() if found}


def plutoprint():
    """PlutoBook draws pictures by its Python binding."""
    for python in [sys.executable, *map(str, pathlib.Path("/opt").glob("*/bin/python3"))]:
        if subprocess.run([python, "-c", "import plutoprint"], stderr=subprocess.DEVNULL).returncode == 0:
            return [python, "-c", "import plutoprint as p; b = p.Book(p.PageSize(900, 472.5), p.PAGE_MARGINS_NONE, "
                    "p.MEDIA_TYPE_SCREEN); b.load_html(open('card.html').read()); b.write_to_png('pluto.png')"]
    return None


def jobs(program):
    def peer(name, *arguments):
        path = shutil.which(name) or next(iter(pathlib.Path("/opt").glob(f"*/bin/{name}")), None)
        return [str(path), *arguments] if path else None

    own = [program]
    yield "start: `--version`", {"fancytext": own + ["--version"]}
    yield "a card of 1200×630 as PNG", {
        "fancytext": own + ["render", "card.html", "-w", "1200", "-H", "630", "-o", "card.png", "--no-config"],
        "Chromium": peer("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                         "--window-size=1200,630", "--screenshot=chromium.png", "card.html"),
        "wkhtmltoimage": peer("wkhtmltoimage", "--quiet", "--width", "1200", "--height", "630", "card.html", "wk.png"),
        "PlutoPrint": plutoprint(),
        "WeasyPrint (PDF)": peer("weasyprint", "card.html", "weasy.pdf"),
        "pango-view": peer("pango-view", "--markup", "-q", "--width=810", "-o", "pango.png", "card.pango"),
    }
    yield "plain text of a page of 2 MB", {
        "fancytext": own + ["strip", "page.html", "-o", "own.txt", "--no-config"],
        "lynx": peer("lynx", "-dump", "-nolist", "-width=1000", "page.html"),
        "w3m": peer("w3m", "-dump", "-cols", "1000", "page.html"),
        "html2text": peer("html2text", "page.html"),
    }
    yield "`code` elements of a page of 2 MB", {
        "fancytext": own + ["select", "code", "page.html", "--text", "--no-config"],
        "pup": peer("pup", "-f", "page.html", "code", "text{}"),
        "xmllint": peer("xmllint", "--html", "--xpath", "//code/text()", "page.html"),
    }
    yield "a page of 600 KB for a terminal of 80 columns", {
        "fancytext": own + ["render", "article.html", "--format", "ansi", "-w", "80", "--color", "always", "--no-config"],
        "lynx": peer("lynx", "-dump", "-width=80", "article.html"),
        "w3m": peer("w3m", "-dump", "-cols", "80", "article.html"),
        "elinks": peer("elinks", "-dump", "-dump-width", "80", "article.html"),
    }
    yield "2,000 cards of a template as PNG files", {
        "fancytext": own + ["render", "rows.html", "--data", "rows.csv", "-w", "1200", "-H", "630", "-o", "out/{id}.png",
                            "--no-system-fonts", "--no-config"],
    }


def milliseconds(times):
    return " / ".join(f"{1000 * seconds:,.{0 if seconds > 0.03 else 1}f}" for seconds in times) + " ms"


def ratio(theirs, ours):
    return f"{theirs / ours:.{0 if theirs > 10 * ours else 1}f}×"


def table(program, folder, runs):
    lines = ["| Job | fancytext: wall clock / processors | peers (how many times ours) |", "|---|---|---|"]
    for title, commands in jobs(program):
        found = measure({name: command for name, command in commands.items() if command}, folder, runs)
        own = found.pop("fancytext")
        peers = [f"{name} {milliseconds(other)} ({ratio(other[0], own[0])}, {ratio(other[1], own[1])})"
                 for name, other in found.items()]
        lines.append(f"| {title} | {milliseconds(own)} | {'<br>'.join(peers) or '–'} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


FORMATS = {"strip": "#2f9e44", "ansi": "#1971c2", "json": "#e8590c", "png": "#c2255c"}


def growth(program, folder, runs):
    """Processor seconds by format and size."""
    sizes = [1 << power for power in range(10, 24)]
    result = {name: [] for name in FORMATS}
    for size in sizes:
        (folder / "size.html").write_text(page(size))
        for name in FORMATS:
            if name == "png" and size > 1 << 20:
                continue
            command = [program, "strip", "size.html", "-o", "size.txt"] if name == "strip" else [
                program, "render", "size.html", "--format", name, "-w", "80" if name == "ansi" else "800",
                "-o", "size.out", "--max-pixels", "400000000"]
            found = measure({"run": command + ["--no-config"]}, folder, min(runs, 3))
            if found:
                result[name].append((size, found["run"][1]))
    return result


def plot(points):
    """A page with a plot, both axes logarithmic."""
    left, top, width, height = 90, 60, 780, 400
    times = [seconds for line in points.values() for _, seconds in line]
    low, high = 10 ** math.floor(math.log10(min(times))), 10 ** math.ceil(math.log10(max(times)))
    sizes = [size for line in points.values() for size, _ in line]
    first, last = min(sizes), max(sizes)

    def x(size):
        return left + width * math.log(size / first) / math.log(last / first)

    def y(seconds):
        return top + height - height * math.log(max(seconds, low) / low) / math.log(high / low)

    marks = []
    for power in range(round(math.log10(low)), round(math.log10(high)) + 1):
        seconds = 10.0 ** power
        label = f"{seconds:g} s" if power >= 0 else f"{1000 * seconds:g} ms"
        marks.append(f"<line x1='{left}' x2='{left + width}' y1='{y(seconds):.1f}' y2='{y(seconds):.1f}' stroke='#ddd'/>"
                     f"<text x='{left - 10}' y='{y(seconds) + 5:.1f}' text-anchor='end'>{label}</text>")
    size = first
    while size <= last:
        label = f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} KB"
        marks.append(f"<line x1='{x(size):.1f}' x2='{x(size):.1f}' y1='{top}' y2='{top + height}' stroke='#eee'/>"
                     f"<text x='{x(size):.1f}' y='{top + height + 24}' text-anchor='middle'>{label}</text>")
        size *= 4
    lines = []
    for place, (name, line) in enumerate(points.items()):
        path = " ".join(f"{x(size):.1f},{y(seconds):.1f}" for size, seconds in line)
        dots = "".join(f"<circle cx='{x(s):.1f}' cy='{y(t):.1f}' r='3.5' fill='{FORMATS[name]}'/>" for s, t in line)
        lines.append(f"<polyline points='{path}' fill='none' stroke='{FORMATS[name]}' stroke-width='2.5'/>{dots}"
                     f"<rect x='{left + 20}' y='{top + 16 + 26 * place}' width='18' height='4' fill='{FORMATS[name]}'/>"
                     f"<text x='{left + 48}' y='{top + 24 + 26 * place}'>{name}</text>")
    return (f"<!doctype html><body style='margin:0;background:#fff'><svg xmlns='http://www.w3.org/2000/svg' width='920' "
            f"height='520' font-family='Inter' font-size='15' fill='#222'><text x='{left}' y='36' font-size='19' "
            f"font-weight='700'>Processor time of a run by the size of its page</text>{''.join(marks)}{''.join(lines)}</svg>")


def machine():
    model = platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{os.cpu_count()} × {model}, {platform.freedesktop_os_release().get('PRETTY_NAME', platform.system())}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=".build/release/fancytext")
    options.add_argument("--runs", type=int, default=9)
    options.add_argument("--docs")
    options = options.parse_args()
    program = os.path.abspath(options.program)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # As installed: the kernel keeps a file that was copied in larger pieces than one that a linker wrote here and there.
        program = shutil.copy(program, folder / "fancytext")
        for file, text in {"card.html": CARD, "card.pango": PANGO_CARD, "rows.html": ROW_CARD, "page.html": page(2_000_000),
                           "article.html": page(600_000)}.items():
            (folder / file).write_text(text)
        rows = [f"{k},{words(k, 5)},{words(3 * k, 16)}" for k in range(2000)]
        (folder / "rows.csv").write_text("\n".join(["id,title,summary"] + rows) + "\n")
        found = table(program, folder, options.runs)
        points = growth(program, folder, options.runs)
        if not options.docs:
            return 0
        docs = pathlib.Path(options.docs)
        (docs / "Resources").mkdir(exist_ok=True)
        (folder / "plot.html").write_text(plot(points))
        subprocess.run([program, "render", str(folder / "plot.html"), "-w", "920", "-H", "520", "--scale", "2", "--no-config",
                        "--no-system-fonts", "-o", str(docs / "Resources/growth.png")], check=True)
        ends = [f"{name} {line[-1][0] / 1e6 / line[-1][1]:.0f} MB/s at {line[-1][0] / 1e6:.1f} MB" for name, line in points.items()]
        (docs / "Benchmarks.md").write_text(f"""# Benchmarks

What `make bench` measured last: whole processes, beside the peers that were installed.

On {datetime.date.today().isoformat()}, on {machine()}, of {options.runs} runs the median; the machine's load was {load:.1f} before it. Programs take
turns, so that ratios hold on a busy machine, where times do not.

{found}

## Growth

![Processor time of strip, ansi, json and png over pages of 1 KB to 8 MB: level where starting is most of it, then straight](growth.png)

The plot is drawn by the program: a page with an SVG in it. Both axes are logarithmic, so what is linear has the slope of one. At the
right end: {', '.join(ends)}.

`Tests/Tools/growth.py` finds exponents for hundreds of kinds of pages, and `make bench FILTER=card` measures the library's stages.
""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
