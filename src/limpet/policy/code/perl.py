"""Perl -> tokens and words; its quotes have delimiters of every kind."""

from __future__ import annotations

import re

from limpet.policy.code.tokens import Lexer, Lexicon, unescape
from limpet.policy.code.vocabulary import Vocabulary, powers, words

_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_QUOTES = re.compile(r"(?:q[qwrx]?|m|s|tr|y)\b")
_SPECIAL = re.compile(r"\$(?:\^[A-Z]|[0-9]+|[!@/\\,;.&`'\"+<>()\[\]|?~^:=%$-])|@[-+]|%[-+!]")
_NAME = re.compile(r"(?:[$@%]|\$#)\{?\$*(?:::)?[A-Za-z_][A-Za-z0-9_:]*\}?|\$#?\$*[A-Za-z_][A-Za-z0-9_]*")
_HANDLE = re.compile(r"<(?:\$?[A-Za-z_][A-Za-z0-9_]*)?>|<<>>|<=")
_MAYBE_GLOB = re.compile(r"<[^<>= \t\n][^>]*['\"`;]")
_CODE_INSIDE = re.compile(
    r"""
    [$@]\{(?!\^?[A-Za-z_0-9:]+\})                 # ${ … }: an expression
    | [$@]\$*[A-Za-z_0-9:]+(?:->)?[\[{](?![-A-Za-z0-9_$]*[\]}])   # a subscript that is not plain
    | [\]}](?:->)?[\[{](?![-A-Za-z0-9_$]*[\]}])[^\]}]*[('"`]      # a further one
    | \(\?\??\{                                   # code in a pattern
    | ->[\[{@$](?![-A-Za-z0-9_$]*[\]}*])
    """,
    re.VERBOSE,
)

_LEXICON = Lexicon(
    comments=("#",), plain="'", live='"', ticks="`", patterns=True,
    before_pattern=words("if unless and or not while until split grep map join push return print x when"),
    word=r"[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*",
    bad=r"<<[\"'~A-Za-z_]|__END__|__DATA__|\n=[a-z]|&[ \t]*[${]|\*[ \t]*\{",
)  # fmt: skip


class PerlLexer(Lexer):
    """Reads Perl: variables with marks as names, and quotes with any delimiter."""

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, _LEXICON, depth)
        self._nested = depth

    def step(self) -> None:
        """The next token."""
        if self._angle() or self._variable() or self._quote_operator():
            return
        super().step()
        self._old_separator()

    def _angle(self) -> bool:
        """`<STDIN>` is read; what else stands in angles is a glob, in which a quote is no quote."""
        if self.text[self.at] != "<" or self.expects_operand() is False or _HANDLE.match(self.text, self.at):
            return False
        if self.expects_operand() is None and not _MAYBE_GLOB.match(self.text, self.at):
            return False
        self._give_up()
        return True

    def _old_separator(self) -> None:
        """`a'b` is a name, too: in some versions of Perl, so that the quote is none."""
        named = bool(self.tokens) and self.tokens[-1].kind in ("word", "variable")
        if named and self.text.startswith("'", self.at):
            self._give_up()

    def live(self, inside: str) -> None:
        """A text, which variables make a live one."""
        if _CODE_INSIDE.search(inside):
            self.add("bad")
        else:
            self.add("live" if re.search(r"[$@][A-Za-z_0-9{&]", inside) else "text", unescape(inside))

    def _pattern(self, inside: str) -> None:
        self.add("bad" if _CODE_INSIDE.search(inside) else "pattern", inside)
        flags = re.compile(r"[a-z]*").match(self.text, self.at)
        self.at = flags.end() if flags is not None else self.at

    def _variable(self) -> bool:
        if self.text[self.at] not in "$@%":
            return False
        if self.text[self.at] == "%" and self.expects_operand() is False:
            return False
        taken = self.take("variable", _NAME) or self.take("variable", _SPECIAL)
        self._old_separator()
        return taken

    def _quote_operator(self) -> bool:
        found = _QUOTES.match(self.text, self.at)
        before = self.tokens[-1].text if self.tokens else ""
        if found is None or before in ("->", "sub", "&", "-") or self._is_word(found.end(), before):
            return False
        self._read_operator(found[0], found.end())
        return True

    def _is_word(self, end: int, before: str) -> bool:
        """`s => 1`, `{s}`: a word like any other."""
        rest = self.text[end:].lstrip(" \t")
        return rest.startswith(("=>", ",", ";", ")")) or not rest or (before == "{" and rest.startswith("}"))

    def _read_operator(self, name: str, at: int) -> None:
        blank = re.compile(r"[ \t\n]*").match(self.text, at)
        start = blank.end() if blank is not None else at
        first = self._delimited(start)
        if first is None or (start > at and self.text[start] == "#"):
            self._give_up()
            return
        if name not in ("s", "tr", "y"):
            self._single(name, first)
            return
        second = self._second(start)
        if second is None:
            self._give_up()
            return
        self._substitution(name, first, second)

    def _second(self, start: int) -> str | None:
        """What stands behind the pattern; between other delimiters when those of the pattern are a pair."""
        if self.text[start] not in _PAIRS:
            return self._delimited(self.at - 1)
        blank = re.compile(r"[ \t\n]*").match(self.text, self.at)
        return self._delimited(blank.end() if blank is not None else self.at)

    def _delimited(self, start: int) -> str | None:
        """What stands between the delimiter at `start` and its fellow, and go behind that."""
        if start >= len(self.text) or re.match(r"[A-Za-z0-9_ \t\n]", self.text[start]):
            return None
        opening = self.text[start]
        closing = _PAIRS.get(opening, opening)
        depth, at = 1, start + 1
        while at < len(self.text):
            char = self.text[at]
            depth += (char == opening and closing != opening) - (char == closing)
            if depth == 0:
                self.at = at + 1
                return self.text[start + 1 : at]
            at += 2 if char == "\\" else 1
        return None

    def _give_up(self) -> None:
        self.add("bad")
        self.at = len(self.text)

    def _single(self, name: str, inside: str) -> None:
        if name == "qx":
            self.add("shell", inside)
        elif name in ("q", "qw"):
            self.add("text", inside)
        elif name == "qq":
            self.live(inside)
        else:
            self._pattern(inside)

    def _substitution(self, name: str, pattern: str, replacement: str) -> None:
        """`s/…/…/e`: the replacement is code."""
        flags = re.compile(r"[a-z]*").match(self.text, self.at)
        letters = flags[0] if flags is not None else ""
        self.at += len(letters)
        if name != "s":
            self.add("pattern", pattern)
            return
        if _CODE_INSIDE.search(pattern) or letters.count("e") > 1 or self._nested > 4:
            self.add("bad")
            return
        self.add("pattern", pattern)
        if "e" in letters:
            self.tokens.extend(PerlLexer(replacement, self._nested + 1).read())
            self.add("mark", ";")
        else:
            self.live(replacement)


