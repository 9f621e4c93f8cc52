"""JavaScript, as node, deno and bun run it -> its words."""

from __future__ import annotations

import msgspec

from limpet.policy.code.tokens import Lexicon
from limpet.policy.code.vocabulary import Vocabulary, powers, words

_SAFE = words("""
    abstract arguments async await break case catch class const continue debugger default delete do else enum export
    extends finally for function if in instanceof interface let new null of package private protected public return
    static super switch this throw true false try typeof undefined var void while with yield as satisfies type number
    string boolean any Infinity NaN console log error warn info debug table dir time timeEnd trace group groupEnd
    assert count JSON parse stringify Math abs ceil floor round max min pow sqrt random trunc sign log2 log10 hypot
    cbrt PI E sin cos tan Object keys values entries assign freeze fromEntries is getOwnPropertyNames hasOwnProperty
    hasOwn create isFrozen Array isArray from map filter reduce reduceRight forEach some every find findIndex findLast
    findLastIndex includes indexOf lastIndexOf join concat slice splice push pop shift unshift reverse sort flat
    flatMap fill at toSorted toReversed length copyWithin with String split replace replaceAll trim trimStart trimEnd
    toUpperCase toLowerCase charAt charCodeAt codePointAt fromCharCode fromCodePoint startsWith endsWith padStart
    padEnd repeat substring substr match matchAll search normalize localeCompare raw test toString toLocaleString
    toFixed toPrecision valueOf toISOString toJSON Number parseInt parseFloat isNaN isFinite isInteger isSafeInteger
    MAX_SAFE_INTEGER MIN_SAFE_INTEGER EPSILON Boolean BigInt Symbol iterator Date now getTime getFullYear getMonth
    getDate getDay getHours getMinutes getSeconds getMilliseconds toDateString toTimeString toLocaleDateString UTC
    getTimezoneOffset setDate setHours RegExp Map Set WeakMap WeakSet get set has add clear size next Promise resolve
    reject then all allSettled race Error TypeError RangeError SyntaxError message stack name code Buffer from alloc
    byteLength toString isBuffer Uint8Array Uint16Array Uint32Array Int8Array Int32Array Float64Array Float32Array
    ArrayBuffer DataView TextEncoder TextDecoder encode decode encodeURIComponent decodeURIComponent encodeURI
    decodeURI escape unescape atob btoa structuredClone setTimeout clearTimeout setImmediate queueMicrotask Intl
    DateTimeFormat NumberFormat format URL URLSearchParams searchParams append process argv stdout stdin stderr write
    env version versions platform arch exit cwd pid memoryUsage hrtime nextTick uptime exitCode title execPath release
    features on once data end setEncoding resume path basename dirname extname isAbsolute relative sep util inspect
    promisify types os EOL cpus totalmem freemem homedir tmpdir hostname userInfo loadavg networkInterfaces crypto
    createHash update digest randomBytes randomUUID randomInt createHmac getHashes fs readFileSync existsSync statSync
    lstatSync readdirSync accessSync realpathSync readFile stat readdir constants isFile isDirectory isSymbolicLink
    createReadStream readline createInterface promises performance now module exports strictEqual deepEqual
    deepStrictEqual equal ok notEqual throws __dirname __filename main exec from
""")

_POWERS = powers(
    command="execSync",
    argv="spawn spawnSync execFile execFileSync",
    delete="unlink unlinkSync rm rmSync rmdir rmdirSync",
    write="writeFile writeFileSync appendFile appendFileSync mkdir mkdirSync createWriteStream truncate truncateSync "
    "mkdtempSync mkdtemp openSync open",
    write_second="copyFile copyFileSync cp cpSync",
    link="link linkSync symlink symlinkSync",
    write_all="rename renameSync",
    change="chmod chmodSync chown chownSync utimes utimesSync",
    network="fetch XMLHttpRequest WebSocket http https net dgram tls dns http2 connect createConnection createServer "
    "listen EventSource request navigator",
    eval="eval Function import vm runInThisContext runInNewContext runInContext Worker createRequire _load _compile "
    "importScripts WebAssembly",
    kill="kill abort",
    opaque="child_process constructor __proto__ prototype mainModule binding _linkedBinding dlopen globalThis global "
    "Reflect Proxy __defineGetter__ __lookupGetter__ Deno Bun getBuiltinModule cluster repl inspector setPrototypeOf "
    "getPrototypeOf defineProperty getOwnPropertyDescriptor getOwnPropertyDescriptors chdir setuid setgid initgroups "
    "umask bind call apply window self root worker_threads setInterval",
)

_MODULES = {
    **dict.fromkeys(
        words(
            "fs path util os url assert querystring crypto events string_decoder buffer timers readline perf_hooks "
            "stream zlib fs/promises assert/strict punycode tty util/types path/posix"
        ),
        "",
    ),
    "child_process": "command",
    **dict.fromkeys(
        words("net http https http2 dgram tls dns axios node-fetch got request ws undici superagent"), "network"
    ),
    **dict.fromkeys(words("vm module worker_threads cluster repl inspector v8 process shelljs execa zx wasi"), "eval"),
}

JAVASCRIPT = Vocabulary(
    language="node",
    lexicon=Lexicon(
        comments=("//", "#!"), block=("/*", "*/"), plain="'\"", live="`", insert="${", patterns=True,
        word=r"[A-Za-z_$][A-Za-z0-9_$]*", lines=True,
        before_pattern=words("return typeof case in of delete void instanceof new do else yield await throw"),
        bad=r"\\u|<!--|-->",
    ),
    safe=_SAFE,
    powers=_POWERS,
    importers=words("require"),
    modules=_MODULES,
    declare=words("let const var catch class function import"),
    functions=words("function"),
    members=frozenset((".", "?.")),
    free_members=True,
)  # fmt: skip

WITH_CHILDREN = msgspec.structs.replace(JAVASCRIPT, powers={**_POWERS, "exec": "command", "fork": "argv"})
"""For code that speaks of `child_process`: elsewhere `exec` belongs to a pattern."""
