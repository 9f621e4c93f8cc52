"""Names of Python's modules and functions -> what using them can do."""

from __future__ import annotations

import sys


def words(text: str) -> frozenset[str]:
    """Names that are written one after the other."""
    return frozenset(text.split())


HARMLESS = words("""
    abc array ast base64 binascii bisect calendar cmath collections colorsys copy csv dataclasses datetime decimal
    difflib dis email enum errno fractions functools graphlib hashlib heapq hmac html ipaddress itertools json keyword
    math numbers pprint queue quopri random re reprlib secrets shlex stat statistics string stringprep struct textwrap
    this token tokenize tomllib traceback types typing unicodedata uuid warnings weakref xml zlib zoneinfo __future__
    opcode configparser _thread contextvars symtable tabnanny locale gettext mimetypes time tracemalloc timeit unittest
    netrc plistlib copyreg
""")
"""Modules that do no more than compute, apart from the names in `EXCEPT`."""

EXCEPT = words("""
    types.FunctionType types.CodeType types.LambdaType types.MethodType timeit.timeit timeit.repeat timeit.Timer
    timeit.main typing.get_type_hints unittest.mock unittest.main unittest.TextTestRunner copyreg.constructor
    functools.singledispatchmethod dataclasses.make_dataclass collections.namedtuple.__new__ warnings.sys
""")

_PARTS = {
    "os": """
        path environ getcwd listdir walk scandir stat lstat sep linesep pathsep name curdir pardir extsep altsep
        devnull getenv getpid getppid getuid geteuid getgid getegid getlogin uname cpu_count access fspath fsencode
        fsdecode get_terminal_size getloadavg times urandom strerror readlink isatty R_OK W_OK X_OK F_OK O_RDONLY
        PathLike DirEntry getgroups umask sched_getaffinity get_exec_path supports_follow_symlinks error statvfs close
        read process_cpu_count stat_result fwalk lseek fstat SEEK_SET SEEK_CUR SEEK_END O_WRONLY O_RDWR O_CREAT O_TRUNC
        O_APPEND O_EXCL getpgid getpgrp getsid getpriority sysconf get_blocking
    """,
    "os.path": """
        join exists isfile isdir islink basename dirname abspath realpath relpath splitext split normpath getsize
        getmtime getctime getatime expanduser expandvars sep isabs commonpath commonprefix samefile lexists ismount
        normcase pathsep
    """,
    "posixpath": "join exists basename dirname normpath splitext",
    "sys": """
        argv stdin stdout stderr version version_info path platform exit executable maxsize getsizeof byteorder prefix
        base_prefix exec_prefix base_exec_prefix flags implementation getrecursionlimit setrecursionlimit float_info
        hexversion builtin_module_names stdlib_module_names getdefaultencoding getfilesystemencoding intern exc_info
        api_version maxunicode thread_info getrefcount dont_write_bytecode hash_info int_info orig_argv pycache_prefix
        set_int_max_str_digits get_int_max_str_digits warnoptions abiflags copyright __stdout__ __stderr__ __stdin__
        getswitchinterval platlibdir ps1 ps2
    """,
    "pathlib": "Path PurePath PosixPath PurePosixPath PureWindowsPath WindowsPath",
    "io": "StringIO BytesIO TextIOWrapper BufferedReader SEEK_SET SEEK_END SEEK_CUR DEFAULT_BUFFER_SIZE open",
    "glob": "glob iglob escape",
    "fnmatch": "fnmatch fnmatchcase filter translate",
    "platform": """
        platform system machine python_version python_version_tuple node release version processor uname architecture
        python_implementation libc_ver mac_ver freedesktop_os_release python_compiler python_build
    """,
    "shutil": "which get_terminal_size disk_usage copyfileobj get_archive_formats get_unpack_formats Error "
    "SameFileError",
    "contextlib": "suppress contextmanager closing nullcontext redirect_stdout redirect_stderr ExitStack",
    "operator": """
        itemgetter add sub mul truediv floordiv mod neg pos eq ne lt le gt ge and_ or_ xor not_ contains index concat
        countOf is_ is_not truth pow lshift rshift abs inv
    """,
    "codecs": "encode decode lookup getencoder getdecoder BOM_UTF8 BOM_UTF16 open",
    "importlib": "metadata util resources machinery invalidate_caches",
    "importlib.metadata": "version metadata distributions distribution requires files packages_distributions "
    "entry_points PackageNotFoundError",
    "importlib.util": "find_spec MAGIC_NUMBER",
    "importlib.resources": "files as_file contents is_resource read_text",
    "importlib.machinery": "EXTENSION_SUFFIXES SOURCE_SUFFIXES all_suffixes",
    "inspect": """
        getsource signature getdoc getfile getmembers isclass isfunction ismodule isabstract iscoroutinefunction
        Parameter getsourcefile getsourcelines cleandoc getmodule isbuiltin ismethod Signature getmro
        isgeneratorfunction
    """,
    "pkgutil": "iter_modules walk_packages",
    "site": "getsitepackages getusersitepackages getuserbase USER_SITE USER_BASE ENABLE_USER_SITE",
    "sysconfig": "get_path get_paths get_config_var get_config_vars get_platform get_python_version get_scheme_names",
    "getpass": "getuser",
    "pwd": "getpwuid getpwnam getpwall",
    "grp": "getgrgid getgrnam getgrall",
    "linecache": "getline getlines",
    "filecmp": "cmp cmpfiles dircmp",
    "threading": "Thread Lock RLock Event Condition Semaphore current_thread main_thread active_count Timer local "
    "Barrier get_ident enumerate",
    "concurrent": "futures",
    "concurrent.futures": "ThreadPoolExecutor ProcessPoolExecutor as_completed wait Future TimeoutError",
    "multiprocessing": "cpu_count Pool Process Queue",
    "asyncio": """
        run sleep gather wait wait_for create_task Task Future Event Lock Queue Semaphore TimeoutError CancelledError
        get_event_loop new_event_loop get_running_loop set_event_loop ensure_future as_completed TaskGroup timeout
        iscoroutinefunction to_thread all_tasks current_task shield Runner
    """,
    "signal": "SIGINT SIGTERM SIGKILL SIGHUP SIGALRM SIG_DFL SIG_IGN Signals signal alarm SIGPIPE SIGUSR1 strsignal "
    "valid_signals",
    "socket": "gethostname AF_INET SOCK_STREAM AF_INET6 AF_UNIX has_ipv6 SOL_SOCKET SO_REUSEADDR error timeout "
    "inet_aton inet_ntoa htons ntohs",
    "ssl": "OPENSSL_VERSION OPENSSL_VERSION_INFO get_default_verify_paths HAS_TLSv1_3 SSLError",
    "urllib": "parse",
    "urllib.parse": "urlparse urlsplit quote unquote urlencode parse_qs parse_qsl urljoin quote_plus unquote_plus "
    "urlunparse urlunsplit urldefrag ParseResult",
    "http": "HTTPStatus HTTPMethod cookies",
    "sqlite3": "sqlite_version sqlite_version_info version Row Error OperationalError IntegrityError PARSE_DECLTYPES",
    "zipfile": "is_zipfile ZipInfo ZIP_DEFLATED ZIP_STORED BadZipFile Path",
    "tarfile": "is_tarfile TarInfo TarError ReadError",
    "gzip": "decompress compress",
    "bz2": "decompress compress",
    "lzma": "decompress compress LZMAError",
    "logging": "getLogger info debug warning error critical exception INFO DEBUG WARNING ERROR CRITICAL Formatter "
    "StreamHandler NullHandler Logger log disable getLevelName captureWarnings",
    "argparse": "ArgumentParser Namespace ArgumentError ArgumentTypeError RawDescriptionHelpFormatter HelpFormatter "
    "RawTextHelpFormatter ArgumentDefaultsHelpFormatter SUPPRESS REMAINDER ZERO_OR_MORE ONE_OR_MORE OPTIONAL",
    "resource": "getrusage getrlimit RUSAGE_SELF RLIMIT_NOFILE RLIMIT_AS RLIMIT_STACK RLIMIT_NPROC getpagesize",
    "gc": "collect get_count get_stats disable enable isenabled get_threshold",
    "doctest": "testmod",
    "builtins": """
        abs aiter all anext any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod
        enumerate filter float format frozenset hasattr hash hex id input int isinstance issubclass iter len list map
        max memoryview min next object oct ord pow print property range repr reversed round set slice sorted
        staticmethod str sum super tuple type zip exit quit copyright credits license Ellipsis NotImplemented True
        False None open ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
        BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
        ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError
        Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit
        IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
        KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError
        OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError
        ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError
        SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError
        UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning
        ZeroDivisionError __name__ __file__ __doc__ __debug__
    """,
}

