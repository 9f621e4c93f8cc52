"""Tools that pack and unpack."""

from __future__ import annotations

from limpet.policy.tools import archives, compressing, packing, tar
from policy.effects_of_text import summarise

TOOLS = archives.TOOLS | compressing.TOOLS | packing.TOOLS | tar.TOOLS


def test_tar_in_all_its_spellings() -> None:
    table: dict[str, list[str]] = {
        "tar czf x.tgz src": ["write x.tgz", "read src"],
        "tar -czf x.tgz src": ["write x.tgz", "read src"],
        "tar -c -z -fx.tgz src": ["write x.tgz", "read src"],
        "tar --create --gzip --file x.tgz src": ["write x.tgz", "read src"],
        "tar --cre --fil=x.tgz src": ["write x.tgz", "read src"],
        "tar cf - src": ["read src"],
        "tar cf x -C dir a": ["write x", "read dir/a"],
        "tar cf x --remove-files a": ["write x", "read a", "delete-tree a"],
        "tar cf x -T list -X not": ["read list", "read not", "write x"],
        "tar rf x a": ["write x", "read a"],
        "tar --delete -f x a": ["write x"],
        "tar tf x": ["read x"],
        "tar df x": ["read x"],
        "tar xf x": ["read x", "write ./**/*"],
        "tar xzf x -C out a/b": ["read x", "write out/**/*"],
        "tar xfC x /etc": ["read x", "write /etc/**/*"],
        "tar -xf x -C a -C b": ["read x", "write a/b/**/*"],
        "tar xf x --one-top-level=d": ["read x", "write d/**/*"],
        "tar xOf x a": ["read x"],
        "tar xPf x": ["read x", "risk tar.absolute", "write ./**/*"],
        "tar xf x --absolute": ["read x", "risk tar.absolute", "write ./**/*"],
        "tar xf x --transform s,^,/etc/,": ["read x", "risk tar.transform", "write ./**/*"],
        "tar xf x --transform s,^,p/,": ["read x", "write ./**/*"],
        "tar -I zstd -xf x": ["script zstd", "read x", "write ./**/*"],
        "tar -I 'zstd -19' -cf x a": ["script zstd -19", "write x", "read a"],
        "tar -I ./x -tf x": ["script ./x", "risk tar.runs", "read x"],
        "tar cIf ./x y a": ["script ./x", "risk tar.runs", "write y", "read a"],
        "tar tf x --use-comp=./x": ["script ./x", "risk tar.runs", "read x"],
        "tar xf x --to-command=./x": ["script ./x", "risk tar.runs", "read x"],
        "tar tf x --checkpoint-action=exec=./x": ["script ./x", "risk tar.runs", "read x"],
        "tar tf x --checkpoint-action exec=./x": ["script ./x", "risk tar.runs", "read x"],
        "tar tf x --checkpoint=100 --checkpoint-action=dot": ["read x"],
        "tar tf x -F ./x": ["script ./x", "risk tar.runs", "read x"],
        "tar tf x --rsh-command=./x": ["script ./x", "risk tar.runs", "read x"],
        "tar cf host:x a": ["risk tar.network", "read a"],
        "tar cf host:x --force-local a": ["write host:x", "read a"],
        "tar cf ./a:b a": ["write ./a:b", "read a"],
        "tar $x": ["risk tar.unknown", "read …"],
        "tar --version": [],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_packed_files_take_the_place_of_others() -> None:
    table: dict[str, list[str]] = {
        "gzip a": ["read a", "write a.gz", "delete a"],
        "gzip -9k a": ["read a", "write a.gz"],
        "gzip -c a": ["read a"],
        "gzip -d a.gz": ["read a.gz", "write a", "delete a.gz"],
        "gunzip --keep a.gz": ["read a.gz", "write a"],
        "gzip -r d": ["read d", "write d/**/*", "delete d/**/*"],
        "zcat a.gz": ["read a.gz"],
        "bzip2 -t a.bz2": ["read a.bz2"],
        "xz -T 0 a": ["read a", "write a.xz", "delete a"],
        "zstd a": ["read a", "write a.zst"],
        "zstd --rm a": ["read a", "write a.zst", "delete a"],
        "zstd -d a.zst -o b": ["write b", "read a.zst"],
        "zstd --output-dir-flat out a": ["read a", "write out/**/*"],
        "lz4 a b": ["write b", "read a"],
        "brotli -o b a": ["write b", "read a"],
        "uncompress a.Z": ["read a.Z", "write a", "delete a.Z"],
        "gzip": [],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_zip_and_the_like() -> None:
    table: dict[str, list[str]] = {
        "zip -r out.zip src": ["write out.zip", "read src"],
        "zip -r9 out src": ["write out.zip", "read src"],
        "zip -rm a.zip b": ["write a.zip", "read b", "delete-tree b"],
        "zip a.zip b -T -TT './x #'": ["script ./x #", "risk zip.runs", "write a.zip", "read b"],
        "zip -qTT./x a.zip b": ["script ./x", "risk zip.runs", "write a.zip", "read b"],
        "zip --unzip-command=./x a.zip b": ["script ./x", "risk zip.runs", "write a.zip", "read b"],
        "zip -O /tmp/o a.zip b": ["write /tmp/o", "write a.zip", "read b"],
        "zip -lf log a.zip b": ["write log", "write a.zip", "read b"],
        "unzip a.zip": ["read a.zip", "write ./**/*"],
        "unzip -oq a.zip -d out": ["read a.zip", "write out/**/*"],
        "unzip -d/etc a.zip": ["read a.zip", "write /etc/**/*"],
        "unzip -l a.zip": ["read a.zip"],
        "unzip -p a.zip m": ["read a.zip"],
        "unzip -: a.zip": ["read a.zip", "risk unzip.absolute", "write ./**/*"],
        "7z a x.7z src": ["write x.7z", "read src"],
        "7z a -sdel x.7z src": ["write x.7z", "read src", "delete-tree src"],
        "7z x x.7z -oout": ["read x.7z", "write out/**/*"],
        "7z l x.7z": ["read x.7z"],
        "7z x -spf x.7z": ["risk 7z.absolute", "read x.7z", "write ./**/*"],
        "unrar x a.rar out/": ["read a.rar", "write out/**/*"],
        "unrar l a.rar": ["read a.rar"],
        "rar m a.rar b": ["write a.rar", "read b", "delete-tree b"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_other_archives() -> None:
    table: dict[str, list[str]] = {
        "ar rcs x.a a.o b.o": ["write x.a", "read a.o", "read b.o"],
        "ar -x x.a": ["read x.a", "write ./**/*"],
        "ar t x.a": ["read x.a"],
        "ar rb pos x.a a.o": ["write x.a", "read a.o"],
        "ar --plugin p.so t x.a": ["program p.so", "risk ar.runs", "read x.a"],
        "cpio -o -O x": ["write x"],
        "cpio -it": [],
        "cpio -id": ["write ./**/*", "risk cpio.absolute"],
        "cpio -id --no-abs -D out -F x": ["read x", "write out/**/*"],
        "cpio -pd out": ["write out/**/*"],
        "cpio -o -F h:x --rsh-command=./x": ["script ./x", "risk cpio.runs", "risk cpio.network"],
        "pax -w -f x a": ["write x", "read a"],
        "pax -r -f x": ["read x", "write ./**/*", "risk pax.absolute"],
        "pax -rw a out": ["read a", "write out/**/*"],
        "jar cf x.jar a": ["write x.jar", "read a"],
        "jar cfm x.jar m a": ["write x.jar", "read m", "read a"],
        "jar --create --file x.jar a": ["write x.jar", "read a"],
        "jar xf x.jar": ["read x.jar", "write ./**/*"],
        "jar --extract --file=x.jar": ["read x.jar", "write ./**/*"],
        "jar tf x.jar -J-javaagent:x": ["risk jar.jvm", "read x.jar"],
        "dpkg-deb -x a.deb out": ["read a.deb", "write out/**/*"],
        "dpkg-deb -c a.deb": ["read a.deb"],
        "dpkg-deb --build d": ["read d", "write d.deb"],
        "unshar x": ["read x", "risk unshar.runs"],
        "uudecode -o a x": ["read x", "write a"],
        "uudecode x": ["read x", "risk uudecode.absolute"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


EVERYDAY = """
tar czf x.tgz src
tar xzf x.tgz
tar xvf x.tar.gz -C out --strip-components=1
tar -xjf x.tar.bz2
tar -cJf out.tar.xz --exclude=.git --exclude node_modules .
tar --zstd -cf a.tar.zst dir
tar -tvf x.tar
tar --list --file=a.tar
tar -uf a.tar x
tar cvfz x.tgz src
tar --exclude-vcs -czf x.tgz .
tar czf "$name.tgz" src
tar cf - . -C x
tar xf - -C out
zip -r out.zip src -x '*.pyc'
zip -q -j out.zip a b
unzip -q a.zip -d out
unzip -o a.zip
unzip -Z1 a.zip
zipinfo a.zip
gzip -9 file
gzip -dc x.gz
gunzip -k x.gz
bzip2 -dk x.bz2
xz -9 -T0 big
xz -dc x.xz
unxz x.xz
xzcat x.xz
zstd -19 -T0 x
zstd -d x.zst
7z a out.7z src
7z x -y a.7z -oout
7z l a.7z
ar rcs libx.a a.o b.o
jar tf x.jar
jar cf x.jar -C build .
cpio -o
cpio -t
dpkg-deb -c x.deb
dpkg-deb -I x.deb
rpm2cpio x.rpm
"""


def test_everyday_packing_only_reads_writes_and_deletes() -> None:
    found = {each: summarise(each, TOOLS) for each in EVERYDAY.strip().split("\n")}
    usual = {"read", "write", "delete"}
    assert {each: lines for each, lines in found.items() if not {line.split(" ")[0] for line in lines} <= usual} == {}
