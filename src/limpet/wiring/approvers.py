"""Names -> who answers when policy asks; most are loaded when somebody is asked."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from limpet.approval import ApproveAll, DenyAll
from limpet.config import Settings, state_dir
from limpet.errors import InvalidRequestError
from limpet.model.decision import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.approval.inbox import Inbox
    from limpet.approval.kept import Kept
    from limpet.approval.remembered import Remembered
    from limpet.protocols import Approver

_EFFECTS = "effects"


class Approvers:
    """Names -> who answers: nobody, everybody, the person at the terminal, or whoever reads the inbox."""

    def __init__(
        self,
        environ: Mapping[str, str],
        remembered: Remembered | None,
        keep: Kept | None,
        settings: Settings = Settings(),  # noqa: B008 - it cannot change
    ) -> None:
        self._settings = settings
        patience = settings.approval.patience
        inbox = functools.cache(lambda: _in_inbox(environ, patience, remembered, keep))
        self._known: dict[str, Callable[[], Approver]] = {
            "deny": DenyAll,
            "yes": ApproveAll,
            "terminal": functools.cache(lambda: _on_terminal(environ, remembered, keep)),
            "inbox": inbox,
            "later": functools.cache(lambda: _later(inbox(), patience)),
            "announce": _announced,
        }

    def __call__(self, approver: str | Approver) -> Approver:
        """The one that is meant; of several, as in `terminal+inbox`, the first answer. Raises InvalidRequestError.

        `effects` comes before the others: they are asked about what a command did.
        """
        if callable(approver):
            return approver
        names = approver.split("+") if isinstance(approver, str) else [approver]
        if _EFFECTS in names:
            others = "+".join(name for name in names if name != _EFFECTS)
            return _on_effects(self._settings, self(others or "terminal"))
        if not all(name in self._known for name in names):
            known = ", ".join(map(repr, (*self._known, _EFFECTS)))
            message = f"approver must be {known}, several of them joined by +, or an async callable, not {approver!r}"
            raise InvalidRequestError(message, field="approver")
        chosen = [self._known[name]() for name in names]
        return chosen[0] if len(chosen) == 1 else _first_of(chosen)


def _first_of(chosen: list[Approver]) -> Approver:
    from limpet.approval.first import FirstAnswer  # noqa: PLC0415 - few commands are asked about

    return FirstAnswer(*chosen)


def _on_effects(settings: Settings, otherwise: Approver) -> Approver:
    from limpet.approval.effects import OnEffects  # noqa: PLC0415 - as above
    from limpet.policy.effects import EffectLimits  # noqa: PLC0415 - as above

    wanted = settings.effects
    limits = EffectLimits(
        files=wanted.files, deletions=wanted.deletions, bytes=wanted.bytes, only=wanted.only, never=wanted.never,
        executables=wanted.executables, dotfiles=wanted.dotfiles, links_outside=wanted.links_outside,
        verdict=Verdict.DENY if wanted.drop else Verdict.ASK,
    )  # fmt: skip
    return OnEffects(limits, otherwise)


def _announced() -> Approver:
    from limpet.approval.announce import Announce  # noqa: PLC0415 - as above

    return Announce()


def _on_terminal(environ: Mapping[str, str], remembered: Remembered | None, keep: Kept | None) -> Approver:
    from limpet.approval.terminal import AskOnTerminal  # noqa: PLC0415 - as above

    return AskOnTerminal(environ, remembered=remembered, keep=keep)


def _in_inbox(environ: Mapping[str, str], patience: float, remembered: Remembered | None, keep: Kept | None) -> Inbox:
    from limpet.approval.box import Box  # noqa: PLC0415 - as above
    from limpet.approval.inbox import Inbox  # noqa: PLC0415 - as above
    from limpet.approval.lasting import Lasting  # noqa: PLC0415 - as above

    return Inbox(Box(state_dir(environ)), patience=patience, lasting=Lasting(remembered, keep))


def _later(inbox: Inbox, patience: float) -> Approver:
    from limpet.approval.later import Later  # noqa: PLC0415 - as above

    return Later(inbox, patience=patience)
