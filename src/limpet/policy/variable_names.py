"""Tables: the variables that programs obey, by what they do with them."""

from __future__ import annotations

import re

MATTERS_WHEN_EMPTY = frozenset({"PATH", "HOME"})

HARMLESS = frozenset({
    "GIT_PAGER_IN_USE", "GIT_EDITOR_DUMB", "LD_BIND_NOW", "LD_BIND_NOT", "LD_WARN", "LD_SHOW_AUXV", "NO_PAGER",
    "MANPAGER_DISABLED", "CARGO_TERM_COLOR", "NPM_CONFIG_LOGLEVEL",
})  # fmt: skip
"""Names that look like others of these tables."""

FOLDERS_OF_CODE = frozenset({
    "PATH", "PYTHONPATH", "NODE_PATH", "PERL5LIB", "PERLLIB", "RUBYLIB", "LUA_PATH", "LUA_CPATH", "CLASSPATH",
    "TCLLIBPATH", "ERL_LIBS", "R_LIBS", "R_LIBS_USER", "R_LIBS_SITE", "JULIA_LOAD_PATH", "GUILE_LOAD_PATH",
    "MATLABPATH", "GEM_PATH", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "MANPATH", "FPATH", "GOPLUGINS",
    "PYLINTRC", "COVERAGE_RCFILE", "COVERAGE_PROCESS_START", "CMAKE_TOOLCHAIN_FILE", "BUNDLE_GEMFILE", "CONFIG_SITE",
    "TS_NODE_PROJECT", "MIX_EXS", "REBAR_CONFIG", "STACK_YAML", "JULIA_PROJECT", "JULIA_DEPOT_PATH", "FLASK_APP",
    "TF_CLI_CONFIG_FILE", "TF_PLUGIN_CACHE_DIR", "HELM_PLUGINS", "JUPYTER_CONFIG_DIR", "JUPYTER_PATH", "IPYTHONDIR",
    "STARSHIP_CONFIG", "DIRENV_CONFIG", "COMPOSER", "COMPOSER_VENDOR_DIR", "TOX_CONFIG_FILE", "NYC_CONFIG",
    "MOCHA_CONFIG", "ESLINT_CONFIG", "PRE_COMMIT_HOME", "LUAROCKS_CONFIG", "OPAMROOT", "NIMBLE_DIR", "MIX_HOME",
    "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "RBENV_ROOT", "NVM_DIR", "ASDF_DIR", "ASDF_DATA_DIR", "JAVA_HOME",
    "GOROOT", "ANDROID_HOME", "ANDROID_SDK_ROOT", "M2_HOME", "MAVEN_HOME", "GRADLE_HOME", "DOTNET_ROOT", "SBT_HOME",
    "ANSIBLE_ROLES_PATH", "ANSIBLE_COLLECTIONS_PATH", "PUPPET_CONFDIR", "TEXINPUTS", "TEXMFHOME", "XDG_DATA_DIRS",
    "XDG_CONFIG_DIRS", "MYPYPATH", "VIMRUNTIME", "DENO_DIR", "PUB_CACHE", "ELIXIR_LIBS",
})  # fmt: skip

"""Folders, and files of settings, whose code programs run."""

LOADER_PREFIXES = ("LD_", "DYLD_", "BASH_FUNC_", "LIMPET_", "CORECLR_", "COR_", "COMPlus_", "DOTNET_STARTUP")

