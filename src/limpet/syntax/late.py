"""A regular expression -> the same, compiled when it is first used: most scripts need few of them."""

from __future__ import annotations

import re
from typing import AnyStr, Generic, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class _Late(Generic[AnyStr]):
    def __init__(self, pattern: AnyStr, flags: re.RegexFlag) -> None:
        self._given: tuple[AnyStr, re.RegexFlag] = (pattern, flags)

    def __getattr__(self, name: str) -> object:
        """Only what is not there yet is asked for here; from then on a method is as quick as that of any other."""
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        for each in _METHODS:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def late(pattern: AnyStr, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[AnyStr]:
    """What can be asked all that a compiled one can be."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, flags))
