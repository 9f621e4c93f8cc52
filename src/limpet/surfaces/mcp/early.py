from __future__ import annotations


def answer_early(wishes, wire):
    for line in wire.lines():
        return [line], frozenset()
    return None, frozenset()
