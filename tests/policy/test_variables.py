"""What comes of setting a variable."""

from __future__ import annotations

from limpet.policy.effect import Kind
from limpet.policy.variables import assigned_risk
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from policy.effects_of_text import shown


def outcome(text: str) -> str:
    """What the first assignment of a script brings about."""
    every = walk(text, Scope(home="/home/dev", cwd="/home/dev/proj")).found
    found = next(one for one in every if one.assigned)
    effect = assigned_risk(found.assigned[0].node.name, found.assigned[0].value)
    if effect is None:
        return ""
    return f"risk {effect.risk}" if effect.kind is Kind.RISK else f"{effect.kind} {shown(effect.field)}"


EVERYDAY = """
NODE_ENV=production npm run build
DEBUG=1 ./app
CI=1 npm test
CI=true make
PYTEST_ADDOPTS='-q --tb=short -n auto' pytest
BASH_XTRACEFD=9
JAVA_HOME=/usr/lib/jvm/x mvn test
BUNDLE_GEMFILE=gemfiles/x.gemfile bundle
RUST_LOG=debug cargo test
RUST_BACKTRACE=1 cargo test
x=5
name="$1"
files=(a b c)
IFS=,
IFS=$'\\n'
LC_ALL=C sort x
LANG=en_US.UTF-8 ls
TZ=UTC date
PORT=3000 node server.js
ENV=production make
ENV=test npm test
HISTFILE=/dev/null
PS1='> '
PS4='+ '
GIT_PAGER=cat git log
GIT_PAGER= git log
PAGER=cat git diff
PAGER=less man ls
EDITOR=true git commit --amend
GIT_EDITOR=true git rebase --continue
GIT_SEQUENCE_EDITOR=: git rebase -i HEAD~2
AWS_PAGER= aws s3 ls
BROWSER=none npm start
GIT_AUTHOR_NAME=x git commit -m y
GIT_AUTHOR_DATE=2020-01-01 git commit
GIT_TERMINAL_PROMPT=0 git status
GIT_TRACE=1 git status
GIT_CONFIG_GLOBAL=/dev/null git status
GIT_CONFIG_NOSYSTEM=1 git status
GIT_ASKPASS=true git status
NODE_OPTIONS=--max-old-space-size=4096 npm run build
NODE_OPTIONS='--experimental-vm-modules --no-warnings' npx jest
JAVA_OPTS=-Xmx2g mvn test
MAVEN_OPTS='-Xmx512m -Dfile.encoding=UTF-8' mvn test
MAKEFLAGS=-j8 make
GOFLAGS=-mod=vendor go build
GOPROXY=off go build
CGO_ENABLED=0 go build
GOOS=linux GOARCH=arm64 go build
CC=gcc make
CC=clang-15 CXX=clang++-15 cmake ..
CC='ccache gcc' make
CC=aarch64-linux-gnu-gcc make
CFLAGS='-O2 -Wall -g' make
LDFLAGS=-L./lib make
RUSTFLAGS='-C target-cpu=native' cargo build
RUSTFLAGS=-Dwarnings cargo build
RUSTC_WRAPPER= cargo build
PYTHONPATH=. pytest
PYTHONPATH=src pytest
PYTHONPATH=src:$PYTHONPATH pytest
PYTHONUNBUFFERED=1 python x.py
PYTHONDONTWRITEBYTECODE=1 pytest
PYTHONWARNINGS=ignore pytest
PYTHONWARNINGS=ignore::DeprecationWarning pytest
PYTHONHASHSEED=0 pytest
PYTEST_ADDOPTS=-q pytest
NO_COLOR=1 ls
TERM=dumb ls
COLUMNS=80 ls
SHELL=/bin/bash make
PATH=/usr/local/bin:$PATH
PATH=$HOME/.cargo/bin:$PATH cargo build
PATH=$HOME/.local/bin:$PATH
PATH=/usr/bin:/bin ls
LESS=-R git log
no_proxy=localhost
npm_config_loglevel=warn npm test
AWS_PROFILE=dev
AWS_ENDPOINT_URL=http://localhost:4566 aws s3 ls
DATABASE_URL=postgres://localhost/test pytest
DJANGO_SETTINGS_MODULE=app.settings python manage.py test
VIRTUAL_ENV=.venv
RUBYOPT=-W0 rspec
"""

