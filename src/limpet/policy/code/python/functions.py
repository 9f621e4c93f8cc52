"""Calls of functions of Python's modules that do something -> what they do."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from limpet.policy.code.finding import (
    Finding,
    changes,
    deletes,
    evaluates,
    opaque,
    reads,
    signals,
    spawns,
    spawns_argv,
    writes,
)
from limpet.policy.code.powers import leads_out
from limpet.policy.code.python.arguments import Handler, argument, each, is_spread, opens_to_write, paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.code.python.values import Values

_L = "python"


def _shell_text(call: ast.Call, values: Values) -> Iterator[Finding]:
    """`os.system("…")`."""
    for text in paths(argument(call, 0, "command") or argument(call, 0, "cmd"), values):
        yield spawns(_L, text)


def _subprocess(call: ast.Call, values: Values) -> Iterator[Finding]:
    """`subprocess.run([…])`, or a text with `shell=True`."""
    node = argument(call, 0, "args")
    if node is None or any(keyword.arg in (None, "executable", "preexec_fn") for keyword in call.keywords):
        yield spawns(_L)
        return
    text, argv = values.text(node), values.argv(node)
    if any(keyword.arg == "shell" for keyword in call.keywords):
        yield spawns(_L, text if argv is None else " ".join(argv[:1]))
    elif argv is not None:
        yield spawns_argv(_L, argv)
    else:
        yield spawns(_L) if text is None else spawns_argv(_L, [text])


def _exec_list(skip: int) -> Handler:
    """`os.execv(path, [name, …])` and, with what stands before the path skipped, `os.spawnv`."""

    def handle(call: ast.Call, values: Values) -> Iterator[Finding]:
        path = values.text(argument(call, skip))
        rest = argument(call, skip + 1)
        argv = values.argv(rest) if rest is not None else None
        yield spawns(_L) if path is None or argv is None else spawns_argv(_L, [path, *argv[1:]])

    return handle


def _exec_words(skip: int, *, named: bool) -> Handler:
    """`os.execl(path, name, …)`; without a `named` program, `asyncio.create_subprocess_exec(path, …)`."""

    def handle(call: ast.Call, values: Values) -> Iterator[Finding]:
        words = [values.text(one) for one in call.args[skip:]]
        texts = [word for word in words if word is not None]
        if not texts or len(texts) != len(words):
            yield spawns(_L)
        else:
            yield spawns_argv(_L, [texts[0], *texts[2:]] if named else texts)

    return handle


def _pty_spawn(call: ast.Call, values: Values) -> Iterator[Finding]:
    node = argument(call, 0)
    text, argv = values.text(node), values.argv(node) if node is not None else None
    yield spawns_argv(_L, [text] if text is not None else argv or [])


def write_handler(position: int, name: str = "") -> Handler:
    """Writes one of its arguments."""

    def handle(call: ast.Call, values: Values) -> Iterator[Finding]:
        for path in paths(argument(call, position, name), values):
            yield writes(_L, path)

    return handle


def _copy(call: ast.Call, values: Values) -> Iterator[Finding]:
    for path in values.texts(argument(call, 0, "src")) or ():
        yield reads(_L, path)
    yield from write_handler(1, "dst")(call, values)


def _link(call: ast.Call, values: Values) -> Iterator[Finding]:
    """A second name for something: what is done to it later is done to the first."""
    yield from linked(argument(call, 0, "src"), values)
    yield from write_handler(1, "dst")(call, values)


def linked(node: ast.expr | None, values: Values) -> Iterator[Finding]:
    """A question about a link to something outside the folder, or not known."""
    if any(path is None or leads_out(path) for path in paths(node, values)):
        yield opaque(_L, "makes a link to something outside the folder, or not known")


def _move(call: ast.Call, values: Values) -> Iterator[Finding]:
    yield from write_handler(0, "src")(call, values)
    yield from write_handler(1, "dst")(call, values)


def delete_handler(*, recursive: bool) -> Handler:
    """Deletes its first argument."""

    def handle(call: ast.Call, values: Values) -> Iterator[Finding]:
        for path in paths(argument(call, 0, "path"), values):
            yield deletes(_L, path, recursive=recursive)

    return handle


def _change(call: ast.Call, values: Values) -> Iterator[Finding]:
    for path in paths(argument(call, 0, "path"), values):
        yield changes(_L, path)


def _open(mode_at: int, name: str = "file") -> Handler:
    """Opens a file to read it, or, as its mode says, to write it."""

    def handle(call: ast.Call, values: Values) -> Iterator[Finding]:
        written = opens_to_write(argument(call, mode_at, "mode")) or is_spread(call)
        node = argument(call, 0, name)
        if written:
            for path in paths(node, values):
                yield writes(_L, path)
        else:
            for path in values.texts(node) or ():
                yield reads(_L, path)

    return handle


def _os_open(call: ast.Call, values: Values) -> Iterator[Finding]:
    flags = argument(call, 1, "flags")
    if flags is not None and values.names.qualify(flags) == "os.O_RDONLY":
        return
    yield from write_handler(0, "path")(call, values)


def _connect_sqlite(call: ast.Call, values: Values) -> Iterator[Finding]:
    for path in paths(argument(call, 0, "database"), values):
        if path != ":memory:":
            yield writes(_L, path)


def unpack_handler(position: int) -> Handler:
    """Unpacks into a folder, or into the one it runs in."""

    def handle(call: ast.Call, values: Values) -> Iterator[Finding]:
        node = argument(call, position, "path") or argument(call, position, "extract_dir")
        for path in paths(node, values) if node is not None else ["."]:
            yield writes(_L, path)

    return handle


def _log_to_file(call: ast.Call, values: Values) -> Iterator[Finding]:
    node = argument(call, 9, "filename")
    if node is not None:
        for path in paths(node, values):
            yield writes(_L, path)


def _temporary(call: ast.Call, values: Values) -> Iterator[Finding]:
    node = argument(call, 9, "dir")
    for path in paths(node, values) if node is not None else ["/tmp/*"]:  # noqa: S108 - named, not used
        yield writes(_L, path)


def _inplace(call: ast.Call, values: Values) -> Iterator[Finding]:
    if any(keyword.arg in ("inplace", "openhook") for keyword in call.keywords) or len(call.args) > 1:
        yield from write_handler(0, "files")(call, values)


def _kill(call: ast.Call, _values: Values) -> Iterator[Finding]:
    target = argument(call, 0, "pid")
    everyone = target is not None and ast.unparse(target) == "-1"
    yield signals(_L, everyone=everyone)


def _search_path(call: ast.Call, values: Values) -> Iterator[Finding]:
    """`sys.path.insert(0, …)`: modules are then taken from there."""
    text = values.text(call.args[-1]) if call.args else None
    if text is None or text.startswith(("/", "~")) or ".." in text.split("/"):
        yield evaluates(_L)


def _nothing(_call: ast.Call, _values: Values) -> Iterator[Finding]:
    yield from ()


FUNCTIONS: dict[str, Handler] = {
    **each(_shell_text, "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "
            "commands.getstatusoutput asyncio.create_subprocess_shell posix.system"),
    **each(_subprocess, "subprocess.run subprocess.call subprocess.check_call subprocess.check_output "
            "subprocess.Popen"),
    **each(_exec_list(0), "os.execv os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp"),
    **each(_exec_list(1), "os.spawnv os.spawnve os.spawnvp os.spawnvpe"),
    **each(_exec_words(0, named=True), "os.execl os.execle os.execlp os.execlpe"),
    **each(_exec_words(1, named=True), "os.spawnl os.spawnle os.spawnlp os.spawnlpe"),
    **each(_exec_words(0, named=False), "asyncio.create_subprocess_exec"),
    **each(_pty_spawn, "pty.spawn"),
    **each(write_handler(0, "path"), "os.mkdir os.mknod os.mkfifo os.truncate"),
    **each(write_handler(0, "name"), "os.makedirs"),
    **each(_link, "os.symlink os.link"),
    **each(write_handler(0, "base_name"), "shutil.make_archive"),
    **each(write_handler(0, "filename"), "logging.FileHandler logging.handlers.RotatingFileHandler"),
    **each(write_handler(0), "dbm.open shelve.open py_compile.compile compileall.compile_dir compileall.compile_file"),
    **each(_copy, "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copymode shutil.copystat"),
    **each(_move, "os.rename os.replace os.renames shutil.move"),
    **each(delete_handler(recursive=False), "os.remove os.unlink os.rmdir os.removedirs"),
    **each(delete_handler(recursive=True), "shutil.rmtree"),
    **each(_change, "os.chmod os.chown os.lchown os.lchmod os.utime os.chflags shutil.chown"),
    **each(_open(1), "builtins.open io.open codecs.open"),
    **each(_open(1, "filename"), "gzip.open bz2.open lzma.open gzip.GzipFile bz2.BZ2File lzma.LZMAFile"),
    **each(_open(1, "name"), "tarfile.open tarfile.TarFile"),
    **each(_open(1, "file"), "zipfile.ZipFile zipfile.PyZipFile"),
    **each(_os_open, "os.open"),
    **each(_connect_sqlite, "sqlite3.connect"),
    **each(unpack_handler(1), "shutil.unpack_archive"),
    **each(_log_to_file, "logging.basicConfig"),
    **each(_temporary, "tempfile.mkdtemp tempfile.mkstemp tempfile.NamedTemporaryFile tempfile.TemporaryDirectory "
            "tempfile.TemporaryFile tempfile.mktemp tempfile.SpooledTemporaryFile"),
    **each(_nothing, "tempfile.gettempdir"),
    **each(_inplace, "fileinput.input fileinput.FileInput"),
    **each(_kill, "os.kill"),
    **each(_search_path, "sys.path.insert sys.path.append sys.path.extend"),
}  # fmt: skip
"""What calling a function of a module does."""
