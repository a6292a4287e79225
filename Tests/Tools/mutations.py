#!/usr/bin/env python3
"""Bent pages through every command, by the workers of `fancytext batch`: none may end, hang or answer with nonsense.

    mutations.py [--program .build/release/fancytext] [--count 2000] [--seed 1] [--jobs 2] [--requests|--whole] FOLDER...

Each input is a piece of a file of the folders (or of a page of them) with bytes dropped, doubled, replaced, or mixed with
another's. With --requests, lines of requests are bent instead: each must have one record. With --whole, nothing is bent: each page
of the folders is taken once, with the pictures, style sheets and fonts beside it. What ends a worker is left in
mutation-N.html; exit status 1. A program built with a sanitizer ends its worker where it finds something, and says so.
"""
import argparse, json, os, random, subprocess, sys, threading

COMMANDS = [
    {"command": "strip"}, {"command": "strip", "inner-text": True, "links": "footnotes"}, {"command": "select", "selector": "p, li > a:not(:empty)"},
    {"command": "select", "selector": "body *:nth-child(2n+1)", "format": "json"}, {"format": "png"}, {"format": "ansi"}, {"format": "json", "layout": True},
    {"format": "markdown"}, {"format": "svg"}, {"format": "pdf", "page": "A5"}, {"format": "html"}, {"format": "webp", "untrusted": True, "timeout": 60},
]
# What a worker says of an input that it could not take is fine; these are not.
BAD = ("the worker", "fault", "has a fault")


def files(folders, endings):
    for folder in folders:
        for root, _, names in sorted(os.walk(folder)):
            yield from (os.path.join(root, name) for name in sorted(names) if name.endswith(endings) or "." not in name)


def pages(folders):
    every = (open(path, "rb").read(1 << 20) for path in files(folders, (".html", ".htm", ".css", ".xht", ".svg", ".json", ".txt", ".dict")))
    return [data for data in every if data]


def bent(dice, all_pages):
    page = dice.choice(all_pages)
    length = min(len(page), int(2 ** dice.uniform(4, 14.5)))
    start = dice.randrange(len(page) - length + 1)
    out = bytearray(page[start:start + length])
    for _ in range(dice.randint(1, 12)):
        at = dice.randint(0, len(out))
        end = min(len(out), at + dice.randint(0, 60))
        kind = dice.randrange(7)
        if kind == 0:
            del out[at:end]
        elif kind == 1:
            out[at:at] = out[at:end] * dice.choice((1, 2, 30))
        elif kind == 2 and at < len(out):
            out[at] = dice.randrange(256)
        elif kind == 3 and at < len(out):
            out[at] = 0x3C
        elif kind == 4:
            other = dice.choice(all_pages)
            begin = dice.randrange(len(other))
            out[at:at] = other[begin:begin + 200]
        elif kind == 5:
            out[at:at] = dice.choice((b"<table>", b"<svg>", b"</p>", b"<div style='display:grid;float:left'>", b"<style>*{position:absolute;inset:auto 0}",
                                      b"<select>", "\u202e\u0301\ud83d".encode("utf-8", "surrogatepass"), b"1e999px", b"calc(1px/0)", b"<ruby><rt>"))
        else:
            out[at:end] = bytes(reversed(out[at:end]))
    return bytes(out)


def run(program, jobs, lines, count):
    """The records, one for each line; prints those that are bad. Returns how many were."""
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", ""))
    process = subprocess.Popen([program, "batch", "--jobs", str(jobs), "--timeout", "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env=environment)

    def feed():
        for line in lines:
            process.stdin.write(line + b"\n")
        process.stdin.close()

    feeder = threading.Thread(target=feed)
    feeder.start()
    for number, line in enumerate(process.stdout):
        yield number, json.loads(line)
        if number % 1000 == 999:
            print(f"{number + 1} of {count}", file=sys.stderr, flush=True)
    feeder.join()
    process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=".build/release/fancytext")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--requests", action="store_true", help="bend the requests, not the pages")
    parser.add_argument("--whole", action="store_true", help="take the pages as they are")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    if options.whole:
        sources = [{"file": os.path.abspath(path)} for path in files(options.folders, (".html", ".htm", ".xht"))]
    else:
        all_pages = pages(options.folders)
        sources = ({"html": bent(dice, all_pages).decode("utf-8", "replace")} for _ in range(options.count))
    lines, inputs, sizes = [], [], []
    for number, source in enumerate(sources):
        chosen = [dice.choice(COMMANDS)] if options.requests else COMMANDS
        for command in chosen:
            request = {"id": number, **source, **command, "no-system-fonts": True}
            if "format" in command and command["format"] not in ("markdown", "html") and "command" not in command:
                request["width"] = dice.choice((1, 40, 300, 1200))
            if "command" in command:
                del request["no-system-fonts"]
            line = json.dumps(request).encode()
            if options.requests:
                bytes_ = bytearray(line)
                for _ in range(dice.randint(1, 4)):
                    at = dice.randrange(len(bytes_))
                    kind = dice.randrange(4)
                    if kind == 0:
                        bytes_[at] = dice.choice(b'{}[]":,\\0 u')
                    elif kind == 1:
                        del bytes_[at:at + dice.randint(1, 20)]
                    elif kind == 2:
                        bytes_[at:at] = dice.choice((b'"', b"\\ud800", b"{", b"1e9", b'"jobs":3,', b'"define":"x",', b"\xff\xfe", b"null", b"\0"))
                    else:
                        bytes_[at:at] = bytes_[at:at + 30]
                    bytes_ = bytes_ or bytearray(b"x")
                line = bytes(bytes_).replace(b"\n", b" ")
                if not line.strip():
                    line = b"x"
            lines.append(line)
            inputs.append(source.get("html", ""))
            sizes.append(len(source["html"]) if "html" in source else os.path.getsize(source["file"]))
    bad = answered = failed = 0
    for number, record in run(options.program, options.jobs, lines, len(lines)):
        answered += 1
        error = record.get("error", "")
        failed += record["status"] == 2
        if any(word in error for word in BAD) or "timeout" in error and not options.requests and sizes[number] < 65536:
            bad += 1
            name = f"mutation-{number}.html"
            open(name, "w", errors="surrogatepass").write(inputs[number] if inputs[number] and not options.requests else lines[number].decode("utf-8", "replace"))
            print(f"{name}: {error}: {lines[number][-160:]}", flush=True)
    print(f"{len(lines)} requests, {answered} records, {failed} refused or over a budget, {bad} bad")
    return 1 if bad or answered != len(lines) else 0


if __name__ == "__main__":
    sys.exit(main())
