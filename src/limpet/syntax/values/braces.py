"""A word with `{a,b}` and `{1..3}` in it -> the words that bash makes of it before anything else happens."""

from __future__ import annotations

from limpet.syntax.late import late
from limpet.syntax.tree import Double, Literal, Parameter, Part, Word
from limpet.syntax.values.sequences import MOST, TooMuchError, count_through
from limpet.syntax.values.tangles import hides_marks, is_tangled

_MARKS = late(r"([{},])")
_NAME = late(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME_GOES_ON = late(r"[A-Za-z0-9_]+")
_DEEPEST = 32
_LARGEST = 1 << 18

_Item = str | Part
"""`{`, `}` or `,` that is not quoted, other text that is not quoted, or a part that is just carried along."""


def expand_braces(word: Word) -> list[Word] | None:
    """The words, in order; None when they are too many, or when it cannot be told what they are."""
    if is_tangled(word):
        return None
    if not any(isinstance(part, Literal) and not part.quoted and "{" in part.text for part in word.parts):
        return [word]
    if any(hides_marks(part) for part in word.parts):
        return None
    items = [item for part in word.parts for item in _items(part)]
    try:
        expanded = _Braces(items).expand(items, 0)
        if len(expanded) == 1 and expanded[0] == items:
            return [word]
        _refuse_loose_dollars(word)
        return [Word(word.start, word.end, _parts(found, word)) for found in expanded]
    except TooMuchError:
        return None


def _items(part: Part) -> list[_Item]:
    if isinstance(part, Literal) and not part.quoted:
        return [text for text in _MARKS.split(part.text) if text]
    return [part]


class _Braces:
    def __init__(self, items: list[_Item]) -> None:
        self._steps = 10_000 + 20 * len(items)
        self._size = 1 + sum(len(item) if isinstance(item, str) else 1 for item in items)

    def expand(self, items: list[_Item], depth: int) -> list[list[_Item]]:
        if depth > _DEEPEST:
            raise TooMuchError
        results: list[list[_Item]] = [[]]
        start = 0
        while (found := self._find(items, start)) is not None:
            first, last = found
            results = self._append(results, [items[start:first]])
            results = self._append(results, self._inside(items[first : last + 1], depth))
            start = last + 1
        return self._append(results, [items[start:]])

    def _find(self, items: list[_Item], start: int) -> tuple[int, int] | None:
        """The first brace that opens an expansion, and the one that closes it."""
        for at in range(start, len(items)):
            if items[at] == "{" and not (at == start and items[at + 1 : at + 2] == ["}"]):
                close = self._close(items, at)
                if close is not None:
                    return at, close
        return None

    def _close(self, items: list[_Item], opening: int) -> int | None:
        """A brace closes only after a comma or two dots on its own level."""
        level = 0
        worthy = False
        for at in range(opening + 1, len(items)):
            self._step()
            item = items[at]
            if item == "{":
                level += 1
            elif item == "}":
                if level == 0 and worthy:
                    return at
                level = max(level - 1, 0)
            elif level == 0:
                worthy = worthy or item == "," or _has_dots(items, at)
        return None

    def _inside(self, braced: list[_Item], depth: int) -> list[list[_Item]]:
        amble = braced[1:-1]
        if "," in amble:
            return self._limit([found for piece in self._pieces(amble) for found in self.expand(piece, depth + 1)])
        text = _text(amble)
        if text is None and any(_may_hold_comma(item) for item in amble):
            raise TooMuchError  # bash takes a quoted comma here for one that separates
        counted = count_through(text) if text is not None else None
        return [braced] if counted is None else [[text] for text in counted]

    def _pieces(self, amble: list[_Item]) -> list[list[_Item]]:
        pieces: list[list[_Item]] = [[]]
        level = 0
        for item in amble:
            self._step()
            if item == "," and level == 0:
                pieces.append([])
                continue
            level = max(level + (item == "{") - (item == "}"), 0)
            pieces[-1].append(item)
        return pieces

    def _append(self, results: list[list[_Item]], tails: list[list[_Item]]) -> list[list[_Item]]:
        if tails == [[]]:
            return results
        if len(results) * len(tails) > MOST:
            raise TooMuchError
        return self._limit([[*result, *tail] for result in results for tail in tails])

    def _limit(self, results: list[list[_Item]]) -> list[list[_Item]]:
        if len(results) > MOST or (len(results) > 1 and len(results) * self._size > _LARGEST):
            raise TooMuchError
        return results

    def _step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise TooMuchError


def _has_dots(items: list[_Item], at: int) -> bool:
    item = items[at]
    found = item.find("..") if isinstance(item, str) else -1
    return found >= 0 and isinstance(item, str) and (found + 2 < len(item) or items[at + 1 : at + 2] != ["}"])


def _may_hold_comma(item: _Item) -> bool:
    if isinstance(item, str):
        return False
    if isinstance(item, Literal):
        return "," in item.text
    if isinstance(item, Double):
        return any(_may_hold_comma(part) for part in item.parts)
    return not isinstance(item, Parameter) or bool(item.operands) or item.subscript is not None


def _text(items: list[_Item]) -> str | None:
    texts = [item for item in items if isinstance(item, str)]
    return "".join(texts) if len(texts) == len(items) else None


def _refuse_loose_dollars(word: Word) -> None:
    """A dollar that began nothing may begin something once other text stands behind it."""
    for part in word.parts:
        if isinstance(part, Literal) and "$" in part.text and not (part.quoted and part.end - part.start != 1):
            raise TooMuchError


def _parts(items: list[_Item], word: Word) -> tuple[Part, ...]:
    parts: list[Part] = []
    texts: list[str] = []
    for item in [*items, None]:
        if isinstance(item, str):
            texts.append(item)
            continue
        text = _lengthen_name(parts, "".join(texts))
        texts = []
        if text:
            parts.append(Literal(word.start, word.end, text))
        if item is not None:
            parts.append(item)
    return tuple(parts)


def _lengthen_name(parts: list[Part], text: str) -> str:
    """`$x{a,b}` is `$xa $xb`: the name takes in what now follows. Gives back the rest."""
    last = parts[-1] if parts else None
    if not isinstance(last, Parameter) or last.end - last.start != len(last.name) + 1 or not _NAME.match(last.name):
        return text
    found = _NAME_GOES_ON.match(text)
    if found is None:
        return text
    parts[-1] = Parameter(last.start, last.end, last.name + found[0])
    return text[found.end() :]
