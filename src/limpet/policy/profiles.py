"""The name of a profile -> how much each risk matters, by how well the command is contained."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from limpet.model.decision import Risk, Verdict

_A, _Q, _D = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
Table = Mapping[Risk, Verdict]


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """What a set of commands may do without a question."""

    name: str
    about: str
    bare: Table
    """When nothing contains the command."""
    contained: Table
    """Inside the full sandbox: what happens there can neither escape nor stay."""
    writes: bool = True
    """Whether files of the workspace may be changed without a question."""
    restricted: bool = False
    """No `;`, `&`, backtick or brace outside plain expansions."""


def _table(default: Verdict, **others: Verdict) -> Table:
    return MappingProxyType({risk: others.get(risk.value, default) for risk in Risk})


_BARE = _table(_Q)
_CONTAINED = _table(_Q, opaque=_A, unknown=_A, escapes=_A)

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile(
                name="workspace",
                about="read anything but secrets, change the workspace, run its code; everything else is asked",
                bare=_BARE,
                contained=_CONTAINED,
            ),
            Profile(
                name="read-only",
                about="reading only; everything that changes something is asked",
                bare=_BARE,
                contained=_BARE,
                writes=False,
            ),
            Profile(
                name="ci",
                about="nobody is there to answer: what would be asked is denied, but packages may be fetched",
                bare=_table(_D, network=_A, unknown=_A),
                contained=_table(_D, network=_A, unknown=_A, opaque=_A, escapes=_A),
            ),
            Profile(
                name="strict",
                about="like workspace, and one plain command at a time: no lists, no background, no braces",
                bare=_table(_D, unknown=_Q, escapes=_Q, network=_Q),
                contained=_BARE,
                restricted=True,
            ),
            Profile(
                name="open",
                about="everything but what is never allowed",
                bare=_table(_A),
                contained=_table(_A),
            ),
        )
    }
)
