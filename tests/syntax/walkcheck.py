"""A script -> what bash made of the words of each `printf`, and whether the walk says the same."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from itertools import count
from typing import TYPE_CHECKING

from limpet.syntax.values.field import NUMBERS, Field, Pattern
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk

if TYPE_CHECKING:
    from pathlib import Path

    from limpet.syntax.values.field import Piece
    from limpet.syntax.walk import Found, Walk

_PLAIN_GLOB = re.compile(r"(?!.*\*\*)[A-Za-z0-9_./*?-]*")
_FAILED = re.compile(rb": (?:cd|pushd|popd): ")


def scripts(table: str) -> list[str]:
    """The lines of a table; what stands in angles is shown."""
    return [_show_angles(line.replace("⏎", "\n")) for line in table.strip().split("\n")]


def _show_angles(script: str) -> str:
    numbers = count()
    while (shown := re.search("«([^«»]*)»", script)) is not None:
        words = f'printf %s\\\\0 =S{next(numbers)}= "$PWD" {shown[1]} =E='
        script = script[: shown.start()] + words + script[shown.end() :]
    return script


def printed(script: str, folder: Path) -> tuple[list[list[str]], bool]:
    """The arguments of each `printf` that ran, and whether each change of folder worked."""
    (folder / "out").touch()
    output, errors = _run(script, folder)
    words = output.decode("utf-8", "surrogateescape").split("\0")
    found: list[list[str]] = []
    for word in words:
        begins = re.search(r"=S[0-9]+=\Z", word)
        if begins is not None:
            found.append([begins[0]])
        elif found and found[-1][-1:] != ["=E="]:
            found[-1].append(word)
    whole = [each[:-1] for each in found if each[-1] == "=E="]
    return whole, _FAILED.search(errors + output) is None


def _run(script: str, folder: Path) -> tuple[bytes, bytes]:
    process = subprocess.Popen(
        ["bash", "-c", script],
        cwd=folder,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "PWD": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=0,
    )
    try:
        return process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise


def differences(script: str, folder: Path, *, folders: bool = False, strict: bool = False) -> list[str]:
    """Where the walk is sure of something that bash does not do.

    Nothing when it says that it cannot tell; with `strict` bash must have shown something.
    """
    followed = walk(script, Scope(home=str(folder), cwd=str(folder), positional=()))
    if followed.opaque:
        return []
    commands, moved = printed(script, folder)
    if strict and not commands:
        return ["bash shows nothing"]
    return [
        f"{words} is none of {[_show(each) for each in _of(followed, words[0])]}"
        for words in commands
        if not any(agrees(each, words, moved=moved and folders, folders=folders) for each in _of(followed, words[0]))
    ]


def _of(followed: Walk, number: str) -> list[Found]:
    return [each for each in followed.found if len(each.argv) > 2 and each.argv[2].text == number]


def _show(found: Found) -> object:
    return found.cwd, [field.text if field.text is not None else field for field in found.argv[3:]]


def agrees(found: Found, words: list[str], *, moved: bool, folders: bool = False) -> bool:
    """Whether the words may be what was found, in the folder that it was found in, or in one that it may be in."""
    pattern = "".join(_pattern(field) for field in found.argv[3:-1])
    if re.fullmatch(pattern, "".join(f"{word}\0" for word in words[1:])) is None:
        return False
    if folders and found.folders is not None and words[1] not in found.folders:
        return False
    return not moved or found.cwd is None or words[1] == found.cwd


def _of_piece(piece: Piece, anything: str) -> str:
    if isinstance(piece, str):
        return re.escape(piece)
    if piece in NUMBERS:
        return "-?[0-9]+"
    if not isinstance(piece, Pattern) or not _PLAIN_GLOB.fullmatch(piece.text):
        return anything
    return re.escape(piece.text).replace(r"\*", r"[^/\x00]*").replace(r"\?", r"[^/\x00]")


def _pattern(field: Field) -> str:
    anything = r"[\s\S]*" if field.many else r"[^\x00]*"
    text = "".join(_of_piece(piece, anything) for piece in field.pieces) + r"\x00"
    if not field.many:
        return text
    return f"(?:{text})*" if any(isinstance(piece, Pattern) for piece in field.pieces) else f"(?:{text})?"