LOADS: dict[str, str] = {
    "LD_PRELOAD": "LD_PRELOAD puts a library into every program that starts",
    "LD_LIBRARY_PATH": "LD_LIBRARY_PATH has programs load libraries from elsewhere",
    "LD_AUDIT": "LD_AUDIT puts a library into every program that starts",
    "BASH_ENV": "every bash script runs BASH_ENV first",
    "SHELLOPTS": "SHELLOPTS changes how every shell reads its commands",
    "BASHOPTS": "BASHOPTS changes how every shell reads its commands",
    "BASH_ALIASES": "gives a command name another meaning",
    "BASH_CMDS": "gives a command name another meaning",
    "BASH_LOADABLES_PATH": "",
    "BASH_XTRACEFD": "",
    "CDPATH": "CDPATH makes `cd` go to other folders than it says",
    "ZDOTDIR": "",
    "PYTHONSTARTUP": "",
    "PYTHONHOME": "",
    "PYTHONINSPECT": "",
    "PYTHONBREAKPOINT": "",
    "PYTHONUSERBASE": "",
    "PYTHONEXECUTABLE": "",
    "PYTHONPLATLIBDIR": "",
    "PERL5DB": "",
    "PERL5SHELL": "",
    "RUBYSHELL": "",
    "PHPRC": "",
    "PHP_INI_SCAN_DIR": "",
    "LUA_INIT": "",
    "R_PROFILE": "",
    "R_PROFILE_USER": "",
    "R_ENVIRON": "",
    "R_ENVIRON_USER": "",
    "MAKEFILES": "MAKEFILES has make read further files",
    "GCC_EXEC_PREFIX": "",
    "COMPILER_PATH": "",
    "RIPGREP_CONFIG_PATH": "a file of settings can make rg run programs",
    "TERMINFO": "",
    "TERMINFO_DIRS": "",
    "LOCPATH": "",
    "NLSPATH": "",
    "GCONV_PATH": "",
    "OPENSSL_CONF": "",
    "OPENSSL_MODULES": "",
    "OPENSSL_ENGINES": "",
    "GTK_MODULES": "",
    "GTK_PATH": "",
    "GIO_EXTRA_MODULES": "",
    "QT_PLUGIN_PATH": "",
    "GST_PLUGIN_PATH": "",
    "VIMINIT": "",
    "EXINIT": "",
    "GVIMINIT": "",
    "EMACSLOADPATH": "",
    "INPUTRC": "",
    "PSQLRC": "",
    "WGETRC": "",
    "CURL_HOME": "",
    "SCREENRC": "",
    "MAILCAPS": "",
    "LESSKEY": "",
    "LESSKEYIN": "",
    "LESSKEY_CONTENT": "",
    "GIT_DIR": "GIT_DIR has git use another repository and its settings",
    "GIT_WORK_TREE": "GIT_WORK_TREE has git change files in another folder",
    "GIT_COMMON_DIR": "",
    "GIT_INDEX_FILE": "",
    "GIT_OBJECT_DIRECTORY": "",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
    "GIT_EXEC_PATH": "GIT_EXEC_PATH has git take its own programs from elsewhere",
    "GIT_TEMPLATE_DIR": "GIT_TEMPLATE_DIR puts hooks into new repositories",
    "GIT_CONFIG": "",
    "GIT_CONFIG_GLOBAL": "",
    "GIT_CONFIG_SYSTEM": "",
    "GIT_CONFIG_NOSYSTEM": "",
    "GIT_CONFIG_PARAMETERS": "",
    "GIT_CONFIG_COUNT": "GIT_CONFIG_COUNT gives git settings, which can run programs",
    "GIT_ATTR_SOURCE": "",
    "GIT_ATTR_GLOBAL": "",
    "GIT_ATTR_SYSTEM": "",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_PROTOCOL_FROM_USER": "",
    "CLAUDE_CONFIG_DIR": "changes what an agent may do",
    "CODEX_HOME": "changes what an agent may do",
    "GEMINI_CLI_HOME": "changes what an agent may do",
    "SSH_AUTH_SOCK": "has ssh use keys from elsewhere",
    "NODE_TLS_REJECT_UNAUTHORIZED": "switches the check of certificates off",
    "PYTHONHTTPSVERIFY": "switches the check of certificates off",
    "GIT_SSL_NO_VERIFY": "switches the check of certificates off",
    "YARN_YARN_PATH": "",
    "YARN_RC_FILENAME": "",
    "YARN_PLUGINS": "",
    "DOCKER_CONFIG": "",
    "KUBECONFIG": "a file of settings can make kubectl run programs",
    "AWS_CONFIG_FILE": "a file of settings can make aws run programs",
    "AWS_SHARED_CREDENTIALS_FILE": "",
    "ANSIBLE_CONFIG": "",
    "ANSIBLE_LIBRARY": "",
    "PIP_CONFIG_FILE": "",
    "PIP_PYTHON": "",
    "UV_CONFIG_FILE": "",
    "VIRTUALENVWRAPPER_PYTHON": "",
}
"""What each does, or nothing where the name says enough."""

