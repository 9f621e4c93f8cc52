"""Tools that make, copy, delete, change, list and compare files."""

from __future__ import annotations

from limpet.policy.tools import comparing, copying, files, looking, rsync
from policy.effects_of_text import effects, summarise

TOOLS = files.TOOLS | copying.TOOLS | looking.TOOLS | comparing.TOOLS | rsync.TOOLS


def test_what_is_deleted_and_whether_with_all_in_it() -> None:
    table: dict[str, list[str]] = {
        "rm a b": ["delete a", "delete b"],
        "rm -rf build": ["delete-tree build"],
        "rm build -fR": ["delete-tree build"],
        "rm --rec build": ["delete-tree build"],
        "rm -- -r": ["delete -r"],
        "rm -d empty": ["delete empty"],
        'rm -"$x" /usr': ["delete-tree /usr"],
        'rm -rf "$x"': ["delete-tree …"],
        "rm -r --no-preserve-root /": ["risk rm.no-preserve-root", "delete-tree /"],
        "rmdir -p a/b": ["delete a/b"],
        "unlink a": ["delete a"],
        "shred -n 3 a": ["write a"],
        "shred -vzu a": ["write a", "delete a"],
        "shred --rem=wipe a": ["write a", "delete a"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_what_is_copied_moved_and_linked_where() -> None:
    table: dict[str, list[str]] = {
        "cp a b": ["read a", "write b"],
        "cp -S .bak a b": ["read a", "write b"],
        "cp a b dir": ["read a", "read b", "write dir/a", "write dir/b"],
        "cp src/a dir/": ["read src/a", "write dir/a"],
        "cp -r src/. .": ["read src/.", "write ./."],
        "cp -t /etc a x/b": ["read a", "read x/b", "write /etc/a", "write /etc/b"],
        "cp --target-dir=/etc a": ["read a", "write /etc/a"],
        "cp a -t/etc": ["read a", "write /etc/a"],
        "cp -T a .": ["read a", "write ."],
        "cp *.txt out": ["read *.txt", "write out/*.txt", "write out"],
        'cp "$f" out/': ["read …", "write out/…"],
        'cp a "$x"': ["read a", "write …"],
        "cp $all": ["read …", "write …"],
        "cp -l a b": ["read a", "change a", "write b"],
        "mv a b": ["delete-tree a", "write b"],
        "mv a b ..": ["delete-tree a", "delete-tree b", "write ../a", "write ../b"],
        "mv -t out a": ["delete-tree a", "write out/a"],
        "ln -s ../a b": ["read ../a", "write b"],
        "ln -s ../a lib/b": ["read lib/../a", "write lib/b"],
        "ln -s /usr/bin/python3": ["read /usr/bin/python3", "write ./python3"],
        "ln a b": ["read a", "change a", "write b"],
        "install -m 755 a b": ["read a", "write b"],
        "install -d a b": ["write a", "write b"],
        "install -m4755 a b": ["risk install.setuid", "read a", "write b"],
        "install -s --strip-prog ./x a b": ["program ./x", "risk install.runs", "read a", "write b"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_what_is_made() -> None:
    table: dict[str, list[str]] = {
        "mkdir -p -m 755 a b": ["write a", "write b"],
        "mktemp": [],
        "mktemp -d": [],
        "mktemp -t a.XXXX": [],
        "mktemp -u /etc/a.XXXX": [],
        "mktemp a.XXXX": ["write a.XXXX"],
        "mktemp -p /etc": ["write /etc/tmp.XXXXXXXXXX"],
        "mktemp --tmpdir=/etc a.XXXX": ["write /etc/a.XXXX"],
        "touch -d tomorrow -r ref a": ["read ref", "write a"],
        "truncate -s 0 a": ["write a"],
        "fallocate -l 1M a": ["write a"],
        "tee -a a b": ["write a", "write b"],
        "dd if=a of=b bs=1M conv=notrunc": ["read a", "write b"],
        'dd of="$x"': ["write …"],
        "dd $x": ["risk dd.operand"],
        "split -l 10 a": ["read a", "write x*"],
        "split a /tmp/p": ["read a", "write /tmp/p*"],
        "split --filt='sort > x' a": ["read a", "script sort > x", "risk split.runs"],
        "csplit -f p a /x/": ["read a", "write p*"],
        "mkfifo -m 600 a": ["write a"],
        "mknod a p": ["write a"],
        "mknod a b 8 0": ["write a", "risk mknod.device"],
        "sync": [],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_what_is_changed() -> None:
    table: dict[str, list[str]] = {
        "chmod +x a b": ["change a", "change b"],
        "chmod -x a": ["change a"],
        "chmod -R 755 .": ["change ."],
        "chmod u+s a": ["risk chmod.setuid", "change a"],
        "chmod g=rxs a": ["risk chmod.setuid", "change a"],
        "chmod 04755 a": ["risk chmod.setuid", "change a"],
        "chmod 1777 a": ["change a"],
        "chmod u-s a": ["change a"],
        "chmod --reference=r a": ["change a"],
        "chown me:me a": ["change a"],
        "chown --reference=r a b": ["read r", "change a", "change b"],
        "chgrp -R staff a": ["change a"],
        "chattr -R +i a": ["change a"],
        "chattr -i a": ["change a"],
        "setfacl -m u:x:r a": ["change a"],
        "setfacl --restore=l": ["risk setfacl.restore"],
        "chcon -t user_t a": ["change a"],
        "chcon u:r:t a": ["change a"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_a_recursive_change_is_told_from_a_plain_one() -> None:
    for text in ("chmod 755 -R /", "chmod --recursive 755 /", "chown -hR me /", "chgrp --rec me /"):
        assert [effect.recursive for effect in effects(text, TOOLS)] == [True]
    assert [effect.recursive for effect in effects("chmod 755 /", TOOLS)] == [False]


def test_renaming_may_run_perl() -> None:
    table: dict[str, list[str]] = {
        "rename .htm .html *.htm": ["write *.htm"],
        r"rename 's/\.txt$/.md/' *.txt": ["write *.txt"],
        "rename 'unlink $_' a": ["code perl unlink $_", "write a"],
        "rename 's/a/@{[1]}/' a": ["code perl s/a/@{[1]}/", "write a"],
        "rename 's/a/b/e' a": ["code perl s/a/b/e", "write a"],
        "rename 's,^,/etc/,' a": ["code perl s,^,/etc/,", "risk rename.moves", "write a"],
        "prename -e 'y/A-Z/a-z/' A": ["write A"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_rsync_copies_deletes_runs_and_reaches_other_machines() -> None:
    table: dict[str, list[str]] = {
        "rsync -av src/ dst/": ["read src/", "write dst/**/*"],
        "rsync -a a b": ["read a", "write b"],
        "rsync -a --delete a/ b": ["read a/", "write b", "delete-tree b"],
        "rsync -an --delete a/ b": ["read a/"],
        "rsync --remove-source-files a b": ["read a", "delete-tree a", "write b"],
        "rsync -a . me@host:/x": ["risk rsync.network", "read ."],
        "rsync -a . host::mod": ["risk rsync.network", "read ."],
        "rsync rsync://h/m .": ["risk rsync.network", "write ./**/*"],
        'rsync -a . "$h:/x"': ["risk rsync.network", "read ."],
        "rsync -e 'ssh -p 22' a h:b": ["risk rsync.network", "script ssh -p 22", "read a"],
        "rsync --rsh=./x a b": ["script ./x", "risk rsync.runs", "read a", "write b"],
        "rsync --rsync-path ./x a b": ["script ./x", "risk rsync.runs", "read a", "write b"],
        "rsync --daemon": ["risk rsync.daemon"],
        "rsync ./a:b c": ["read ./a:b", "write c"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_looking_and_comparing() -> None:
    table: dict[str, list[str]] = {
        "ls -I '*.pyc' -w 80 src": ["read src"],
        "du -sh --max-depth 1 .": ["read ."],
        "tree -L 2 -o t.txt src": ["write t.txt", "read src"],
        "basename a/b .c": [],
        "file -m magic a": ["read magic", "read a"],
        "file -C -m magic": ["read magic", "write magic.mgc"],
        "diff -u -x .git a b": ["read a", "read b"],
        "diff --unified a b": ["read a", "read b"],
        "diff3 --diff-program=./x a b c": ["program ./x", "risk diff3.runs", "read a", "read b", "read c"],
        "sdiff -o out a b": ["write out", "read a", "read b"],
        "patch -p1": ["write ./**/*"],
        "patch -p1 --dry-run -i p": ["read p"],
        "patch -d sub -p1 -i p": ["read sub/p", "write sub/**/*"],
        "patch a p": ["read p", "write a"],
        "patch -o out a p": ["read p", "write out"],
        "patch -e": ["risk patch.ed", "write ./**/*"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


EVERYDAY = r"""
rm file.txt
rm -f *.o
rm -rf build dist node_modules
mkdir -p src/a/b
touch a b c
cp a.txt b.txt
cp -a src/. dst/
cp --preserve=mode a b
mv -n old.py new.py
mv src/a.py src/pkg/
ln -sfn releases/1 current
install -m 755 build/app bin/app
chmod +x run.sh
chmod -R u+w .
chmod u=rwx,go=rx script
chown dev:dev f
mktemp -d -t foo.XXXX
truncate -s 0 log.txt
dd if=/dev/zero of=test.img bs=1M count=10 status=none
tee -a x.log
split -b 10M big.bin part_
csplit file /x/ {*}
rsync -a --exclude node_modules . ./backup
rsync -n -av --delete src/ dst/
stat -c %s f
stat -f %z f
du -sh *
df -h .
ls -la --color=auto
ls -1
tree -a -L 2 -I node_modules
realpath --relative-to=. src
readlink -f x
basename "$0" .sh
dirname "$x"
file -b --mime-type x.png
cmp -s a b
diff -ru old new
diff -y --suppress-common-lines a b
diff -q a b
diff --color=always -U 5 a b
patch -p1 -i fix.patch
sdiff -s a b
eza -la
getfacl x
pathchk x
namei -l x
"""


def test_everyday_work_with_files_only_reads_writes_and_deletes() -> None:
    found = {each: summarise(each, TOOLS) for each in EVERYDAY.strip().split("\n")}
    usual = {"read", "write", "delete", "delete-tree", "change"}
    assert {each: lines for each, lines in found.items() if not {line.split(" ")[0] for line in lines} <= usual} == {}
