#!/usr/bin/env python3
"""The pages of documents beside those that Chromium prints: their number, and the page of each word.

usage: compare_pages.py [--binary PATH] [--keep DIR] [--page SIZE] [-v] FILE.html ...
Needs chromium and pdftotext. Stretches of 12 characters stand for words. PDF files of
Chromium that are in the kept folder are not made again. Exit status 1 if fewer than 90% of the documents have the same number
of pages, or fewer than 97% of the text is on the same page.
"""
import argparse, base64, collections, json, os, re, subprocess, sys, tempfile

FACES = """<style>@font-face{font-family:Inter;src:url(file:///usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf);font-weight:100 900}
@font-face{font-family:Inter;font-style:italic;src:url(file:///usr/share/fonts/truetype/inter-vf/Inter-italic.var.ttf);font-weight:100 900}</style>"""
LENGTH = 12
SIZES = {"letter": (8.5, 11), "a4": (8.27, 11.69)}


class Browser:
    """Headless Chromium over its DevTools pipe, with the families that fancytext uses for generic names."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        command, answer = os.pipe(), os.pipe()

        def wire():
            os.dup2(command[0], 13); os.dup2(answer[1], 14); os.dup2(13, 3); os.dup2(14, 4)
            os.set_inheritable(3, True); os.set_inheritable(4, True)
        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
             "--user-data-dir=" + self.profile.name, "--remote-debugging-pipe"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command[0]); os.close(answer[1])
        self.out, self.inp, self.buffer, self.session, self.number = command[1], answer[0], b"", None, 0
        self.events = collections.Counter()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Page.setFontFamilies", fontFamilies=dict(
            standard="Inter", sansSerif="Inter", serif="Liberation Serif", fixed="DejaVu Sans Mono"))

    def read(self):
        while b"\0" not in self.buffer: self.buffer += os.read(self.inp, 1 << 20)
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        self.events[message.get("method")] += 1
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session: message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            message = self.read()
            if message.get("id") == self.number: return message.get("result", {})

    def print(self, path, out, size):
        source = open(path, encoding="utf-8", errors="replace").read()
        place = re.search("(?i)<head>", source) or re.match(r"(?i)\s*<!doctype[^>]*>", source)
        at = place.end() if place else 0
        copy = os.path.join(os.path.dirname(os.path.abspath(path)), f".pages-{os.getpid()}.html")
        try:
            with open(copy, "w", encoding="utf-8") as file: file.write(source[:at] + FACES + source[at:])
            self.events.clear()
            self.call("Page.navigate", url="file://" + copy)
            while not self.events["Page.loadEventFired"]: self.read()
            self.call("Runtime.evaluate", expression="document.fonts.ready.then(()=>1)", awaitPromise=True)
            data = self.call("Page.printToPDF", paperWidth=size[0], paperHeight=size[1], printBackground=True,
                             preferCSSPageSize=True)["data"]
            with open(out, "wb") as file: file.write(base64.b64decode(data))
        finally:
            os.remove(copy)


def characters(path):
    """The characters of a PDF except for spaces, the page of each, and the number of pages."""
    text = subprocess.run(["pdftotext", "-raw", path, "-"], capture_output=True, text=True).stdout
    pages = ["".join(page.split()) for page in text.split("\f")[:-1]]
    return "".join(pages), [number for number, page in enumerate(pages) for _ in page], len(pages)


def compare(ours, theirs):
    """Compares the pages of stretches of characters that occur once in both: Chromium's files often have no spaces."""
    mine, other = characters(ours), characters(theirs)

    def stretches(text, pages, _):
        found = collections.defaultdict(list)
        for at in range(0, len(text) - LENGTH): found[text[at:at + LENGTH]].append(pages[at])
        return {stretch: places[0] for stretch, places in found.items() if len(places) == 1}
    (first, second) = stretches(*mine), stretches(*other)
    known = [stretch for stretch in first if stretch in second]
    return mine[2], other[2], sum(first[stretch] == second[stretch] for stretch in known), len(known), len(first)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--binary", default=".build/release/fancytext")
    parser.add_argument("--keep", default=os.path.join(tempfile.gettempdir(), "pages"))
    parser.add_argument("--page", default="letter", choices=SIZES)
    parser.add_argument("-v", action="store_true", help="name every document")
    options = parser.parse_args()
    os.makedirs(options.keep, exist_ok=True)
    browser, counts, same_words, known_words = None, 0, 0, 0
    for path in options.files:
        stem = os.path.splitext(os.path.basename(path))[0]
        ours, theirs = (os.path.join(options.keep, f"{stem}.{kind}.pdf") for kind in ("ours", "chromium"))
        if not os.path.exists(theirs):
            browser = browser or Browser()
            browser.print(path, theirs, SIZES[options.page])
        sets_size = re.search(r"@page[^{]*\{[^}]*size", open(path, encoding="utf-8", errors="replace").read())
        subprocess.run([options.binary, "render", path, "-o", ours, "--no-config", "--timeout", "100"]
                       + ([] if sets_size else ["--page", options.page]), stderr=subprocess.DEVNULL)
        count, expected, same, known, there = compare(ours, theirs)
        counts += count == expected
        same_words += same
        known_words += known
        if options.v or count != expected or same < 0.97 * known:
            print(f"{stem}: {count} pages, Chromium {expected}; {same} of {known} stretches on the same page, of {there}")
    if browser: browser.process.terminate()
    share = same_words / max(1, known_words)
    print(f"the same number of pages: {counts} of {len(options.files)}; text on the same page: {share:.2%}")
    sys.exit(counts < 0.9 * len(options.files) or share < 0.97)


if __name__ == "__main__":
    main()
