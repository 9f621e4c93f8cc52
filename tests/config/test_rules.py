"""Rules in settings, in files and in arguments: what is read, and what is refused where and why."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import limpet.policy
from limpet.config import Layer, Settings, SettingsFile, resolve, settings_files
from limpet.config.broad import too_broad
from limpet.config.rule_tables import FLOOR
from limpet.config.rules import load_rules, rules_from, rules_path
from limpet.errors import ConfigError
from limpet.model.decision import Verdict
from limpet.policy.decide import decide
from limpet.policy.pattern import parse_pattern
from limpet.policy.places import World
from limpet.policy.rules import Rule, Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

WORLD = World(workspace="/home/dev/proj", home="/home/dev")
DENY = '[[rule]]\nname = "{}"\nverdict = "deny"\npattern = "{}"\n'
X = DENY.format("x", "x")
BARE = '[[rule]]\nname = "x"\nverdict = "deny"\n'
ALLOW = '[[rule]]\nname = "a"\nverdict = "allow"\n'


class Folders:
    """A folder for each layer, with the files that were written into it."""

    def __init__(self, base: Path) -> None:
        self.base = base
        for layer in ("system", "user", "project"):
            (base / layer).mkdir()

    @property
    def places(self) -> list[SettingsFile]:
        names = {Layer.SYSTEM: "config.toml", Layer.USER: "config.toml", Layer.PROJECT: ".limpet.toml"}
        return [
            SettingsFile(layer=layer, path=str(self.base / layer.name.lower() / name)) for layer, name in names.items()
        ]

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.base / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def load(self, *, environ: Mapping[str, str] = {}, **texts: str) -> Rules:
        for layer, text in texts.items():
            self.write(f"{layer}/.limpet-policy.toml" if layer == "project" else f"{layer}/policy.toml", text)
        resolved = resolve(workspace=str(self.base / "project"), environ=environ, files=self.places)
        return load_rules(resolved.settings, self.places)

    def refusal(self, *, environ: Mapping[str, str] = {}, **texts: str) -> str:
        with pytest.raises(ConfigError) as caught:
            self.load(environ=environ, **texts)
        assert str(caught.value).isprintable()
        return str(caught.value).replace(f"{self.base}/", "")


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path)


# --- what is read ---------------------------------------------------------------------------------------------------


def test_without_any_file_there_are_no_rules(folders: Folders) -> None:
    assert folders.load().rules == ()


def test_a_rule_has_all_that_was_written_and_its_line(folders: Folders) -> None:
    rules = folders.load(
        user="""
# mine
[[rule]]
name = "no-force-push"
verdict = "deny"
pattern = "git push --force *"
reason = "history is shared"
suggestion = "Use --force-with-lease."
match = ["git push --force origin main", "cd x && sudo git push origin --force", "bash -c 'git push --force'"]
not_match = ["git push origin main", "echo git push --force"]

[[rule]]
name = "fetching"
verdict = "ask"
argv = ["git", ["fetch", "pull"], "**"]