PERL = Vocabulary(
    language="perl",
    lexicon=_LEXICON,
    safe=words("""
        if unless else elsif while until for foreach do my our local sub return last next redo and or not xor eq ne lt
        gt le ge cmp x no print printf say sprintf join split push pop shift unshift splice reverse sort map grep keys
        values each delete exists defined undef scalar wantarray ref bless die warn chomp chop chr ord lc uc lcfirst
        ucfirst length substr index rindex pos quotemeta sprintf hex oct int abs sqrt sin cos atan2 exp log rand srand
        time localtime gmtime pack unpack vec STDIN STDOUT STDERR ARGV ARGVOUT ENV INC BEGIN END INIT eof close binmode
        readline read getc exit lines stat lstat opendir readdir closedir tr y __FILE__ __LINE__ __PACKAGE__ package
        constant strict warnings utf8 feature List::Util sum sum0 max min first reduce shuffle uniq any all none
        product maxstr minstr pairs Data::Dumper Dumper POSIX floor ceil fmod strftime Time::HiRes JSON::PP JSON
        encode_json decode_json Text::Wrap wrap Cwd getcwd cwd basename dirname fileparse File::Basename MIME::Base64
        encode_base64 decode_base64 Digest::MD5 md5_hex Digest::SHA sha1_hex sha256_hex Encode encode decode blessed
        looks_like_number Scalar::Util new pretty canonical lock select sleep e f d r w s z l fc prototype VERSION
        utf8::encode utf8::decode std layer version
    """),
    powers=powers(
        command="system exec qx readpipe",
        delete="unlink rmdir",
        delete_tree="rmtree remove_tree",
        write="mkdir mkpath make_path mkfifo write_file spurt",
        link="symlink link",
        write_second="copy cp",
        write_all="rename move mv",
        change="chmod chown utime truncate",
        network="socket connect socketpair accept bind listen IO::Socket IO::Socket::INET INET LWP LWP::Simple "
        "HTTP::Tiny Net::FTP Net::SMTP gethostbyname getprint mirror send recv Socket sockaddr_in inet_aton WWW",
        eval="eval require evalbytes AUTOLOAD can DynaLoader B Storable retrieve thaw autouse",
        kill="kill",
        fork="fork",
        perl_open="open",
        opaque="sysopen dbmopen tie syscall ioctl fcntl chroot chdir setpgrp setpriority umask dump glob CORE IPC "
        "open2 open3 format write syswrite pipe wait waitpid alarm Inline Expect local_time File::Temp tempfile "
        "File::Path File::Copy reset study untie formline tempdir sigaction",
    ),
    importers=words("use"),
    modules={
        **dict.fromkeys(words("""
            strict warnings utf8 feature List::Util Data::Dumper POSIX Time::HiRes JSON::PP JSON JSON::XS Text::Wrap
            Cwd File::Basename MIME::Base64 Digest::MD5 Digest::SHA Encode Scalar::Util constant integer bigint bignum
            bytes Time::Local Getopt::Long Text::ParseWords Text::Tabs Term::ANSIColor Benchmark Math::Trig
            Unicode::Normalize charnames locale diagnostics version vars parent overload sigtrap Time::Piece File::Spec
            File::Find open
            """),
            "",
        ),
        **dict.fromkeys(words("Socket IO::Socket IO::Socket::INET LWP::Simple LWP::UserAgent HTTP::Tiny Net::FTP"),
        "network"),
    },
    other_modules="opaque",
    declare=words("sub package"),
    functions=words("sub"),
    members=frozenset(("->",)),
    pipes=True,
    dynamic=False,
)  # fmt: skip
