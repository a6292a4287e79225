"""Runs the server of the page "Behind a web server", unchanged."""

import concurrent.futures
import hashlib
import hmac
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time

import pytest

httpx = pytest.importorskip("httpx")
pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

PAGE = pathlib.Path(__file__).parents[3] / "Sources/FancyText/FancyText.docc/WebServer.md"
SECRET = "a secret"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The server's address and process."""
    folder = tmp_path_factory.mktemp("server")
    blocks = dict(re.findall(r"^```(html|python)\n(.*?)^```$", PAGE.read_text(), re.M | re.S))
    (folder / "card.html").write_text(blocks["html"])
    (folder / "server.py").write_text(blocks["python"])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "server:app", "--port", str(port), "--log-level", "warning"],
        cwd=folder, env=os.environ | {"CARD_SECRET": SECRET},
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(100):
        try:
            httpx.get(address)
            break
        except httpx.ConnectError:
            time.sleep(0.1)
    yield address, process
    process.terminate()
    assert process.wait(10) in (0, -15)


def parameters(title, author="Ada"):
    row = json.dumps({"title": title, "author": author}, sort_keys=True).encode()
    return {"title": title, "author": author, "signed": hmac.new(SECRET.encode(), row, hashlib.sha256).hexdigest()}


def test_a_signed_address_is_a_picture(server):
    address, _ = server
    responses = [httpx.get(f"{address}/card.png", params=parameters("<b>Größe")) for _ in range(2)]
    assert responses[0].status_code == 200, responses[0].text
    assert responses[0].content.startswith(b"\x89PNG") and responses[0].content == responses[1].content
    assert "immutable" in responses[0].headers["Cache-Control"]


def test_other_addresses_are_refused(server):
    address, _ = server
    changed = parameters("One") | {"title": "Two"}
    assert httpx.get(f"{address}/card.png", params=changed).status_code == 403
    assert httpx.get(f"{address}/card.png", params=changed | {"signed": "ü"}).status_code == 403


def test_documents_of_strangers_are_limited(server):
    address, _ = server

    def status(document):
        return httpx.post(f"{address}/preview.png", content=document).status_code

    assert status("<h1>Hello") == 200
    assert status("x" * 70_000) == 413
    assert status("<style>p::before { content: '" + "x" * 50_000 + "' }</style>" + "<p>" * 1000) == 422
    assert status("<h1>Hello") == 200


def test_a_thousand_requests(server, capsys):
    address, process = server

    def get(number, client):
        start = time.perf_counter()
        response = client.get(f"{address}/card.png", params=parameters(f"Card {number % 500}"))
        assert response.status_code == 200 and response.content.startswith(b"\x89PNG")
        return time.perf_counter() - start

    with httpx.Client() as client, concurrent.futures.ThreadPoolExecutor(8) as pool:
        start = time.perf_counter()
        times = sorted(pool.map(lambda number: get(number, client), range(1000)))
        rate = 1000 / (time.perf_counter() - start)
    with capsys.disabled():
        print(f"\n1,000 requests: {rate:.0f}/s, p50 {times[500] * 1e3:.0f} ms, p99 {times[990] * 1e3:.0f} ms, "
              f"{memory(process.pid) / 1e6:.0f} MB")


def memory(pid):
    """The bytes of a process and its descendants, with shared pages divided among them."""
    rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(re.search(r"^Pss: +(\d+)", rollup, re.M)[1]) * 1024 + sum(map(memory, children))