PARTLY = {module: frozenset(names.split()) for module, names in _PARTS.items()}
"""Modules of which only these names are harmless."""

BUILTINS = PARTLY["builtins"] | words("""
    exec eval compile __import__ getattr setattr delattr globals locals vars breakpoint help execfile reload file
    raw_input __builtins__ __loader__ __spec__
""")
"""Names that mean something without being imported."""

NETWORK = words("""
    aiohttp anthropic asyncpg azure asyncssh boto boto3 botocore cloudscraper datasets dns docker ftplib gdown git
    github gitlab google grpc h2 http httplib httplib2 httpx huggingface_hub imaplib kafka kubernetes ldap3 mechanize
    mysql nntplib openai paramiko pika playwright poplib psycopg psycopg2 pycurl pymongo pymysql redis requests scapy
    selenium slack_sdk smtplib smtpd socket socketserver ssl telnetlib tornado twisted urllib urllib2 urllib3 uvicorn
    webbrowser websocket websockets wget wsgiref xmlrpc yt_dlp zmq antigravity asyncore asynchat
""")
"""Modules whose names, other than those above, reach the network."""

SPAWNING = words("subprocess pty sh plumbum pexpect ptyprocess invoke fabric delegator envoy commands popen2")
EVALUATING = words("""
    pickle cPickle _pickle marshal shelve dill cloudpickle joblib imp runpy code codeop importlib builtins pdb bdb
    zipimport pip IPython jsonpickle rlcompleter pydoc
""")

DUNDERS = words("""
    __name__ __version__ __doc__ __file__ __path__ __all__ __class__ __len__ __init__ __module__ __qualname__ __str__
    __repr__ __eq__ __lt__ __hash__ __iter__ __next__ __enter__ __exit__ __annotations__ __package__ __version_info__
    __stdout__ __stderr__ __stdin__ __post_init__ __author__ __title__ __call__ __git_version__ __cause__ __context__
    __traceback__ __members__ __slots__ __notes__ __debug__
""")
"""Names between double underscores that lead nowhere."""

LEADING_ON = words("""
    os sys subprocess builtins importlib shutil socket pty ctypes posix pickle marshal modules f_globals f_builtins
    UnsafeLoader CUnsafeLoader
    f_back gi_frame cr_frame tb_frame func_globals co_code runpy multiprocessing io popen2 commands imp
""")
"""Attributes through which a harmless thing leads to a powerful one: `glob.os`."""


def is_standard(module: str) -> bool:
    """Whether it comes with Python."""
    return module in sys.stdlib_module_names
