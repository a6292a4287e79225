"""Attacks on more than one run of the program: each function returns what is wrong, or an empty string."""
import json, os, select, signal, socket, subprocess, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
HEAVY = "<style>p{box-shadow:0 0 300px red;height:900px;width:900px;margin:-890px 0 0}</style>" + "<p>" * 5000


def batch(program, folder, *requests):
    lines = "\n".join(map(json.dumps, requests))
    done = subprocess.run([program, "batch", "--jobs", "1", "--no-config"], cwd=folder, input=lines.encode(), capture_output=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def locked_process(program):
    """Calls that the process which decodes pictures may not make, tried from inside."""
    safety = os.path.join(HERE, "../../Sources/System/CSafety")
    with tempfile.TemporaryDirectory() as folder:
        trial = os.path.join(folder, "lock_down")
        subprocess.run(["clang", "-I", f"{safety}/include", f"{safety}/CSafety.c", f"{HERE}/lock_down.c", "-o", trial, "-lpthread"], check=True)
        return subprocess.run([trial], capture_output=True, text=True).stdout.strip()


def bounds_after_strangers(program):
    """A stranger's request has a memory bound of 208 MB; the next request of the same worker needs more."""
    with tempfile.TemporaryDirectory() as folder:
        large = {"html": "<div style='height:7000px;background:radial-gradient(red,blue)'>", "width": 7000, "output": "a.png"}
        stranger, honest = batch(program, folder, {**large, "untrusted": True, "width": 9000}, large)
    return "" if stranger["status"] == 2 and honest["status"] == 0 else f"{stranger}, then {honest}"


def names_with_nul(program):
    with tempfile.TemporaryDirectory() as folder:
        records = batch(program, folder, {"html": "x", "output": "victim.png\0.txt"}, {"file": "/etc/passwd\0.html", "format": "text"})
        return "" if [r["status"] for r in records] == [2, 2] and not os.listdir(folder) else str(records)


def workers_of_a_killed_parent(program):
    with tempfile.TemporaryDirectory() as folder:
        parent = subprocess.Popen([program, "batch", "--jobs", "2", "--no-config"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = json.dumps({"html": HEAVY, "format": "png", "limit": "painted-pixels=1000000000000"}) + "\n"
        parent.stdin.write(line.encode() * 2)
        parent.stdin.flush()
        workers = []
        for _ in range(500):
            time.sleep(0.02)
            workers = open(f"/proc/{parent.pid}/task/{parent.pid}/children").read().split()
            if len(workers) == 2:
                break
        parent.kill()
        parent.wait()
        time.sleep(0.5)
        left = [worker for worker in workers if os.path.exists(f"/proc/{worker}") and ") Z" not in open(f"/proc/{worker}/stat").read()]
        for worker in left:
            os.kill(int(worker), signal.SIGKILL)
        return f"{len(left)} of {len(workers)} workers live on" if left or len(workers) != 2 else ""


def watched_file_becomes_a_pipe(program):
    with tempfile.TemporaryDirectory() as folder:
        card = os.path.join(folder, "card.html")
        open(card, "w").write("<p>one")
        watch = subprocess.Popen([program, "render", card, "-o", "out.png", "--watch", "--no-config"], cwd=folder, stderr=subprocess.PIPE)
        try:
            while not os.path.exists(os.path.join(folder, "out.png")):
                time.sleep(0.05)
            os.unlink(card)
            os.mkfifo(card)
            said = watch.stderr.read1() if select.select([watch.stderr], [], [], 10)[0] else b""
            return "" if b"pipe" in said else f"it said {said}"
        finally:
            watch.kill()
            watch.wait()


def chunked_bodies(program):
    """A body of 40 MB in chunks, sent to the preview, whose rows have at most 1 MB."""
    if not os.path.exists(program + "-preview"):
        return ""
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "card.html"), "w").write("<p>{{a}}")
        preview = subprocess.Popen([program, "preview", "card.html", "--no-config"], cwd=folder, stdout=subprocess.PIPE)
        try:
            port = int(preview.stdout.readline().split(b":")[-1].split(b"/")[0])
            link = socket.create_connection(("127.0.0.1", port))
            link.sendall(f"POST /drawing HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            sent = 0
            try:
                while sent < 40 << 20:
                    link.sendall(b"100000\r\n" + b"x" * (1 << 20) + b"\r\n")
                    sent += 1 << 20
                answer = link.recv(100)
            except OSError:
                answer = b""
            return "" if sent < 40 << 20 or b" 413 " in answer else f"{sent} bytes were read: {answer}"
        finally:
            preview.kill()
            preview.wait()


def waiting_is_not_counted(program):
    """The clock of a stranger's page counts processor time: the process is stopped for two seconds."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.Popen([program, "render", "--untrusted", "-o", "out.png"], cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.1)
        run.send_signal(signal.SIGSTOP)
        time.sleep(2)
        run.send_signal(signal.SIGCONT)
        _, said = run.communicate(b"<p>x")
        return "" if run.returncode == 0 else said.decode()


PARTS = {
    "forbidden calls in the locked process": locked_process,
    "the memory bound of a stranger's request ends with it": bounds_after_strangers,
    "names with a NUL in requests": names_with_nul,
    "workers of a killed parent": workers_of_a_killed_parent,
    "a watched file becomes a pipe": watched_file_becomes_a_pipe,
    "chunked bodies without an end": chunked_bodies,
    "the clock does not count waiting": waiting_is_not_counted,
}