HARMLESS_VALUES: dict[str, tuple[str, ...]] = {
    "BASH_XTRACEFD": tuple(map(str, range(256))),
    "GIT_CONFIG_GLOBAL": ("/dev/null",),
    "GIT_CONFIG_SYSTEM": ("/dev/null",),
    "GIT_CONFIG_NOSYSTEM": ("1", "true", "yes"),
    "GIT_CONFIG_COUNT": ("0",),
    "GIT_DIR": (".git", "./.git"),
    "GIT_WORK_TREE": (".",),
    "RIPGREP_CONFIG_PATH": ("/dev/null",),
    "PYTHONBREAKPOINT": ("0",),
    "PYTHONSTARTUP": ("/dev/null",),
    "NODE_TLS_REJECT_UNAUTHORIZED": ("1",),
    "PYTHONHTTPSVERIFY": ("1",),
    "GIT_SSL_NO_VERIFY": ("0", "false"),
    "PIP_CONFIG_FILE": ("/dev/null",),
    "GOPROXY": ("off", "direct", "https://proxy.golang.org", "https://proxy.golang.org,direct"),
    "GOSUMDB": ("sum.golang.org",),
    "WGETRC": ("/dev/null",),
    "INPUTRC": ("/dev/null",),
    "PSQLRC": ("/dev/null",),
    "OPENSSL_CONF": ("/dev/null",),
    "LESSHISTFILE": ("-", "/dev/null"),
}

NO_PROGRAM = frozenset({
    "cat", "true", "false", ":", "echo", "none", "0", "1", "never", "-", "/bin/true", "/bin/cat", "/usr/bin/true",
    "less", "more", "less -R", "less -FRX",
})  # fmt: skip
"""What people put there to have nothing run."""

RUN = frozenset({
    "PAGER", "EDITOR", "VISUAL", "FCEDIT", "BROWSER", "MANPAGER", "MANOPT", "GIT_PAGER", "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_EXTERNAL_DIFF",
    "GIT_DIFFTOOL", "GIT_MERGETOOL", "GIT_PROXY_COMMAND", "LESSOPEN", "LESSCLOSE", "LESSEDIT", "FZF_DEFAULT_COMMAND",
    "FZF_CTRL_T_COMMAND", "FZF_ALT_C_COMMAND", "RSYNC_RSH", "RSYNC_CONNECT_PROG", "CVS_RSH", "SVN_SSH", "SVN_EDITOR",
    "HGEDITOR", "HGMERGE", "RSH", "SUDO_ASKPASS", "PROMPT_COMMAND", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTC_WRAPPER", "CCACHE_PREFIX", "CCACHE_COMPILER", "DISTCC_FALLBACK", "TAR_RSH", "BORG_RSH",
    "BORG_PASSCOMMAND", "RESTIC_PASSWORD_COMMAND", "GPG_TTY_PROGRAM", "PSQL_EDITOR", "PSQL_PAGER", "CARGO", "MAKE",
    "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER", "GREP_COMMAND", "TERMINAL", "WGET_ASKPASS",
})  # fmt: skip

RUN_BY_LOOK = re.compile(
    r"[A-Za-z0-9_]+_(PAGER|EDITOR|ASKPASS|BROWSER)|CARGO_TARGET_[A-Z0-9_]+_(RUNNER|LINKER)|CARGO_BUILD_RUSTC[A-Z_]*"
    r"|CARGO_ALIAS_[A-Z0-9_]+"
)

COMPILERS = frozenset({
    "CC", "CXX", "CPP", "LD", "AR", "AS", "NM", "STRIP", "RANLIB", "OBJCOPY", "OBJDUMP", "FC", "F77", "HOSTCC",
    "HOSTCXX", "CC_FOR_BUILD", "RUSTC", "RUSTDOC", "RUSTFMT", "NVCC", "CGO_LDFLAGS_ALLOW", "LINKER", "CCACHE",
})  # fmt: skip

