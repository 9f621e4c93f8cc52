"""Packages of the system, and of Ruby, PHP, Perl, Lua -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk
from limpet.policy.tools.own_code import asking, loads, telling
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import (
    CHANGES,
    READS,
    RUNS,
    Verbs,
    asks,
    each,
    parse_spec,
    reaches,
    runs_rest,
    with_verbs,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_SYSTEM_OPTIONS = {
    "-o": "ask:changes the settings, which may run programs", "--option": "ask:changes the settings, which may run "
    "programs",
    "-c": "ask:takes its settings from elsewhere", "--config-file": "ask:takes its settings from elsewhere",
    "-t": "text", "--target-release": "text",
}  # fmt: skip


def _system(tool: str, reads: str, looks: str = "") -> Rule:
    """A package manager of the system: what does not only look changes the system."""
    return with_verbs(Verbs(
        options=_SYSTEM_OPTIONS,
        flags="-y -q -qq --yes --quiet -v --version --assume-yes -n -s --simulate --dry-run --verbose "
            "--noninteractive -C "
        "--cacheonly --installed",
        table={
            **each(reads + " help", READS),
            **each(looks, reaches(f"{tool}.network", "asks the servers of the distribution")),
        },
        other=asks(f"{tool}.change", Risk.PRIVILEGE, "changes the packages of the system"),
    ))  # fmt: skip


def _by_letter(tool: str, reads: str) -> Rule:
    """`dpkg -l`, `rpm -q`, `pacman -Q`: the first option says what to do."""

    def rule(command: Command) -> Iterator[Effect]:
        first = command.texts[0] if command.texts else "--help"
        if first is None or not (first in reads.split() or first in ("--help", "--version", "-h")):
            yield risk(f"{tool}.change", Risk.PRIVILEGE, "changes the packages of the system")

    return rule


_DPKG = (
    "-l --list -L --listfiles -s --status -S --search -p --print-avail --get-selections -C --audit -V --verify -I "
    "--info -c --contents --print-architecture --compare-versions --print-foreign-architectures"
)
_RPM = "-q -qa -qi -ql -qf -qR -qc -qd -qp -qip -qlp -qil --query -V -Va --verify"
_PACMAN = "-Q -Qi -Ql -Qe -Qm -Qs -Qo -Qu -Qq -Qk -Qdt -Qtdq -T -F -Fl"
_GEM = Verbs(
    flags="-v --verbose -q --quiet --no-document",
    options={"--config-file": "text"},
    table={
        **each("list environment env contents which help specification query check stale info dependency rdoc", READS),
        "build": RUNS,
        **each("install update fetch outdated search cleanup pristine uninstall sources unpack exec",
            reaches("gem.network", "downloads gems")),
        **each("push yank owner signin signout", asks("gem.publish", Risk.PUBLISHES,
            "changes what is published on the registry")),
    },
)  # fmt: skip
_BUNDLE_EXEC = loads(runs_rest("bundle exec", {"--gemfile": "text"}, "--keep-file-descriptors"), "--gemfile")
_BUNDLE = Verbs(
    flags="--no-color --verbose -V",
    options={"-r": "text", "--retry": "text"},
    bare=reaches("bundle.network", "downloads gems"),
    table={
        "exec": _BUNDLE_EXEC, "e": _BUNDLE_EXEC,
        **each("show list info check platform licenses env doctor viz help version", READS),
        **each("gem init clean binstubs", CHANGES),
        **each("install i update add remove outdated lock cache package pristine inject plugin",
            reaches("bundle.network", "downloads gems")),
        "config": Verbs(table=each("get list", READS), other=asks("bundle.config", Risk.PERSISTS,
        "changes the settings of bundler")),
        **each("open console", asks("bundle.open", Risk.UNKNOWN, "opens another program")),
    },
)  # fmt: skip
_COMPOSER = Verbs(
    flags="-q --quiet -v -vv -vvv --verbose -n --no-interaction --ansi --no-ansi --no-plugins --no-scripts --profile",
    options={"-d": "write", "--working-dir": "write"},
    table={
        **each("show info status validate licenses depends why prohibits why-not suggests about help list "
            "check-platform-reqs", READS),
        **each("run-script run test lint dump-autoload dumpautoload archive", CHANGES),
        "exec": runs_rest("composer exec"),
        **each("install i update u upgrade require r remove rm create-project outdated search diagnose audit global "
            "self-update init "
               "bump reinstall fund", reaches("composer.network", "downloads packages")),
        "config": asks("composer.config", Risk.PERSISTS, "changes the settings of composer"),
        "clear-cache": asks("composer.cache", Risk.DESTROYS, "empties the cache"),
    },
    other=CHANGES,
)  # fmt: skip
_BREW = Verbs(
    flags="-v --verbose -q --quiet -d --debug",
    table={
        **each("list ls info deps uses leaves config doctor --version --prefix --cellar --cache --repository --env "
            "shellenv outdated "
               "desc cat formulae casks commands missing help", READS),
        **each("search fetch update livecheck audit", reaches("brew.network", "asks the servers of Homebrew")),
        "services": Verbs(table=each("list info", READS), other=asks("brew.services", Risk.PERSISTS,
        "starts or stops services"),
                          bare=READS),
    },
    other=asks("brew.change", Risk.NETWORK, "changes installed programs"),
)  # fmt: skip
_NIX = Verbs(
    options={"--option": "text", "--extra-experimental-features": "text", "--experimental-features": "text",
        "--store": "text"},
    flags="-v --verbose -L --print-build-logs --offline --impure",
    table={**each("eval path-info hash show-config why-depends log help derivation", READS), "fmt": CHANGES},
    other=reaches("nix.network", "builds, downloads or runs packages"),
)  # fmt: skip


def _cpan(command: Command) -> Iterator[Effect]:
    parsed = parse_spec(Spec(operands="text*"), command)
    if parsed.operands or not parsed.has("-l", "-v", "-D", "--version", "--info"):
        yield risk("cpan.network", Risk.NETWORK, "downloads modules and runs their code")
        yield from describe(Spec(operands="text*", options={"-l": "write"}), command)


_SNAP = Verbs(
    table=each("list info version services changes connections interfaces warnings known help", READS),
    other=asks("snap.change", Risk.PRIVILEGE, "changes the packages of the system"),
)

SYSTEM: dict[str, Spec | Rule] = {
    **dict.fromkeys(("apt", "aptitude", "apt-get"), _system("apt", "list show search policy depends rdepends why "
        "why-not", "changelog download source")),
    **dict.fromkeys(("apt-cache", "dpkg-query", "rpmquery", "equery", "qlist", "pkg-config", "pkgconf"), Spec(
        operands="text*", options={"-o": "ask:changes the settings, which may run programs",
            "-c": "ask:takes its settings from elsewhere"})),
    "apt-config": Spec(operands="text*"),
    **dict.fromkeys(
        ("apt-key", "add-apt-repository", "apt-mark", "apt-file", "tasksel", "unattended-upgrade", "alien", "emerge",
         "pkg", "port", "xbps-install", "eopkg", "installer", "guix"),
        asking("changes the packages of the system"),
    ),
    "dpkg": _by_letter("dpkg", _DPKG),
    "dpkg-deb": Spec(operands="text*", options={"-x": "text"}, ask={"-x": "unpacks a package",
    "-R": "unpacks a package", "-b": "builds a package"}),
    "rpm": _by_letter("rpm", _RPM),
    **dict.fromkeys(("pacman", "yay", "paru"), _by_letter("pacman", _PACMAN)),
    **dict.fromkeys(("yum", "dnf", "microdnf"), _system("dnf", "list info search provides repolist history deplist "
        "repoquery whatprovides", "")),
    "zypper": _system("zypper", "search se info if packages pa repos lr patterns products what-provides wp", ""),
    "apk": _system("apk", "info list search policy version stats dot", ""),
    "snap": with_verbs(_SNAP),
    "flatpak": with_verbs(Verbs(table=each("list info remotes history ps search remote-ls remote-info", READS),
    other=asks(
        "flatpak.change", Risk.NETWORK, "changes or runs installed programs"))),
    "brew": with_verbs(_BREW),
    "nix": telling(with_verbs(_NIX), "-c --command", words=True),
    "nix-shell": telling(Spec(operands="text*", network="builds, downloads or runs packages"), "--run --command"),
    **dict.fromkeys(("nix-build", "nix-env", "nix-channel", "nixos-rebuild", "home-manager", "nix-store",
        "nix-collect-garbage",
                     "nix-instantiate"), Spec(operands="text*", network="builds, downloads or runs packages")),
    "gem": loads(with_verbs(_GEM), "--config-file"),
    **dict.fromkeys(("bundle", "bundler"), loads(with_verbs(_BUNDLE), "--gemfile")),
    "composer": with_verbs(_COMPOSER),
    **dict.fromkeys(("cpan", "cpanm"), _cpan),
    "luarocks": with_verbs(Verbs(table={**each("list show which path config help", READS),
    **each("make lint pack write_rockspec test", CHANGES),
                                        "upload": asks("luarocks.publish", Risk.PUBLISHES, "publishes a package")},
                                 other=reaches("luarocks.network", "downloads packages"), options={"--tree": "write"})),
    "pod": with_verbs(Verbs(table=each("list env ipc spec", READS), other=reaches("pod.network",
    "downloads packages"))),
    "carthage": Spec(operands="text*", network="downloads packages"),
    "conan": with_verbs(Verbs(table=each("list inspect graph profile version", READS), other=reaches("conan.network",
    "downloads packages"))),
    "vcpkg": with_verbs(Verbs(table=each("list version help search depend-info", READS), other=reaches("vcpkg.network",
    "downloads packages"))),
    "pecl": Spec(operands="text*", network="downloads packages"),
    "pear": Spec(operands="text*", network="downloads packages"),
    "pub": Spec(operands="text*", network="downloads packages"),
    **dict.fromkeys(("dart", "flutter"), with_verbs(Verbs(
        flags="-v --verbose --no-version-check -d",
        table={
            **each("analyze format test run compile fix doc build clean create devices info attach drive gen-l10n "
                "assemble", RUNS),
            "pub": Verbs(table={**each("deps", READS), "publish": asks("dart.publish", Risk.PUBLISHES,
            "publishes a package"),
                                "run": CHANGES}, other=reaches("dart.network", "downloads packages")),
            **each("doctor config", READS),
        },
        other=reaches("dart.network", "downloads or changes the toolchain"),
    ))),
}  # fmt: skip
