"""Tools of frameworks, databases, notebooks, autotools and language servers -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, code, runs_stdin
from limpet.policy.tools.builds_compilers import compile_c
from limpet.policy.tools.builds_media import perhaps_fetching
from limpet.policy.tools.own_code import asking, loads, runs_file, wary_of
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.tables import reads, texts, writes
from limpet.policy.tools.verbs import (
    CHANGES,
    HERE,
    READS,
    RUNS,
    Verb,
    Verbs,
    asks,
    each,
    parse_spec,
    reaches,
    with_verbs,
    works_here,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule
    from limpet.policy.tools.verbs import Meaning

_DATABASE = "changes a database"


def _database(tool: str, own: str, **more: Meaning) -> Rule:
    """A tool for migrations: what only writes files is free, anything else talks to a database."""
    return with_verbs(Verbs(
        options=texts("-c --env --cwd --client --config --schema -m --message -n --name -x --url -d --dir --path -e"),
        flags="-v --verbose -q --quiet --no-color --sql",
        table={**each(own, CHANGES), **each("help version --version", READS), **more},
        other=asks(f"{tool}.database", Risk.DESTROYS, _DATABASE),
    ))  # fmt: skip


_ALEMBIC = _database(
    "alembic", "history heads branches show revision merge init list_templates check edit upgrade current"
)
_PRISMA = _database(
    "prisma", "generate format validate version init",
    migrate=Verbs(table=each("diff status", READS), other=asks("prisma.database", Risk.DESTROYS, _DATABASE)),
    studio=asks("prisma.studio", Risk.NETWORK, "opens a port"),
)  # fmt: skip
_DBT = _database(
    "dbt", "ls list parse clean init", deps=reaches("dbt.network", "downloads packages"),
    docs=Verbs(table=each("generate", CHANGES), other=asks("dbt.serve", Risk.NETWORK, "opens a port")),
)  # fmt: skip


def _runner(command: Command) -> Iterator[Effect]:
    """`rails runner CODE` or a file; `-` is what it reads."""
    spec = Spec(operands="text*", options=texts("-e --environment"))
    for field in parse_spec(spec, command).operands[:1]:
        if field.text == "-":
            yield runs_stdin("ruby")
        elif field.suffix.endswith(".rb"):
            yield runs_file(field, "rails runner")
        else:
            yield code(field, "ruby")


def _console(command: Command) -> Iterator[Effect]:  # noqa: ARG001 - a rule takes the command
    """Runs what it reads."""
    yield runs_stdin("ruby")


_RAILS = Verbs(
    table={
        **each("routes stats notes about middleware initializers help time:zones:all zeitwerk:check db:version "
               "db:migrate:status version", READS),
        **each("test t spec server s generate g destroy d assets:precompile assets:clean assets:clobber tmp:clear "
               "log:clear tmp:create tmp:cache:clear db:prepare db:migrate db:create db:seed db:schema:dump "
               "db:schema:cache:dump test:system test:all i18n:js:export webpacker:compile", CHANGES),
        **each("runner r", _runner),
        **each("console c dbconsole db", _console),
        **each("new app:update app:template plugin", reaches("rails.network", "downloads packages")),
        **each("db:drop db:reset db:setup db:purge db:rollback db:schema:load db:truncate_all db:migrate:reset "
               "db:migrate:down db:migrate:redo db:structure:load", asks("rails.database", Risk.DESTROYS,
               "deletes data of a database")),
        **each("credentials:edit credentials:show secrets:edit encrypted:edit encrypted:show secret", asks(
            "rails.secrets", Risk.SECRETS, "shows or changes secrets")),
    },
    flags="-h",
)  # fmt: skip
_DJANGO = Verbs(
    options={**texts("--settings -v --verbosity"), "--pythonpath": "text"},
    flags="--traceback --no-color --force-color",
    table={
        **each("startproject startapp makemessages compilemessages check diffsettings showmigrations sqlmigrate "
               "makemigrations collectstatic test testserver runserver findstatic inspectdb dumpdata version help",
               CHANGES),
        **each("shell dbshell", asks("django.shell", Risk.OPAQUE, "runs what it is given")),
    },
    other=asks("django.database", Risk.DESTROYS, _DATABASE),
)  # fmt: skip
_NOTEBOOK = Spec(operands="write*", options={
    **writes("--output --output-dir -o --log"), **texts("--to --from --template -k --kernel "
        "--ExecutePreprocessor.timeout"),
})  # fmt: skip
_NBCONVERT = loads(perhaps_fetching(works_here(_NOTEBOOK)), "--config --template-file")
_JUPYTER = Verbs(
    flags="--version --paths --config-dir --data-dir --runtime-dir",
    table={
        **each("nbconvert execute trust", _NBCONVERT),
        **each("kernelspec labextension nbextension serverextension troubleshoot", Verbs(
            table=each("list", READS), other=asks("jupyter.install", Risk.PERSISTS, "changes what Jupyter loads"))),
        **each("lab notebook server console qtconsole run", asks("jupyter.server", Risk.NETWORK,
            "starts a server that runs code")),
        **each("troubleshoot migrate", READS),
    },
)  # fmt: skip
_DVC = Verbs(flags="-q -v", table={
    **each("status diff dag list metrics params plots add remove repro exp stage commit checkout init unprotect "
           "root version doctor ls freeze unfreeze", CHANGES),
    **each("push", asks("dvc.push", Risk.PUBLISHES, "sends data to a remote")),
    **each("gc destroy", asks("dvc.delete", Risk.DESTROYS, "deletes data")),
}, other=reaches("dvc.network", "talks to a remote"))  # fmt: skip
_MATURIN = Verbs(table={
    **each("build develop sdist list-python new init generate-ci", Verb(CHANGES.does, Spec(
        operands="text*", options={**writes("-o --out --target-dir"), "-i": "text", "--interpreter": "text"}))),
    **each("publish upload", asks("maturin.publish", Risk.PUBLISHES, "publishes a package")),
})  # fmt: skip
_REUSE = Verbs(flags="-q", options={"--root": "text"}, table={
    **each("lint lint-file spdx supported-licenses", READS),
    **each("annotate init convert-dep5", Verb(CHANGES.does, Spec(
        operands="write*", options=texts("-c --copyright -l --license -y --year -s --style -t --template -p")))),
}, other=reaches("reuse.network", "downloads licences"))  # fmt: skip
_WASM_PACK = Verbs(table={
    **each("build test new", Verb(CHANGES.does, Spec(operands="text*", options=writes("-d --out-dir")))),
    **each("pack", CHANGES),
    **each("publish login", asks("wasm-pack.publish", Risk.PUBLISHES, "publishes a package")),
})  # fmt: skip
_ASPELL = Verbs(
    options={**texts("-l --lang -d --master --mode --encoding --ignore"), **reads("-p --personal --extra-dicts")},
    flags="-a -c",
    table={**each("list pipe munch soundslike dump config help", READS), **each("check", Verb(spec=Spec(
        operands="write*")))},
)  # fmt: skip
_AUTO = Spec(
    operands="read*",
    options={**writes("-o --output"), **texts("-W --warnings -t --trace -m")},
    flags="--force --install --verbose --symlink --make --add-missing --copy --foreign --include --no-force",
)
_MESSAGES = Spec(
    operands="read*",
    options={
        **writes("-o --output-file -d --output-dir -p"),
        **reads("-f --files-from -C --compendium"),
        **texts(
            "-l --locale -k --keyword -L --language -D --directory --from-code --package-name --package-version -F "
            "--msgid-bugs-address --copyright-holder --domain --add-comments -c --width -w"
        ),
    },
    flags="--statistics --check --update --no-wrap --sort-output --no-location --join-existing --add-comments",
)
_UPDATED = Spec(operands="write*", options=_MESSAGES.options, flags=_MESSAGES.flags)
_SERVER = wary_of(works_here(Spec(operands="text*")), "--query-driver --path-mappings --listen -listen --port "
    "--socket --tcp",
                  "runs another program, or opens a port")  # fmt: skip
_OUT = Spec(operands="read*", options={
    **writes("-o --output --out -out --out-dir --outdir -d --output-dir --output-file --target -t"),
        **texts("-I -f -m"),
})  # fmt: skip
_IN_PLACE = Spec(operands="write*", options=writes("-o --output --dest-dir -w --wheel-dir"))


def _pyinstaller(command: Command) -> Iterator[Effect]:
    """Packs a program of the project; hooks and settings are code."""
    spec = Spec(operands="text*", options={
        **writes("--distpath --workpath --specpath"),
        **texts("-n --name --add-data --hidden-import -p --paths -i --icon"),
    })  # fmt: skip
    yield HERE
    yield from describe(spec, command)
    for field in parse_spec(spec, command).operands:
        yield runs_file(field, command.name or "")


PROJECTS: dict[str, Spec | Rule] = {
    "rails": with_verbs(_RAILS),
    "alembic": loads(_ALEMBIC, "-c --config"),
    "prisma": _PRISMA,
    "dbt": loads(_DBT, "--project-dir --profiles-dir"),
    "knex": loads(_database("knex", "migrate:make seed:make init migrate:list"), "--knexfile --cwd"),
    **dict.fromkeys(("sequelize", "sequelize-cli"), loads(_database(
        "sequelize", "migration:generate migration:create model:generate seed:generate init init:config"),
        "--config --options-path")),
    "typeorm": loads(_database("typeorm", "migration:create entity:create subscriber:create init"), "-d --dataSource"),
    "drizzle-kit": loads(_database("drizzle-kit", "generate check up"), "--config"),
    **dict.fromkeys(("dbmate", "goose", "migrate", "sqitch", "diesel", "sqlx", "sea-orm-cli", "flyway", "liquibase",
                     "atlas", "sqlmesh", "mikro-orm"), _database("migrations", "new create add generate init plan")),
    "django-admin": loads(with_verbs(_DJANGO), "--pythonpath"),
    **dict.fromkeys(("airflow", "celery", "mlflow", "rq", "huey", "dramatiq", "flower", "prefect", "dagster", "luigi"),
                    asking("starts a service, or changes data of one")),
    **dict.fromkeys(("granian", "waitress-serve", "gradio", "bokeh", "panel", "voila", "chainlit", "kedro"),
                    loads(works_here(Spec(operands="text*")), "--app-dir --working-dir --config --env-files")),
    "jupyter": with_verbs(_JUPYTER),
    "jupyter-nbconvert": _NBCONVERT,
    **dict.fromkeys(("jupyter-lab", "jupyter-notebook"), Spec(operands="text*",
        network="starts a server that runs code")),
    "jupytext": wary_of(works_here(_NOTEBOOK), "--pipe --check --pipe-fmt", "runs another program"),
    "papermill": perhaps_fetching(works_here(Spec(operands="read write", options=texts("-p -r -k -f -y -b --cwd")))),
    "nbstripout": wary_of(works_here(_IN_PLACE), "--install --uninstall", "changes the settings of git"),
    "jupyter-book": works_here(_OUT),
    "dvc": with_verbs(_DVC),
    "maturin": with_verbs(_MATURIN),
    "reuse": with_verbs(_REUSE),
    "wasm-pack": with_verbs(_WASM_PACK),
    "aspell": with_verbs(_ASPELL),
    "hunspell": Spec(operands="read*", options={**texts("-d -i"), **reads("-p")}),
    **dict.fromkeys(("pyinstaller", "nuitka", "nuitka3", "cxfreeze", "py2app"), _pyinstaller),
    **dict.fromkeys(("autoreconf", "autoconf", "automake", "aclocal", "autoheader", "libtoolize", "autoupdate",
                     "autoscan", "autopoint", "gettextize", "intltoolize", "gtkdocize", "autom4te"),
                    loads(works_here(_AUTO), "-I --include -B --prepend-include --system-acdir -C")),
    **dict.fromkeys(("xgettext", "msgfmt", "msginit", "msgcat", "msgconv", "msguniq", "msgcmp", "msgattrib", "msgen",
                     "msgunfmt", "pybabel", "gettext-extractor", "lrelease", "lupdate", "i18next", "formatjs"),
                    works_here(_MESSAGES)),
    **dict.fromkeys(("msgmerge", "i18n-tasks"), works_here(_UPDATED)),
    **dict.fromkeys(("makeinfo", "texi2any", "texi2pdf", "texi2dvi", "texindex"), loads(works_here(_OUT),
        "--init-file")),
    "makedepend": works_here(Spec(operands="read*", options={**writes("-f"), **texts("-p -w -o -s")})),
    **dict.fromkeys(("pylsp", "pyls", "jedi-language-server", "pyright-langserver", "typescript-language-server",
                     "tsserver", "gopls", "rust-analyzer", "clangd", "ccls", "lua-language-server",
                     "bash-language-server", "yaml-language-server", "vscode-json-language-server", "terraform-ls",
                     "ruff-lsp", "jdtls", "metals", "elixir-ls", "haskell-language-server", "zls", "solargraph",
                     "ruby-lsp", "intelephense", "phpactor", "sourcekit-lsp", "omnisharp", "marksman", "texlab"),
                    _SERVER),
    **dict.fromkeys(("puma", "unicorn", "sidekiq", "thin"), loads(works_here(Spec(operands="text*")),
        "-C --config -r --require -c --config-file -I")),
    "rackup": wary_of(loads(works_here(Spec(operands="text*"), starts=True), "-r --require -I --include"),
                      "-e --eval", "runs inline code"),
    "erb": loads(works_here(Spec(operands="text*"), starts=True), "-r -I"),
    **dict.fromkeys(("ri", "hoogle"), Spec(operands="text*")),
    **dict.fromkeys(("rdoc", "yard", "phpdoc", "pdoc", "pdoc3", "griffe", "sphinx-quickstart", "sphinx-intl", "haddock",
                     "ldoc", "luadoc", "dartdoc", "dokka", "docfx", "jazzy", "swift-doc", "godoc", "gomarkdoc",
                     "redoc-cli", "docsify", "vuepress", "vitepress", "antora"),
                    loads(works_here(_OUT), "-e --load --plugin --config -c --init-hook")),
    "sphinx-autobuild": loads(works_here(Spec(operands="read write", options=texts("-b -D -A --port --host"))), "-c"),
    "mike": wary_of(works_here(Spec(operands="text*")), "--push -p", "publishes the documentation"),
    **dict.fromkeys(("towncrier", "bump2version", "bump-my-version", "bumpver", "standard-version", "cz", "commitizen",
                     "git-cz", "conventional-changelog", "auto-changelog", "git-cliff", "gitchangelog", "changie",
                     "reno",
                     "scriv", "gitmoji"), wary_of(loads(works_here(_OUT), "-c --config --config-file"),
                                                  "--push --release", "publishes the result")),
    **dict.fromkeys(("gcovr", "lcov", "genhtml", "grcov", "covimerage", "diff-cover", "diff-quality", "reportgenerator",
                     "fastcov"), wary_of(loads(works_here(_OUT), "--config --config-file --rc"),
                                         "--gcov-executable --gcov-tool --gcov", "runs another program")),
    **dict.fromkeys(("cython", "cythonize", "f2py", "swig", "mypyc", "stubgen", "stubtest", "pydeps", "pyreverse",
                     "pyan3", "pybind11-stubgen", "sip-build", "happy", "hsc2hs", "hpack", "xcodegen", "swiftgen",
                     "sourcery", "iverilog", "verilator", "ghdl", "sv2v", "dtc", "flatc", "thrift", "avro-tools",
                     "wasm-bindgen", "wasm-opt", "wat2wasm", "wasm2wat", "wasm-tools", "wasm-strip", "gperf", "ragel",
                     "lemon", "antlr4", "javacc", "peg", "leg", "quicktype", "json2ts", "datamodel-codegen",
                     "openapi-typescript", "graphql-codegen", "relay-compiler", "typegen", "buildozer",
                     "gazelle", "cpack", "gn", "premake5", "gyp", "tup", "b2", "bjam", "coqc", "agda", "lean",
                     "idris2", "minizinc", "elm-test", "gnatmake", "gprbuild", "odin", "mill", "bloop", "sbtn",
                     "hpc", "xcpretty", "xcbeautify", "plop", "hygen"),
                    perhaps_fetching(wary_of(
                        loads(works_here(_OUT, starts=True), "--config --file --plugin -p --script --vpi --build-file"),
                        "--script-executable -c --cc --CFLAGS -CFLAGS -LDFLAGS --exec --eval --prove",
                        "runs other code"))),
    **dict.fromkeys(("include-what-you-use", "avr-gcc", "avr-g++", "riscv64-unknown-elf-gcc", "arm-none-eabi-g++",
                     "xtensa-esp32-elf-gcc", "afl-gcc", "afl-clang-fast", "musl-gcc", "dpcpp", "hipcc"), compile_c),
    **dict.fromkeys(("patchelf", "chrpath", "upx", "auditwheel", "delocate-wheel", "install_name_tool", "fixdep"),
                    Spec(operands="write*", options={**writes("-o --output -w --wheel-dir"), **texts(
                        "--set-interpreter --set-rpath --add-needed --remove-needed --replace-needed --set-soname "
                        "-r")})),
    **dict.fromkeys(("avr-objcopy", "arm-none-eabi-objcopy", "eu-strip"), Spec(operands="read write", options=texts(
        "-O -I -B -j -R"))),
    "gitleaks": Spec(operands="text*", options={**writes("-r --report-path"), **reads("-c --config -b --baseline-path"),
                                                **texts("-s --source -f --report-format --log-opts -l")}),
    **dict.fromkeys(("trufflehog", "locust", "autocannon", "lighthouse", "pa11y", "axe", "newman", "linkinator",
                     "markdown-link-check", "percy", "backstop", "npm-check", "npm-check-updates", "ncu", "pipreqs",
                     "degit", "tiged", "yo", "scrapy", "howdoi", "coursier", "cs", "jbang", "electron-builder",
                     "node-gyp", "shiv", "pex", "coveralls", "k6", "artillery", "lychee"), Spec(operands="text*",
                     network="talks to the network")),
    "wasmtime": wary_of(works_here(RUNS.spec, starts=True), "--dir --env --wasi --invoke",
    "lets the code reach further"),
}  # fmt: skip
