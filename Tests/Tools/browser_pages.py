#!/usr/bin/env python3
"""What Chromium reads on pages, beside `strip --inner-text` and the tree that `select` sees.

    browser_pages.py [--bin .build/release/fancytext] [--count 200] [--seed 1] [--most-kb 1000] [-v] FOLDER …

Takes pages from the folders at random, the same for the same seed: files .html and .htm with different contents. Text is
compared with scripting on and all scripts refused, as `strip` reads pages; trees with scripting off, since `select` reads
what is in `noscript`. Style sheets in the folders are loaded, pictures and frames are not. Prints how many are equal, with -v where the
others part. Exit status 1 when some differ, 2 when there is no browser.
"""

import argparse
import concurrent.futures
import glob
import hashlib
import http.server
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

POLICY = "default-src 'none'; style-src * 'unsafe-inline' data:"
READ_TEXT = "document.body ? document.body.innerText : ''"
READ_TREE = r"""(() => {
const walk = node => {
  const out = [];
  for (const child of node.childNodes) {
    if (child.nodeType == 1) {
      const attributes = [...child.attributes].map(a => [a.name, a.value]).sort((a, b) => a[0] < b[0] ? -1 : 1);
      out.push([child.nodeName == child.localName.toUpperCase() ? child.localName : child.nodeName, attributes,
        walk(child.localName == 'template' && child.content ? child.content : child)]);
    } else if (child.nodeType == 3 || child.nodeType == 4) out.push(child.data);
  }
  return out;
};
return JSON.stringify(walk(document)); })()"""


class Server(http.server.BaseHTTPRequestHandler):
    """Pages and style sheets by their paths."""

    TYPES = {".html": "text/html", ".htm": "text/html", ".css": "text/css"}

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = urllib.parse.unquote(self.path.split("?")[0])
        kind = self.TYPES.get(os.path.splitext(path)[1].lower())
        try:
            if not kind:
                raise OSError
            with open(path, "rb") as file:
                body = file.read()
        except OSError:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind + encoding(body, kind))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)


def names_encoding(body):
    return body[:2] in (b"\xff\xfe", b"\xfe\xff") or re.search(rb"(?i)<meta[^>]*charset|<\?xml[^>]*encoding", body[:2048])


def is_utf8(body):
    try:
        body.decode()
        return True
    except UnicodeDecodeError:
        return False


def encoding(body, kind):
    """UTF-8 where a page does not say otherwise."""
    return "" if kind != "text/html" or names_encoding(body) else "; charset=utf-8"


class Browser:
    """Headless Chromium over its DevTools pipe."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory()
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def connect():
            # Both ends may be 3 or 4 already.
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
             "--blink-settings=imagesEnabled=false", "--user-data-dir=" + self.profile.name, "--remote-debugging-pipe"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)

    def read(self):
        while b"\0" not in self.buffer:
            more = os.read(self.input, 1 << 20)
            if not more:
                sys.exit("the browser has gone")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]
            self.events.append(answer.get("method"))

    def evaluate(self, url, script, scripting):
        self.call("Emulation.setScriptExecutionDisabled", value=not scripting)
        self.events = []
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.read().get("method"))
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return result["result"].get("value")

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (SystemExit, OSError, RuntimeError):
            pass
        self.process.wait(20)
        self.profile.cleanup()


def pages(folders, count, seed, most):
    """Paths of pages, each with the folder that it was found in."""
    found, seen = [], set()
    for folder in folders:
        for pattern in ("*.html", "*.htm"):
            for path in sorted(glob.glob(os.path.join(os.path.abspath(folder), "**", pattern), recursive=True)):
                if os.path.isfile(path) and 0 < os.path.getsize(path) <= most:
                    found.append((path, folder))
    random.Random(seed).shuffle(found)
    chosen = []
    for path, folder in found:
        with open(path, "rb") as file:
            body = file.read()
        digest = hashlib.sha1(body).digest()
        # What a browser guesses of an encoding is its own affair.
        if digest in seen or not (is_utf8(body) or names_encoding(body)):
            continue
        # A browser goes on to another page.
        if re.search(rb"(?i)http-equiv\s*=\s*[\"']?refresh", body):
            continue
        seen.add(digest)
        chosen.append((path, folder))
        if len(chosen) == count:
            break
    return chosen


def output(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, timeout=120).stdout.decode("utf-8", "replace")


def element(node):
    """A node of `select --format json` as the browser's are written."""
    if node["type"] == "text":
        return node["value"]
    if node["type"] != "element":
        return None
    # A browser hides nonces from those who ask.
    attributes = sorted(
        [name, "" if name == "nonce" else value or ""] for name, value in node["attributes"].items())
    return [node["name"], attributes, joined(element(child) for child in node["children"])]


