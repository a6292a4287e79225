#!/usr/bin/env python3
"""Paints Fixtures/painting/*.html with fancytext and with headless Chromium, and prints how far apart they are.

usage: compare_painting.py [--binary PATH] [--keep DIR] [--limit PERCENT] [FILE.html ...]

Each <section id=NAME> of a file is a case, 100 CSS pixels high and stacked from the top. The difference of a case is the mean over the
red, green and blue channels of all pixels that at least one of the two painted (that is, made other than white), in per cent of full
scale. Exit status 1 when a case lies above the limit (2%). Needs chromium, numpy and the Inter files that are embedded.
"""
import argparse, os, re, struct, subprocess, sys, tempfile, zlib
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WIDTH, HEIGHT = 320, 100
FACES = "".join(
    f"@font-face{{font-family:Inter;font-style:{style};font-weight:100 900;"
    f"src:url(file:///usr/share/fonts/truetype/inter-vf/Inter-{name}.var.ttf)}}"
    for style, name in [("normal", "roman"), ("italic", "italic")])


def read_png(path):
    """An 8-bit PNG of any colour type as an array of rows, columns, RGB over white."""
    data = open(path, "rb").read()
    position, packed, palette, alphas = 8, b"", None, b""
    while position < len(data):
        size, kind = struct.unpack(">I4s", data[position:position + 8])
        body = data[position + 8:position + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert interlace == 0
        elif kind == b"PLTE":
            palette = np.frombuffer(body, np.uint8).reshape(-1, 3)
        elif kind == b"tRNS":
            alphas = body
        elif kind == b"IDAT":
            packed += body
        position += 12 + size
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    stride = (width * channels * depth + 7) // 8
    step = max(1, channels * depth // 8)
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, stride + 1)
    rows = np.zeros((height, stride), np.uint8)
    above = np.zeros(stride, np.uint8)
    for y in range(height):
        method, line = raw[y, 0], raw[y, 1:].copy()
        if method == 1:
            for offset in range(step):
                line[offset::step] = np.cumsum(line[offset::step], dtype=np.uint32).astype(np.uint8)
        elif method == 2:
            line += above
        elif method >= 3:
            values, up = line.tolist(), above.tolist()
            for x in range(stride):
                a = values[x - step] if x >= step else 0
                b = up[x]
                if method == 3:
                    guess = (a + b) // 2
                else:
                    c = up[x - step] if x >= step else 0
                    p = a + b - c
                    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                    guess = a if pa <= pb and pa <= pc else b if pb <= pc else c
                values[x] = (values[x] + guess) & 255
            line = np.array(values, np.uint8)
        rows[y] = above = line
    if depth < 8:
        bits = np.unpackbits(rows, axis=1).reshape(height, -1, depth)
        rows = (bits * (1 << np.arange(depth)[::-1])).sum(axis=2)[:, :width * channels].astype(np.uint8)
        if color == 0:
            rows *= 255 // ((1 << depth) - 1)
    pixels = rows.reshape(height, width, channels)
    if color == 3:
        table = np.full((256, 4), 255, np.uint8)
        table[:len(palette), :3] = palette
        table[:len(alphas), 3] = np.frombuffer(alphas, np.uint8)
        pixels = table[pixels[:, :, 0]]
    if pixels.shape[2] < 3:
        pixels = np.concatenate([np.repeat(pixels[:, :, :1], 3, 2), pixels[:, :, 1:]], 2)
    result = pixels[:, :, :3].astype(float)
    if pixels.shape[2] == 4:
        share = pixels[:, :, 3:].astype(float) / 255
        result = result * share + 255 * (1 - share)
    return result


def paint(source, name, folder, binary, cases):
    """Both pictures of a file."""
    page = os.path.join(folder, name + ".html")
    with open(page, "w", encoding="utf-8") as file:
        file.write(source.replace("<style>", "<style>" + FACES, 1))
    ours, theirs = os.path.join(folder, name + ".ours.png"), os.path.join(folder, name + ".chromium.png")
    height = HEIGHT * len(cases)
    subprocess.run([binary, "render", "-", "--width", str(WIDTH), "--height", str(height), "--quiet", "-o", ours],
                   input=source.encode(), check=True)
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--allow-file-access-from-files", "--force-color-profile=srgb", "--virtual-time-budget=3000",
                    f"--window-size={WIDTH},{height}", f"--screenshot={theirs}", "file://" + page],
                   check=True, stderr=subprocess.DEVNULL)
    return read_png(ours), read_png(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/fancytext"))
    parser.add_argument("--keep", help="leave the pictures in this folder")
    parser.add_argument("--limit", type=float, default=2)
    options = parser.parse_args()
    folder = os.path.join(ROOT, "Fixtures/painting")
    files = options.files or sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".html"))
    above = 0
    with tempfile.TemporaryDirectory() as scratch:
        keep = options.keep or scratch
        os.makedirs(keep, exist_ok=True)
        for path in files:
            source = open(path, encoding="utf-8").read()
            cases = re.findall(r"<section id=\"?([\w-]+)", source)
            if not cases:
                continue
            ours, theirs = paint(source, os.path.splitext(os.path.basename(path))[0], keep, options.binary, cases)
            for index, case in enumerate(cases):
                a, b = (picture[index * HEIGHT:(index + 1) * HEIGHT] for picture in (ours, theirs))
                covered = (a.min(axis=2) < 255) | (b.min(axis=2) < 255)
                difference = np.abs(a - b).mean(axis=2)
                mean = difference[covered].mean() / 2.55 if covered.any() else float("nan")
                largest = np.abs(a - b).max()
                above += not mean <= options.limit
                flag = "" if mean <= options.limit else "  <--"
                print(f"{case:34} {mean:6.2f} %   largest {largest:3.0f}   covered {covered.sum():6}{flag}", flush=True)
    print(f"{above} above {options.limit:g} %")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