REDIRECTS = frozenset({
    "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY",
    "RSYNC_PROXY", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_FIND_LINKS", "PIP_PROXY",
    "UV_INDEX", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "GOPROXY", "GOSUMDB",
    "GONOSUMDB", "GONOSUMCHECK", "GOINSECURE", "GOVCS", "RUSTUP_DIST_SERVER", "RUSTUP_UPDATE_ROOT", "DOCKER_HOST",
    "DOCKER_CONTEXT", "CONTAINER_HOST", "KUBERNETES_MASTER", "AWS_ENDPOINT_URL", "AWS_CA_BUNDLE", "VAULT_ADDR",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "HOSTALIASES",
    "LOCALDOMAIN", "RES_OPTIONS", "GEM_SOURCE", "YARN_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "HOMEBREW_BREW_GIT_REMOTE",
    "HOMEBREW_CORE_GIT_REMOTE", "HOMEBREW_BOTTLE_DOMAIN", "HOMEBREW_API_DOMAIN", "HF_ENDPOINT", "COMPOSER_HOME",
    "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL",
})  # fmt: skip

CONFIGURES_BY_LOOK = re.compile(
    r"(npm_config|NPM_CONFIG)_(script_shell|shell|node_gyp|registry|.*_registry|proxy|https_proxy|prefix|globalconfig"
    r"|userconfig|init_module|git|editor|browser|viewer|onload_script|node_options|cafile|ca|strict_ssl|SCRIPT_SHELL"
    r"|SHELL|NODE_GYP|REGISTRY|PROXY|HTTPS_PROXY|PREFIX|GLOBALCONFIG|USERCONFIG|INIT_MODULE|GIT|ONLOAD_SCRIPT"
    r"|NODE_OPTIONS|CAFILE|CA|STRICT_SSL)|AWS_ENDPOINT_URL_[A-Z0-9_]+|AWS_[A-Z0-9_]*_ENDPOINT"
    r"|CARGO_(REGISTRIES|SOURCE|REGISTRY|HTTP|NET)_(?!OFFLINE|RETRY)[A-Z0-9_]+|AWS_CONTAINER_CREDENTIALS_[A-Z_]+"
    r"|GIT_CONFIG_(KEY|VALUE)_[0-9]+|GIT_HTTP_[A-Z_]+|GIT_PROXY_[A-Z_]+"
)

_NODE = (
    r"--(max[-_]old[-_]space[-_]size|max[-_]semi[-_]space[-_]size|stack[-_]size|max-http-header-size)=[0-9]+"
    r"|--(no-)?(warnings|deprecation|enable-source-maps|experimental-vm-modules|experimental-fetch|experimental-strip-types"
    r"|experimental-json-modules|openssl-legacy-provider|expose-gc|trace-warnings|trace-deprecation|trace-uncaught)"
    r"|--experimental-specifier-resolution=node|--unhandled-rejections=[a-z-]+|--dns-result-order=[a-z0-9]+"
    r"|--stack-trace-limit=[0-9]+"
)
_JAVA = (
    r"-X(m[xsn]|ss)[0-9]+[kKmMgG]?|-D[A-Za-z0-9_.-]+(=[^$`]*)?|-XX:[+-](?!.*Flags)[A-Za-z0-9]+"
    r"|-XX:Max[A-Za-z]+=[0-9]+[kKmMgG]?|-ea|-da|-server|--enable-preview"
)
_FLAGS = r"(?!-fplugin|-wrapper|-specs|-B|@|-fuse-ld=/|-Xlinker|.*linker)[^$`;|&<>]*"
_GO = r"-(mod=(mod|vendor|readonly)|v|race|trimpath|buildvcs=[a-z]+|tags=[A-Za-z0-9_,]+|count=[0-9]+|p=[0-9]+)"
_PYTEST = (
    r"-[vqsxl]+|-r[A-Za-z]+|-n|-n?([0-9]+|auto|logical)|-p|no:[a-z-]+|-[km]|[A-Za-z_][A-Za-z0-9_]*"
    r"|--(lf|ff|nf|sw|last-failed|failed-first|stepwise|no-header|no-summary|showlocals|exitfirst|verbose|quiet|no-cov"
    r"|strict-markers|strict-config|cov-append|cov-branch|disable-warnings|runxfail|setup-show|durations-min=[0-9.]+)"
    r"|--(tb|color|maxfail|durations|timeout|dist|numprocesses|verbosity|capture|cov-fail-under|log-level|log-cli-level"
    r"|cov-report|show-capture)=[A-Za-z0-9:_-]+|--cov(=[A-Za-z0-9_][A-Za-z0-9_./-]*)?|--junit-?xml=[A-Za-z0-9_][^/$`]*"
)
_WARNINGS = r"(default|error|always|module|once|ignore|[deamoi])(:[^:]*(:[A-Za-z]*(:.*)?)?)?"

