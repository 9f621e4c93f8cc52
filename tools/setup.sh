#!/bin/sh
# A checkout -> a .venv with limpet and its tools in it (`venv PYTHON`), and the programs that tests use (`packages`).
# Plain sh, and nothing outside the checkout is touched but Debian packages that are missing, and those only as root.
set -eu

cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }

stop() {
    say "$*"
    exit 1
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

install_packages() {
    say "installing $*"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2 || say "apt-get update failed; trying with the lists that are here"
    apt-get install -y -qq --no-install-recommends "$@" >&2
}

check_python() {
    command -v "$1" >/dev/null || stop "$1 was not found; install Python 3.11 or later, or say make PYTHON=/path/to/python3"
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        stop "$1 is $("$1" --version 2>&1), and limpet needs 3.11 or later; say make PYTHON=/path/to/a/newer/python3"
}

check_venv() {
    if "$1" -c 'import ensurepip, venv' 2>/dev/null; then return; fi
    package=$(basename "$1")-venv
    if can_install && install_packages "$package"; then return; fi
    stop "$1 cannot make virtual environments; install the package $package (as root: apt-get install $package), then try again"
}

works() { is_made_here && .venv/bin/python -m pip --version >/dev/null 2>&1; }

# A tree that was moved or copied brings along an environment whose scripts and links point to the old place.
is_made_here() {
    case $(sed -n 's/^command = //p' .venv/pyvenv.cfg 2>/dev/null) in
    *" $(pwd -P)/.venv") true ;;
    *) false ;;
    esac
}

make_venv() {
    say "making .venv with $("$1" --version 2>&1)"
    "$1" -m venv --clear .venv
}

install_limpet() {
    say "installing limpet and its tools into .venv"
    for pause in 2 5 0; do
        if .venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check -e '.[dev]'; then return; fi
        [ "$pause" = 0 ] || { say "that failed; once more in $pause s" && sleep "$pause"; }
    done
    stop "pip could not install limpet; what it said stands above"
}

set_up_venv() {
    if ! works; then
        check_python "$1"
        check_venv "$1"
        make_venv "$1"
    fi
    install_limpet
}

missing_packages() {
    while read -r program package; do
        command -v "$program" >/dev/null || printf '%s ' "$package"
    done <<END
bash bash
git git
ps procps
tmux tmux
END
}

set_up_packages() {
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086  # a list of words
    if can_install && install_packages $missing; then return; fi
    say "tests use programs that are not here; install these packages: $missing"
}

case ${1:-} in
venv) set_up_venv "${2:-python3}" ;;
packages) set_up_packages ;;
*) stop "usage: setup.sh venv PYTHON | packages" ;;
esac
