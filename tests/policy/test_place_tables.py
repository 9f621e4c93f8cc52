"""Looking a path up in a table finds what trying each place of it would find."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.policy import later_places, later_places_at_home, secret_places, trusted_places
from limpet.policy.overlap import UNSEEN, could_be, fits
from limpet.policy.place_tables import Names, Places

TABLES = (secret_places, trusted_places, later_places, later_places_at_home)
PLACES = [value for table in TABLES for value in vars(table).values() if isinstance(value, Places)]
PATTERNS = ("*.pem", "id_rsa*", ".env", ".env.*", "secret*.json", "*a*", "a*b*c", "**", "client")
KNOWN = sorted({name for places in PLACES for lines, _ in places.tables for name in lines.replace("/", "\n").split()})

relaxed = settings(max_examples=1500, deadline=None, derandomize=True)
letters = st.text(".abehosrtz_*?[]!+@()…", min_size=1, max_size=6)
known = st.sampled_from(KNOWN)
cut = st.builds(lambda name, at, rest: name[:at] + rest, known, st.integers(0, 12), letters)
covered = st.builds(lambda name, at, mark: f"{name[:at]}{mark}{name[at + 1 :]}", known, st.integers(0, 12), letters)
names = st.one_of(known, known.map(lambda name: name.replace("*", "x")), letters, cut, covered)


def by_trying(places: Places, path: list[str]) -> str:
    if not path or path[0] == UNSEEN:
        return ""
    for lines, why in places.tables:
        for line in lines.split("\n"):
            place = line.split("/")
            held = len(place) <= len(path) and all(could_be(*pair) for pair in zip(path, place, strict=False))
            if line and held:
                return why
    return ""


@relaxed
@given(st.sampled_from(PLACES), st.lists(names, max_size=4))
def test_a_path_is_found_as_if_each_place_was_tried(places: Places, path: list[str]) -> None:
    assert places.why(path) == by_trying(places, path)


def spellings(name: str) -> list[str]:
    """Globs that could mean it."""
    return [
        f"{name[:1]}*",
        f"{name[:-1]}?",
        f"[{name[0]}]{name[1:]}",
        f"{name[:2]}…",
        "*".join(name),
        f"{name}*",
        name * 2,
    ]


@pytest.mark.parametrize("places", PLACES)
def test_globs_that_could_mean_a_place_are_found_as_if_each_was_tried(places: Places) -> None:
    lines = [line.split("/") for table, _ in places.tables for line in table.split()]
    paths = [[spelling, *rest] for first, *rest in lines for spelling in spellings(first)]
    assert [places.why(path) for path in paths] == [by_trying(places, path) for path in paths]


@given(st.sampled_from(PLACES), st.lists(names, max_size=3))
def test_a_path_is_found_from_any_of_its_names_on(places: Places, path: list[str]) -> None:
    assert places.why(["a", "b", *path], 2) == places.why(path)


def test_a_long_glob_is_found_as_if_each_place_was_tried() -> None:
    for name in ("*" * 600, ".s" + "*" * 600, "b" + "?" * 600, "…" * 600, "a" * 600):
        for places in PLACES:
            assert places.why([name, "x"]) == by_trying(places, [name, "x"])


@relaxed
@given(names)
def test_a_name_is_among_others_if_it_fits_one_of_them(name: str) -> None:
    table = Names(*PATTERNS)
    assert table.fit(name) == any(fits(name, pattern) for pattern in PATTERNS)
    assert table.could_be(name) == any(could_be(name, pattern) for pattern in PATTERNS)


def test_stars_may_stand_for_nothing() -> None:
    assert [could_be(name, ".ssh") for name in (".*s*s*h*", ".*s*s*h*x", ".ss?", ".ss??")] == [True, False, True, False]


def test_of_several_tables_the_first_is_right() -> None:
    together = Places.of((Places("a/b\n"), "one"), (Places("a\nc*\n"), "two"), (Places("cd\n"), "three"))
    paths: tuple[list[str], ...] = (["a", "b", "c"], ["a", "x"], ["cd"], ["b"], [])
    assert [together.why(path) for path in paths] == ["one", "two", "two", "", ""]
