"""pytest -> the tests it runs, the settings it loads, the reports it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, risk, write
from limpet.policy.tools.own_code import runs_place, runs_settings
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import HERE, parse_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command

_PYTEST = Spec(
    operands="text*",
    options={
        "-k": "text", "-m": "text", "-n": "text", "-o": "text", "-p": "text", "-c": "text", "--config-file": "text",
        "-W": "text", "-r": "text", "--rootdir": "text", "--basetemp": "text", "--junitxml": "write",
        "--junit-xml": "write",
        "--log-file": "write", "--result-log": "write", "--html": "write", "--json-report-file": "write",
        "--csv": "write",
        "--cov": "text", "--cov-report": "text", "--cov-config": "read", "--maxfail": "text", "--durations": "text",
        "--tb": "text", "--ignore": "text", "--ignore-glob": "text", "--deselect": "text", "--import-mode": "text",
        "--override-ini": "text", "--timeout": "text", "--dist": "text", "--pdbcls": "text", "--capture": "text",
        "--confcutdir": "text", "--log-level": "text", "--log-cli-level": "text", "--color": "text", "--pyargs": "text",
        "--override": "text", "--pastebin": "ask:uploads the failures", "--report-log": "write",
    },
    flags="--pdb --lf --last-failed --ff --failed-first --nf --sw --stepwise --collect-only --co --fixtures --markers "
    "--cache-clear --cache-show --no-header --no-summary --verbose --quiet --exitfirst --strict-markers "
    "--strict-config "
    "--doctest-modules --runxfail --setup-show --showlocals --no-cov --trace --version --help --debug --strict "
    "--reruns",
)  # fmt: skip


def pytest(command: Command) -> Iterator[Effect]:
    """Runs the tests of its folder; `--basetemp` empties a folder first."""
    parsed = parse_spec(_PYTEST, command)
    yield HERE
    for field in parsed.values("--basetemp"):
        yield delete(field, recursive=True)
        yield write(field)
    yield from describe(_PYTEST, command)
    for field in (*parsed.operands, *parsed.values("--rootdir", "--confcutdir")):
        yield from runs_place(field, "pytest")
    for field in parsed.values("-c", "--config-file"):
        yield from runs_settings(field, "pytest")
    for field in parsed.values("-o", "--override-ini", "--override"):
        if field.text is None or "=/" in field.text or ".." in field.text:
            yield risk("pytest.setting", Risk.UNKNOWN, "changes a setting that can load other code")
