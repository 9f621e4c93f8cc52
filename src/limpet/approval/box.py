"""Questions that wait for a person, one folder each: `approvals/<run>/` below the state directory.

`question` is what is asked, `answer` what was said. An answer is written beside it and linked into place, so there is
never more than one, whoever else answers at the same moment, and never half of one; and since the folder is moved away
before it is emptied, nobody can answer what is over. `bell` wakes whoever waits.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import QuestionError
from limpet.kernel.identity import Identity, is_alive
from limpet.model.answer import Answer
from limpet.model.codec import to_json
from limpet.model.question import SHORT, Question

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUESTION, _ANSWER, _BELL = "question", "answer", "bell"
_OVER = ".over-"
_OTHERS = 0o077


class Box:
    """The folder of open questions."""

    def __init__(self, state: str) -> None:
        self._folder = os.path.join(state, "approvals")

    def put(self, question: Question) -> None:
        """Ask it. Raises QuestionError."""
        try:
            self._claim()
            place = self._place(question.id)
            os.mkdir(place, 0o700)
            os.mkfifo(os.path.join(place, _BELL), 0o600)
            _write(os.path.join(place, f".{_QUESTION}"), to_json(question))
            os.rename(os.path.join(place, f".{_QUESTION}"), os.path.join(place, _QUESTION))
        except OSError as error:
            raise QuestionError(f"the question could not be asked: {self._folder}: {error.strerror}") from error

    def open_bell(self, name: str) -> int:
        """A descriptor that can be read when somebody has answered. Raises OSError."""
        return os.open(os.path.join(self._place(name), _BELL), os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def give(self, name: str, answer: Answer) -> bool:
        """Answer it; False when it was answered before, or is over."""
        place = self._place(name)
        mine = os.path.join(place, f".{os.getpid()}-{os.urandom(6).hex()}")
        try:
            _write(mine, to_json(answer))
            try:
                os.link(mine, os.path.join(place, _ANSWER))
            finally:
                with contextlib.suppress(FileNotFoundError):  # given, read, and taken away with all of it
                    os.unlink(mine)
        except (FileExistsError, FileNotFoundError):
            return False
        except OSError as error:
            raise QuestionError(f"the answer could not be given: {place}: {error.strerror}") from error
        self._ring(place)
        return True

    def answer(self, name: str) -> Answer | None:
        """What was said; None as long as nothing was. What cannot be read is a no."""
        try:
            with open(os.path.join(self._place(name), _ANSWER), "rb") as file:
                return msgspec.json.decode(file.read(), type=Answer)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            return Answer(approved=False, reason=f"the answer cannot be read: {error}")

    def take_away(self, name: str) -> None:
        """It is over: nobody can answer it any more."""
        away = os.path.join(self._folder, f"{_OVER}{name}")
        with contextlib.suppress(OSError):
            os.rename(self._place(name), away)
        shutil.rmtree(away, ignore_errors=True)

    def questions(self) -> Iterator[Question]:
        """All that are there, oldest first, those among them that nobody waits for any more."""
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for name in sorted(os.listdir(self._folder)):
                if (question := self._read(name)) is not None:
                    yield question

    def find(self, name: str) -> Question:
        """The one that is meant by its id, or by the end of it. Raises QuestionError."""
        wanted = name.strip().lower()
        if len(wanted) < SHORT - 2:
            raise QuestionError(f"{name!r} is too short for the id of a question; `limpet approvals` lists them")
        found = [question for question in self.questions() if question.id.endswith(wanted)]
        if len(found) > 1:
            raise QuestionError(f"{name!r} may mean {', '.join(one.id for one in found)}: say which")
        if not found:
            raise QuestionError(
                f"there is no open question {name!r}: it was answered, it has expired, or there never was one"
            )
        return found[0]

    def sweep(self, now: float) -> None:
        """Remove what is over and was left by processes that were killed."""
        for question in self.questions():
            if question.expires_at < now and not _asker_is_there(question):
                self.take_away(question.id)
        with contextlib.suppress(OSError):
            for name in os.listdir(self._folder):
                if name.startswith(_OVER):
                    shutil.rmtree(os.path.join(self._folder, name), ignore_errors=True)

    def _claim(self) -> None:
        """A folder of our own, that nobody else looks into."""
        os.makedirs(os.path.dirname(self._folder), mode=0o700, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(self._folder, 0o700)
        found = os.lstat(self._folder)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise QuestionError(f"{self._folder} is not a folder of your own; see what put it there and remove it")
        if found.st_mode & _OTHERS:
            os.chmod(self._folder, 0o700)

    def _place(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _read(self, name: str) -> Question | None:
        if not name.isalnum():
            return None
        try:
            with open(os.path.join(self._place(name), _QUESTION), "rb") as file:
                question = msgspec.json.decode(file.read(), type=Question)
        except (OSError, msgspec.DecodeError):
            return None  # being made, or being taken away
        return question if question.id == name else None

    def _ring(self, place: str) -> None:
        """Best effort: whoever waits looks now and then without being called."""
        with contextlib.suppress(OSError):
            bell = os.open(os.path.join(place, _BELL), os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.write(bell, b"\n")
            finally:
                os.close(bell)


def waits(question: Question) -> bool:
    """Whether the process that asked is still there; one in another pid namespace, as far as can be known."""
    return _asker_is_there(question) is not False


def _asker_is_there(question: Question) -> bool | None:
    asker = question.asker
    return is_alive(Identity(asker.pid, asker.started, asker.boot, asker.space))


def _write(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(text.encode())