def joined(nodes):
    """Texts side by side as one."""
    result = []
    for node in nodes:
        if node is None or node == "":
            continue
        if isinstance(node, str) and result and isinstance(result[-1], str):
            result[-1] += node
        else:
            result.append(node if isinstance(node, str) else [node[0], sorted(node[1]), joined(node[2])])
    return result


def tree_difference(ours, theirs, path=""):
    if isinstance(ours, str) or isinstance(theirs, str):
        return None if ours == theirs else f"{path}: {str(ours)[:80]!r}, browser {str(theirs)[:80]!r}"
    if ours[:2] != theirs[:2]:
        return f"{path}: <{ours[0]}> {str(ours[1])[:80]}, browser <{theirs[0]}> {str(theirs[1])[:80]}"
    for place, (a, b) in enumerate(zip(ours[2], theirs[2])):
        difference = tree_difference(a, b, f"{path}/{ours[0]}[{place}]")
        if difference:
            return difference
    if len(ours[2]) != len(theirs[2]):
        return f"{path}/{ours[0]}: {len(ours[2])} children, browser {len(theirs[2])}"
    return None


def text_difference(ours, theirs):
    ours, theirs = ours.rstrip("\n").split("\n"), theirs.rstrip("\n").split("\n")
    if ours == theirs:
        return None
    least = min(len(ours), len(theirs))
    line = next((i for i in range(least) if ours[i] != theirs[i]), least)
    return f"line {line + 1}: {ours[line:line + 2]}, browser {theirs[line:line + 2]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=".build/release/fancytext")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most-kb", type=int, default=1000)
    parser.add_argument("-v", action="store_true", dest="verbose")
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program:
        print("no Chromium is installed")
        return 2
    chosen = pages(arguments.folders, arguments.count, arguments.seed, arguments.most_kb * 1000)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def ours(page):
        path, folder = page
        tree = output(arguments.bin, "select", ":root", "--format", "json", path)
        return output(arguments.bin, "strip", "--inner-text", "--keep-controls", "--base-dir", folder, path), tree

    browser = Browser(program)
    texts = trees = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (path, _), (text, tree) in zip(chosen, pool.map(ours, chosen)):
            url = f"http://127.0.0.1:{server.server_address[1]}" + urllib.parse.quote(path)
            difference = text_difference(text, browser.evaluate(url, READ_TEXT, scripting=True) or "")
            texts += difference is None
            if difference and arguments.verbose:
                print(f"text {path}: {difference}", flush=True)
            theirs = joined(json.loads(browser.evaluate(url, READ_TREE, scripting=False) or "[]"))
            theirs = [node for node in theirs if not isinstance(node, str)]
            try:
                own = joined([element(json.loads(tree))])
            except ValueError:
                own = []
            difference = tree_difference(["", [], own], ["", [], theirs])
            trees += difference is None
            if difference and arguments.verbose:
                print(f"tree {path}: {difference}", flush=True)
    browser.close()
    print(f"{len(chosen)} pages: {texts} texts and {trees} trees as in the browser")
    return 0 if texts == trees == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
