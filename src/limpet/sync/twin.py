"""A method of the async front -> the same one, blocking, with its parameters, its types and its words.

The other object is `_inner`. What is called there is looked up by name, so that a subclass may have its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

from limpet.engine.blocking import wait

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

Method = Callable[Concatenate[Any, P], T]
Awaited = Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]


def direct(method: Method[P, T]) -> Method[P, T]:
    """It needs no event loop."""

    @functools.wraps(method)
    def twin(self: Any, /, *given: P.args, **named: P.kwargs) -> T:
        result: T = getattr(self._inner, method.__name__)(*given, **named)
        return result

    return twin


def in_loop(method: Method[P, T]) -> Method[P, T]:
    """It is not awaited, but has to be called where an event loop runs."""

    @functools.wraps(method)
    def twin(self: Any, /, *given: P.args, **named: P.kwargs) -> T:
        result: T = wait(called(functools.partial(getattr(self._inner, method.__name__), *given, **named)))
        return result

    return twin


def waiting(method: Awaited[P, T]) -> Method[P, T]:
    """It is awaited."""

    @functools.wraps(method)
    def twin(self: Any, /, *given: P.args, **named: P.kwargs) -> T:
        result: T = wait(getattr(self._inner, method.__name__)(*given, **named))
        return result

    return twin


def giving(kind: Callable[[T], R], method: Method[P, T]) -> Method[P, R]:
    """What it gives becomes its own twin."""

    @functools.wraps(method)
    def twin(self: Any, /, *given: P.args, **named: P.kwargs) -> R:
        return kind(method(self, *given, **named))

    return twin


async def called(function: Callable[[], T]) -> T:
    """Call inside the loop what needs one."""
    return function()
