"""Tests of the installed wheel: make test-wheel."""

import asyncio
import logging
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import textwrap
import threading

import pytest

import fancytext

PAGE = "<ul><li><h2>One</h2><a href=/1>first</a><li><h2>Two</h2><a>second</a></ul>"


def test_render_returns_the_bytes_of_the_program():
    options = {"width": 300, "no_system_fonts": True}
    png = fancytext.render("<h1>Hello</h1>", **options)
    assert png.startswith(b"\x89PNG")
    command = [fancytext.program(), "render", "--width", "300", "--no-system-fonts", "--format", "png"]
    assert png == subprocess.run(command, input=b"<h1>Hello</h1>", stdout=subprocess.PIPE, check=True).stdout


@pytest.mark.parametrize("format, start", [("jpeg", b"\xff\xd8"), ("webp", b"RIFF"), ("svg", b"<svg"), ("pdf", b"%PDF")])
def test_every_format_finds_its_library(format, start):
    assert fancytext.render("<p>日本語 नमस्ते", format=format, no_system_fonts=True).startswith(start)


def test_the_console_command_is_the_program():
    for command in (fancytext.program(), os.path.join(sysconfig.get_path("scripts"), "fancytext")):
        fonts = subprocess.run([command, "fonts"], stdout=subprocess.PIPE, text=True, check=True).stdout
        assert "site-packages/fancytext/lib/fancytext/fancytext-libharfbuzz" in fonts
        templates = subprocess.run([command, "help", "templates"], stdout=subprocess.PIPE, text=True, check=True).stdout
        assert "{{{key}}}" in templates


def test_a_folder_for_packages(tmp_path):
    package = pathlib.Path(fancytext.__file__).parent
    shutil.copytree(package, tmp_path / "fancytext")
    (tmp_path / "bin").mkdir()
    shutil.copy(os.path.join(sysconfig.get_path("scripts"), "fancytext"), tmp_path / "bin")
    fonts = subprocess.check_output([tmp_path / "bin/fancytext", "fonts"], text=True)
    assert str(tmp_path / "fancytext/lib/fancytext/fancytext-libharfbuzz") in fonts.replace("bin/../", "")


def test_strip_and_select():
    assert fancytext.strip("<ol><li>One<li>Zwölf</ol>") == "1. One\n2. Zwölf\n"
    assert fancytext.strip("# Title", from_="markdown") == "Title\n"
    assert fancytext.select(PAGE, "h2") == ["<h2>One</h2>", "<h2>Two</h2>"]
    assert fancytext.select("<p>a<br>b<p>\n c", "p", "text")[0].startswith("a")
    assert fancytext.select(PAGE, "a", "attr(href)") == ["/1"]
    assert fancytext.select(PAGE, "table") == []
    fields = {"title": "h2::text", "links[]": "a::attr(href)"}
    assert fancytext.records(PAGE, "li", fields) == [{"title": "One", "links": ["/1"]}, {"title": "Two", "links": []}]


def test_errors_have_diagnostics():
    with pytest.raises(fancytext.FancyTextError) as caught:
        fancytext.render("<p style='colr: red'>x", strict=True)
    [diagnostic] = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.severity, diagnostic.line) == ("css.unknown-property", "warning", 1)
    with pytest.raises(fancytext.FancyTextError, match="width"):
        fancytext.render("x", width="wide")


def test_warnings_are_logged(caplog):
    with caplog.at_level(logging.WARNING, "fancytext"):
        fancytext.render("<p style='colr: red'>x")
    assert "unknown property 'colr'" in caplog.text


def test_a_worker_keeps_templates_and_survives_errors():
    with fancytext.Worker(jobs=2) as worker:
        worker.define("card", "<h1>{{title}}</h1>")
        cards = [worker.submit("render", template="card", row={"title": str(n)}, format="text") for n in range(100)]
        assert [card.result().text for card in cards] == [f"{n}\n" for n in range(100)]
        with pytest.raises(fancytext.FancyTextError):
            worker.render(template="none", row={})
        assert worker.strip("<b>x") == "x\n"
    with pytest.raises(fancytext.FancyTextError, match="ended"):
        worker.strip("x")


def test_threads_share_a_worker():
    results = {}
    with fancytext.Worker() as worker:

        def strip(number):
            results[number] = worker.strip(f"<p>{number}")

        threads = [threading.Thread(target=strip, args=(number,)) for number in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {number: f"{number}\n" for number in range(32)}


def test_requests_larger_than_the_pipe():
    text = "x" * 1_000_000
    with fancytext.Worker(jobs=1) as worker:
        futures = [worker.submit("strip", text) for _ in range(4)]
        assert [future.result().text for future in futures] == [text + "\n"] * 4


def test_the_end_of_the_worker_fails_what_waits():
    with fancytext.Worker(jobs=1) as worker:
        worker._process.kill()
        with pytest.raises(fancytext.FancyTextError, match="ended"):
            worker.strip("x")


def test_asyncio_and_cancellation():
    async def run():
        async with fancytext.AsyncWorker(jobs=1) as worker:
            await worker.define("card", "<h1>{{title}}</h1>")
            pictures = await asyncio.gather(*(worker.render("<p>x", width=100) for _ in range(10)))
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(worker.render("<p>y" * 20_000), 0.01)
            assert await worker.select(PAGE, "h2", "text") == ["One", "Two"]
            return pictures

    pictures = asyncio.run(run())
    assert len(pictures) == 10 and len(set(pictures)) == 1


def test_the_types_are_accepted(tmp_path):
    mypy = pytest.importorskip("mypy.api")
    file = tmp_path / "use.py"
    file.write_text(
        "import fancytext\n"
        "a: bytes = fancytext.render('x', width=3, from_='markdown', css=['a.css'])\n"
        "b: list[str] = fancytext.select('x', 'a')\n"
        "fancytext.render('x', widht=3)\n"
    )
    output, _, status = mypy.run(["--strict", "--python-executable", sys.executable, str(file)])
    assert status == 1 and output.count("error:") == 1 and "widht" in output, output
    output, _, status = mypy.run(["--strict", "--python-executable", sys.executable, "-p", "fancytext"])
    assert status == 0, output


def test_the_workflow_compares_pictures(tmp_path):
    workflow = (pathlib.Path(__file__).parents[3] / "Fixtures/examples/golden-pictures.yml").read_text()
    script = textwrap.dedent(re.search(r"name: compare\n +run: \|\n((?: {10}.*\n)+)", workflow)[1])
    cards = tmp_path / "cards"
    cards.mkdir()
    path = f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}"

    def status(html):
        (cards / "one.html").write_text(html)
        return subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=os.environ | {"PATH": path}).returncode

    (cards / "one.png").write_bytes(fancytext.render("<h1>One</h1>", width=1200, no_system_fonts=True))
    assert status("<h1>One</h1>") == 0
    assert status("<h1>Two</h1>") == 1
    assert len(list(cards.glob("*.new*.png"))) == 2
    assert status("<h1 style='colr: red'>One</h1>") == 1