HARMLESS_OPTIONS: dict[str, re.Pattern[str]] = {
    "NODE_OPTIONS": re.compile(_NODE),
    **dict.fromkeys(
        (
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "JAVA_OPTS",
            "MAVEN_OPTS",
            "GRADLE_OPTS",
            "SBT_OPTS",
        ),
        re.compile(_JAVA),
    ),
    **dict.fromkeys(("MAKEFLAGS", "GNUMAKEFLAGS"), re.compile(r"-{0,2}(j?[0-9]*|[skwBnq]+|no-print-directory|silent)")),
    "GOFLAGS": re.compile(_GO),
    **dict.fromkeys(("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CGO_CFLAGS", "CGO_LDFLAGS"), re.compile(_FLAGS)),
    **dict.fromkeys(("RUSTFLAGS", "RUSTDOCFLAGS"), re.compile(_FLAGS)),
    "PYTEST_ADDOPTS": re.compile(_PYTEST),
    **dict.fromkeys(
        ("MAVEN_ARGS", "ANT_OPTS", "LEIN_JVM_OPTS", "KOTLIN_DAEMON_JVM_OPTIONS"),
        re.compile(rf"{_JAVA}|-[BoqeVXTU0-9C]+|--(batch-mode|offline|quiet|no-transfer-progress)|-ntp"),
    ),
    "ANT_ARGS": re.compile(r"-(q|quiet|v|verbose|k|keep-going|S|silent|e|emacs)"),
    **dict.fromkeys(
        (
            "GUNICORN_CMD_ARGS",
            "RAKEOPT",
            "CARGO_ENCODED_RUSTFLAGS",
            "NODE_REPL_EXTERNAL_MODULE",
            "BAZEL_ARGS",
            "TF_CLI_ARGS",
            "R_DEFAULT_PACKAGES",
            "JRUBY_OPTS",
        ),
        re.compile(r"[A-Za-z0-9_]*"),
    ),
    "PYTHONWARNINGS": re.compile(_WARNINGS),
    "PERL5OPT": re.compile(r"-[wWT]"),
    "RUBYOPT": re.compile(r"-(w|W[0-2]?|W:[a-z_-]+|-enable[=-]yjit|-yjit|E[A-Za-z0-9:-]+)"),
    "LESS": re.compile(r"-{0,2}[A-JL-NQ-SU-Za-jl-np-z0-9]*"),
    "TAR_OPTIONS": re.compile(r"--(no-same-owner|no-same-permissions|numeric-owner|warning=[a-z-]+)"),
    "GREP_OPTIONS": re.compile(r"--?colou?r(=[a-z]+)?"),
    "FZF_DEFAULT_OPTS": re.compile(r"(?!.*(preview|bind|execute|become|with-shell|listen))[^$`]*"),
    **dict.fromkeys(("ERL_FLAGS", "ERL_AFLAGS", "ELIXIR_ERL_OPTIONS"), re.compile(r"\+[A-Z]+|[0-9]+")),
}
"""What each word of the value may be without a question."""

KEEPS_FILES = frozenset({
    "HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "CARGO_HOME",
    "RUSTUP_HOME", "CARGO_TARGET_DIR", "GOPATH", "GOBIN", "GOCACHE", "GOMODCACHE", "GRADLE_USER_HOME", "PIP_TARGET",
    "PIP_PREFIX", "PIP_CACHE_DIR", "UV_CACHE_DIR", "npm_config_cache", "NPM_CONFIG_CACHE", "YARN_CACHE_FOLDER",
    "PYTHONPYCACHEPREFIX", "GEM_HOME", "GNUPGHOME", "SSLKEYLOGFILE", "PERLIO_DEBUG", "DESTDIR", "INSTALL_ROOT",
    "GCOV_PREFIX", "LLVM_PROFILE_FILE", "COVERAGE_FILE", "LESSHISTFILE",
})  # fmt: skip
"""Where programs write: judged as a place like any other."""

PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS3", "PS4"})
