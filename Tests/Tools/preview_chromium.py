#!/usr/bin/env python3
"""Opens `fancytext preview` in headless Chromium: a file is edited, and the picture on the page must change.

usage: preview_chromium.py --program fancytext [--shots FOLDER]

Exit status 0 when all was seen, 1 with what was not, 77 where there is no Chromium.
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

TEMPLATE = """<!doctype html>
<style>
  body { margin: 0; height: 100vh; box-sizing: border-box; padding: 60px; background: #16213e; color: #e6e6f0;
         font: 28px/1.4 Inter }
  h1 { font-size: 64px; line-height: 1.1; margin: 0 0 16px; color: COLOR }
  li { color: #9fb3df }
</style>
<h1 id="title">{{title}}</h1>
<p class="lead">{{summary}}</p>
<ul>{{#points}}<li>{{name}}</li>{{/points}}</ul>
"""


class Browser:
    """A page of Chromium, by the DevTools protocol over a pipe."""

    def __init__(self, program, folder):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def connect():
            high = [os.dup(to_browser), os.dup(from_browser)]
            while min(high) < 10:
                high = [os.dup(descriptor) for descriptor in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--hide-scrollbars", f"--user-data-dir={folder}"],
            close_fds=False, preexec_fn=connect, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest = b""
        self.count = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                data = os.read(self.input, 1 << 16)
                if not data:
                    raise SystemExit("Chromium has ended")
                self.rest += data
            line, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait(self, what, expression):
        for _ in range(300):
            if self.value(expression):
                return
            time.sleep(0.05)
        raise SystemExit(f"not seen in 15 s: {what}")

    def shot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--program", required=True)
    options.add_argument("--shots")
    options = options.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("there is no Chromium: apt-get install chromium", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        card = pathlib.Path(folder) / "card.html"
        card.write_text(TEMPLATE.replace("COLOR", "#ffd166"))
        server = subprocess.Popen(
            [os.path.abspath(options.program), "preview", "card.html", "-w", "800", "-H", "418", "--no-system-fonts", "--no-config"],
            stdout=subprocess.PIPE, text=True, cwd=folder)
        browser = None
        try:
            address = server.stdout.readline().strip()
            browser = Browser(chromium, folder + "/profile")
            browser.call("Emulation.setDeviceMetricsOverride", width=1180, height=640, deviceScaleFactor=1, mobile=False)
            browser.call("Page.enable")
            browser.call("Page.navigate", url=address)
            browser.wait("a picture of 800×418", "document.images[0]?.naturalWidth === 800 && document.images[0].naturalHeight === 418")
            browser.wait("a field for each key", "[...document.querySelectorAll('#keys [name]')].map(f => f.name).join() === 'title,summary,points,name'")

            browser.value("picture0 = document.images[0].src; set = (name, value) => { const field = document.querySelector(`[name=${name}]`);"
                          "field.value = value; field.dispatchEvent(new Event('input', {bubbles: true})) }")
            browser.value("set('title', 'A card that draws itself again')")
            browser.value("set('summary', 'Whatever the form or a file says.')")
            browser.value("set('points', '[{\"name\": \"boxes under the pointer\"}, {\"name\": \"messages with their places\"}]')")
            browser.wait("another picture for another title", "document.images[0].src !== picture0")
            time.sleep(0.5)

            place = browser.value("(r => [r.x + 200, r.y + 90])(document.images[0].getBoundingClientRect())")
            browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])
            browser.wait("the title's box", "document.getElementById('box').textContent.includes('h1#title')")
            browser.wait("outlines of boxes", "document.querySelectorAll('.box.inner').length === 1")
            if options.shots:
                browser.shot(options.shots + "/preview.png")

            browser.value("picture1 = document.images[0].src")
            card.write_text(TEMPLATE.replace("COLOR", "#06d6a0; widht: 3px"))
            browser.wait("another picture after an edit", "document.images[0].src !== picture1")
            browser.wait("a message", "document.getElementById('messages').textContent.includes('widht')")
            if options.shots:
                browser.shot(options.shots + "/preview-edited.png")

            card.write_text("{{#points}}")
            browser.wait("an error", "document.getElementById('error').textContent !== ''")
            card.write_text("<p>No template")
            browser.wait("the error gone, and the form", "document.getElementById('error').textContent === '' && !document.querySelector('#keys [name]')")
        finally:
            server.kill()
            if browser:
                browser.process.kill()
                browser.process.wait()
    print("the preview shows what it should")
    return 0


if __name__ == "__main__":
    sys.exit(main())
