#!/usr/bin/env python3
"""Records where a browser puts the words of layout fixtures.

usage: record_layout.py [--bin PATH] [--width N] FILE.html …
Writes FILE.json beside each file: {"viewport","width","height","fonts","words":[{"t","x","y","w","h","n"}]}, one word a line, CSS
pixels. `viewport` is N, else the FILE.json's that is there, else 640; Chromium's window is never narrower than 500. A word is a
maximal run without white space (one character each for CJK) in one text node; x and y are its first client rectangle's, w
adds up those of its line, n counts the others. `fonts` are the families that fancytext used: the test is skipped where one is
not installed. Inter is the pair of variable fonts that fancytext embeds; the browser's generic families are those of fancytext.
Needs chromium.
"""
import argparse, json, os, re, subprocess, sys, tempfile

FACES = """<style>@font-face{font-family:Inter;src:url(file:///usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf);font-weight:100 900}
@font-face{font-family:Inter;font-style:italic;src:url(file:///usr/share/fonts/truetype/inter-vf/Inter-italic.var.ttf);font-weight:100 900}</style>"""
FAMILIES = {"standard": "Inter", "sansserif": "Inter", "serif": "Liberation Serif", "fixed": "DejaVu Sans Mono",
            "cursive": "Inter", "fantasy": "Inter"}
SCRIPT = r"""<script>
addEventListener('load', async () => {
  await document.fonts.ready;
  const words = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), space = /[ \t\r\n\f]/;
  const ideograph = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
  const round = number => +number.toFixed(3);
  while (walker.nextNode()) {
    const node = walker.currentNode, text = node.data;
    if (['SCRIPT', 'STYLE'].includes(node.parentNode.nodeName)) continue;
    for (let start = 0; start < text.length;) {
      if (space.test(text[start])) { start++; continue; }
      let end = start + 1;
      if (!ideograph.test(text[start])) while (end < text.length && !space.test(text[end]) && !ideograph.test(text[end])) end++;
      const range = document.createRange();
      range.setStart(node, start); range.setEnd(node, end);
      const rects = [...range.getClientRects()].filter(r => r.width > 0 || r.height > 0), first = rects[0];
      if (first) words.push({
        t: text.slice(start, end), x: round(first.x), y: round(first.y),
        w: round(rects.reduce((sum, r) => sum + (Math.abs(r.y - first.y) < 1 ? r.width : 0), 0)), h: round(first.height),
        n: rects.filter(r => Math.abs(r.y - first.y) >= 1).length });
      start = end;
    }
  }
  const result = document.createElement('script');
  result.type = 'application/json'; result.id = '__layout';
  result.textContent = JSON.stringify({ width: document.documentElement.scrollWidth,
    height: Math.max(document.body.getBoundingClientRect().bottom, 0), words });
  document.body.appendChild(result);
});
</script>"""


def record(path, width):
    page = open(path, encoding="utf-8").read()
    page = re.sub("(?i)<head>", lambda m: m.group(0) + FACES, page, count=1) + SCRIPT
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "page.html")
        open(file, "w", encoding="utf-8").write(page)
        os.makedirs(os.path.join(scratch, "profile", "Default"))
        with open(os.path.join(scratch, "profile", "Default", "Preferences"), "w") as preferences:
            families = {generic: {"Zyyy": family} for generic, family in FAMILIES.items()}
            json.dump({"webkit": {"webprefs": {"fonts": families}}}, preferences)
        out = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files",
             "--user-data-dir=" + os.path.join(scratch, "profile"), f"--window-size={width},630",
             "--virtual-time-budget=3000", "--dump-dom", "file://" + file],
            capture_output=True, text=True, timeout=120).stdout
    found = re.search(r'<script type="application/json" id="__layout">(.*?)</script>', out, re.S)
    if not found: sys.exit(f"{path}: the browser gave no layout")
    return json.loads(found.group(1))


def fonts(binary, path, width):
    out = subprocess.run([binary, "render", path, "--width", str(width), "--format", "json", "--layout"],
                         capture_output=True, check=True).stdout
    return sorted({word["font"] for word in json.loads(out)["words"]})


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", default=".build/release/fancytext")
    ap.add_argument("--width", type=int)
    ap.add_argument("files", nargs="+")
    options = ap.parse_args()
    for path in options.files:
        target = os.path.splitext(path)[0] + ".json"
        width = options.width or (json.load(open(target))["viewport"] if os.path.exists(target) else 640)
        found = record(path, max(500, width))
        head = {"viewport": max(500, width), "width": found["width"], "height": found["height"],
                "fonts": fonts(options.bin, path, max(500, width))}
        with open(target, "w", encoding="utf-8") as file:
            file.write(json.dumps(head)[:-1] + ', "words": [\n')
            file.write(",\n".join(json.dumps(word, ensure_ascii=False) for word in found["words"]) + "\n]}\n")
        print(path, len(found["words"]), "words")


if __name__ == "__main__":
    main()
