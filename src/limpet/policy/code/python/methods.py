"""Calls of methods of unknown things of Python that do something -> what they do."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from limpet.policy.code.finding import (
    Finding,
    changes,
    connects,
    deletes,
    evaluates,
    reads,
    signals,
    spawns,
    spawns_argv,
    writes,
)
from limpet.policy.code.python.arguments import Handler, argument, each, is_spread, opens_to_write, paths
from limpet.policy.code.python.functions import delete_handler, linked, unpack_handler, write_handler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.policy.code.python.values import Values

_L = "python"


def _receiver_writes(call: ast.Call, values: Values) -> Iterator[Finding]:
    for path in paths(_receiver(call), values):
        yield writes(_L, path)


def _receiver_links(call: ast.Call, values: Values) -> Iterator[Finding]:
    yield from linked(argument(call, 0, "target"), values)
    yield from _receiver_writes(call, values)


def _receiver_deletes(call: ast.Call, values: Values) -> Iterator[Finding]:
    for path in paths(_receiver(call), values):
        yield deletes(_L, path)


def _receiver_changes(call: ast.Call, values: Values) -> Iterator[Finding]:
    for path in paths(_receiver(call), values):
        yield changes(_L, path)


def _receiver_moves(call: ast.Call, values: Values) -> Iterator[Finding]:
    yield from _receiver_writes(call, values)
    yield from write_handler(0, "target")(call, values)


def _replace(call: ast.Call, values: Values) -> Iterator[Finding]:
    """A text replaces one text by another, so it has two arguments; a path is moved to one."""
    if len(call.args) == 1 and not any(keyword.arg is None for keyword in call.keywords):
        yield from _receiver_moves(call, values)


def _receiver_reads(call: ast.Call, values: Values) -> Iterator[Finding]:
    for path in values.texts(_receiver(call)) or ():
        yield reads(_L, path)


def _receiver_opens(call: ast.Call, values: Values) -> Iterator[Finding]:
    """`path.open("w")`; of an archive, `archive.open("name")` only reads."""
    mode = argument(call, 0, "mode")
    if not opens_to_write(mode) and not is_spread(call):
        yield from _receiver_reads(call, values)
    elif isinstance(mode, ast.Constant) and len(str(mode.value)) > 3:
        yield from ()
    else:
        yield from _receiver_writes(call, values)


def _saves(call: ast.Call, values: Values) -> Iterator[Finding]:
    if call.args or call.keywords:
        texts = [values.texts(one) for one in (*call.args, *(keyword.value for keyword in call.keywords))]
        known = next((one for one in texts if one), None)
        for path in known or [None]:
            yield writes(_L, path)


def _receiver(call: ast.Call) -> ast.expr | None:
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def _spawns_something(call: ast.Call, values: Values) -> Iterator[Finding]:
    text = values.text(argument(call, 0))
    argv = values.argv(call.args[0]) if call.args else None
    yield spawns_argv(_L, argv) if argv else spawns(_L, text)


def _always(make: Callable[[str], Finding]) -> Handler:
    def handle(_call: ast.Call, _values: Values) -> Iterator[Finding]:
        yield make(_L)

    return handle


METHODS: dict[str, Handler] = {
    **each(_receiver_writes, "write_text write_bytes touch mkdir"),
    **each(_receiver_links, "symlink_to hardlink_to link_to"),
    **each(_receiver_deletes, "unlink rmdir"),
    **each(_receiver_changes, "chmod lchmod"),
    **each(_receiver_moves, "rename"),
    **each(_replace, "replace"),
    **each(_receiver_reads, "read_text read_bytes"),
    **each(_receiver_opens, "open"),
    **each(unpack_handler(0), "extractall"),
    **each(unpack_handler(1), "extract"),
    **each(_saves, "to_csv to_json to_excel to_parquet to_pickle to_html to_sql to_feather to_hdf save savefig "
            "savez savetxt savez_compressed tofile imwrite imsave write_image write_html"),
    **each(_spawns_something, "system popen Popen check_output check_call getoutput getstatusoutput spawn spawnl "
            "spawnv execl execv execve execvp execvpe posix_spawn create_subprocess_shell create_subprocess_exec "
            "subprocess_exec subprocess_shell run_command"),
    **each(_always(connects), "urlopen urlretrieve sendall sendto create_connection open_connection start_server "
            "create_server sendmail serve_forever open_unix_connection"),
    **each(_always(signals), "kill killpg terminate send_signal"),
    **each(delete_handler(recursive=True), "rmtree rmtree_p remove_tree"),
    **each(_always(evaluates), "eval exec load_module exec_module enable_load_extension load_extension "
            "import_module run_path run_module interact __import__ read_pickle unsafe_load runcode runsource"),
}  # fmt: skip
"""What calling a method of that name does, whatever it belongs to."""
