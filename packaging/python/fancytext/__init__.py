"""Turns HTML-styled text into pictures, terminal text and data, with the program fancytext.

Options are those of the program by their long names, with `_` for `-`: `no_system_fonts=True`. A name that is a keyword of
Python ends in `_`: `from_="markdown"`. Options that may be repeated take a list.

Each function here starts a process; a `Worker` answers many calls with the same processes.
"""

from __future__ import annotations

import typing

from .worker import AsyncWorker, Diagnostic, FancyTextError, Result, Worker, program

if typing.TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

__all__ = [
    "AsyncWorker",
    "Diagnostic",
    "FancyTextError",
    "Result",
    "Worker",
    "program",
    "records",
    "render",
    "select",
    "strip",
]


def render(html: str | None = None, *, format: str = "png", **options: Unpack[Options]) -> bytes:
    """Returns a document as a picture (png, jpeg, webp, svg, pdf), or as ansi, json, markdown, html or text in UTF-8."""
    with Worker(jobs=1) as worker:
        return worker.render(html, format=format, **options)


def strip(html: str | None = None, **options: Unpack[Options]) -> str:
    """Returns the text that a person would read."""
    with Worker(jobs=1) as worker:
        return worker.strip(html, **options)


def select(html: str | None, selector: str, value: str = "html", **options: Unpack[Options]) -> list[str]:
    """Returns the "html", "text" or "attr(NAME)" of the elements that a CSS selector matches, in document order."""
    with Worker(jobs=1) as worker:
        return worker.select(html, selector, value, **options)


def records(
    html: str | None, selector: str, fields: typing.Mapping[str, str], **options: Unpack[Options]
) -> list[dict[str, typing.Any]]:
    """Returns a dictionary for each match; `fields` are as in `{"title": "h2::text", "tags[]": ".tag::text"}`."""
    with Worker(jobs=1) as worker:
        return worker.records(html, selector, fields, **options)
