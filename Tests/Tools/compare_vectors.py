#!/usr/bin/env python3
"""Renders pages as PNG, SVG and PDF, and prints how far the vectors lie from the pixels.

usage: compare_vectors.py [--binary PATH] [--keep DIR] [--limit PERCENT] [--pages DIR] [NAME ...]

The pages are those of Fixtures/gallery with the options of options.txt there, or those that DIR/index.json lists as
[{"id", "w", "h"}, …]; NAME chooses some. SVG is opened in headless Chromium, PDF drawn by pdftoppm. A difference is the mean over
the red, green and blue channels of all pixels in per cent of full scale. "text" is how many letters of the plain text
the SVG file's text has in the same order, and pdftotext finds: in the order of the file, or, where lines run from the right, in that
of the page, since pdftotext only turns those lines. Exit status 1 when a difference lies above the limit (2%).
Needs chromium, poppler-utils and numpy.
"""
import argparse, difflib, html, json, os, re, shlex, subprocess, sys, tempfile, unicodedata
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
from compare_painting import read_png


def pages(options):
    """Names with their files, options and scales."""
    if options.pages:
        for entry in json.load(open(os.path.join(options.pages, "index.json"))):
            path = os.path.join(options.pages, entry["id"] + ".html")
            yield entry["id"], path, ["--width", str(entry["w"]), "--height", str(entry["h"])], 1
        return
    folder = os.path.join(ROOT, "Fixtures/gallery")
    for line in open(os.path.join(folder, "options.txt"), encoding="utf-8"):
        name, *given = shlex.split(line)
        scale = float(given[given.index("--scale") + 1]) if "--scale" in given else 1
        yield name, os.path.join(folder, name + ".html"), given, scale


def shot(svg, png, width, height, scale):
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--force-color-profile=srgb", "--virtual-time-budget=3000", f"--force-device-scale-factor={scale}",
                    f"--window-size={width},{height}", f"--screenshot={png}", "file://" + svg],
                   check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def difference(a, b):
    """Of the part that both have; and how far the sizes are apart."""
    height, width = min(a.shape[0], b.shape[0]), min(a.shape[1], b.shape[1])
    return np.abs(a[:height, :width] - b[:height, :width]).mean() / 2.55, \
        max(abs(a.shape[0] - b.shape[0]), abs(a.shape[1] - b.shape[1]))


def letters(text):
    """What is read, without white space and without what marks direction or joins."""
    text = unicodedata.normalize("NFKC", text)
    return [c for c in text if not c.isspace() and unicodedata.category(c) not in ("Cf", "Cc") and not 0xFE00 <= ord(c) <= 0xFE0F]


def found(expected, text):
    """The share of the expected letters that come in the same order, in per cent."""
    expected, actual = letters(expected), letters(text)
    if not expected:
        return 100.0
    blocks = difflib.SequenceMatcher(None, expected, actual, autojunk=False).get_matching_blocks()
    return 100 * sum(block.size for block in blocks) / len(expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/fancytext"))
    parser.add_argument("--keep", help="leave the files in this folder")
    parser.add_argument("--pages")
    parser.add_argument("--limit", type=float, default=2)
    options = parser.parse_args()
    above, totals = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        keep = os.path.abspath(options.keep or scratch)
        os.makedirs(keep, exist_ok=True)
        print(f"{'page':28} {'SVG':>7} {'PDF':>7}  {'text of SVG, PDF':>18}  {'bytes of PNG, SVG, PDF':>26}")
        for name, path, given, scale in pages(options):
            if options.names and name not in options.names:
                continue
            files = {ending: os.path.join(keep, f"{name}.{ending}") for ending in ("png", "svg", "pdf")}
            for ending, target in files.items():
                subprocess.run([options.binary, "render", path, *given, "--quiet", "-o", target], check=True, cwd=ROOT)
            wanted = read_png(files["png"])
            height, width = wanted.shape[:2]
            svg_png = os.path.join(keep, name + ".svg.png")
            shot(files["svg"], svg_png, round(width / scale), round(height / scale), scale)
            stem = os.path.join(keep, name + ".pdf")
            subprocess.run(["pdftoppm", "-r", f"{96 * scale:g}", "-png", "-singlefile", files["pdf"], stem], check=True)
            of_svg, svg_off = difference(wanted, read_png(svg_png))
            of_pdf, pdf_off = difference(wanted, read_png(stem + ".png"))
            source = open(files["svg"], encoding="utf-8").read()
            # A line for each element: runs that touch are one word all the same.
            svg_text = " ".join(html.unescape(re.sub("<[^>]*>", "", part))
                                for part in re.findall(r"<text[^>]*>(.*?)</text>", source, re.S))
            text = subprocess.run([options.binary, "render", path, *given, "--quiet", "--format", "text"],
                                  capture_output=True, cwd=ROOT).stdout.decode()
            order = [] if any(unicodedata.bidirectional(c) in ("R", "AL") for c in text) else ["-raw"]
            pdf_text = subprocess.run(["pdftotext", *order, files["pdf"], "-"], capture_output=True,
                                      check=True).stdout.decode()
            in_svg, in_pdf = found(text, svg_text), found(text, pdf_text)
            sizes = [os.path.getsize(files[ending]) for ending in ("png", "svg", "pdf")]
            is_above = max(of_svg, of_pdf) > options.limit or max(svg_off, pdf_off) > 1
            above += is_above
            totals.append((of_svg, of_pdf, in_svg, in_pdf, *sizes))
            print(f"{name:28} {of_svg:6.2f}% {of_pdf:6.2f}%  {in_svg:8.0f}% {in_pdf:7.0f}%  "
                  f"{sizes[0]:8} {sizes[1]:8} {sizes[2]:8}{'  <--' if is_above else ''}", flush=True)
    means = np.array(totals).mean(axis=0)
    print(f"{'mean of ' + str(len(totals)):28} {means[0]:6.2f}% {means[1]:6.2f}%  {means[2]:8.0f}% {means[3]:7.0f}%  "
          f"{means[4]:8.0f} {means[5]:8.0f} {means[6]:8.0f}")
    print(f"{above} above {options.limit:g} %")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
