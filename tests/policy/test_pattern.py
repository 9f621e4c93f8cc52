"""What a pattern means, word by word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.policy.pattern import (
    ANY,
    REST,
    BadPatternError,
    Pattern,
    allows,
    matches,
    may_match,
    parse_pattern,
    spellings,
)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("git push", ("git", "push")),
        ("git push *", ("git", "push", REST)),
        ("git push:*", ("git", "push", REST)),
        ("git push **", ("git", "push", ANY)),
        ("  git \t push  ", ("git", "push")),
        ("git * main", ("git", "*", "main")),
        ("npm run test*", ("npm", "run", "test*")),
        ("curl", ("curl", REST)),
        ("curl*", ("curl*", REST)),
        ("*", (ANY,)),
        ("**", (ANY,)),
        ("Bash", (ANY,)),
        ("Bash(*)", (ANY,)),
        ("Bash(ls)", ("ls",)),
        ("Bash(ls*)", ("ls*", REST)),
        ("Bash(ls *)", ("ls", REST)),
        ("Bash(git push:*)", ("git", "push", REST)),
        ("Bash(npm run *)", ("npm", "run", REST)),
        ("Bash(git * main)", ("git", ANY, "main")),
        ("Bash(npm run test*)", ("npm", "run", "test*", REST)),
        ("[ -f *", ("[", "-f", REST)),
    ],
)
def test_a_pattern_that_allows_says_what_it_says(text: str, pattern: Pattern) -> None:
    assert parse_pattern(text) == pattern


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("curl", ("curl", ANY)),
        ("/usr/bin/curl", ("curl", ANY)),
        ("./deploy.sh prod", ("deploy.sh", "prod", ANY)),
        ("/tmp/*", ("/tmp/*", ANY)),
        ("git push", ("git", "push", ANY)),
        ("Bash(curl)", ("curl", ANY)),
        ("git push --force *", ("git", "push", ANY, "--force", ANY)),
        ("rm -r -f", ("rm", ANY, "-r", ANY, "-f", ANY)),
        ("npm run test:*", ("npm", "run", ("test", "test:*"), ANY)),
        ("curl:*", ("curl", ANY)),
        ("**", (ANY,)),
        ("** --force", (ANY, "--force", ANY)),
    ],
)
def test_a_pattern_that_forbids_is_a_beginning(text: str, pattern: Pattern) -> None:
    assert parse_pattern(text, beginning=True) == pattern


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        (":*", "is empty"),
        ("Bash()", "is empty"),
        ("Bash(", "has '('"),
        ("Read(./.env)", "has '('"),
        ('git commit -m "x"', "has '\"'"),
        ("curl * | sh", "has '|'"),
        ("a; b", "has ';'"),
        ("a\nb", "has '\\n'"),
        ("rm $HOME", "has '$'"),
        ("git {push,pull}", "has '{push,pull}'"),
        ("cat ~/.ssh/*", "has a ~"),
        ("LD_PRELOAD=x ls", "begins with a variable"),
        ("a " * 65, "more than 64 words"),
    ],
)
def test_what_could_never_match_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadPatternError) as caught:
        parse_pattern(text)
    assert str(caught.value).startswith(says) or says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("git push:*", "git push", True),
        ("git push:*", "git push origin main", True),
        ("git push:*", "git pushx", False),
        ("git push:*", "git pull", False),
        ("git push:*", "git", False),
        ("Bash(ls*)", "ls -l /etc", True),
        ("Bash(ls*)", "lsof", True),
        ("Bash(ls *)", "lsof", False),
        ("Bash(ls)", "ls -l", False),
        ("git * main", "git checkout main", True),
        ("git * main", "git push origin main", False),
        ("Bash(git * main)", "git push origin main", True),
        ("git ** main", "git main", True),
        ("a ** b ** c", "a x b b y c", True),
        ("a ** b ** c", "a x c b y", False),
        ("go te?t", "go test", True),
        ("go te[rs]t", "go test", True),
        ("go te[!s]t", "go test", False),
        ("x a*b", "x a/b\nc/b", True),
    ],
)
def test_words_are_matched_one_by_one(text: str, words: str, expected: bool) -> None:
    assert matches(parse_pattern(text), tuple(words.split(" "))) is expected


def test_alternatives_are_any_of_them() -> None:
    pattern = ("git", ("push", "fet*"), ANY)
    assert [matches(pattern, ("git", verb)) for verb in ("push", "fetch", "pull")] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("npm run *", False), ("npm run **", True), ("npm * x", False), ("npm run ?", False), ("npm ** x", True)],
)
def test_only_two_stars_stand_for_words_that_are_not_known(text: str, expected: bool) -> None:
    words = ("npm", None, "x") if text.endswith("x") else ("npm", "run", None)
    assert matches(parse_pattern(text), words) is expected


def test_the_name_is_never_left_open_by_what_is_not_known() -> None:
    assert not matches(("git", ANY), (None, "push"))


def test_a_glob_that_allows_does_not_climb_out_of_its_folder() -> None:
    pattern = parse_pattern("./scripts/* **")
    assert allows(pattern, ("./scripts/build", "x"))
    assert not allows(pattern, ("./scripts/../../evil", "x"))
    assert matches(pattern, ("./scripts/../../evil", "x"))
    assert allows(parse_pattern("cat ../x"), ("cat", "../x"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("git", None), True),
        ((None,), True),
        ((None, "x"), True),
        (("git", None, "x"), True),
        (("git", "push", None), True),
        (("git", "pull", None), False),
        (("git", "push", "x"), False),
        (("curl", None), False),
    ],
)
def test_an_unknown_word_could_be_any_words(words: tuple[str | None, ...], expected: bool) -> None:
    assert may_match(("git", "push", ANY, "--force", ANY), words) is expected


def test_a_command_is_known_by_its_name_and_behind_its_options() -> None:
    assert set(spellings(("/usr/bin/Git", "-C", "dir", "--no-pager", "push", "x"))) == {
        ("/usr/bin/Git", "-C", "dir", "--no-pager", "push", "x"),
        ("Git", "-C", "dir", "--no-pager", "push", "x"),
        ("git", "-C", "dir", "--no-pager", "push", "x"),
        ("git", "dir", "--no-pager", "push", "x"),
        ("git", "push", "x"),
        ("git", "x"),
    }
    assert list(spellings(("git", "commit", "-m", "push"))) == [("git", "commit", "-m", "push")]
    assert list(spellings(())) == [()]


ENTRIES = st.sampled_from(["a", "b", "*", "a*", ANY, ("a", "b")])
WORDS = st.lists(st.sampled_from(["a", "b", "ab", "", "-x", None]), max_size=6).map(tuple)


def slowly(pattern: Pattern, words: tuple[str | None, ...]) -> bool:
    """The same by trying everything."""
    if not pattern:
        return not words
    if pattern[0] == ANY:
        return any(slowly(pattern[1:], words[skip:]) for skip in range(len(words) + 1))
    return bool(words) and matches(pattern[:1], words[:1]) and slowly(pattern[1:], words[1:])


@settings(deadline=None, max_examples=300)
@given(st.lists(ENTRIES, min_size=1, max_size=5).map(tuple), WORDS)
def test_the_quick_way_agrees_with_trying_everything(pattern: Pattern, words: tuple[str | None, ...]) -> None:
    assert matches(pattern, words) == slowly(pattern, words)
    if None not in words:
        assert may_match(pattern, words) == slowly(pattern, words)


@settings(deadline=None, max_examples=300)
@given(st.lists(ENTRIES, min_size=1, max_size=4).map(tuple), WORDS, WORDS)
def test_what_matches_once_it_is_known_may_match_before(
    pattern: Pattern, words: tuple[str | None, ...], value: tuple[str | None, ...]
) -> None:
    """And what surely matches does so whatever the unknown words are."""
    known = tuple(each for word in words for each in ((one for one in value if one) if word is None else (word,)))
    if matches(pattern, known):
        assert may_match(pattern, words)
    if matches(pattern, words):
        assert matches(pattern, known)


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="ab*?[]: ()\t-~=Bash", max_size=20), st.booleans())
def test_any_text_is_a_pattern_or_refused(text: str, beginning: bool) -> None:
    try:
        pattern = parse_pattern(text, beginning=beginning)
    except BadPatternError as error:
        assert str(error).isprintable()
        return
    assert pattern
    matches(pattern, ("a", None, "b"))
    may_match(pattern, ("a", None, "b"))


def test_many_stars_and_many_words_are_no_trouble() -> None:
    pattern = parse_pattern("a " + "** b " * 30 + "c")
    assert not matches(pattern, ("a", *["b"] * 20_000))
    assert not matches(parse_pattern("x " + "*a" * 200 + "b"), ("x", "a" * 20_000))
