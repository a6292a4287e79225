#!/usr/bin/env python3
"""Holds fancytext's pictures against a browser's, pixel by pixel.

usage: compare_pixels.py [--bin PATH] [--hinting none|slight|full] [--keep DIR] [--want SHARE] DIR|FILE.html …
Beside each FILE.html lies FILE.json with the browser's "viewport" and "height" (written by a layout oracle). Both sides paint that
file at max(500, viewport) CSS pixels, the browser's narrowest window. Prints a line a fixture: the mean difference of a
channel (0–255) over all pixels and over those with ink, and the share of pixels that differ by more than 64 in some channel.
With --keep, the pictures stay in DIR: NAME.ours.png, NAME.theirs.png, NAME.diff.png (needs ImageMagick's convert).
Chromium hints glyphs slightly unless its fontconfig says otherwise; `--hinting slight` does the same here. Needs chromium and numpy.
"""
import argparse, glob, json, os, re, struct, subprocess, sys, tempfile, zlib
import numpy as np

FACES = """<style>@font-face{font-family:Inter;src:url(file:///usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf);font-weight:100 900}
@font-face{font-family:Inter;font-style:italic;src:url(file:///usr/share/fonts/truetype/inter-vf/Inter-italic.var.ttf);font-weight:100 900}</style>"""


def read_png(path):
    """Rows of RGB over white; 8 bits or a palette of any depth, not interlaced."""
    data = open(path, "rb").read()
    at, idat, palette, alphas = 8, b"", None, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR": width, height, depth, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"PLTE": palette = np.frombuffer(body, np.uint8).reshape(-1, 3)
        elif kind == b"tRNS": alphas = body
        elif kind == b"IDAT": idat += body
        at += 12 + length
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    stride, step = (width * channels * depth + 7) // 8, max(1, channels * depth // 8)
    raw = zlib.decompress(idat)
    rows, above = [], np.zeros(stride, np.uint8)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        line = np.frombuffer(raw, np.uint8, stride, y * (stride + 1) + 1)
        above = unfilter(kind, line, above, step)
        rows.append(above)
    flat = np.stack(rows)
    if depth < 8:
        bits = np.unpackbits(flat, axis=1).reshape(height, -1, depth)
        flat = bits.dot(1 << np.arange(depth)[::-1]).astype(np.uint8)[:, :width * channels]
        if color == 0: flat = (flat.astype(int) * 255 // ((1 << depth) - 1)).astype(np.uint8)
    pixels = flat.reshape(height, width, channels)
    if color == 3:
        opacity = np.full(len(palette), 255, np.uint8)
        opacity[:len(alphas)] = np.frombuffer(alphas, np.uint8)
        pixels = np.concatenate([palette, opacity[:, None]], axis=1)[pixels[:, :, 0]]
    if color in (0, 4): pixels = np.concatenate([pixels[:, :, :1]] * 3 + [pixels[:, :, 1:]], axis=2)
    pixels = pixels.astype(float)
    if pixels.shape[2] == 3: return pixels
    alpha = pixels[:, :, 3:] / 255
    return pixels[:, :, :3] * alpha + 255 * (1 - alpha)


def unfilter(kind, line, above, step):
    """One row of the PNG specification's filters undone."""
    if kind == 0: return line.copy()
    if kind == 2: return line + above
    if kind == 1: return np.cumsum(line.reshape(-1, step), axis=0, dtype=np.uint8).reshape(-1)
    out = [0] * len(line)
    source, up = line.tolist(), above.tolist()
    for x in range(len(source)):
        a = out[x - step] if x >= step else 0
        if kind == 3:
            out[x] = source[x] + (a + up[x]) // 2 & 255
        else:
            b, c = up[x], up[x - step] if x >= step else 0
            p = a + b - c
            pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
            out[x] = source[x] + (a if pa <= pb and pa <= pc else b if pb <= pc else c) & 255
    return np.array(out, np.uint8)


def pictures(binary, path, folder, hinting):
    want = json.load(open(path[:-5] + ".json", encoding="utf-8"))
    width, height = max(500, want["viewport"]), max(1, int(-(-want["height"] // 1)))
    name = os.path.join(folder, os.path.basename(path)[:-5])
    ours, theirs = name + ".ours.png", name + ".theirs.png"
    subprocess.run([binary, "render", path, "-o", ours, "--width", str(width), "--height", str(height), "--no-metadata",
                    "--hinting", hinting],
                   capture_output=True, timeout=60, check=True)
    page = re.sub("(?i)<head>", lambda m: m.group(0) + FACES, open(path, encoding="utf-8").read(), count=1)
    # Relative images are found from the fixture's own folder.
    page = page.replace(FACES, f'<base href="file://{os.path.abspath(path)}">' + FACES, 1)
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "page.html")
        open(file, "w", encoding="utf-8").write(page)
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        "--allow-file-access-from-files", f"--window-size={width},{height}", "--virtual-time-budget=3000",
                        "--screenshot=" + theirs, "file://" + file], capture_output=True, timeout=120, check=True)
    return ours, theirs


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", default=".build/release/fancytext")
    ap.add_argument("--hinting", default="none")
    ap.add_argument("--keep")
    ap.add_argument("--want", type=float, default=100, help="exit 1 when more than this share of the pixels differs in some fixture")
    ap.add_argument("paths", nargs="+")
    options = ap.parse_args()
    files = [f for p in options.paths for f in (sorted(glob.glob(os.path.join(p, "*.html"))) if os.path.isdir(p) else [p])]
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    means, inks, shares = [], [], []
    for file in files:
        ours, theirs = pictures(options.bin, file, folder, options.hinting)
        a, b = read_png(ours), read_png(theirs)
        height, width = min(a.shape[0], b.shape[0]), min(a.shape[1], b.shape[1])
        note = "" if a.shape == b.shape else f"  sizes {a.shape[1]}x{a.shape[0]}, {b.shape[1]}x{b.shape[0]}"
        a, b = a[:height, :width], b[:height, :width]
        difference = np.abs(a - b)
        ground = b[0, 0]
        ink = (np.abs(a - ground).max(axis=2) > 8) | (np.abs(b - ground).max(axis=2) > 8)
        mean = difference.mean()
        inked = difference[ink].mean() if ink.any() else 0.0
        share = 100 * (difference.max(axis=2) > 64).mean()
        means.append(mean); inks.append(inked); shares.append(share)
        print(f"{os.path.basename(file)[:-5]:24s} mean {mean:6.3f}  ink {inked:6.2f}  differing {share:6.3f}%{note}", flush=True)
        if options.keep:
            name = os.path.join(folder, os.path.basename(file)[:-5])
            subprocess.run(["convert", ours, theirs, "-compose", "difference", "-composite", name + ".diff.png"], check=False)
    print(f"{len(files)} fixtures: mean {np.mean(means):.3f}, ink {np.mean(inks):.2f}, differing {np.mean(shares):.3f}%, "
          f"worst {max(shares):.3f}%")
    return int(max(shares) > options.want)


if __name__ == "__main__":
    sys.exit(main())