WORTH_A_QUESTION = """
LD_PRELOAD=./x.so ls
LD_PRELOAD=$x ls
LD_LIBRARY_PATH=. ls
LD_AUDIT=x ls
DYLD_INSERT_LIBRARIES=x ls
BASH_ENV=x.sh bash -c :
ENV=./x.sh sh
ENV=$x sh
SHELLOPTS=xtrace bash
PS4='$(id)' bash -x y
PS1=$x
CDPATH=/tmp
PATH=$X:$PATH ls
PATH=$X ls
PATH=.:$PATH ls
PATH=:$PATH ls
PATH= ls
PATH=../x:$PATH ls
PATH=./a:/b:$PATH ls
PATH=$(pwd)/x:$PATH ls
GIT_DIR=/x git status
GIT_CONFIG_COUNT=1 git status
GIT_CONFIG_KEY_0=core.pager git log
GIT_EXEC_PATH=/x git status
GIT_TEMPLATE_DIR=x git init
PYTHONSTARTUP=x.py python
PYTHONINSPECT=1 python x.py
PYTHONWARNINGS=all:0:antigravity.x:0:0 python x.py
PERL5OPT=-Mx perl y
PERL5OPT='-d' perl y
RUBYOPT=-r./x ruby y
NODE_OPTIONS='--require ./x.js' node y
NODE_OPTIONS=--import=./x.mjs node y
NODE_OPTIONS='-r ./x.js' node y
NODE_OPTIONS=$x node y
JAVA_TOOL_OPTIONS=-javaagent:x.jar java y
MAVEN_OPTS=-XX:OnOutOfMemoryError=id mvn x
MAKEFLAGS='--eval=x' make
MAKEFILES=/tmp/x make
GOFLAGS=-toolexec=./x go build
GOFLAGS='-exec=./x' go test
CFLAGS=-fplugin=./x.so make
RUSTFLAGS='-C linker=./x' cargo build
RIPGREP_CONFIG_PATH=x rg y
TAR_OPTIONS='--to-command=x' tar xf y
LESS='+!id' less x
TERMINFO=/tmp/x ls
GCONV_PATH=. iconv x
OPENSSL_CONF=x openssl version
KUBECONFIG=x kubectl get pods
https_proxy=http://x.example:80 npm test
HTTPS_PROXY=$x npm test
PIP_INDEX_URL=https://x.example/simple pip download y
npm_config_script_shell=./x npm test
npm_config_registry=https://x.example npm test
NPM_CONFIG_REGISTRY=https://x.example npm test
CARGO_REGISTRIES_X_INDEX=https://x.example cargo build
DOCKER_HOST=tcp://x.example:2375 docker ps
AWS_ENDPOINT_URL=https://x.example aws s3 ls
AWS_ENDPOINT_URL=http://localhost@x.example aws s3 ls
NODE_TLS_REJECT_UNAUTHORIZED=0 node x
LIMPET_PROFILE=open limpet run x
SHELL=/tmp/x make
GIT_EXTERNAL_DIFF=./x git diff
DELTA_PAGER=./x delta
CC=./evil make
RUSTC_WRAPPER=./x cargo build
CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=./x cargo run
LESSOPEN='|./x %s' less y
GIT_PAGER=/tmp/x git log
EDITOR='bin/x y' git commit
BASH_CMDS[ls]=/tmp/x
PATH=$PWD/evil:$PATH ls
PYTEST_ADDOPTS='-c /tmp/x.ini' pytest
GUNICORN_CMD_ARGS='--chdir /tmp' gunicorn x
"""

JUDGED_IN_ITS_OWN_RIGHT = [
    ("PATH=$PWD/node_modules/.bin:$PATH tsc", "program /home/dev/proj/node_modules/.bin/*"),
    ("PATH=./node_modules/.bin:$PATH tsc", "program ./node_modules/.bin/*"),
    ("PATH=$PWD/a/bin:$PWD/a/scripts:$PATH x", "program /home/dev/proj/a/*"),
    ("PATH=/tmp/x/bin:$PATH ls", "program /tmp/x/bin/*"),
    ("PATH=/tmp/bin:/opt/y/bin:$PATH ls", "program /*"),
    ("BUNDLE_GEMFILE=/tmp/Gemfile bundle", "program /tmp/Gemfile/any"),
    ("PYTHONPATH=/tmp/x pytest", "program /tmp/x/any"),
    ("GIT_SSH_COMMAND='ssh -i key' git fetch", "script ssh -i key"),
    ("GIT_SSH_COMMAND=$x git fetch", "script …"),
    ("EDITOR='rm -rf /' git commit", "script rm -rf /"),
    ("GIT_PAGER=/usr/bin/x git log", "script /usr/bin/x"),
    ("PROMPT_COMMAND='id'", "script id"),
    ("LESSOPEN='|lesspipe %s' less y", "script lesspipe %s"),
    ("CC='gcc; id' make", "script gcc; id"),
    ("HOME=/tmp/x git status", "write /tmp/x"),
    ("HOME=$PWD/h git status", "write /home/dev/proj/h"),
    ("TMPDIR=$PWD/tmp make", "write /home/dev/proj/tmp"),
    ("GIT_TRACE=/etc/x git status", "write /etc/x"),
]


def test_everyday_variables_bring_nothing_about() -> None:
    texts = EVERYDAY.split("\n")[1:-1]
    assert {text: outcome(text) for text in texts} == dict.fromkeys(texts, "")


def test_variables_that_programs_obey_are_worth_a_question() -> None:
    texts = WORTH_A_QUESTION.split("\n")[1:-1]
    assert [text for text in texts if not outcome(text).startswith("risk ")] == []


def test_programs_and_places_in_variables_are_judged_in_their_own_right() -> None:
    assert [(text, outcome(text)) for text, _ in JUDGED_IN_ITS_OWN_RIGHT] == JUDGED_IN_ITS_OWN_RIGHT
