"""Errors and warnings as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """A part of a file, walked out of macros. Lines and columns count from 1, columns in characters."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    byte_start: int
    byte_end: int

    @staticmethod
    def _of(data: dict[str, Any]) -> Place:
        return Place(*(data[field] for field in Place.__dataclass_fields__))


@dataclass(frozen=True)
class Label:
    """A place, and what to say about it."""

    place: Place
    message: str


@dataclass(frozen=True)
class Fix:
    """An edit that makes the problem go away: `replacement` for the text at `place`."""

    message: str
    place: Place
    replacement: str


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning. `str()` of it is one line."""

    #: "E0312", "W0107": it never changes; `clc --explain` explains it.
    code: str
    #: What `-W` calls a warning; for an error a title of the same form.
    name: str
    #: "note", "warning", "error" or "fatal error"
    severity: str
    #: One sentence.
    message: str
    #: The place that is wrong; None for a problem that lies nowhere in a source.
    place: Place | None
    #: What is wrong there.
    label: str
    #: The places that explain.
    labels: tuple[Label, ...]
    #: Facts without a place.
    notes: tuple[str, ...]
    #: The ways out that are no edit.
    helps: tuple[str, ...]
    #: The way out that is an edit.
    fix: Fix | None
    _line: str

    def __str__(self) -> str:
        return self._line

    @property
    def is_error(self) -> bool:
        """Whether it keeps a module from being made."""
        return self.severity in ("error", "fatal error")

    @staticmethod
    def _of(data: dict[str, Any]) -> Diagnostic:
        labels = [(Label(Place._of(span), span["label"]), span["primary"]) for span in data["spans"]]
        primary = next((label for label, is_primary in labels if is_primary), None)
        fix = data.get("fix")
        return Diagnostic(
            code=data["code"],
            name=data["name"],
            severity=data["severity"],
            message=data["message"],
            place=None if primary is None else primary.place,
            label="" if primary is None else primary.message,
            labels=tuple(label for label, is_primary in labels if not is_primary),
            notes=tuple(data["notes"]),
            helps=tuple(data["helps"]),
            fix=None if fix is None else Fix(fix["message"], Place._of(fix), fix["replacement"]),
            _line=data["short"],
        )
