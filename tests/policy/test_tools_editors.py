"""What calls of editors and pagers do."""

from __future__ import annotations

import pytest

from limpet.policy.tools.editors import TOOLS
from policy.effects_of_text import summarise

CALLS = [
    ("vim a.txt b.txt", ["write a.txt", "write b.txt"]),
    ("vim +10 a.txt", ["code vim 10", "write a.txt"]),
    ("vim a.txt +'!id'", ["code vim !id", "write a.txt"]),
    ("vim -c '%s/a/b/' -c wq a.txt", ["code vim %s/a/b/\nwq", "write a.txt"]),
    ("vim --cmd '!id' a.txt", ["code vim !id", "write a.txt"]),
    ("vim -S /tmp/x a.txt", ["program /tmp/x", "write a.txt"]),
    ("vim -s keys a.txt", ["program ./keys", "write a.txt"]),
    ("vim -u NONE a.txt", ["write a.txt"]),
    ("vim -u /tmp/x a.txt", ["program /tmp/x", "write a.txt"]),
    ("vim -es -c wq a.txt", ["code vim wq", "write a.txt"]),
    ("vim -es a.txt", ["stdin vim", "write a.txt"]),
    ("vim -R a.txt", ["read a.txt"]),
    ("vim --remote-send x", ["risk vim.remote"]),
    ("vim -- -c x", ["write -c", "write x"]),
    ("nvim --version", []),
    ("view a.txt", ["read a.txt"]),
    ("ex -s a.txt", ["stdin vim", "write a.txt"]),
    ("ed -s a.txt", ["write a.txt", "stdin ed"]),
    ("ed '!id'", ["risk ed.spawn", "script id", "stdin ed"]),
    ("nano a.txt", ["write a.txt"]),
    ("nano -s /bin/sh a.txt", ["program /bin/sh", "write a.txt"]),
    ("emacs -nw a.txt", ["write a.txt"]),
    ("emacs --batch --eval '(message 1)'", ["code emacs (message 1)"]),
    ("emacs -Q -batch -l x.el -f batch-byte-compile y.el", ["program ./x.el", "write y.el"]),
    ("emacs -f foo", ["risk emacs.call"]),
    ("emacsclient -e '(kill-emacs)'", ["code emacs (kill-emacs)"]),
    ("less a.txt", ["read a.txt"]),
    ("less -R +G a.txt", ["read a.txt"]),
    ("less '+!id' a.txt", ["risk less.spawn", "script id", "read a.txt"]),
    ("less -o /tmp/x a.txt", ["write /tmp/x", "read a.txt"]),
    ("less -k keys a.txt", ["risk less.keys", "read a.txt"]),
    ("more a.txt", ["read a.txt"]),
    ("code .", ["risk code.open"]),
    ("code --install-extension x", ["risk code.extension"]),
    ("code --version", []),
]


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_a_call_does_what_its_arguments_say(text: str, expected: list[str]) -> None:
    assert summarise(text, TOOLS) == expected