[[rule]]
name = "my-scratch"
verdict = "allow"
builtin = "floor.delete"
match = ["rm -rf /"]
not_match = ["rm -rf build"]
"""
    )
    place = str(folders.base / "user/policy.toml")
    assert rules.rules == (
        Rule(
            name="no-force-push",
            verdict=Verdict.DENY,
            pattern=("git", "push", "**", "--force", "**"),
            reason="history is shared",
            suggestion="Use --force-with-lease.",
            source=f"{place}:3",
        ),
        Rule(
            name="fetching",
            verdict=Verdict.ASK,
            pattern=("git", ("fetch", "pull"), "**"),
            source=f"{place}:12",
        ),
        Rule(name="my-scratch", verdict=Verdict.ALLOW, builtin="floor.delete", source=f"{place}:17"),
    )


def test_every_layer_has_a_file_beside_its_settings(folders: Folders) -> None:
    places = settings_files("/work", {"XDG_CONFIG_HOME": "/home/dev/.config"})
    assert [rules_path(place) for place in places] == [
        "/etc/limpet/policy.toml",
        "/home/dev/.config/limpet/policy.toml",
        "/work/.limpet-policy.toml",
    ]
    rules = folders.load(system=DENY.format("a", "a"), user=DENY.format("b", "b"), project=DENY.format("c", "c"))
    assert [rule.name for rule in rules.rules] == ["a", "b", "c"]


def test_a_file_includes_others_beside_it_each_once(folders: Folders) -> None:
    folders.write("user/one.toml", 'include = ["two.toml"]\n' + DENY.format("one", "one"))
    folders.write("user/two.toml", DENY.format("two", "two"))
    rules = folders.load(user='include = ["one.toml", "two.toml"]\n' + DENY.format("three", "three"))
    assert [rule.name for rule in rules.rules] == ["two", "one", "three"]
    assert rules.rules[0].source == f"{folders.base}/user/two.toml:1"


def test_more_files_can_be_named_in_the_settings(folders: Folders) -> None:
    more = folders.write("more.toml", DENY.format("more", "more"))
    assert [rule.name for rule in folders.load(environ={"LIMPET_POLICY_FILES": str(more)}).rules] == ["more"]


def test_the_settings_themselves_hold_patterns(folders: Folders) -> None:
    folders.write("system/config.toml", '[policy]\nblock = ["curl"]\n')
    folders.write("user/config.toml", '[policy]\nblock = ["wget"]\nallow = ["Bash(npm run *)"]\nnetwork_tools = true\n')
    folders.write("project/.limpet.toml", '[policy]\nask = ["npm run deploy"]\n')
    rules = folders.load(environ={"LIMPET_POLICY_BLOCK": "nc, telnet:*"})
    assert [(rule.name, rule.pattern) for rule in rules.rules] == [
        ("policy.block", ("curl", "**")),
        ("policy.block", ("wget", "**")),
        ("policy.block", ("nc", "**")),
        ("policy.block", ("telnet", "**")),
        ("policy.ask", ("npm", "run", "deploy", "**")),
        ("policy.allow", ("npm", "run", ":*")),
    ]
    assert rules.network
    decision = decide("telnet x", WORLD, profile="open", rules=rules)
    assert [
        (reason.rule, reason.verdict, reason.message) for reason in decision.reasons if reason.verdict == "deny"
    ] == [("policy.block", "deny", "matches telnet:*, which policy.block lists")]
    assert decide("npm run deploy", WORLD, rules=rules).verdict == "ask"


def test_a_list_in_a_variable_may_be_json_for_the_sake_of_commas(folders: Folders) -> None:
    rules = folders.load(environ={"LIMPET_POLICY_ASK": '["mount -o ro,bind", "x"]'})
    assert [rule.pattern for rule in rules.rules] == [("mount", "**", "-o", "ro,bind", "**"), ("x", "**")]


def test_no_layer_can_take_away_what_another_blocks(folders: Folders) -> None:
    folders.write("system/config.toml", '[policy]\nblock = ["curl"]\n')
    folders.write("user/config.toml", "[policy]\nblock = []\n")
    rules = folders.load(environ={"LIMPET_POLICY_BLOCK": ""}, user=ALLOW + 'pattern = "curl *"')
    assert decide("curl x", WORLD, rules=rules).verdict == "deny"


# --- what a project may not do --------------------------------------------------------------------------------------


def test_a_project_may_ask_and_deny(folders: Folders) -> None:
    text = DENY.format("x", "curl") + DENY.format("y", "wget").replace("deny", "ask")
    assert [rule.verdict for rule in folders.load(project=text).rules] == [Verdict.DENY, Verdict.ASK]


def test_a_project_may_not_allow(folders: Folders) -> None:
    message = 'project/.limpet-policy.toml:3: rule "a": a project may only ask or deny; a rule that allows belongs in'
    assert folders.refusal(project=ALLOW + 'pattern = "x *"') == f"{message} user/policy.toml"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('allow = ["x"]', "policy.allow: a project may not set this at all; remove the line"),
        ('files = ["/x"]', "policy.files: a project may not set this at all; remove the line"),
        (
            "network_tools = true",
            "policy.network_tools = true: a project may only set it to false; it is false (built-in)",
        ),
    ],
)
def test_the_settings_of_a_project_may_only_tighten(folders: Folders, text: str, message: str) -> None:
    folders.write("project/.limpet.toml", f"[policy]\n{text}\n")
    elsewhere = "; anything else belongs in user/config.toml"
    assert folders.refusal() == f"project/.limpet.toml:2: {message}{elsewhere}"


@pytest.mark.parametrize("name", ["/etc/passwd", "../user/policy.toml", "a/../../x"])
def test_a_project_includes_its_own_files_only(folders: Folders, name: str) -> None:
    assert folders.refusal(project=f'include = ["{name}"]') == (
        f"project/.limpet-policy.toml:1: include: '{name}' lies outside the project, "
        "which may only include its own files"
    )


def test_what_a_project_includes_is_a_project_s_too(folders: Folders) -> None:
    folders.write("project/more.toml", ALLOW + 'pattern = "x *"')
    assert folders.refusal(project='include = ["more.toml"]').startswith('project/more.toml:3: rule "a": a project may')


def test_a_project_may_use_a_name_that_somebody_else_uses(folders: Folders) -> None:
    rules = folders.load(user=DENY.format("x", "a"), project=DENY.format("x", "b"))
    assert [rule.name for rule in rules.rules] == ["x", "x"]


# --- what is refused, where and why ---------------------------------------------------------------------------------


def test_an_example_that_does_not_hold_is_named_with_its_line(folders: Folders) -> None:
    text = DENY.format("no-force-push", "git push --force *")
    assert folders.refusal(user=text + 'reason = "x"\nmatch = ["git push --force",\n"git push -f"]') == (
        'user/policy.toml:6: rule "no-force-push": example "git push -f" was expected to match and does not'
    )
    assert folders.refusal(user=text + 'not_match = ["ls; git push --force"]') == (
        'user/policy.toml:5: rule "no-force-push": example "ls; git push --force" was expected not to match and does'
    )


def test_an_example_of_an_allow_holds_only_when_all_its_words_do(folders: Folders) -> None:
    text = ALLOW + 'pattern = "npm run *"\nmatch = ["npm run build"]\nnot_match = [\'npm run "$X"\', "/tmp/npm run x"]'
    assert [rule.name for rule in folders.load(user=text).rules] == ["a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule]]\nname = 'x", ":2: not valid TOML: "),
        ("[policy]\n", ":1: unknown key 'policy'; a file of rules has include = [...] and [[rule]]"),
        ("\n[[rules]]\n", ":2: unknown key 'rules'; a file of rules has include"),
        ("\n[rule]\nname = 'x'", ":2: rule is a list of tables, not a table; write [[rule]] with its keys below it"),
        ("rule = [1]", ":1: rule is a list of tables, not [1]"),
        ("\ninclude = 'x'", ":2: include must be a list of files, not 'x'"),
        ("include = [1]", ":1: include must be a list of files, and 1 is none"),
        ("\ninclude = ['no.toml']", ":2: there is no file 'user/no.toml'; create it or take its name out"),
        ("\ninclude = ['policy.toml']", ":2: 'user/policy.toml' includes itself in the end; take one"),
        ("[[rule]]\nverdict = 'deny'\npattern = 'x'", ":1: a rule has no name; give it one"),
        (X.replace("deny", "dney"), ':3: rule "x": verdict must be "allow", "ask" or "deny", not \'dney\''),
        ("[[rule]]\nname = 'x'", ':1: rule "x": verdict must be "allow", "ask" or "deny", not "none"'),
        (DENY.format("a b", "x"), ':2: rule "a b": its name must be short and of letters'),
        ("[[rule]]\nname = 5", ":2: name must be a text, not 5"),
        (DENY.format("x", ""), ":4: rule \"x\": pattern must be a text, not ''"),
        (DENY.format("x", " "), ':4: rule "x": pattern is empty; write the words of a command'),
        (DENY.format("x", "a | b"), ":4: rule \"x\": pattern has '|', but a pattern is the plain words of one"),
        (DENY.format("x", "cat ~/x"), ':4: rule "x": pattern has a ~, which is a whole path by the time'),
        (DENY.format("x", "x" * 2001), ':4: rule "x": pattern has more than 2000 characters; shorten it'),
        (X + "argv = ['x']", ':1: rule "x": it must have one of pattern, argv and builtin; it has pattern and argv'),
        (BARE, ':1: rule "x": it must have one of pattern, argv and builtin; it has none'),
        (X + "\nexample = []", ":6: rule \"x\": unknown key 'example'; a rule has: name, verdict"),
        (X + "match = 'x'", ":5: rule \"x\": match must be a list of command lines, not 'x'"),
        (X + "match = [1]", ':5: rule "x": match must be a list of command lines, not [1]'),
        (X + "reason = 1", ':5: rule "x": reason must be a text, not 1'),
        (X + "sure = 1", ':5: rule "x": sure must be true or false'),
        (BARE + "argv = 'x y'", ':4: rule "x": argv must be a list such as ["git", "push", "**"], not \'x y\''),
        (BARE + "argv = []", ':4: rule "x": argv is empty; write the words'),
        (BARE + "argv = ['x', 1]", ':4: rule "x": argv must be a list of words, or of lists of words to choose'),
        (BARE + "argv = ['x', []]", ':4: rule "x": argv must be a list of words, or of lists of words to choose'),
        (BARE + "argv = ['x', ['**']]", ':4: rule "x": argv: "**" stands for any number of words'),
        (BARE + "builtin = 'git.push'", ':3: rule "x": builtin names a built-in rule to switch off'),
        (ALLOW + "builtin = 'floor.delet'", ":4: rule \"a\": there is no 'floor.delet'; there are floor.account, "),
        (X + "\n" + X, ':7: rule "x": there is one of that name already (user/policy.toml:1); rename one of them'),
        (X + "\n[[rule]]\nname = 'y'\nverdict = 1", ':8: rule "y": verdict must be a text, not 1'),
        ("rule = [{name = 'x', verdict = 'deny'}]", ':1: rule "x": it must have one of'),
    ],
)  # fmt: skip
def test_each_mistake_is_an_error_with_its_line(folders: Folders, text: str, message: str) -> None:
    assert folders.refusal(user=text).startswith("user/policy.toml" + message)


def test_lines_are_right_behind_text_that_looks_like_a_rule(folders: Folders) -> None:
    fake = '[[rule]]\nname = "x"\nverdict = "ask"\npattern = "x"\nreason = """\n[[rule]]\nname = 5\n"""\n'
    assert folders.refusal(user=fake + "[[ 'rule' ]]\n\nname = 5").startswith(
        "user/policy.toml:11: name must be a text"
    )


def test_two_files_that_include_each_other_are_refused(folders: Folders) -> None:
    folders.write("user/b.toml", '\n\ninclude = ["policy.toml"]')
    refusal = folders.refusal(user='include = ["b.toml"]')
    assert refusal == "user/b.toml:3: 'user/policy.toml' includes itself in the end; take one of the includes out"


def test_a_file_that_was_named_has_to_be_there(folders: Folders) -> None:
    refusal = folders.refusal(environ={"LIMPET_POLICY_FILES": "/no/such/file"})
    assert refusal == "policy.files: there is no file '/no/such/file'; create it or take its name out"


def test_a_file_that_is_too_large_is_refused(folders: Folders) -> None:
    assert folders.refusal(user="#" * (1024 * 1024 + 1)) == (
        "user/policy.toml: is larger than 1 MiB, too large for a file of rules; shorten it"
    )


def test_files_that_are_too_large_together_are_refused(folders: Folders) -> None:
    names = [f"{number}.toml" for number in range(10)]
    for name in names:
        folders.write(f"user/{name}", "#" * 1000 * 1000)
    refusal = folders.refusal(user=f"include = {names}")
    assert refusal == "user/2.toml: with it there are more than 64 files or 2 MiB of rules; take some out"


def test_too_many_files_are_refused(folders: Folders) -> None:
    for number in range(100):
        folders.write(f"user/{number}.toml", f'include = ["{number + 1}.toml"]')
    assert "more than 64 files" in folders.refusal(user='include = ["0.toml"]')


def test_too_many_rules_are_refused(folders: Folders) -> None:
    text = "".join(DENY.format(f"r{number}", f"t{number}") for number in range(2001))
    assert folders.refusal(user=text) == (
        'user/policy.toml:8001: rule "r2000": there are more than 2000 rules; join some with argv and alternatives'
    )


def test_too_many_examples_are_refused(folders: Folders) -> None:
    text = DENY.format("x", "x")
    assert "more than 100 examples" in folders.refusal(user=text + f"match = {['x'] * 101}")
    assert "more than 4000 characters" in folders.refusal(user=text + f"match = ['x {'y' * 4000}']")


def test_too_many_examples_in_all_rules_are_refused(folders: Folders) -> None:
    text = "".join(DENY.format(f"r{number}", "x") + f"match = {['x'] * 100}\n" for number in range(51))
    assert folders.refusal(project=text) == (
        'project/.limpet-policy.toml:251: rule "r50": there are more than 5000 examples in all rules; take some out'
    )


def test_a_file_that_anybody_may_change_is_not_trusted(folders: Folders) -> None:
    path = folders.write("user/policy.toml", DENY.format("x", "x"))
    path.chmod(0o666)
    assert folders.refusal() == "user/policy.toml: anybody may write to it, so it cannot be trusted; run: chmod o-w"


def test_a_pipe_or_a_folder_is_no_file_of_rules(folders: Folders) -> None:
    os.mkfifo(folders.base / "user/policy.toml")
    assert folders.refusal() == "user/policy.toml: is not a regular file; move it away"
    (folders.base / "user/policy.toml").unlink()
    (folders.base / "user/policy.toml").mkdir()
    assert folders.refusal().startswith("user/policy.toml: is a directory where a file of rules is expected")


def test_bytes_that_are_no_text_are_refused(folders: Folders) -> None:
    folders.write("user/policy.toml", b"\n\xff")
    assert folders.refusal().startswith("user/policy.toml:2: is not UTF-8 (byte 2 of the file)")


@pytest.mark.parametrize("key", ["block", "ask", "allow"])
def test_a_bad_pattern_in_the_settings_is_an_error_with_its_line(folders: Folders, key: str) -> None:
    folders.write("user/config.toml", f'[policy]\n{key} = ["a | b"]\n')
    assert folders.refusal().startswith(
        f"user/config.toml:2: policy.{key}: 'a | b' has '|', but a pattern is the plain"
    )
    folders.write("user/config.toml", f"[policy]\n{key} = [5]\n")
    assert folders.refusal().startswith(f"user/config.toml:2: policy.{key} must be a list of patterns such as")


def test_settings_that_nobody_checked_are_checked_here() -> None:
    bad = resolve(workspace="/", environ={}, files=()).settings
    policy = type(bad.policy)(block=("a | b",))
    with pytest.raises(ConfigError, match=r"^policy\.block: 'a \| b' has '\|'"):
        load_rules(Settings(policy=policy), ())


# --- what nobody would expect ---------------------------------------------------------------------------------------

BROAD = [
    ("Bash(*)", "every command"), ("Bash", "every command"), ("*", "every command"), ("** --version", "every command"),
    ("bash", "bash"), ("Bash(bash:*)", "bash"), ("sh -c *", "sh"), ("bash -lc *", "bash"), ("/bin/sh *", "sh"),
    ("python3", "python3"), ("python3 -c *", "python3"), ("python3.11 -m *", "python3.11"), ("node *", "node"),
    ("perl -e *", "perl"), ("py*", "python"), ("python3.1? *", "python"), ("b*", "bash"), ("/usr/bin/*", "bash"),
    (".venv/bin/*", "bash"), ("rm", "rm"), ("rm -rf *", "rm"), ("rm -rf build/*", "rm"), ("sudo *", "sudo"),
    ("sudo apt-get install *", "sudo"), ("mkfs.ext4 *", "mkfs.ext4"), ("eval *", "eval"), ("npx *", "npx"),
    ("git", "git"), ("git *", "git"), ("Bash(git:*)", "git"), ("git -c *", "git"), ("npm *", "npm"),
    ("git * main", "git"), ("find *", "find"), ("docker **", "docker"),
]  # fmt: skip
NARROW = [
    "git status *", "git push*", "npm run *", "npm run build", "python3 scripts/gen.py *", "python3 -m pytest *",
    "bash deploy.sh **", "rm -rf build", "sudo apt-get update", "curl *", "terraform plan *", "make *", "ls*",
    "./scripts/*", "Bash(npm run test*)", "Bash(git)", "env *",
]  # fmt: skip


@pytest.mark.parametrize(("text", "word"), BROAD)
def test_an_allow_that_nobody_would_expect_needs_to_be_sure(folders: Folders, text: str, word: str) -> None:
    table = ALLOW + f'pattern = "{text}"\n'
    refusal = folders.refusal(user=table)
    assert re.match(
        rf'user/policy.toml:4: rule "a": it would (also )?allow .*{re.escape(word)}.*, or write sure = true', refusal
    )
    assert [rule.name for rule in folders.load(user=table + "sure = true").rules] == ["a"]
    assert "or write sure" in folders.refusal(user=table + "sure = false")


@pytest.mark.parametrize("text", NARROW)
def test_an_allow_with_an_end_in_sight_is_fine(text: str) -> None:
    assert too_broad(parse_pattern(text)) == ""


def test_a_list_of_settings_cannot_be_sure(folders: Folders) -> None:
    folders.write("user/config.toml", '[policy]\nallow = ["rm *"]\n')
    assert folders.refusal() == (
        "user/config.toml:2: policy.allow: 'rm *' would allow rm with arguments that nobody has seen; write them all "
        "out, or make it a rule with sure = true in policy.toml"
    )
    with pytest.raises(ConfigError, match=r"^rules\[0\]: it would allow every command"):
        rules_from(["allow *"])


def test_deny_and_ask_may_be_as_broad_as_they_like(folders: Folders) -> None:
    assert decide("ls", WORLD, rules=folders.load(user=DENY.format("x", "Bash(*)"))).verdict == "deny"


def test_alternatives_are_judged_one_by_one() -> None:
    with pytest.raises(ConfigError, match="would allow whatever bash is given"):
        rules_from([{"verdict": "allow", "argv": [["make", "bash"], "**"]}])


# --- rules of one call ----------------------------------------------------------------------------------------------


def test_a_call_gives_rules_as_texts_tables_or_rules() -> None:
    ready = Rule(name="r", verdict=Verdict.ASK, pattern=("x",))
    rules = rules_from(["deny git push:*", {"verdict": "allow", "argv": ("make", "**"), "name": "m"}, ready])
    assert rules == Rules(
        (
            Rule(
                name="rules[0]",
                verdict=Verdict.DENY,
                pattern=("git", ("push", "push:*"), "**"),
                reason="matches git push:*",
            ),
            Rule(name="m", verdict=Verdict.ALLOW, pattern=("make", "**")),
            ready,
        )
    )
    assert rules_from(()) == Rules()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("deny x", "argument: rules must be a list of texts"),
        (5, "argument: rules must be a list of texts"),
        ({"verdict": "deny"}, "argument: rules must be a list of texts"),
        (["git push"], "rules[0]: 'git push' is no rule; write \"deny\", \"ask\" or \"allow\" and a pattern"),
        (["deny"], "rules[0]: 'deny' is no rule"),
        (["ask x", "deny  "], "rules[1]: 'deny  ' is no rule"),
        ([None], "rules[0]: rules must be a list of texts"),
        (["deny a | b"], "rules[0]: pattern has '|'"),
        ([{"verdict": "deny", "pattern": "x", "match": ["y"]}], 'rules[0]: example "y" was expected to match and'),
        ([{"verdict": "deny", "pattern": "x", 5: 1}], "rules[0]: unknown key 5"),
        ([{"name": "n", "verdict": "deny"}], 'rules[0]: rule "n": it must have one of pattern, argv and builtin'),
    ],
)  # fmt: skip
def test_a_value_that_is_no_rule_is_refused(values: object, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        rules_from(values)  # type: ignore[arg-type]  # on purpose
    assert str(caught.value).startswith(message)


RAW = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.lists(st.text(max_size=4), max_size=3))
KEYS = st.sampled_from(
    ["name", "verdict", "pattern", "argv", "builtin", "reason", "suggestion", "match", "not_match", "sure", "x"]
)
LIKELY = st.sampled_from(["deny", "allow", "ask", "git push *", "ls", "a-b", ["ls"], ["ls", ["a"]], True])


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(KEYS, st.one_of(RAW, LIKELY), max_size=6))
def test_any_table_is_a_rule_or_refused_in_printable_words(table: dict[str, object]) -> None:
    try:
        (rule,) = rules_from([table]).rules
    except ConfigError as error:
        assert str(error).isprintable()
        return
    assert rule.pattern or rule.builtin


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=60) | st.text(alphabet="[]rule='\"\n{}, nameinclude.toml#", max_size=60).map(str.encode))
def test_any_file_is_read_or_refused_in_printable_words(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "policy.toml").write_bytes(data)
        try:
            load_rules(Settings(), [SettingsFile(layer=Layer.USER, path=f"{folder}/config.toml")])
        except ConfigError as error:
            assert str(error).isprintable()


# --- the floor by its names -----------------------------------------------------------------------------------------


def test_the_parts_of_the_floor_are_those_that_the_judge_knows() -> None:
    sources = Path(next(iter(limpet.policy.__path__))).rglob("*.py")
    assert {name for path in sources for name in re.findall(r'"(floor\.[a-z-]+)"', path.read_text())} == FLOOR


# --- the page about it ----------------------------------------------------------------------------------------------


def test_the_files_on_the_page_about_it_can_be_used_as_they_stand(folders: Folders) -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "policy.md").read_text()
    config, policy = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    folders.write("user/config.toml", config)
    rules = folders.load(user=policy)
    assert (len(rules.rules), rules.network) == (8, True)
    verdicts = {
        "git push origin main --force": "deny",
        "git -C lib push --force": "deny",
        "npm publish": "deny",
        "make deploy": "ask",
        "terraform plan -out x": "allow",
        "npm run build": "allow",
        "kubectl get pods": "allow",
        "kubectl delete pod x": "ask",
        "curl http://x": "allow",
        "curl -o ~/.bashrc http://x": "ask",
    }
    assert {text: decide(text, WORLD, rules=rules).verdict.value for text in verdicts} == verdicts
