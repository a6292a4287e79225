"""Requests to the processes of `fancytext batch`, and their results."""

from __future__ import annotations

import asyncio
import base64
import collections
import json
import logging
import pathlib
import shutil
import subprocess
import threading
import typing
from concurrent.futures import Future
from dataclasses import dataclass

if typing.TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .options import Options

_log = logging.getLogger("fancytext")


def program() -> str:
    """Returns the path of the program in this package; otherwise of one on `PATH`."""
    path = pathlib.Path(__file__).parent / "bin" / "fancytext"
    found = str(path) if path.exists() else shutil.which("fancytext")
    if found is None:
        raise FileNotFoundError("the program fancytext is not installed; use: pip install fancytext")
    return found


@dataclass(frozen=True)
class Diagnostic:
    """A message about a document, with its position where it has one."""

    severity: str
    code: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return ":".join([*parts, f" {self.severity}" if parts else self.severity]) + f": {self.message}"


class FancyTextError(Exception):
    """A request that failed. `diagnostics` has all messages about its document, errors and warnings."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()):
        super().__init__(message)
        self.diagnostics = diagnostics


@dataclass(frozen=True)
class Result:
    """The bytes of a result (text in UTF-8), and the warnings and notes about its document."""

    data: bytes
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def text(self) -> str:
        return self.data.decode()

    @property
    def records(self) -> list[dict[str, typing.Any]]:
        return [json.loads(line) for line in self.data.split(b"\n") if line]


def _result(answer: dict[str, typing.Any]) -> Result:
    diagnostics = tuple(Diagnostic(**message) for message in answer.get("messages", ()))
    if answer["status"] == 2:
        raise FancyTextError(answer["error"], diagnostics)
    for diagnostic in diagnostics:
        if diagnostic.severity == "warning":
            _log.warning("%s", diagnostic)
    return Result(base64.b64decode(answer["data"]) if "data" in answer else answer.get("text", "").encode(), diagnostics)


def _fields(fields: typing.Mapping[str, str]) -> list[str]:
    return [f"{name}={selector}" for name, selector in fields.items()]


def _values(result: Result) -> list[str]:
    return [record["value"] for record in result.records if record["value"] is not None]


class Worker:
    """Processes that answer requests: a context manager over `fancytext batch`.

    Any number of threads may use one worker. A request that fails, or that ends its process, raises `FancyTextError` for its
    caller alone. Warnings go to the logger "fancytext".
    """

    def __init__(self, *, jobs: int | None = None, timeout: float | None = None, cache: str | None = None):
        """Starts `jobs` processes (default: one for each processor).

        A request may take `timeout` seconds (default: 30). `cache` is a folder that keeps results.
        """
        command = [program(), "batch"]
        for name, value in (("--jobs", jobs), ("--timeout", timeout), ("--cache", cache)):
            command += [] if value is None else [name, str(value)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._waiting: collections.deque[Future[Result]] = collections.deque()
        self._lock = threading.Lock()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def render(self, html: str | None = None, *, format: str = "png", **options: Unpack[Options]) -> bytes:
        return self.submit("render", html, format=format, **options).result().data

    def strip(self, html: str | None = None, **options: Unpack[Options]) -> str:
        return self.submit("strip", html, **options).result().text

    def select(self, html: str | None, selector: str, value: str = "html", **options: Unpack[Options]) -> list[str]:
        return _values(self.submit("select", html, selector=selector, field=f"value=::{value}", **options).result())

    def records(
        self, html: str | None, selector: str, fields: typing.Mapping[str, str], **options: Unpack[Options]
    ) -> list[dict[str, typing.Any]]:
        return self.submit("select", html, selector=selector, field=_fields(fields), **options).result().records

    def define(self, name: str, html: str) -> None:
        """Names a template for later requests: `worker.render(template=name, row={"title": "One"})`."""
        self._send({"define": name, "html": html}).result()

    def submit(self, command: str, html: str | None = None, **options: typing.Any) -> Future[Result]:
        """Sends a request of a command (render, strip, select or dump), and returns its result to come.

        Waits while the processes are busy and the pipe to them is full.
        """
        request = {name.rstrip("_").replace("_", "-"): value for name, value in options.items() if value is not None}
        return self._send({"command": command, **request, **({} if html is None else {"html": html})})

    def _send(self, request: dict[str, typing.Any]) -> Future[Result]:
        line = json.dumps(request).encode() + b"\n"
        future: Future[Result] = Future()
        assert self._process.stdin
        with self._lock:
            if self._ended:
                raise FancyTextError("the worker has ended")
            self._waiting.append(future)
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except BrokenPipeError:
                pass  # The reader finds the end of the results, and fails all that wait.
        return future

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            future = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(_result(json.loads(line)))
                except Exception as error:
                    future.set_exception(error)
        with self._lock:
            self._ended = True
        for future in self._waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(FancyTextError("the worker has ended"))

    def close(self) -> None:
        """Waits for the results of all requests, and ends the processes."""
        with self._lock:
            self._ended = True
            assert self._process.stdin
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass
        self._reader.join()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class AsyncWorker:
    """A `Worker` for asyncio: `async with AsyncWorker() as worker: png = await worker.render("<h1>Hello</h1>")`."""

    def __init__(self, *, jobs: int | None = None, timeout: float | None = None, cache: str | None = None):
        self._worker = Worker(jobs=jobs, timeout=timeout, cache=cache)

    async def render(self, html: str | None = None, *, format: str = "png", **options: Unpack[Options]) -> bytes:
        return (await self.submit("render", html, format=format, **options)).data

    async def strip(self, html: str | None = None, **options: Unpack[Options]) -> str:
        return (await self.submit("strip", html, **options)).text

    async def select(self, html: str | None, selector: str, value: str = "html", **options: Unpack[Options]) -> list[str]:
        return _values(await self.submit("select", html, selector=selector, field=f"value=::{value}", **options))

    async def records(
        self, html: str | None, selector: str, fields: typing.Mapping[str, str], **options: Unpack[Options]
    ) -> list[dict[str, typing.Any]]:
        return (await self.submit("select", html, selector=selector, field=_fields(fields), **options)).records

    async def define(self, name: str, html: str) -> None:
        await asyncio.to_thread(self._worker.define, name, html)

    async def submit(self, command: str, html: str | None = None, **options: typing.Any) -> Result:
        # In a thread, as a full pipe would stop the event loop.
        return await asyncio.wrap_future(await asyncio.to_thread(self._worker.submit, command, html, **options))

    async def close(self) -> None:
        await asyncio.to_thread(self._worker.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
