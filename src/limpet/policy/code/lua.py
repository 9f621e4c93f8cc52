"""Lua -> its words."""

from __future__ import annotations

from limpet.policy.code.tokens import Lexicon
from limpet.policy.code.vocabulary import Vocabulary, powers, words

LUA = Vocabulary(
    language="lua",
    lexicon=Lexicon(comments=("--",), block=("--[[", "]]"), plain="'\"[[", bad=r"--\[="),
    safe=words("""
        and break do else elseif end false for function goto if in local nil not or repeat return then true until while
        print tostring tonumber type pairs ipairs next select unpack rawlen rawequal error assert pcall xpcall string
        format rep sub gsub gmatch match find upper lower len byte char reverse table insert concat sort pack math
        floor ceil abs max min sqrt random randomseed pi huge fmod modf sin cos tan exp log maxinteger mininteger
        tointeger os time date clock getenv difftime exit io write read lines stdin stdout stderr arg _VERSION jit
        version utf8 codepoint codes charpattern coroutine create resume yield wrap status
    """),
    powers=powers(
        command="execute popen",
        delete="remove",
        write="tmpname output",
        write_all="rename",
        open="open",
        eval="load loadstring loadfile dofile require package loadlib setfenv getfenv debug _G _ENV setmetatable "
        "getmetatable rawset rawget ffi cdef dump collectgarbage",
        network="socket http",
        opaque="tmpfile input",
    ),
    qualified={"table.remove": "", "io.write": "", "io.read": ""},
    declare=words("local function for"),
    functions=words("function"),
    members=frozenset((".", ":")),
    free_members=True,
)
