#!/usr/bin/env python3
"""Kills runs at random while they write files and fill a cache, and looks that what is there is whole.

    kills.py --program .build/release/fancytext [--kills 200] [--rows 400] [--seed 1]
    kills.py --program … --share PROCESSES --requests N       many processes on one cache; --cheap for small pictures

First a run that nothing disturbs makes the pictures of all rows. Then runs of `render --data … --resume`, of `batch` and of
`render --cache` are killed (SIGKILL, with their workers) after random times. After each kill every picture must be the one of
that row; at the end a run that is left alone must complete, with --resume skipping what is there. With --share, processes
send requests from a small set to one cache that is far too small for them: every answer must be right, and the bound held.
"""

import argparse
import base64
import fcntl
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

CARD = """<!doctype html><style>body{margin:0;padding:24px;height:200px;box-sizing:border-box;background:#0f172a;color:#fff;
font:20px Inter}</style><h1>{{title}}</h1><p>Row {{id}}</p>"""
CHEAP = "<!doctype html><style>body{margin:0;font:12px Inter}</style>{{title}} {{id}}"
OPTIONS = ["--no-system-fonts", "--no-config"]


def fail(message):
    sys.exit(f"kills.py: {message}")


def row(number):
    return {"id": number, "title": f"Title {number * 7919 % 1000}"}


def results(folder):
    """The results that the cache holds, without those on their way there."""
    return [path for path in (folder / "kept").glob("*") if len(path.name) == 64]


class Kills:
    def __init__(self, program, folder, rows, card=CARD, size=(400, 200)):
        self.program, self.folder, self.rows, self.card, self.size = program, folder, rows, card, size
        (folder / "card.html").write_text(card)
        (folder / "rows.ndjson").write_text("".join(json.dumps(row(k)) + "\n" for k in range(rows)))
        self.started = time.monotonic()
        subprocess.run(self.render("right"), cwd=folder, check=True)
        self.seconds = time.monotonic() - self.started
        self.right = {path.name: path.read_bytes() for path in (folder / "right").glob("*.png")}
        if len(self.right) != rows:
            fail(f"{len(self.right)} of {rows} pictures without a kill")

    def render(self, target, *more):
        return [self.program, "render", "card.html", "--data", "rows.ndjson", "-o", target + "/{id}.png", "--jobs", "2",
                "--width", str(self.size[0]), "--height", str(self.size[1]), *OPTIONS, *more]

    def requests(self, target):
        lines = [json.dumps({"define": "card", "html": self.card})]
        lines += [json.dumps(self.request(k) | {"output": f"{target}/{k}.png"}) for k in range(self.rows)]
        return ("\n".join(lines) + "\n").encode()

    def request(self, number):
        return {"id": number, "template": "card", "row": row(number), "width": self.size[0], "height": self.size[1],
                "no-system-fonts": True}

    def kill(self, command, after, input=None):
        """Whether the run was still going when it was killed."""
        process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.PIPE if input else subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        if input:
            def feed():
                try:
                    process.stdin.write(input)
                    process.stdin.close()
                except OSError:
                    pass
            threading.Thread(target=feed, daemon=True).start()
        time.sleep(after)
        alive = process.poll() is None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        return alive

    def check(self, target):
        count = 0
        for path in (self.folder / target).glob("*.png"):
            if path.read_bytes() != self.right.get(path.name):
                fail(f"{path} is not the picture of its row")
            count += 1
        return count


