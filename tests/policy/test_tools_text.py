"""Tools that print, rearrange and search text, and tell about the machine."""

from __future__ import annotations

from limpet.policy.tools import facts, searching, text
from policy.effects_of_text import effects, summarise

TOOLS = text.TOOLS | searching.TOOLS | facts.TOOLS


def test_what_is_read_written_and_run() -> None:
    table: dict[str, list[str]] = {
        'echo "rm -rf /"': [],
        "cat a b": ["read a", "read b"],
        "head -n 5 a": ["read a"],
        "head -5 a": ["read a"],
        "cut -d / -f 2 a": ["read a"],
        "wc --files0-from=l": ["read l"],
        "tr a b": [],
        "sort -k2 -t, a": ["read a"],
        "sort -uo out a": ["write out", "read a"],
        "sort a -o out": ["write out", "read a"],
        "sort --outp=out a": ["write out", "read a"],
        "sort -T /tmp a": ["write /tmp", "read a"],
        "sort --compress-program=gzip a": ["script gzip", "read a"],
        "sort --compress-program ./x a": ["script ./x", "risk sort.runs", "read a"],
        "sort --comp=x a": ["script x", "risk sort.runs", "read a"],
        'sort -"$x" a': ["risk sort.option", "read a"],
        'sort -k"$x" a': ["read a"],
        "uniq -c a": ["read a"],
        "uniq a b": ["read a", "write b"],
        "uniq -f 3 a b": ["read a", "write b"],
        "uniq --skip-chars 3 a b": ["read a", "write b"],
        "uniq +3 a": ["read a"],
        "xxd -r -p a b": ["read a", "write b"],
        "xxd -cols 16 a b": ["read a", "write b"],
        "xxd -c16 -ps a": ["read a"],
        "shuf -e a b -o c": ["write c"],
        "shuf -n 3 a": ["read a"],
        "ptx -G a b": ["read a", "write b"],
        "iconv -f x -t y a -o b": ["write b", "read a"],
        "dos2unix a b": ["write a", "write b"],
        "dos2unix -n a b": ["read a", "write b"],
        "dos2unix -i a": ["read a"],
        "md5sum -b a": ["read a"],
        "column -t -s, a": ["read a"],
        "bat --pager ./x a": ["script ./x", "risk bat.runs", "read a"],
        "bat --pager 'less -R' a": ["script less -R", "read a"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_what_searching_reads_writes_and_runs() -> None:
    table: dict[str, list[str]] = {
        "grep -n 'rm -rf /' a": ["read a"],
        "grep -e x a": ["read a"],
        "grep -f pats a": ["read pats", "read a"],
        "grep --regexp=x a": ["read a"],
        "grep -A 3 x a": ["read a"],
        "rg -n x src": ["read src"],
        "rg --files src": ["read src"],
        "rg -e x src": ["read src"],
        "rg --pre ./x y": ["script ./x", "risk rg.runs"],
        "rg y --pre=./x": ["script ./x", "risk rg.runs"],
        "rg --pre-glob '*.pdf' y": [],
        "rg --hostname-bin ./x y": ["program ./x", "risk rg.runs"],
        'rg --"$x" y': ["risk rg.option"],
        "ag --pager ./x y": ["script ./x", "risk ag.runs"],
        "ack --pager=./x y": ["script ./x", "risk ack.runs"],
        "ack --output='$&' y": ["code perl $&"],
        "jq .a f": ["read f"],
        "jq -f prog f": ["read prog", "read f"],
        "jq --arg k v --rawfile n r .a f": ["read r", "read f"],
        "jq -n '$ENV' --args a b": [],
        "yq .a f": ["read f"],
        "yq -i .a=1 f g": ["write f", "write g"],
        "yq e --inplace .a=1 f": ["write f"],
        "yq --security-enable-system-operator .a f": ["risk yq.system", "read f"],
        "xmllint --noout a": ["read a"],
        "xmllint --xpath //a a --output b": ["write b", "read a"],
        "xmllint --shell a": ["risk xmllint--shell", "read a"],
        "xmllint http://h/a": ["read http://h/a", "risk xmllint.network"],
        "xsltproc --stringparam k v -o out s.xsl a": ["write out", "read s.xsl", "read a"],
        "xmlstarlet ed -L -d //a a": ["write a"],
        "fzf --preview 'cat {}'": ["script cat {}"],
        "fzf --bind 'a:execute(x)'": ["risk fzf.bind"],
        "fzf --bind 'a:up'": [],
        "cloc --out=o src": ["write o", "read src"],
        "cloc --extract-with=./x src": ["script ./x", "risk cloc.runs", "read src"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_a_search_of_a_folder_is_told_from_one_of_a_file() -> None:
    assert [effect.recursive for effect in effects("grep -rn x src", TOOLS)] == [True]
    assert [effect.recursive for effect in effects("grep x src", TOOLS)] == [False]


def test_what_tells_about_the_machine_may_change_it() -> None:
    table: dict[str, list[str]] = {
        "date -d yesterday +%F": [],
        "date -Iseconds": [],
        "date -s 2020-01-01": ["risk date.set"],
        "date --se=now": ["risk date.set"],
        "date 010112002020": ["risk date.set"],
        "hostname -I": [],
        "hostname other": ["risk hostname.set"],
        "hostname -F f": ["risk hostname.set"],
        "man 3 printf": [],
        "man -P cat ls": ["script cat"],
        "man -P ./x ls": ["script ./x", "risk man.runs"],
        "man --pag=./x ls": ["script ./x", "risk man.runs"],
        "man -H./x ls": ["risk man.viewer"],
        "man --html=./x ls": ["risk man.viewer"],
        "man -l ./page": ["read ./page"],
        "info -o out ls": ["write out"],
        "getent passwd dev": [],
        "getent shadow": ["read /etc/shadow"],
        "getent hosts h": ["risk getent.network"],
        "tldr --update": ["risk tldr.update"],
        "dmesg -C": ["risk dmesg-C"],
        "pmap -N f 1": ["write f"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


EVERYDAY = r"""
cat -A x
tac log
head -c 100 x
tail -n +5 x
tail -f log.txt
tail -100 log
nl -ba x
wc -l *.py
cut -d: -f1 /etc/passwd
paste -sd, x
sort -t, -k2,2n data.csv
sort -rn x
sort --key=2 --field-separator=: x
uniq -c
comm -12 a b
join -t, -1 2 -2 1 a b
tr -d '\r'
fold -w 80 -s x
fmt -w 72 x
pr -n x
expand -t 4 x
od -An -tx1 x
hexdump -C x
xxd -l 16 -c 16 f
strings -n 8 bin
base64 -w0 x
base64 -d x
sha256sum -c SHA256SUMS
md5sum *
seq 1 2 10
yes
printf '%s\n' a b
test -f x
[ -d src ]
expr 1 + 2
numfmt --to=iec 1000
shuf -i 1-10
column -t -s, x.csv
rev x
iconv -f latin1 -t utf-8 in.txt
jq -r '.scripts | keys[]' package.json
jq --arg v 1.0 '.version=$v' package.json
jq -s add a.json b.json
yq '.a.b' x.yaml
yq eval '.x' f.yml
xmllint --format x.xml
grep -rn TODO src
grep -rIl --include='*.py' --exclude-dir .git foo .
grep -E 'a|b' -r .
grep -v '^#' x
grep -oP '(?<=a)b' x
grep -qs x y
zgrep err log.gz
egrep -o '[0-9]+' x
rg foo
rg -n foo src -g '*.py' -t py
rg -uu --hidden -S pattern .
rg --json foo
rg -C3 -i --no-heading foo
ag foo
ack --python foo
bat -p README.md
bat --paging=never -n x
cloc .
tokei -e vendor
scc -f json
date
date +%s
date -u +%Y-%m-%dT%H:%M:%SZ
date -r file +%s
sleep 1
uname -a
hostname
id -u
whoami
printenv PATH
tput cols
nproc
uptime
free -h
lsblk
ps aux
pgrep -fl node
top -b -n1
locale
getconf PAGESIZE
which python
man ls
envsubst
"""


def test_everyday_work_with_text_only_reads() -> None:
    found = {each: summarise(each, TOOLS) for each in EVERYDAY.strip().split("\n")}
    usual = {"read"}
    assert {each: lines for each, lines in found.items() if not {line.split(" ")[0] for line in lines} <= usual} == {}
