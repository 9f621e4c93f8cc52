"""`limpet mcp`: the shell as an MCP server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from limpet.surfaces.mcp.start import start
from limpet.surfaces.mcp.wishes import Wishes

if TYPE_CHECKING:
    from limpet.model.options import RunOptions

_PATIENCE = 50.0


@click.command("mcp")
@click.option("--workspace", metavar="DIR", help="The workspace; else what the client says, else the current folder.")
@click.option("--profile", metavar="NAME", help="How commands are judged: workspace, read-only, ci, strict or open.")
@click.option(
    "--sandbox", metavar="auto|none|NAME", help="How they are contained: native, landlock, bubblewrap, container, none."
)
@click.option("--network", type=click.Choice(["off", "on"]), help="Whether they may use the network (off).")
@click.option(
    "--yield", "patience", type=click.FloatRange(1, 3600), default=_PATIENCE, metavar="SECONDS",
    help="No call takes longer; the command goes on (50).",
)  # fmt: skip
@click.option("--structured", is_flag=True, help="Also answer with data; some clients then hide the text.")
@click.option("--http", "port", type=click.IntRange(0, 65535), metavar="PORT", help="Serve HTTP on 127.0.0.1 instead.")
def command(
    workspace: str | None, profile: str | None, sandbox: str | None, network: str | None, patience: float,
    port: int | None, *, structured: bool,
) -> int:  # fmt: skip
    """Serve bash as tools of the Model Context Protocol: to one client over stdin and stdout, or to many over HTTP.

    With --http the token that clients must send is in $LIMPET_MCP_TOKEN, or is made up and printed.
    """
    options: RunOptions = {}
    if profile is not None:
        options["profile"] = profile
    if sandbox is not None:
        options["sandbox"] = sandbox
    if network is not None:
        options["network"] = network == "on"
    wishes = Wishes(
        workspace=os.getcwd() if workspace is None else workspace, fixed=workspace is not None, patience=patience,
        options=options, structured=structured,
    )  # fmt: skip
    return start(wishes, port)
