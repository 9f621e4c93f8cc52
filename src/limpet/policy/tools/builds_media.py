"""Tools for images, sound, films, documents and diagrams -> what their calls read and write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, read, risk, script, write
from limpet.policy.tools.fieldpaths import begin
from limpet.policy.tools.own_code import loads, runs_place, runs_settings, wary_of
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.tables import reads, texts, writes
from limpet.policy.tools.verbs import parse_spec, works_here
from limpet.syntax.late import late
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_ADDRESS = late(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]*://")
_FORMAT = late(r"(?P<name>[A-Za-z][A-Za-z0-9-]+):(?!//)")
_NO_FILE = ("-", "null:", "info:", "show:", "x:", "win:")


def fetches(command: Command) -> Iterator[Effect]:
    """A question when any argument is an address in the network."""
    if any(_ADDRESS.search(field.prefix) for field in command.arguments):
        yield risk(f"{command.name}.network", Risk.NETWORK, f"has {command.name} fetch from the network")


def perhaps_fetching(tool: Spec | Rule) -> Rule:
    """The tool, with a question about addresses in the network."""

    def rule(command: Command) -> Iterator[Effect]:
        yield from fetches(command)
        yield from describe(tool, command) if isinstance(tool, Spec) else tool(command)

    return rule


def _magick(command: Command) -> Iterator[Effect]:
    """ImageMagick: the last word is what it makes, those before are read; some prefixes of names are commands."""
    yield from fetches(command)
    words = [field for field in command.arguments if not re.match("[-+][A-Za-z]", field.prefix)]
    made = words if command.name == "mogrify" else [] if command.name in ("identify", "display") else words[-1:]
    for field in words:
        yield from _image(field, made=field in made)
    for option, field in zip(command.arguments, command.arguments[1:], strict=False):
        if option.text in ("-write", "-path"):
            yield write(field)
        elif option.text in ("-script", "-process"):
            yield risk("image.command", Risk.UNKNOWN, "has the image tool run a script or load a module")


def _image(field: Field, *, made: bool) -> Iterator[Effect]:
    found = _FORMAT.match(field.prefix)
    name = found["name"].lower() if found is not None else ""
    path = begin(field, field.prefix[found.end() if found is not None else 0 :])
    if field.prefix.startswith("|") or name in ("msl", "delegate", "script"):
        yield risk("image.command", Risk.UNKNOWN, "has the image tool run a command")
    elif name == "ephemeral":
        yield delete(path)
    elif field.text not in _NO_FILE:
        yield (write if made else read)(begin(path, path.prefix.lstrip("@")))


_FLAGS = frozenset(
    [
        "-y",
        "-n",
        "-hide_banner",
        "-nostdin",
        "-stdin",
        "-an",
        "-vn",
        "-sn",
        "-dn",
        "-shortest",
        "-stats",
        "-nostats",
        "-copyts",
        "-re",
        "-accurate_seek",
        "-autorotate",
        "-noautorotate",
        "-xerror",
        "-bitexact",
        "-benchmark",
        "-report",
        "-debug_ts",
        "-L",
        "-h",
        "-version",
        "-formats",
        "-codecs",
        "-encoders",
        "-decoders",
        "-filters",
        "-muxers",
        "-demuxers",
        "-protocols",
        "-pix_fmts",
        "-buildconf",
        "-show_streams",
        "-show_format",
        "-show_frames",
        "-show_packets",
    ]
)


def _ffmpeg(command: Command) -> Iterator[Effect]:
    """`-i` names what is read; a word that is no value of an option is made, and so is the last one."""
    yield from fetches(command)
    option = ""
    last = len(command.arguments) - 1
    for index, field in enumerate(command.arguments):
        if field.prefix.startswith("-") and field.text != "-":
            option = "" if field.text in _FLAGS else field.prefix
            continue
        if option == "-i":
            yield read(field)
        elif not option or index == last or field.prefix.startswith(("/", "../", "~")):
            yield write(field)
        option = ""


_PANDOC = Spec(operands="read*", options={
    **writes("-o --output --extract-media --log"),
    **reads("--metadata-file --bibliography --csl --reference-doc -H -B -A"),
    **texts("-f --from -r --read -t --to -w --write -V --variable -M --metadata --toc-depth -c --css --wrap --columns "
            "--highlight-style --pdf-engine-opt --shift-heading-level-by --number-offset --top-level-division "
            "--resource-path --template --data-dir -d --defaults -L --lua-filter -F --filter --citation-abbreviations"),
    "--pdf-engine": "program", "--request-header": "network", "--syntax-definition": "read",
})  # fmt: skip


def _pandoc(command: Command) -> Iterator[Effect]:
    """Filters, and readers or writers in Lua, are code."""
    parsed = parse_spec(_PANDOC, command)
    yield from fetches(command)
    yield from describe(_PANDOC, command)
    for field in parsed.values("-F", "--filter", "-L", "--lua-filter", "-d", "--defaults", "--data-dir"):
        yield from runs_settings(field, "pandoc")
    for field in parsed.values("-f", "--from", "-r", "--read", "-t", "--to", "-w", "--write"):
        yield from runs_place(field, "pandoc") if "/" in field.prefix or field.text is None else ()


def _ghostscript(command: Command) -> Iterator[Effect]:
    """Documents are programs, which are locked in unless that is switched off."""
    output = False
    for field in command.arguments:
        start = field.prefix
        if output or start.startswith(("-sOutputFile=", "-o")):
            path = start if output else start.removeprefix("-sOutputFile=").removeprefix("-o")
            yield from _printed(begin(field, path)) if path or output or field.text is None else ()
            output = field.text == "-o" and not output
        elif start in ("-dNOSAFER", "-dDELAYSAFER", "-c") or start.startswith(("--permit", "@")):
            yield risk("gs.unsafe", Risk.UNKNOWN, "lets a document run code or reach other files")
        elif not start.startswith("-"):
            yield read(field)


def _printed(field: Field) -> Iterator[Effect]:
    if field.prefix.startswith(("%pipe%", "|")):
        yield risk("gs.pipe", Risk.UNKNOWN, "sends pages to another program")
        yield script(Field((field.prefix.removeprefix("%pipe%").lstrip("|"), *field.pieces[1:])), "gs")
    elif field.text not in ("-", "%stdout"):
        yield write(field)


def _pdftk(command: Command) -> Iterator[Effect]:
    """What follows `output` is made."""
    before = ""
    for field in command.arguments:
        yield write(field) if before == "output" else read(field)
        before = field.text or ""


_QPDF = Spec(operands="text*", options=texts("--password --object-streams --compress-streams"))


def _qpdf(command: Command) -> Iterator[Effect]:
    looks = any((text or "").startswith(("--check", "--show", "--list", "--json", "--is-")) for text in command.texts)
    for field in parse_spec(_QPDF, command).operands:
        yield (read if looks else write)(field)
    if any(field.prefix.startswith("@") for field in command.arguments):
        yield risk("qpdf.options", Risk.OPAQUE, "takes its options from a file")


def _mutool(command: Command) -> Iterator[Effect]:
    """`mutool run` runs a script."""
    if command.texts[:1] == ("run",):
        for field in command.arguments[1:2]:
            yield from runs_place(field, "mutool")
    for field in command.arguments[1:]:
        if not field.prefix.startswith("-"):
            yield write(field)


def _exiftool(command: Command) -> Iterator[Effect]:
    """Reads, unless a tag is set; conditions and formats may hold code."""
    sets = any(re.match("-[A-Za-z:#*]+[-+<]?[=<]", field.prefix) for field in command.arguments)
    for field in command.arguments:
        if field.prefix in ("-if", "-if2", "-config", "-@", "-geotag") or re.search(r"\$\{[^}]*;", field.prefix):
            yield risk("exiftool.code", Risk.OPAQUE, "has exiftool run code, or take options from a file")
        elif not field.prefix.startswith("-"):
            yield (write if sets or {"-o", "-w", "-W"} & {*command.texts} else read)(field)


_SINGLE = texts("-f -l -r -x -y -W -H -scale-to -scale-to-x -scale-to-y -enc -eol -opw -upw -rx -ry -jpegopt -p -sep")
_POPPLER = Spec(operands="read write", options=_SINGLE, single_dash=True)
_MAKES = Spec(operands="write*", options={**writes("-o --output --out -d --dest -dir -out -out-file --output-dir"),
                                         **texts("-q --quality --ext -m --speed")})  # fmt: skip
"""Changes files in place, or makes others beside them."""
_TO = Spec(
    operands="read*",
    options={
        **writes("-o --output --out --write --output-dir --outputs -O"),
        **texts("-f --format -T -s --scale -w -h --width --height -K -l -G -N -E"),
    },
)
"""Reads files, and makes the one that an option names."""

MEDIA: dict[str, Spec | Rule] = {
    **dict.fromkeys(("convert", "magick", "mogrify", "identify", "composite", "montage", "compare", "display"),
                    _magick),
    **dict.fromkeys(("ffmpeg", "avconv"), _ffmpeg),
    **dict.fromkeys(("ffprobe", "ffplay"), perhaps_fetching(Spec(operands="read*", options=writes("-o")))),
    **dict.fromkeys(("soxi", "mediainfo", "opusinfo", "ogginfo", "webpinfo", "pnginfo", "pngcheck", "jpeginfo",
                     "exiv2", "pdfdetach"), Spec(operands="read*")),
    **dict.fromkeys(("sox", "lame", "flac", "opusenc", "opusdec", "oggenc", "oggdec", "optipng", "pngquant", "pngcrush",
                     "oxipng", "zopflipng", "jpegoptim", "jpegtran", "cjpeg", "djpeg", "cwebp", "dwebp", "gif2webp",
                     "gifsicle", "avifenc", "avifdec", "heif-convert", "icotool", "wrestool", "ditaa", "mscgen", "d2",
                     "pdfcrop", "pdfjam", "ocrmypdf", "img2pdf", "icns2png", "png2icns", "fonttools", "pyftsubset",
                     "woff2_compress", "woff2_decompress", "ttx"), _MAKES),
    "svgo": loads(_MAKES, "--config"),
    "exiftool": _exiftool,
    "pandoc": _pandoc,
    **dict.fromkeys(("wkhtmltopdf", "wkhtmltoimage", "weasyprint"), perhaps_fetching(wary_of(
        Spec(operands="read* write"), "--run-script --use-xserver", "runs a script"))),
    **dict.fromkeys(("asciidoctor", "asciidoctor-pdf", "asciidoctor-epub3"), loads(works_here(Spec(
        operands="read*",
        options={**writes("-o --out-file -D --destination-dir"), **texts("-a --attribute -b -d -B")})),
        "-r --require -T --template-dir -I --load-path -E")),
    **dict.fromkeys(
        [f"rst2{kind}{end}" for kind in ("html", "html5", "latex", "man", "odt", "pdf", "xml", "s5")
         for end in ("", ".py")],
        Spec(operands="read write", options=writes("-o --output"))),
    **dict.fromkeys(("markdown", "marked", "multimarkdown", "cmark", "cmark-gfm", "markdown_py", "kramdown", "mandoc",
                     "man2html", "rsvg-convert", "potrace", "cairosvg", "scour", "soelim", "preconv", "pic", "tbl",
                     "eqn"), _TO),
    **dict.fromkeys(("groff", "troff", "nroff", "pdfroff"), wary_of(
        _TO, "-U -l -L -P", "lets the document run commands, or prints it")),
    **dict.fromkeys(("circo", "fdp", "sfdp", "twopi", "osage", "patchwork", "acyclic", "ccomps", "gvpack", "tred",
                     "unflatten"), _TO),
    **dict.fromkeys(("pdftotext", "pdftoppm", "pdftocairo", "pdfimages", "pdftohtml", "pdfseparate", "pdftops"),
                    _POPPLER),
    "pdfunite": Spec(operands="read* write"),
    "pdftk": _pdftk,
    "qpdf": _qpdf,
    "mutool": _mutool,
    "gs": _ghostscript,
    **dict.fromkeys(("ps2pdf", "pdf2ps", "ps2epsi", "eps2eps", "dvipdf", "dvipdfmx"), Spec(operands="read write")),
    "dvips": wary_of(Spec(operands="read*", options=writes("-o")), "-R0", "lets the document run commands"),
    "tesseract": Spec(operands="read write text*", options=texts("-l --psm --oem -c --dpi --tessdata-dir")),
    "slidev": works_here(_TO),
    "marp": works_here(_TO),
}  # fmt: skip
