"""Compilers, linkers, and programs that start what they built -> what their calls read, write and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, script, write
from limpet.policy.tools.own_code import parse_exact, play_options, runs_file, runs_place
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.verbs import HERE, exactly, works_here
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_WITH_VALUE = frozenset({
    "-I", "-L", "-D", "-U", "-l", "-x", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-T",
    "-MT", "-MQ", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xclang", "-arch", "-target", "-u", "-z", "-framework",
    "--param", "-aux-info", "-dumpbase", "-e", "-h", "-soname", "-rpath", "-m", "-mllvm", "-A",
})  # fmt: skip
"""Options of C compilers whose value may be the next word."""
_WRITES = ("-o", "-MF", "-dumpdir", "--output", "-MJ", "-Map")
_LOADS = (
    "-wrapper", "-fplugin", "-B", "-specs", "--specs", "-fuse-ld=/", "-fuse-ld=.", "--ld-path", "-load",
    "-fpass-plugin",
    "-plugin", "--plugin", "--config", "-no-canonical-prefixes=", "-ccc-", "--gcc-toolchain",
)  # fmt: skip


def compile_c(command: Command) -> Iterator[Effect]:
    """gcc, clang and what takes the same options."""
    yield HERE
    waiting = ""
    for field in command.arguments:
        start = field.prefix
        if waiting:
            yield from _value(waiting, field)
            waiting = ""
        elif start.startswith("@"):
            yield risk("compiler.options", Risk.OPAQUE, "takes its options from a file")
        elif start.startswith("-") and start != "-":
            waiting = start if field.text in (*_WITH_VALUE, *_WRITES) else ""
            yield from _c_option(field, start) if not waiting else ()
        else:
            yield read(field)


def _value(option: str, field: Field) -> Iterator[Effect]:
    if option in _WRITES:
        yield write(field)
    elif option in ("-include", "-imacros", "-T"):
        yield read(field)
    elif option in ("-Xclang", "-mllvm") and "load" in field.prefix + field.suffix:
        yield risk("compiler.plugin", Risk.UNKNOWN, "makes the compiler load other code")


def _c_option(field: Field, start: str) -> Iterator[Effect]:
    if start.startswith(_LOADS) or ",-plugin" in start or ",--plugin" in start:
        yield risk("compiler.plugin", Risk.UNKNOWN, "makes the compiler load or run other code")
    elif start.startswith("-o") and not start.startswith(("-ob", "-opt")):
        yield write(Field((start[2:], *field.pieces[1:]), field.many))
    elif start.startswith("--output="):
        yield write(Field((start[9:], *field.pieces[1:]), field.many))


_JAVA = {
    "-cp": "text", "-classpath": "text", "-class-path": "text", "-p": "text", "-module-path": "text", "-m": "text",
    "-module": "text", "-add-modules": "text", "-add-opens": "text", "-add-exports": "text", "-add-reads": "text",
    "-jar": "text", "-source": "text", "-upgrade-module-path": "text", "-limit-modules": "text",
}  # fmt: skip
_AGENTS = ("-javaagent", "-agentlib", "-agentpath", "-Xrun", "-Xbootclasspath", "-XX:Flags", "-XX:VMOptionsFile")


def java(command: Command) -> Iterator[Effect]:
    """Runs a class, an archive or a source file."""
    parsed = parse_exact(command.arguments, _JAVA, stop_early=True)
    yield HERE
    for name, value in parsed.options:
        if name.startswith(_AGENTS):
            yield risk("java.agent", Risk.UNKNOWN, "makes Java load other code")
        elif name in ("-XX:OnError", "-XX:OnOutOfMemoryError") and value is not None:
            yield script(value, f"java {name}")
        elif name == "-jar" and value is not None:
            yield runs_file(value, "java -jar")
        elif name in ("-cp", "-classpath", "-class-path", "-p", "-module-path") and value is not None:
            for place in value.prefix.split(":"):
                yield from runs_place(Field((place,)), "java")
    yield from _java_operand(parsed.operands)


def _java_operand(operands: tuple[Field, ...]) -> Iterator[Effect]:
    for field in operands[:1]:
        if field.prefix.startswith("@"):
            yield risk("java.options", Risk.OPAQUE, "takes its options from a file")
        elif field.suffix.endswith((".java", ".jar")):
            yield runs_file(field, "java")


_RUSTC = {"-o": "write", "-out-dir": "write", "-C": "text", "-codegen": "text", "-L": "text", "-l": "text",
    "-emit": "text",
          "-crate-type": "text", "-crate-name": "text", "-edition": "text", "-extern": "text", "-cfg": "text",
          "-Z": "text",
          "-target": "text", "-W": "text", "-A": "text", "-D": "text", "-F": "text"}  # fmt: skip


def rustc(command: Command) -> Iterator[Effect]:
    """Compiles; `-C linker=` runs another program."""
    parsed = parse_exact(command.arguments, _RUSTC)
    yield HERE
    yield from play_options(parsed, _RUSTC, command)
    for name, value in parsed.options:
        text = f"{name}={value.prefix}" if value is not None else name
        if any(word in text for word in ("linker=", "linker-plugin", "llvm-args", "codegen-backend", "-plugin")):
            yield risk("compiler.plugin", Risk.UNKNOWN, "makes the compiler load or run other code")
    yield from map(read, parsed.operands)


def ldd(command: Command) -> Iterator[Effect]:
    """May run a program to see what it loads."""
    for field in command.arguments:
        if not field.prefix.startswith("-"):
            yield runs_file(field, "ldd")


_READ = Spec(operands="read*")
_OUTPUT = Spec(
    operands="read*",
    options={
        "-o": "write",
        "--output": "write",
        "-d": "write",
        "-out": "write",
        "--out-dir": "write",
        "--outdir": "write",
    },
)

COMPILERS: dict[str, Spec | Rule] = {
    **dict.fromkeys(
        ("gcc", "g++", "cc", "c++", "clang", "clang++", "cpp", "gfortran", "tcc", "icc", "icx", "icpx", "ld", "ld.lld",
         "ld.gold", "ld.bfd", "lld", "mold", "gold", "as", "emcc", "em++", "nvcc", "gdc", "c99", "c89",
         "x86_64-w64-mingw32-gcc",
         "aarch64-linux-gnu-gcc", "arm-none-eabi-gcc"),
        compile_c,
    ),
    **{f"{name}-{version}": compile_c for name in ("gcc", "g++", "clang", "clang++") for version in range(7, 22)},
    **dict.fromkeys(("nm", "size", "objdump", "readelf", "addr2line", "c++filt", "otool", "lipo", "llvm-objdump",
                     "llvm-nm", "llvm-readelf", "pahole", "gcov"), _READ),
    "ldd": ldd,
    **dict.fromkeys(("ar", "llvm-ar", "gcc-ar"), Spec(operands="text write read*",
        ask={"--plugin": "loads other code"})),
    "ranlib": Spec(operands="write*", ask={"--plugin": "loads other code"}),
    **dict.fromkeys(("strip", "llvm-strip"), Spec(operands="write*", options={"-o": "write", "-K": "text", "-N": "text",
        "-R": "text"})),
    **dict.fromkeys(("objcopy", "llvm-objcopy"), Spec(operands="read write", options={
        "-O": "text", "-I": "text", "-B": "text", "-j": "text", "-R": "text", "--dump-section": "text"})),
    **dict.fromkeys(("ctags", "etags"), works_here(Spec(operands="read*", options={
        "-f": "write", "-o": "write", "-L": "read", "--options": "ask:takes its options from a file",
        "--filter-terminator": "text"}))),
    "java": java,
    **dict.fromkeys(("javac", "kotlinc", "scalac", "groovyc", "javadoc", "kotlin", "scala", "groovy"), exactly(
        {"-d": "write", "-h": "write", "-s": "write", "-cp": "text", "-classpath": "text", "-sourcepath": "text",
                 "-processorpath": "text", "-source": "text", "-target": "text", "-e": "ask:runs inline code",
                 "-processor": "text", "-release": "text", "-encoding": "text", "-class-path": "text"},
        starts=True, ask={"-J": "passes options to the virtual machine", "-Xplugin": "loads other code"})),
    **dict.fromkeys(("jar", "jlink", "jpackage"), works_here(Spec(operands="text*", options={"-C": "read",
        "--output": "write"}))),
    **dict.fromkeys(("javap", "jdeps", "jps", "jstack", "jmap", "jinfo"), Spec(operands="text*")),
    "rustc": rustc,
    **dict.fromkeys(("rustdoc", "bindgen", "cbindgen", "protoc-gen", "flex", "bison", "yacc", "lex", "re2c",
        "asciidoctor",
                     "nasm", "yasm", "glslc", "dot", "neato", "plantuml", "mmdc"), works_here(_OUTPUT)),
    "protoc": works_here(Spec(operands="read*", options={
        "-I": "text", "--proto_path": "text", "--python_out": "write", "--go_out": "write", "--cpp_out": "write",
        "--java_out": "write", "--descriptor_set_out": "write", "-o": "write", "--plugin": "program",
        "--js_out": "write",
        "--grpc_out": "write", "--ts_out": "write"})),
    **dict.fromkeys(("pdflatex", "xelatex", "lualatex", "latex", "tex", "latexmk", "bibtex", "biber", "tectonic"),
        exactly(
        {"-output-directory": "write", "-outdir": "write", "-jobname": "text", "-interaction": "text", "-fmt": "text",
                 "-e": "ask:runs inline code", "-r": "read", "-pdflatex": "script", "-latex": "script"},
        ask={"-shell-escape": "lets the document run commands", "-enable-write18": "lets the document run commands"})),
}  # fmt: skip
