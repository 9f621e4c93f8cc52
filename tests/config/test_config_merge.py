from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limpet.config import Home, Layer, Resolved, Settings, SettingsFile, Source, resolve
from limpet.config.environ import from_environ
from limpet.config.fields import FIELDS, SECTIONS, Kind, Project
from limpet.config.source import Given
from limpet.config.tighten import tightened
from limpet.config.values import BadValueError, checked, from_text
from limpet.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NOTHING: Mapping[str, object] = {}


class Files:
    """The three settings files, in a directory of their own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def path(self, layer: Layer) -> str:
        return str(self.directory / f"{layer.name.lower()}.toml")

    def resolve(
        self,
        *,
        system: str = "",
        user: str = "",
        project: str = "",
        environ: Mapping[str, str] = {},
        overrides: Mapping[str, object] = NOTHING,
    ) -> Resolved:
        texts = {Layer.SYSTEM: system, Layer.USER: user, Layer.PROJECT: project}
        for layer, text in texts.items():
            (self.directory / f"{layer.name.lower()}.toml").write_text(text)
        places = [SettingsFile(layer=layer, path=self.path(layer)) for layer in texts]
        return resolve(workspace="/nowhere", environ=environ, overrides=overrides, files=places)

    def refusal(
        self, *, user: str = "", project: str = "", environ: Mapping[str, str] = {}, **overrides: object
    ) -> str:
        dotted = {name.replace("__", "."): value for name, value in overrides.items()}
        with pytest.raises(ConfigError) as caught:
            self.resolve(user=user, project=project, environ=environ, overrides=dotted)
        return str(caught.value).replace(str(self.directory), "")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def origin(resolved: Resolved, name: str) -> str:
    return str(resolved.origin[name])


@pytest.mark.req("TK-10")
def test_built_in_values_hold_when_nobody_says_anything(tmp_path: Path) -> None:
    resolved = resolve(workspace=str(tmp_path), environ={"HOME": str(tmp_path)}, files=())
    built_in = Source(layer=Layer.BUILT_IN, place="built-in")
    assert resolved == Resolved(settings=Settings(), origin=dict.fromkeys(FIELDS, built_in))
    assert (resolved.settings.run.timeout, resolved.settings.run.min_timeout, resolved.settings.run.max_timeout) == (
        120.0,
        0.001,
        600.0,
    )


def test_the_table_has_every_setting_and_no_other() -> None:
    defaults = msgspec.to_builtins(Settings())
    assert {section: tuple(keys) for section, keys in defaults.items()} == SECTIONS


def test_built_in_values_keep_their_own_rules() -> None:
    default = Settings()
    for name, field in FIELDS.items():
        value = getattr(getattr(default, field.section), field.key)
        assert checked(field, value) == value, name


def test_settings_survive_the_trip_through_json(files: Files) -> None:
    text = '[environment]\nhome = "workspace"\nset = { A = "1" }\n[run]\ntimeout = 5\n[sandbox]\nrequire = ["tree"]'
    resolved = files.resolve(user=text)
    assert msgspec.json.decode(msgspec.json.encode(resolved), type=Resolved) == resolved


def test_two_settings_share_no_dictionary() -> None:
    assert Settings().environment.set is not Settings().environment.set


def test_each_layer_replaces_the_one_below(files: Files) -> None:
    text = "[run]\ntimeout = {}\n"
    system, user, project = (text.format(seconds) for seconds in (50, 40, 30))
    environ = {"LIMPET_RUN_TIMEOUT": "20"}
    overrides = {"run.timeout": 10}
    steps = [
        files.resolve(system=system),
        files.resolve(system=system, user=user),
        files.resolve(system=system, user=user, project=project),
        files.resolve(system=system, user=user, project=project, environ=environ),
        files.resolve(system=system, user=user, project=project, environ=environ, overrides=overrides),
    ]
    assert [(step.settings.run.timeout, origin(step, "run.timeout")) for step in steps] == [
        (50.0, files.path(Layer.SYSTEM) + ":2"),
        (40.0, files.path(Layer.USER) + ":2"),
        (30.0, files.path(Layer.PROJECT) + ":2"),
        (20.0, "$LIMPET_RUN_TIMEOUT"),
        (10.0, "argument"),
    ]


SANDBOX = ("MODE", "NETWORK", "REQUIRE", "WRITE", "ALLOW", "ENGINE", "IMAGE")
MANY = {
    "run.timeout": 45.0,
    "run.max_timeout": 900.0,
    "run.require_description": True,
    "output.max_chars": 5000,
    "output.truncate": "compact",
    "sandbox.mode": "landlock",
}


def test_file_environment_and_arguments_can_say_the_same(files: Files) -> None:
    text = """
        [run]
        timeout = 45
        max_timeout = 900
        require_description = true
        [output]
        max_chars = 5000
        truncate = "compact"
        [sandbox]
        mode = "landlock"
    """
    environ = {
        "LIMPET_RUN_TIMEOUT": "45",
        "LIMPET_RUN_MAX_TIMEOUT": "900.0",
        "LIMPET_RUN_REQUIRE_DESCRIPTION": "yes",
        "LIMPET_OUTPUT_MAX_CHARS": "5000",
        "LIMPET_OUTPUT_TRUNCATE": "compact",
        "LIMPET_SANDBOX_MODE": "landlock",
    }
    ways = [files.resolve(user=text), files.resolve(environ=environ), files.resolve(overrides=MANY)]
    run = Settings().run
    expected = msgspec.structs.replace(
        Settings(),
        run=msgspec.structs.replace(run, timeout=45.0, max_timeout=900.0, require_description=True),
        output=msgspec.structs.replace(Settings().output, max_chars=5000, truncate="compact"),
        sandbox=msgspec.structs.replace(Settings().sandbox, mode="landlock"),
    )
    assert [way.settings for way in ways] == [expected] * 3
    assert [{name for name, source in way.origin.items() if source.layer} for way in ways] == [set(MANY)] * 3


@pytest.mark.req("TK-10")
def test_the_time_limit_can_be_switched_off_in_every_layer(files: Files) -> None:
    ways = [
        files.resolve(user='run.timeout = "none"'),
        files.resolve(environ={"LIMPET_RUN_TIMEOUT": "None"}),
        files.resolve(overrides={"run.timeout": None}),
        files.resolve(overrides={"run.timeout": "none"}),
    ]
    assert [way.settings.run.timeout for way in ways] == [None] * 4


@pytest.mark.req("TU-02")
def test_the_range_of_time_limits_is_a_setting_and_the_default_must_lie_in_it(files: Files) -> None:
    run = files.resolve(user="[run]\nmin_timeout = 1\nmax_timeout = 7200\ntimeout = 3600").settings.run
    assert (run.min_timeout, run.timeout, run.max_timeout) == (1.0, 3600.0, 7200.0)
    assert [
        files.refusal(user="[run]\ntimeout = 601"),
        files.refusal(user="[run]\nmax_timeout = 60", environ={"LIMPET_RUN_TIMEOUT": "61"}),
        files.refusal(run__min_timeout=2, run__timeout=1),
        files.refusal(user="[run]\nmin_timeout = 601"),
    ] == [
        "/user.toml:2: run.timeout = 601 is above run.max_timeout = 600 (built-in); change one of them",
        "$LIMPET_RUN_TIMEOUT: run.timeout = 61 is above run.max_timeout = 60 (/user.toml:2); change one of them",
        "argument: run.timeout = 1 is below run.min_timeout = 2 (argument); change one of them",
        "/user.toml:2: run.min_timeout = 601 is above run.max_timeout = 600 (built-in); change one of them",
    ]


def test_a_bound_of_a_later_layer_moves_the_default_of_an_earlier_one(files: Files) -> None:
    lowered = files.resolve(user="[run]\ntimeout = 90", project="[run]\nmax_timeout = 60")
    raised = files.resolve(environ={"LIMPET_RUN_MIN_TIMEOUT": "300"})
    off = files.resolve(user='[run]\ntimeout = "none"', project="[run]\nmax_timeout = 60")
    assert [(one.settings.run.timeout, origin(one, "run.timeout")) for one in (lowered, raised, off)] == [
        (60.0, files.path(Layer.PROJECT) + ":2"),
        (300.0, "$LIMPET_RUN_MIN_TIMEOUT"),
        (None, files.path(Layer.USER) + ":2"),
    ]


@pytest.mark.req("TU-15")
def test_the_times_of_the_clean_up_are_settings(files: Files) -> None:
    run = files.resolve(user="[run]\ngrace = 5\nkill_wait = 1\ndrain = 0").settings.run
    assert run == msgspec.structs.replace(Settings().run, grace=5.0, kill_wait=1.0, drain=0.0)


@pytest.mark.req("ZE-12")
def test_prefixes_to_strip_come_from_every_layer_and_a_project_adds_its_own(files: Files) -> None:
    user = '[environment]\nstrip = ["AWS_", "AZURE_"]'
    project = '[environment]\nstrip = ["NPM_", "AWS_"]'
    ways = [
        files.resolve(user=user),
        files.resolve(user=user, project=project),
        files.resolve(user=user, environ={"LIMPET_ENVIRONMENT_STRIP": " GH_ , GITHUB_,"}),
        files.resolve(user=user, overrides={"environment.strip": ["X_"]}),
        files.resolve(user=user, environ={"LIMPET_ENVIRONMENT_STRIP": ""}),
    ]
    assert [way.settings.environment.strip for way in ways] == [
        ("AWS_", "AZURE_"),
        ("AWS_", "AZURE_", "NPM_"),
        ("GH_", "GITHUB_"),
        ("X_",),
        (),
    ]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("LIMPET_RUN_GRACE", " 1.5 ", 1.5),
        ("LIMPET_RUN_GRACE", "1e1", 10.0),
        ("LIMPET_RUN_PARALLEL", "4", 4),
        ("LIMPET_RUN_SHELL", "/opt/my bash", "/opt/my bash"),
        ("LIMPET_RUN_SHELL", "", ""),
        ("LIMPET_OUTPUT_DISK", "1 GiB", 1024**3),
        ("LIMPET_OUTPUT_REDACT", "OFF", False),
        ("LIMPET_OUTPUT_MAX_CHARS", "none", None),
        ("LIMPET_ENVIRONMENT_ALLOW", "PATH,HOME", ("PATH", "HOME")),
        ("LIMPET_ENVIRONMENT_SET", '{"CI": "1,2"}', {"CI": "1,2"}),
        ("LIMPET_ENVIRONMENT_HOME", "workspace", Home.WORKSPACE),
        ("LIMPET_LIMITS_FILE_SIZE", "10", 10),
        ("LIMPET_SANDBOX_REQUIRE", "tree,limits", ("tree", "limits")),
    ],
)
def test_a_variable_is_read_by_the_type_of_its_setting(name: str, text: str, value: object) -> None:
    (one,) = from_environ({name: text})
    assert (one.value, str(one.source)) == (value, "$" + name)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "LIMPET_RUN_TIMEOT",
            "5",
            "$LIMPET_RUN_TIMEOT: no such setting, so unset it; did you mean $LIMPET_RUN_TIMEOUT?",
        ),
        (
            "LIMPET_RUN_timeout",
            "5",
            "$LIMPET_RUN_timeout: no such setting, so unset it; did you mean $LIMPET_RUN_TIMEOUT?",
        ),
        (
            "LIMPET_SANDBOX_",
            "5",
            "$LIMPET_SANDBOX_: no such setting, so unset it; there are: "
            + ", ".join(f"$LIMPET_SANDBOX_{key}" for key in SANDBOX),
        ),
        (
            "LIMPET_RUN_TIMEOUT",
            "5 s",
            "$LIMPET_RUN_TIMEOUT: run.timeout must be a number of seconds, or \"none\", not '5 s'",
        ),
        ("LIMPET_RUN_TIMEOUT", "", "$LIMPET_RUN_TIMEOUT: run.timeout must be a number of seconds, or \"none\", not ''"),
        (
            "LIMPET_RUN_TIMEOUT",
            "nan",
            "$LIMPET_RUN_TIMEOUT: run.timeout must be a number of seconds, or \"none\", not 'nan'",
        ),
        ("LIMPET_RUN_TIMEOUT", "1e999", "$LIMPET_RUN_TIMEOUT: run.timeout must be at most 31536000, not inf"),
        ("LIMPET_RUN_TIMEOUT", "-5", "$LIMPET_RUN_TIMEOUT: run.timeout must be at least 0.001, not -5"),
        ("LIMPET_RUN_PARALLEL", "1.0", "$LIMPET_RUN_PARALLEL: run.parallel must be a whole number, not 1.0"),
        ("LIMPET_OUTPUT_REDACT", "maybe", "$LIMPET_OUTPUT_REDACT: output.redact must be true or false, not 'maybe'"),
        (
            "LIMPET_ENVIRONMENT_SET",
            "TOKEN=hunter2",
            '$LIMPET_ENVIRONMENT_SET: environment.set must be a JSON object of texts such as {"CI": "1"}',
        ),
        (
            "LIMPET_ENVIRONMENT_SET",
            '{"A-B": "hunter2"}',
            "$LIMPET_ENVIRONMENT_SET: environment.set: 'A-B' is not the name of a variable",
        ),
        (
            "LIMPET_ENVIRONMENT_SET",
            "\udcff",
            '$LIMPET_ENVIRONMENT_SET: environment.set must be a JSON object of texts such as {"CI": "1"}',
        ),
        (
            "LIMPET_SANDBOX_MODE",
            "\udcff",
            f"$LIMPET_SANDBOX_MODE: sandbox.mode must be {Kind.NAME}, not '\\udcff'",
        ),
    ],
)
def test_a_wrong_variable_is_refused_by_name(name: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        from_environ({name: text})
    assert (str(caught.value), caught.value.source) == (message, "$" + name)


def test_other_variables_are_nobodys_settings() -> None:
    names = [
        "LIMPET_STATE_DIR",
        "LIMPET_DEBUG",
        "LIMPET_RUN",
        "LIMPET_RUNS_X",
        "LIMPET_",
        "XLIMPET_RUN_TIMEOUT",
        "limpet_run_x",
        "LIMPET_run_timeot",
    ]
    assert from_environ(dict.fromkeys(names, "?")) == ()


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"run.timeot": 5}, "argument: unknown setting 'run.timeot'; did you mean run.timeout?"),
        ({"timeout": 5}, "argument: unknown setting 'timeout'; did you mean run.timeout?"),
        ({"run.timeout": math.nan}, 'argument: run.timeout must be a number of seconds, or "none", not nan'),
        ({"run.timeout": -math.inf}, "argument: run.timeout must be at least 0.001, not -inf"),
        ({"run.timeout": 10**400}, "argument: run.timeout must be at most 31536000, not a number of more than 64 bits"),
        ({"run.timeout": object}, 'argument: run.timeout must be a number of seconds, or "none", not a type'),
        ({"run.grace": None}, 'argument: run.grace must be a number of seconds, not "none"'),
        ({"environment.allow": "PATH"}, "argument: environment.allow must be a list of variable names, not 'PATH'"),
        ({"environment.set": {3: "x"}}, "argument: environment.set: 3 is not the name of a variable"),
    ],
)
def test_a_wrong_argument_is_refused(overrides: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        resolve(workspace="/", environ={}, overrides=overrides, files=())
    assert str(caught.value) == message


def test_a_dictionary_that_was_passed_in_may_change_afterwards() -> None:
    mine = {"CI": "1"}
    resolved = resolve(workspace="/", environ={}, overrides={"environment.set": mine}, files=())
    mine["CI"] = "2"
    assert resolved.settings.environment.set == {"CI": "1"}


@pytest.mark.parametrize(
    ("user", "project", "message"),
    [
        ("", "[run]\ntimeout = 300", "run.timeout = 300: a project may only lower it, to 120 (built-in) or less"),
        ("", '[run]\ntimeout = "none"', 'run.timeout = "none": a project may only lower it, to 120 (built-in) or less'),
        (
            "run.timeout = 9",
            "[run]\ntimeout = 10",
            "run.timeout = 10: a project may only lower it, to 9 (/user.toml:1) or less",
        ),
        (
            "",
            '[limits]\nprocesses = "none"',
            'limits.processes = "none": a project may only lower it, to 1024 (built-in) or less',
        ),
        (
            'environment.allow = ["PATH", "A"]',
            '[environment]\nallow = ["A", "TOKEN"]',
            (
                "environment.allow = ['A', 'TOKEN']: a project may only take names away, so ['TOKEN'] must go; "
                "/user.toml:1 allows PATH, A"
            ),
        ),
        (
            "",
            "[output]\nredact = false",
            "output.redact = false: a project may only set it to true; it is true (built-in)",
        ),
        (
            "",
            "[sandbox]\nnetwork = true",
            "sandbox.network = true: a project may only set it to false; it is false (built-in)",
        ),
        (
            'environment.home = "workspace"',
            '[environment]\nhome = "real"',
            "environment.home = 'real': a project may only set it to 'workspace'; it is 'workspace' (/user.toml:1)",
        ),
        ("", '[run]\nshell = "/tmp/sh"', "run.shell: a project may not set this at all; remove the line"),
        (
            "",
            '[environment]\nset = { PATH = "/tmp" }',
            "environment.set: a project may not set this at all; remove the line",
        ),
        ("", "[audit]\nenabled = true", "audit.enabled: a project may not set this at all; remove the line"),
    ],
)
def test_a_project_that_would_loosen_is_refused_and_told_where_to_go(
    files: Files, user: str, project: str, message: str
) -> None:
    assert (
        files.refusal(user=user, project=project) == f"/project.toml:2: {message}; anything else belongs in /user.toml"
    )


def test_a_project_may_tighten_everything_that_can_be_tightened(files: Files) -> None:
    project = """
        [run]
        timeout = 10
        max_timeout = 20
        require_description = true
        parallel = 1
        [output]
        max_chars = 90000
        truncate = "tail"
        disk = "1 MiB"
        clean = true
        [environment]
        allow = ["PATH"]
        home = "workspace"
        empty = true
        [limits]
        memory = "2 GiB"
        processes = 50
        [sandbox]
        network = false
        require = ["files"]
    """
    resolved = files.resolve(user='[sandbox]\nnetwork = true\nrequire = ["tree"]', project=project)
    default = Settings()
    assert resolved.settings == msgspec.structs.replace(
        default,
        run=msgspec.structs.replace(default.run, timeout=10.0, max_timeout=20.0, require_description=True, parallel=1),
        output=msgspec.structs.replace(default.output, max_chars=90000, truncate="tail", disk=1024**2),
        environment=msgspec.structs.replace(default.environment, allow=("PATH",), home=Home.WORKSPACE, empty=True),
        limits=msgspec.structs.replace(default.limits, memory=2 * 1024**3, processes=50),
        sandbox=msgspec.structs.replace(default.sandbox, network=False, require=("tree", "files")),
    )


def test_a_project_may_repeat_what_its_user_has_loosened(files: Files) -> None:
    resolved = files.resolve(user="[sandbox]\nnetwork = true", project="[sandbox]\nnetwork = true")
    assert (resolved.settings.sandbox.network, origin(resolved, "sandbox.network")) == (
        True,
        files.path(Layer.PROJECT) + ":2",
    )


def test_the_person_may_loosen_again_what_the_project_tightened(files: Files) -> None:
    resolved = files.resolve(project="[run]\ntimeout = 10", environ={"LIMPET_RUN_TIMEOUT": "100"})
    assert (resolved.settings.run.timeout, origin(resolved, "run.timeout")) == (100.0, "$LIMPET_RUN_TIMEOUT")


def test_the_usual_places_are_read(tmp_path: Path) -> None:
    (tmp_path / "config/limpet").mkdir(parents=True)
    (tmp_path / "config/limpet/config.toml").write_text("run.timeout = 60")
    (tmp_path / "work").mkdir()
    (tmp_path / "work/.limpet.toml").write_text("\nrun.grace = 0.5")
    resolved = resolve(workspace=str(tmp_path / "work"), environ={"XDG_CONFIG_HOME": str(tmp_path / "config")})
    assert [origin(resolved, "run.timeout"), origin(resolved, "run.grace")] == [
        f"{tmp_path}/config/limpet/config.toml:1",
        f"{tmp_path}/work/.limpet.toml:2",
    ]


def test_the_order_of_the_files_given_does_not_matter(files: Files) -> None:
    files.resolve(user="run.timeout = 100", project="run.timeout = 50")
    places = [SettingsFile(layer=layer, path=files.path(layer)) for layer in (Layer.PROJECT, Layer.USER)]
    assert resolve(workspace="/", environ={}, files=places).settings.run.timeout == 50.0


TEXTS = st.sampled_from(
    ["none", "", "true", "0", "1 MiB", "/bin/bash", "real", "workspace", "PATH", "files", "bare", "tail"]
)
RAW = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    TEXTS,
    st.text(max_size=5),
    st.lists(TEXTS, max_size=3),
    st.dictionaries(TEXTS, TEXTS, max_size=2),
)


SAFE_WHEN_OFF = (
    "run.setup", "sandbox.network", "policy.network_tools", "effects.executables", "effects.dotfiles",
    "effects.links_outside",
)  # fmt: skip


def as_strict(name: str, after: object, before: object) -> bool:
    """Whether a value is no looser than another, said independently of the code that decides it."""
    match FIELDS[name].kind, after, before:
        case ((Kind.SECONDS | Kind.COUNT | Kind.SIZE), _, None):
            return True
        case ((Kind.SECONDS | Kind.COUNT | Kind.SIZE), float() | int(), float() | int()):
            return after <= before
        case Kind.VARIABLES, tuple(), tuple():
            return set(after) <= set(before)
        case ((Kind.PREFIXES | Kind.CHOICES | Kind.PATTERNS | Kind.INSIDE), tuple(), tuple()):
            return set(after) >= set(before)
        case Kind.FLAG, bool(), bool():
            return after == before or after == (name not in SAFE_WHEN_OFF)
        case Kind.CHOICE, Home(), Home():
            return after == before or after is Home.WORKSPACE
    return after == before


@settings(deadline=None, max_examples=500, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(FIELDS)), RAW, RAW)
def test_whatever_a_project_says_nothing_gets_looser(name: str, below: object, wish: object) -> None:
    field = FIELDS[name]
    default = getattr(getattr(Settings(), field.section), field.key)
    held = Given(name=name, value=valid(name, below, default), source=Source(layer=Layer.USER, place="u"))
    try:
        asked = Given(name=name, value=checked(field, wish), source=Source(layer=Layer.PROJECT, place="p", line=1))
        result = tightened(asked, held, elsewhere="u").value
    except (BadValueError, ConfigError):
        return
    assert field.project is Project.FREE or as_strict(name, result, held.value)


def valid(name: str, raw: object, otherwise: object) -> object:
    try:
        return checked(FIELDS[name], raw)
    except BadValueError:
        return otherwise


@settings(deadline=None, max_examples=500)
@given(st.sampled_from(sorted(FIELDS)), RAW)
def test_any_value_is_of_its_type_and_finite_or_refused_in_printable_words(name: str, raw: object) -> None:
    field = FIELDS[name]
    try:
        values = [checked(field, raw), *([from_text(field, raw)] if isinstance(raw, str) else [])]
    except BadValueError as error:
        assert str(error).isprintable()
        return
    for value in values:
        settings_with = {field.section: {field.key: value}}
        msgspec.convert(settings_with, Settings)
        assert not isinstance(value, float | int) or 0 <= value < 2**63


def test_what_a_project_may_never_set_is_known_by_name() -> None:
    never = {name for name, field in FIELDS.items() if field.project is Project.NEVER}
    assert never == {
        "run.shell",
        "run.min_timeout",
        "run.kill_wait",
        "output.filter",
        "output.keep_days",
        "tasks.keep_days",
        "effects.only",
        "transaction.keep_days",
        "transaction.keep_bytes",
        "transaction.skip",
        "transaction.hide",
        "output.keep_bytes",
        "environment.set",
        "audit.enabled",
        "audit.required",
        "audit.keep_days",
        "audit.keep_rows",
        "sandbox.mode",
        "sandbox.write",
        "sandbox.allow",
        "sandbox.engine",
        "sandbox.image",
        "policy.profile",
        "policy.allow",
        "policy.files",
        "hooks.helper",
    }


def test_the_free_fields_are_only_about_what_is_shown() -> None:
    assert {name for name, field in FIELDS.items() if field.project is Project.FREE} == {
        "output.max_chars",
        "output.truncate",
    }


def test_resolving_with_the_real_environment_works() -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("LIMPET_")}
    assert resolve(workspace="/nowhere", environ=environ, files=()).settings == Settings()
