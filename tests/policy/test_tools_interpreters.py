"""What calls of interpreters, debuggers and terminals do."""

from __future__ import annotations

import pytest

from limpet.policy.effect import Effect
from limpet.policy.tools import effects_of
from limpet.policy.tools.editors import TOOLS as EDITORS
from limpet.policy.tools.interpreters import TOOLS
from limpet.policy.tools.shells import TOOLS as SHELLS
from policy.effects_of_text import odd_calls, summarise

CALLS = [
    ("python3 x.py --flag", ["program ./x.py"]),
    ("python3 src/x.py", ["program src/x.py"]),
    ("python3 .", ["program ./__main__.py"]),
    ("python3 /tmp/x.py", ["program /tmp/x.py"]),
    ("python3", ["stdin python"]),
    ("python3 - a b", ["stdin python"]),
    ("python3 /dev/stdin", ["stdin python"]),
    ('python3 "$x"', ["stdin python", "program …"]),
    ("python3 --version", []),
    ("python3 -c 'print(1)' -m x", ["code python print(1)"]),
    ("python3 -Ic'print(1)'", ["code python print(1)"]),
    ("python3 -W ignore -X dev -uc 1", ["code python 1"]),
    ("python3 -ic 1", ["stdin python", "code python 1"]),
    ('python3 "-$x" y', ["risk python3.option", "program ./y"]),
    ("python3 -m pytest -q tests", ["command pytest -q tests"]),
    ("python3.12 -m pip install x", ["command pip install x"]),
    ("python3 -mjson.tool a.json b.json", ["read a.json", "write b.json"]),
    ("python3 -m venv .venv", ["write .venv"]),
    ("python3 -m mypkg.cli --run", []),
    ("python3 -m http.server 80", ["risk python.http.server"]),
    ("python3 -m timeit -s 'a' 'b'", ["code python a", "code python b"]),
    ("python3 -m cProfile -o out.prof x.py", ["write out.prof", "program ./x.py"]),
    ("python3 -m pdb -m pip install x", ["stdin python", "command pip install x"]),
    ('python3 -m "$m"', ["risk python.module"]),
    ("python3 -m 'a;b'", ["risk python.module"]),
    ("python3 setup.py upload", ["program ./setup.py", "risk python.upload"]),
    ("node app.js", ["program ./app.js"]),
    ("node .", ["program ./index.js"]),
    ("node -e 1", ["code node 1"]),
    ("node -pe 1", ["code node 1"]),
    ("node --eval=1", ["code node 1"]),
    ("node -r dotenv/config app.js", ["program ./app.js"]),
    ("node -r ./hook.js app.js", ["program ./hook.js", "program ./app.js"]),
    ("node --inspect=0.0.0.0 app.js", ["risk node.argument", "program ./app.js"]),
    ("node inspect app.js", ["risk node.argument", "program ./app.js"]),
    ("node --check x.js", ["read x.js"]),
    ("node", ["stdin node"]),
    ("tsx watch src/x.ts", ["program src/x.ts"]),
    ("ruby -e 'puts 1' -e 'puts 2'", ["code ruby puts 1\nputs 2"]),
    ("ruby -rsocket -e 1", ["code ruby require 'socket'\n1"]),
    ("ruby -i.bak -ne 1 f", ["code ruby 1", "write f"]),
    ("ruby -Ilib t.rb", ["program ./lib", "program ./t.rb"]),
    ("ruby -S rake", ["program rake"]),
    ("php -r 'echo 1;'", ["code php echo 1;"]),
    ("php -S 0.0.0.0:80", ["risk php.network"]),
    ("php -d memory_limit=-1 artisan", ["program ./artisan"]),
    ("php -d auto_prepend_file=x a.php", ["risk php.setting", "program ./a.php"]),
    ("perl -pe 's/a/b/' f", ["code perl s/a/b/", "read f"]),
    ("perl -pi -e 's/a/b/' f", ["code perl s/a/b/", "write f"]),
    ("perl -i.bak -pe 's/a/b/' f", ["code perl s/a/b/", "write f"]),
    ("perl -0777 -ne 1 f", ["code perl 1", "read f"]),
    ("perl -0777ne 1 f", ["code perl 1", "read f"]),
    ("perl -lane 1 f", ["code perl 1", "read f"]),
    ("perl -F, -lane 1 f", ["code perl 1", "read f"]),
    ("perl -MList::Util=sum -e 1", ["code perl use List::Util;\n1"]),
    ("perl -M'x;y' -e 1", ["risk perl.module", "code perl 1"]),
    ("perl -I/tmp x.pl", ["program /tmp", "program ./x.pl"]),
    ("perl -d x.pl", ["risk perl.debug", "program ./x.pl"]),
    ("perl -ne 1 'id|'", ["code perl 1", "risk perl.spawn", "script id"]),
    ("perl", ["stdin perl"]),
    ("sed s/a/b/ f g", ["code sed s/a/b/", "read f", "read g"]),
    ("sed -i s/a/b/ f", ["code sed s/a/b/", "write f"]),
    ("sed -i.sed s/a/b/ f", ["code sed s/a/b/", "write f"]),
    ("sed -ie s/a/b/ f", ["code sed s/a/b/", "write f"]),
    ("sed -i '' s/a/b/ f", ["code sed s/a/b/", "write f"]),
    ("sed --in-pl s/a/b/ f", ["code sed s/a/b/", "write f"]),
    ("sed --in-place=/tmp/* s/a/b/ f", ["code sed s/a/b/", "write /tmp/*", "write f"]),
    ("sed s/a/b/ f -i", ["code sed s/a/b/", "write f"]),
    ("sed -ne 'a\\' -e text f", ["code sed a\\\ntext", "read f"]),
    ("sed --expr=p -n f", ["code sed p", "read f"]),
    ("sed -nf x.sed f", ["program ./x.sed", "read f"]),
    ('sed "s/a/$x/" f', ["code sed s/a/…/", "read f"]),
    ("awk '{print}' f", ["code awk {print}", "read f"]),
    ("awk -F: -v x=1 '{print}' y=2 f", ["code awk {print}", "read f"]),
    ("awk -f x.awk f", ["program ./x.awk", "read f"]),
    ("gawk -i inplace '{print}' f", ["code awk {print}", "write f"]),
    ("gawk -i lib.awk '{print}' f", ["code awk {print}", "program ./lib.awk", "read f"]),
    ("gawk -l x '{print}' f", ["code awk {print}", "risk awk.load", "read f"]),
    ("gawk -e '{print}' f", ["code awk {print}", "read f"]),
    ("gawk --source='{print}' f", ["code awk {print}", "read f"]),
    ("gawk -o '{print}' f", ["code awk {print}", "read f"]),
    ("gawk --profile=/tmp/x '{print}' f", ["code awk {print}", "write /tmp/x", "read f"]),
    ("lua -e 'print(1)'", ["code lua print(1)"]),
    ("Rscript -e 'cat(1)'", ["code r cat(1)"]),
    ("R CMD INSTALL x", ["risk R.CMD"]),
    ("julia --project=. x.jl", ["program ./x.jl"]),
    ("sqlite3 x.db 'select 1'", ["write x.db", "code sql select 1"]),
    ("sqlite3 -cmd .shell x.db 'select 1'", ["code sql .shell", "write x.db", "code sql select 1"]),
    ("sqlite3 --readonly x.db .tables", ["read x.db", "code sql .tables"]),
    ("sqlite3 x.db", ["write x.db", "stdin sql"]),
    ("bc -l", []),
    ("dc -e '2p'", ["code dc 2p"]),
    ("gdb -batch -ex run -ex bt ./app", ["code gdb run\nbt", "command ./app"]),
    ("gdb --batch --args ls -l", ["command ./ls -l"]),
    ("gdb -p 1 -batch", ["risk gdb.attach"]),
    ("gdb -x /tmp/x -batch", ["program /tmp/x"]),
    ("strace -f -o t.txt ls -l", ["write t.txt", "command ls -l"]),
    ("strace -o '|id' ls", ["risk strace.spawn", "script id", "command ls"]),
    ("valgrind --log-file=x ./app", ["write x", "command ./app"]),
    ("perf stat -e cycles ./app", ["command ./app"]),
    ("perf report", []),
    ("tmux new -d 'id'", ["risk tmux.start", "script id"]),
    ("tmux send-keys -t x id Enter", ["risk tmux.command"]),
    ("tmux run-shell id", ["risk tmux.spawn", "script id"]),
    ("tmux ls", []),
    ("screen -dmS x id -u", ["risk screen.start", "command id -u"]),
    ("screen -ls", []),
    ("expect -c 'spawn id'", ["code tcl spawn id"]),
    ("osascript -e x", ["code applescript x"]),
    ("pwsh -Command id", ["code powershell id"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_a_call_does_what_its_arguments_say(text: str, expected: list[str]) -> None:
    assert summarise(text, TOOLS) == expected


@pytest.mark.parametrize("tool", sorted({**TOOLS, **EDITORS, **SHELLS}))
def test_a_call_that_nobody_would_write_is_still_described(tool: str) -> None:
    tools = {**TOOLS, **EDITORS, **SHELLS}
    for command in odd_calls(tool):
        assert all(isinstance(effect, Effect) for effect in effects_of(command, tools) or ())