def kill_at_random(kills, count, random_number):
    folder, counts, alive = kills.folder, {}, 0
    (folder / "batched").mkdir()
    for number in range(count):
        after = random_number.uniform(0, kills.seconds * 0.9)
        kind = ["resume", "batch", "cache"][number % 3]
        if kind == "resume":
            alive += kills.kill(kills.render("resumed", "--resume"), after)
            counts[kind] = kills.check("resumed")
            # What is finished leaves nothing to kill.
            if counts[kind] == kills.rows:
                for path in (folder / "resumed").glob("*"):
                    path.unlink()
                (folder / "resumed/.fancytext-done").unlink(missing_ok=True)
        elif kind == "batch":
            for path in random_number.sample(sorted((folder / "batched").glob("*.png")), k=counts.get(kind, 0) // 2):
                path.unlink()
            alive += kills.kill([kills.program, "batch", "--jobs", "2"], after, kills.requests("batched"))
            counts[kind] = kills.check("batched")
        else:
            alive += kills.kill(kills.render("cached", "--cache", "kept", "--cache-max-size", "300k"), after)
            counts[kind] = kills.check("cached")
    for arguments in (kills.render("resumed", "--resume"), kills.render("cached", "--cache", "kept", "--cache-max-size", "300k")):
        subprocess.run(arguments, cwd=folder, check=True, stderr=subprocess.DEVNULL)
    subprocess.run([kills.program, "batch", "--jobs", "2"], cwd=folder, check=True, input=kills.requests("batched"),
                   stdout=subprocess.DEVNULL)
    for target in ("resumed", "cached", "batched"):
        if kills.check(target) != kills.rows:
            fail(f"{target}: not all pictures after a run that was left alone")
    kept = sum(path.stat().st_size for path in results(folder))
    if kept > 300_000:
        fail(f"the cache holds {kept} bytes of 300,000")
    # Files under names of their own are what kills leave behind.
    left = [str(path) for target in ("resumed", "cached", "batched") for path in (folder / target).iterdir()
            if path.suffix != ".png" and path.name != ".fancytext-done"]
    print(f"{count} kills, {alive} of them of running processes: all pictures whole, all runs completed, "
          f"{len(left)} unfinished files left")


def share(kills, processes, count, most):
    """Many processes, one cache."""
    digests = {int(name[:-4]): hashlib.sha256(data).digest() for name, data in kills.right.items()}
    wrong, hits, answers = [], [], []
    peak = [0]
    ended = threading.Event()

    def watch():
        while not ended.wait(0.2):
            # Nobody adds or removes results while the file with their size is locked.
            try:
                lock = open(kills.folder / "kept/size", "rb")
            except OSError:
                continue
            with lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                peak[0] = max(peak[0], sum(path.stat().st_size for path in results(kills.folder)))

    def work(seed):
        numbers = random.Random(seed)
        worker = subprocess.Popen(
            [kills.program, "batch", "--jobs", "1", "--cache", "kept", "--cache-max-size", str(most)], cwd=kills.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        sent = [numbers.randrange(kills.rows) for _ in range(count)]

        def send():
            worker.stdin.write((json.dumps({"define": "card", "html": kills.card}) + "\n").encode())
            for k in sent:
                worker.stdin.write((json.dumps(kills.request(k) | {"format": "png"}) + "\n").encode())
            worker.stdin.close()

        threading.Thread(target=send, daemon=True).start()
        worker.stdout.readline()
        cached = right = 0
        for k, line in zip(sent, worker.stdout):
            result = json.loads(line)
            if result.get("id") == k and hashlib.sha256(base64.b64decode(result.get("data", ""))).digest() == digests[k]:
                right += 1
            else:
                wrong.append(line[:200])
            cached += result.get("cached", False)
        worker.wait()
        hits.append(cached)
        answers.append(right)

    start = time.monotonic()
    watcher = threading.Thread(target=watch)
    watcher.start()
    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(processes)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    ended.set()
    watcher.join()
    seconds = time.monotonic() - start
    if wrong:
        fail(f"{len(wrong)} wrong answers, the first: {wrong[0]}")
    if sum(answers) != processes * count:
        fail(f"{sum(answers)} of {processes * count} requests were answered")
    if peak[0] > most:
        fail(f"the cache held {peak[0]} bytes of {most}")
    print(f"{processes} processes × {count} requests on a cache of {most} bytes: none wrong, {sum(hits)} hits, at most "
          f"{peak[0]} bytes, {processes * count / seconds:.0f} requests a second")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--rows", type=int, default=400)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--share", type=int)
    options.add_argument("--requests", type=int, default=100_000)
    options.add_argument("--most", type=int, default=600_000)
    options.add_argument("--cheap", action="store_true")
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        card = (CHEAP, (64, 20)) if options.cheap else (CARD, (400, 200))
        kills = Kills(os.path.abspath(options.program), pathlib.Path(folder), options.rows, *card)
        if options.share:
            share(kills, options.share, options.requests, options.most)
        else:
            kill_at_random(kills, options.kills, random.Random(options.seed))


if __name__ == "__main__":
    main()
